"""A house with several controllers, over a real etcd cluster, for a test.

    with House(names=("a", "b")) as house:
        house.start_agent("C4-01", script)
        house.nodes["a"].kill()
        house.await_writer("b")

Node a is the first controller of the house, and the writer at first; the others are made from its
backup. All processes end with the test.
"""

import base64
import json
import pathlib
import re
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "floor"), str(TESTS.parent / "config" / "demo")]

from etcd_members import EtcdMembers
from floor_process import (DEMO, FREE_PAGES, FREE_PORT, PATIENCE_S, PROGRAMS, STATE_HOME,
                           Controller, Floor)

LOST_ROLE = 3  # exit code of a writer that is no longer the writer


class MembersOnMachines(EtcdMembers):
    """Members etcd-1, etcd-2 and etcd-3 on the machines of these names of a FaultNetwork."""

    def __init__(self, folder, network):
        super().__init__(folder)
        self._network = network

    def _own_addresses(self):
        count = len(self.names)  # nothing else has a port on these machines
        return {"client": [2379] * count, "peer": [2380] * count}

    def _host(self, index):
        return self._network.addresses[self.names[index]]

    def _command(self, index, program):
        return [*self._network.within(self.names[index]), program]


class House:
    def __init__(self, names=("a", "b"), lease_s=3, environment=None, floor=DEMO, programs=None,
                 network=None):
        """`environment`: of the controllers, in addition to the test's own; or a function that
        gives it for the name of a node. `programs`: the folder of another release's programs, which
        every node runs first. `network`: a FaultNetwork with a machine for each node and member."""
        self.floor = Floor(floor)
        self.floor.programs = programs
        self.names, self.lease_s, self.network = names, lease_s, network
        self.environment_of = environment if callable(environment) else lambda _: environment
        self.nodes = {}  # by name: the controller that was started last
        self.endpoints = {}  # by name: where it listens, from its first start on
        self.programs = dict.fromkeys(names, programs)
        etcd = self.floor.folder / "etcd"
        self.members = (EtcdMembers(etcd, plain=True) if network is None
                        else MembersOnMachines(etcd, network))
        try:
            self.members.start()
            self.floor.init()
            self._make_nodes()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.floor.close()
        self.members.close()

    # --- making the nodes ---

    def data(self, name):
        return self.floor.data if name == self.names[0] else self.floor.folder / f"node-{name}"

    def make_again(self, name, writer):
        """Makes the lost folder of a node from a backup of the writer, with a new key."""
        backup = self.floor.folder / f"backup-{len(list(self.floor.folder.glob('backup*')))}"
        self._ask(writer, "backup", "--to", backup)
        self._enroll(name, self._key("restore", "--from", backup, "--to", self.data(name),
                                     "--node", name), writer)

    def _make_nodes(self):
        """As the runbook does: the first node enrols itself alone, then it creates the cluster; the
        others are made from its backup while it runs."""
        first, *others = self.names
        key = self._key("name-node", "--data", self.floor.data, "--node", first)
        controller = self.floor.start_controller(environment=self.environment_of(first))
        self.floor.hire("E-1", "engineer", "systems")
        self._enroll(first, key)
        if controller.stop() != 0:
            raise AssertionError(controller.telling())
        self.start(first, options=["--create-cluster"])
        self.await_writer(first)
        backup = self.floor.folder / "backup"
        self.floor.ask("backup", "--to", backup)
        for name in others:
            self._enroll(name, self._key("restore", "--from", backup, "--to", self.data(name),
                                         "--node", name))
            self.start(name)

    def _key(self, *arguments):
        result = self.floor.tool(*arguments)
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return re.search(r"public key (\S{40})", result.stdout)[1]

    def _enroll(self, name, key, at=None):
        """`at`: the node that is asked; None: the first one."""
        proposed = self.done(at, "E-1", "enroll", "--node", name, f"--public-key={key}")
        self.done(at, "FM-1", "confirm", proposed["proposal"])

    def done(self, at, by, *arguments):
        """Runs the tool for a person at a node, which must succeed; returns its JSON."""
        result = self.tool(at or self.names[0], *arguments, "--by", by, "--json",
                           said=f"{self.floor.own_pin(by)}\n")
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return json.loads(result.stdout)

    def tool(self, name, *arguments, said=""):
        """Runs `linkmeter ... --data` of the node and of its release."""
        self.floor.programs = self.programs[name]
        return self.floor.tool(*arguments, "--data", self.data(name), said=said)

    def _ask(self, name, *arguments):
        """The output of a tool() that must succeed."""
        result = self.tool(name, *arguments)
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return result.stdout

    def install(self, name, programs):
        """Installs another release on the node; None: this one. REQUIRES: it does not run."""
        self.programs[name] = programs
        self._ask(name, "seal", "--floor", self.floor.file)

    # --- processes ---

    def start(self, name, options=()):
        """Starts the node and waits until its sockets are open."""
        node = self.begin(name, options)
        node.await_ready()
        self.endpoints[name] = node.endpoint
        return node

    def begin(self, name, options=(), **more):
        free_port, within, tls = FREE_PORT, (), []
        if self.network is not None:
            free_port, within = self.network.free_port(name), self.network.within(name)
            ca, certificate, key = self.members.node_files(name)
            tls = ["--etcd-ca", ca, "--etcd-certificate", certificate, "--etcd-key", key]
        cluster = ["--etcd", self.members.endpoints, "--lease", self.lease_s, "--node", name,
                   "--node-listen", free_port, "--sign-every", 86_400, *tls, *options]
        node = Controller(self.floor.file, self.data(name), self.endpoints.get(name, free_port),
                          self.environment_of(name), FREE_PAGES, cluster, within=within,
                          programs=self.programs[name], **more)
        self.floor.processes.append(node)
        self.nodes[name] = node
        return node

    def start_agent(self, table, script, **more):
        """An agent that knows the addresses of all nodes."""
        first, *others = (self.endpoints[name] for name in self.names if name in self.endpoints)
        options = [word for endpoint in others for word in ("--controller", endpoint)]
        return self.floor.start_agent(first, table, script, options=options, **more)

    def await_writer(self, name):
        self.nodes[name].await_line(rf"writer node={name} epoch=\d+")

    def await_running(self, asked, *names):
        """Waits until the node `asked` reports these nodes as running: its Welcome names them."""
        self._await_roles(asked, names, ("writer", "standby"))

    def await_away(self, asked, *names):
        """Waits until the leases of these nodes have ended."""
        self._await_roles(asked, names, ("away",))

    def _await_roles(self, asked, names, wanted):
        until = time.monotonic() + PATIENCE_S
        while True:
            status = json.loads(self._ask(asked, "nodes", "--json"))
            roles = {node["name"]: node["role"] for node in status["nodes"]}
            if all(roles.get(name) in wanted for name in names):
                return
            if time.monotonic() > until:
                raise AssertionError(f"{names} are not all {wanted}: {roles}")

    def head(self, name):
        """The last entry of the node's journal."""
        return json.loads(self._ask(name, "meters", "--json"))["entry"]

    def await_entry(self, name, entry):
        until = time.monotonic() + PATIENCE_S
        while self.head(name) < entry:
            if time.monotonic() > until:
                raise AssertionError(f"node {name} stays at {self.head(name)}, before {entry}")

    def delete_turns(self):
        """Deletes all entries from etcd, as if every node had been away for long."""
        first, end = (base64.b64encode(key).decode() for key in (b"/linkmeter/", b"/linkmeter0"))
        _, found = self.members.ask(0, "/v3/kv/range", {"key": first, "range_end": end,
                                                     "keys_only": True})
        turns = sorted(key for pair in found["kvs"]
                       if b"/turn/" in (key := base64.b64decode(pair["key"])))
        first, end = (base64.b64encode(key).decode() for key in (turns[0], turns[-1] + b"\0"))
        self.members.ask(0, "/v3/kv/deleterange", {"key": first, "range_end": end})

    def journal(self, name):
        """The journal's entries as lines. REQUIRES: the node does not run, or has settled."""
        return self._ask(name, "export").splitlines()

    def audit(self, name):
        return json.loads(self.tool(name, "audit", "--json").stdout)

    def await_equal_journals(self):
        """Waits until all nodes have the same journal, and returns it."""
        until = time.monotonic() + PATIENCE_S
        while len({tuple(self.journal(name)[-1:]) for name in self.names}) > 1:
            if time.monotonic() > until:
                raise AssertionError("the journals stay different")
        journals = [self.journal(name) for name in self.names]
        if any(journal != journals[0] for journal in journals):
            raise AssertionError("the journals differ")
        return journals[0]
