#!/usr/bin/env python3
"""Three etcd members on this machine, for the demo and for tests.

    config/demo/etcd_members.py --data DIR          with TLS, as in a house
    config/demo/etcd_members.py --data DIR --plain  without

Prints one line when all members are healthy: their client endpoints, with commas between. The
certificates of the nodes a, b and c are then in DIR/certificates/nodes. Runs until SIGTERM, SIGINT
or the end of its parent, and ends the members with itself. A member that ends is named on standard
error and not started again. The next run with DIR continues: the same endpoints, the same keys.

The members have the settings of a house, config/cluster/etcd.default, except for places, names and
the JSON interface, with which tests read keys. Every write is synced to the disk.
"""

import argparse
import ctypes
import fcntl
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.parse

CLUSTER = pathlib.Path(__file__).resolve().parents[1] / "cluster"
NODES = ("a", "b", "c")
PATIENCE_S = 30  # a sync may take long; only members that cannot become healthy need all of it
PR_SET_PDEATHSIG = 1
PRCTL = ctypes.CDLL(None, use_errno=True).prctl


class EtcdFailure(Exception):
    """What is wrong, in a sentence."""


def end_with_parent(parent, number):
    """The kernel sends this process the signal when the thread that started it has ended."""
    PRCTL(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # the parent ended before


def settings_of_a_house():
    text = (CLUSTER / "etcd.default").read_text(encoding="utf-8")
    return dict(re.findall(r"^(ETCD_\w+)=(.*)$", text, re.M))


def free_ports(host, count):
    sockets = [socket.create_server((host, 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class EtcdMembers:
    """Members 0, 1, ... of one cluster. Their processes end with the thread that started them.

        with EtcdMembers(folder) as members:
            members.kill_member(1)
            members.restart_member(1)
            members.await_healthy(1)
    """

    def __init__(self, folder, plain=False, count=3, machines=()):
        """`machines`: for each member, the address of the machine that it runs on, and the command
        that executes a program there; none: all run here."""
        self.folder = pathlib.Path(folder).resolve()
        self.certificates = self.folder / "certificates"
        self.scheme = "http" if plain else "https"
        self.names = [f"etcd-{number}" for number in range(1, count + 1)]
        self._machines = machines
        self._processes = [None] * count
        self._lock = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.close()

    # --- the cluster ---

    def start(self):
        """Starts every member and returns when all are healthy. Raises EtcdFailure."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._take_folder()
        try:
            self._addresses = self._own_addresses()
            if self.scheme == "https":
                self._make_certificates()
            for index in range(len(self.names)):
                self._launch(index)
            self.await_healthy()
        except BaseException:
            self.close()
            raise
        return self

    def close(self):
        """Ends every member at once. Their data is complete: it is synced before each answer."""
        for index, process in enumerate(self._processes):
            if process is not None:
                self.kill_member(index)
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @property
    def endpoints(self):
        """Where clients connect, as the controller's option --etcd takes it."""
        return ",".join(self.endpoint(index) for index in range(len(self.names)))

    def endpoint(self, index):
        return self._url(index, "client")

    def node_files(self, node):
        """(CA, certificate, key) of a node, for --etcd-ca, --etcd-certificate and --etcd-key."""
        own = self.certificates / "nodes" / node
        return own / "ca.pem", own / "node.pem", own / "node.key"

    # --- one member ---

    def is_running(self, index):
        process = self._processes[index]
        return process is not None and process.poll() is None

    def process_id(self, index):
        return self._processes[index].pid

    def stop_member(self, index):
        """Ends it as its service manager does: it hands the leader's role over first."""
        process = self._processes[index]
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill_member(index)
            raise EtcdFailure(f"{self.names[index]} did not end; it was killed") from None

    def kill_member(self, index):
        self._processes[index].kill()
        self._processes[index].wait()

    def pause_member(self, index):
        self._processes[index].send_signal(signal.SIGSTOP)

    def resume_member(self, index):
        self._processes[index].send_signal(signal.SIGCONT)

    def restart_member(self, index):
        """Starts it again with its data; a running one is killed first. See await_healthy()."""
        if self.is_running(index):
            self.kill_member(index)
        self._launch(index)

    def is_healthy(self, index):
        """Whether it answers and the cluster has a quorum."""
        try:
            status, answer = self.ask(index, "/health")
        except (OSError, http.client.HTTPException, ValueError):
            return False
        # Another program may have taken the port of a member that could not start.
        return self.is_running(index) and status == 200 and answer.get("health") == "true"

    def await_healthy(self, *indexes, healthy=True):
        """Returns when these members (none: all) are healthy, or when none of them is. Raises
        EtcdFailure if one that should be healthy ends, or after PATIENCE_S."""
        indexes = indexes or range(len(self.names))
        deadline = time.monotonic() + PATIENCE_S
        for index in indexes:
            while self.is_healthy(index) != healthy:
                if healthy and not self.is_running(index):
                    raise EtcdFailure(f"{self.names[index]} ended; {self.last_line(index)}")
                if time.monotonic() > deadline:
                    state = "not healthy" if healthy else "still healthy"
                    raise EtcdFailure(f"{self.names[index]} is {state} after {PATIENCE_S} s; "
                                      f"{self.last_line(index)}")
                time.sleep(0.05)  # before it is asked again

    def ask(self, index, path, document=None, node="a", seconds=5):
        """Sends an HTTP request of a node to a member: GET, or with a document POST, such as
        ask(0, "/v3/kv/range", {"key": "a2V5"}), keys and values in Base64. Returns the status and
        the parsed answer. Raises OSError, HTTPException or ValueError if there is no answer."""
        place = urllib.parse.urlsplit(self.endpoint(index))
        if self.scheme == "http":
            connection = http.client.HTTPConnection(place.hostname, place.port, timeout=seconds)
        else:
            connection = http.client.HTTPSConnection(place.hostname, place.port, timeout=seconds,
                                                     context=self.client_context(node))
        try:
            if document is None:
                connection.request("GET", path)
            else:
                connection.request("POST", path, json.dumps(document))
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()

    def client_context(self, node):
        """TLS as this node: it trusts the cluster's CA alone."""
        ca, certificate, key = self.node_files(node)
        context = ssl.create_default_context(cafile=ca)
        context.load_cert_chain(certificate, key)
        return context

    def log(self, index):
        return self.folder / f"{self.names[index]}.log"

    def last_line(self, index):
        lines = self.log(index).read_text(encoding="utf-8", errors="replace").splitlines()
        return f"the last line of {self.log(index)}: {lines[-1] if lines else ''}"

    # --- inside ---

    def _take_folder(self):
        self._lock = open(self.folder / "lock", "ab")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise EtcdFailure(f"{self.folder} is in use by other members") from None

    def _own_addresses(self):
        """Chosen at the first start and then kept, because members know each other by them. An
        address of its own in 127/8: nothing else takes a port of a member that is down."""
        file = self.folder / "addresses.json"
        if file.exists():
            addresses = json.loads(file.read_text(encoding="utf-8"))
            if addresses["scheme"] != self.scheme or len(addresses["client"]) != len(self.names):
                raise EtcdFailure(f"{self.folder} holds a cluster of {len(addresses['client'])} "
                                  f"members with {addresses['scheme']}; use another folder")
            return addresses
        pick = random.SystemRandom().randint
        host = f"127.{pick(1, 254)}.{pick(1, 254)}.{pick(1, 254)}"
        ports = free_ports(host, 2 * len(self.names))
        addresses = {"scheme": self.scheme, "host": host, "client": ports[::2], "peer": ports[1::2]}
        file.write_text(json.dumps(addresses) + "\n", encoding="utf-8")
        return addresses

    def _host(self, _index):
        return self._addresses["host"]

    def _url(self, index, use):
        return f"{self.scheme}://{self._host(index)}:{self._addresses[use][index]}"

    def _make_certificates(self):
        if self.certificates.exists():
            return
        members = [f"{name},{self._host(index)}" for index, name in enumerate(self.names)]
        nodes = [word for node in NODES for word in ("--node", node)]
        # Complete or not there, as each of its parts.
        unfinished = self.folder / "certificates.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        made = subprocess.run([CLUSTER / "make-certificates", unfinished, *members, *nodes],
                              capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise EtcdFailure(made.stderr.strip())
        unfinished.rename(self.certificates)

    def _settings(self, index):
        settings = settings_of_a_house()
        if self.scheme == "http":
            settings = {key: value for key, value in settings.items()
                        if not re.search(r"CERT|_FILE$", key)}
        own = self.certificates / "members" / self.names[index]
        for key in settings:
            if key.endswith("_FILE"):
                settings[key] = str(own / pathlib.PurePath(settings[key]).name)
        cluster = (f"{name}={self._url(number, 'peer')}" for number, name in enumerate(self.names))
        del settings["ETCD_LISTEN_METRICS_URLS"]  # a fixed port
        return settings | {
            "ETCD_NAME": self.names[index],
            "ETCD_DATA_DIR": str(self.folder / self.names[index]),
            "ETCD_LISTEN_PEER_URLS": self._url(index, "peer"),
            "ETCD_INITIAL_ADVERTISE_PEER_URLS": self._url(index, "peer"),
            "ETCD_LISTEN_CLIENT_URLS": self.endpoint(index),
            "ETCD_ADVERTISE_CLIENT_URLS": self.endpoint(index),
            "ETCD_INITIAL_CLUSTER": ",".join(cluster),
            "ETCD_ENABLE_GRPC_GATEWAY": "true",
            "ETCD_LOGGER": "zap",
            "ETCD_LOG_OUTPUTS": "stderr",
        }

    def _command(self, _index, program):
        """What starts the program of a member."""
        return [program]

    def _launch(self, index):
        program = shutil.which("etcd")
        if program is None:
            raise EtcdFailure("etcd is missing: apt-get install etcd-server")
        # Nothing of the caller's environment changes a member.
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith("ETCD")}
        parent = os.getpid()
        with open(self.log(index), "ab") as log:
            self._processes[index] = subprocess.Popen(
                self._command(index, program), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.folder, env=environment | self._settings(index), start_new_session=True,
                pass_fds=[self._lock.fileno()],  # the folder is taken as long as a member lives
                preexec_fn=lambda: end_with_parent(parent, signal.SIGKILL))


def report_ends(members):
    """Names each member that ends; returns when all have ended."""
    running = set(range(len(members.names)))
    # From here on, the end of a member waits in the signal mask: none is missed.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    while True:
        for index in sorted(running):
            if not members.is_running(index):
                running.remove(index)
                print(f"etcd_members: {members.names[index]} ended; {members.last_line(index)}",
                      file=sys.stderr, flush=True)
        if not running:
            return
        signal.sigwaitinfo({signal.SIGCHLD})


def main():
    parent = os.getppid()
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", required=True, help="the folder of the members' data")
    options.add_argument("--plain", action="store_true", help="without TLS")
    chosen = options.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    end_with_parent(parent, signal.SIGTERM)
    members = EtcdMembers(chosen.data, plain=chosen.plain)
    try:
        members.start()
        print(members.endpoints, flush=True)
        report_ends(members)
    except (EtcdFailure, OSError) as failure:
        print(f"etcd_members: {failure}", file=sys.stderr)
        return 1
    finally:
        members.close()
    print("etcd_members: no member is left", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
