#!/usr/bin/env python3
"""A house with two controllers on this machine: three etcd members and the nodes a and b.

    config/demo/nodes.py --bin BIN --floor FILE --data DIR     for config/demo/run --nodes 3

The first run makes the house: DIR/floor is the folder of node a, DIR/node-b that of node b, and
DIR/etcd those of the members. Later runs continue it. Descriptor 3 gets one line when both nodes
run: ready, and where a and b listen for tables. Standard output then tells who is the writer,
whenever that changes. Like the service managers of a house, it starts again what ends. Runs until
SIGTERM or the end of its parent, and ends all processes with itself.
"""

import argparse
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import threading
import time

from etcd_members import EtcdFailure, EtcdMembers, end_with_parent

NAMES = ("a", "b")
PATIENCE_S = 60  # only what cannot start needs all of it
RESTART_S = 5  # as config/cluster/linkmeter-controller.service.d/cluster.conf
LOST_ROLE = 3  # exit code of a writer that is no longer the writer: it starts again at once
FAILURES_MAX = 5
LOOK_S = 0.2


class NodeFailure(Exception):
    """What is wrong, in a sentence."""


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


class Node:
    """One node: its folder, and its controller, again after each end."""

    def __init__(self, name, house):
        self.name, self.house = name, house
        self.data = house.data / ("floor" if name == NAMES[0] else f"node-{name}")
        self.log = house.data / "log" / f"node-{name}.log"
        self.listens = ["tcp://127.0.0.1:*", "tcp://127.0.0.1:*", "http://127.0.0.1:0"]
        self.process = None
        self.role = None  # "writer", "standby", or None: it does not run, or not yet
        self.failures = 0  # ends in a row before it was ready
        self.start_at = None  # when it starts again

    @property
    def pid(self):
        return self.process.pid

    def options(self):
        ca, certificate, key = self.house.members.node_files(self.name)
        tables, feed, pages = self.listens
        return ["--floor", self.house.floor, "--data", self.data, "--node", self.name,
                "--listen", tables, "--feed", feed, "--web", pages,
                "--node-listen", "tcp://127.0.0.1:*", "--etcd", self.house.members.endpoints,
                "--etcd-ca", ca, "--etcd-certificate", certificate, "--etcd-key", key]

    def start(self, *more):
        self.start_at = None
        parent = os.getpid()
        self.process = subprocess.Popen(
            [self.house.bin / "linkmeter-controller", *self.options(), *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", start_new_session=True,
            preexec_fn=lambda: end_with_parent(parent, signal.SIGKILL))
        threading.Thread(target=self.gather, args=(self.process,), daemon=True).start()

    def gather(self, process):
        """Keeps its log, and reports each line; then its end, as the line None."""
        out = threading.Thread(target=self.report, args=(process, process.stdout), daemon=True)
        out.start()
        with open(self.log, "a", encoding="utf-8") as log:
            self.report(process, process.stderr, log)
        out.join()
        process.wait()
        self.house.news.put((self, process, None))

    def report(self, process, stream, log=None):
        for line in stream:
            if log is not None:
                log.write(line)
                log.flush()
            self.house.news.put((self, process, line))

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def keep_addresses(self):
        """The next start listens at the same places, so that open pages find it again."""
        self.listens = (self.data / "endpoints").read_text(encoding="utf-8").split("\n")[:3]

    def last_line(self):
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return f"the last line of {self.log}: {lines[-1] if lines else ''}"


class House:
    def __init__(self, programs, floor, data):
        self.bin, self.floor, self.data = programs, floor, data
        self.news = queue.Queue()  # (node, its process, a line or None: it ended)
        self.members = EtcdMembers(data / "etcd")
        self.nodes = [Node(name, self) for name in NAMES]
        self.writer = None  # the node that said so last
        self.writer_lost_at = None
        self.member_start_at = {}

    # --- the first run ---

    def tool(self, *arguments, **more):
        result = subprocess.run([self.bin / "linkmeter", *map(str, arguments)], text=True,
                                capture_output=True, check=False, **more)
        if result.returncode != 0:
            raise NodeFailure(f"linkmeter {arguments[0]}: {result.stderr.strip()}")
        return result.stdout

    def act(self, badge, *arguments):
        """Runs the tool for a person, and returns what it says."""
        pins = (self.data / "pins").read_text(encoding="utf-8")
        pin = re.search(rf"^{badge}: .*PIN (\d+)$", pins, re.M)
        if pin is None:
            raise NodeFailure(f"{self.data / 'pins'} names no {badge}")
        return self.tool(*arguments, "--data", self.nodes[0].data, "--by", badge,
                         env={**os.environ, "LINKMETER_PIN": pin[1]})

    def make(self):
        """The first node creates the cluster; the second is made from its backup, and enrolled by
        an engineer and a manager (config/cluster/README.md). REQUIRES: a's folder was just made."""
        first, second = self.nodes
        first.start("--create-cluster")
        self.await_all(lambda: first.role == "writer")
        staff = pathlib.Path(__file__).with_name("staff")
        with open(self.data / "log" / "staff.log", "ab") as log:
            if subprocess.run([staff, self.bin, first.data, self.data / "pins"], stderr=log,
                              check=False).returncode != 0:
                raise NodeFailure(f"hiring the demo's people failed; see {log.name}")
        backup = self.data / "backup"
        self.tool("backup", "--data", first.data, "--to", backup)
        told = self.tool("restore", "--from", backup, "--to", second.data, "--node", second.name)
        key = re.search(r"public key (\S{40})", told)[1]
        proposed = self.act("E-1", "enroll", "--node", second.name, f"--public-key={key}")
        self.act("FM-1", "confirm", re.search(r": proposal (\d+): ", proposed)[1])
        subprocess.run(["rm", "-rf", backup], check=True)  # it holds the house's secrets

    # --- every run ---

    def run(self):
        is_made = self.data / "made"
        self.members.start()
        if not is_made.exists():
            self.make()
        for node in self.nodes:
            if not node.is_running():
                node.start()
        self.await_all(lambda: sorted(filter(None, (node.role for node in self.nodes)))
                       == ["standby", "writer"])
        is_made.touch()
        say("members of etcd: " + ", ".join(
            f"{name} (pid {self.members.process_id(index)})"
            for index, name in enumerate(self.members.names)))
        with open(3, "w", encoding="utf-8") as ready:
            print("ready", *(node.listens[0] for node in self.nodes), file=ready)
        while True:
            self.look()

    def await_all(self, is_done):
        until = time.monotonic() + PATIENCE_S
        while not is_done():
            self.look()
            if time.monotonic() > until:
                last = "; ".join(node.last_line() for node in self.nodes if node.log.exists())
                raise NodeFailure(f"the nodes are not ready after {PATIENCE_S} s; {last}")

    def look(self):
        """Starts again what is due. Then handles one event, if one comes soon."""
        self.start_what_waited()
        try:
            node, process, line = self.news.get(timeout=LOOK_S)
        except queue.Empty:
            return
        if process is not node.process:
            return  # of a run before
        if line is None:
            self.note_end(node)
        else:
            self.note_line(node, line)

    def start_what_waited(self):
        now = time.monotonic()
        for node in self.nodes:
            if node.start_at is not None and now >= node.start_at:
                node.start()
        for index, name in enumerate(self.members.names):
            if self.members.is_running(index):
                continue
            if index not in self.member_start_at:
                say(f"{name} ended; it starts again in {RESTART_S} s. etcd needs two of its three "
                    "members")
                self.member_start_at[index] = now + RESTART_S
            elif now >= self.member_start_at[index]:
                del self.member_start_at[index]
                self.members.restart_member(index)
                say(f"{name} runs again (pid {self.members.process_id(index)})")

    def note_line(self, node, line):
        if line.startswith("ready "):
            node.failures = 0
            node.keep_addresses()
        elif re.search(rf" writer node={node.name} epoch=\d+$", line):
            node.role = "writer"
            self.note_writer(node)
        elif follows := re.search(r" standby writer=(\w+)$", line):
            if follows[1] in ("none", node.name):  # its own, from before it was killed
                return
            was, node.role = node.role, "standby"
            if was is None:
                say(f"node {node.name} (pid {node.pid}) follows node {follows[1]}")

    def note_writer(self, node):
        gap = ""
        if self.writer_lost_at is not None:
            gap = f", {time.monotonic() - self.writer_lost_at:.1f} s without a writer"
        self.writer, self.writer_lost_at = node, None
        say(f"node {node.name} is the writer now (pid {node.pid}){gap}. Try: kill -9 {node.pid}")

    def note_end(self, node):
        code = node.process.returncode
        if node is self.writer:
            self.writer, self.writer_lost_at = None, time.monotonic()
        was = {"writer": "the writer", "standby": "a standby", None: "not ready"}[node.role]
        node.failures += 1
        node.role = None
        if node.failures > FAILURES_MAX:
            raise NodeFailure(f"node {node.name} does not start; {node.last_line()}")
        wait_s = 0 if code == LOST_ROLE else RESTART_S
        node.start_at = time.monotonic() + wait_s
        how = "was killed" if code == -signal.SIGKILL else f"ended with exit code {code}"
        when = f"in {wait_s} s" if wait_s else "at once"
        say(f"node {node.name} ({was}, pid {node.pid}) {how}; as in a house, it is started again "
            f"{when}")

    def close(self):
        """The standby first: otherwise it would become the writer for a moment."""
        for node in sorted(self.nodes, key=lambda one: one is self.writer):
            if not node.is_running():
                continue
            node.process.terminate()
            try:
                node.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                node.process.kill()
                node.process.wait()
        self.members.close()


def main():
    parent = os.getppid()
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--bin", "--floor", "--data"):
        options.add_argument(name, required=True, type=pathlib.Path)
    chosen = options.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    end_with_parent(parent, signal.SIGTERM)
    house = House(chosen.bin, chosen.floor, chosen.data)
    try:
        house.run()
    except (NodeFailure, EtcdFailure, OSError) as failure:
        print(f"nodes: {failure}", file=sys.stderr)
        return 1
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        house.close()


if __name__ == "__main__":
    sys.exit(main())
