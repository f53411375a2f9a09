"""Tables and people play on a house of two nodes over real etcd, each on a machine of its own,
while nodes, members, the network, disks and clocks fail; the history is judged at the end.

    enter_namespace()
    with FaultPlay("history", seed=7) as play:
        while play.failovers < 20:
            play.fault()
        findings, summary = play.judge()
"""

import os
import pathlib
import random
import re
import shutil
import struct
import time

import fault_network
import faults
import history_file
import history_judge
import history_lines
import nodes
import person_client
import real_agent
import table_client

TABLES = ("C4-01", "C4-02", "C4-03")
AGENT_TABLE = "C4-04"  # of a real agent
FROZEN_TABLE = "C4-05"  # by the people; nobody plays there
# The demo's floor, with tables that may play as fast as they can.
FLOOR = nodes.DEMO.replace('game = "crazy-4"', 'game = "crazy-4"\npace = 10000000')
LEASE_S = 1
MEMBERS = ("etcd-1", "etcd-2", "etcd-3")
PRELOADED = pathlib.Path(os.environ.get("LINKMETER_BINARY_DIR",
                                        nodes.PROGRAMS.parent)) / "tests"
RULINGS = {"disk": "LINKMETER_DISK_FAULT", "clock": "LINKMETER_CLOCK_SHIFT"}
WRITER = re.compile(r" writer node=(\S+) epoch=(\d+)$")
STANDBY = re.compile(r" standby writer=(\S+)$")


class FaultPlay:
    """`logs`: a folder for what ended controllers said."""

    def __init__(self, path, seed, tables=2, pause_s=0.02, logs=None, takeover_share=0.7):
        self.path, self.logs, self.takeover_share = path, logs, takeover_share
        self.random = random.Random(seed)
        self.counts, self.epochs, self.noted = {}, {}, set()
        self.ends = {}  # how often controllers ended with each exit code
        self.writer = self.standby = None
        self.tables, self.people, self.agent = [], None, None
        self.network = fault_network.FaultNetwork((*MEMBERS, "a", "b"))
        try:
            self._make_rulings()
            self.house = nodes.House(lease_s=LEASE_S, environment=self._environment, floor=FLOOR,
                                     network=self.network)
        except BaseException:
            self.network.close()
            raise
        self.members = self.house.members
        try:
            self._begin_play(tables, seed, pause_s)
        except BaseException:
            self._close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._close()

    @property
    def failovers(self):
        return max(0, len(self.epochs) - 1)

    def node(self, name):
        return self.house.nodes[name]

    # --- faults ---

    def fault(self, kind=None):
        """Waits for a whole house, causes one fault, and repairs it. `kind`: of faults.py; None: a
        random one. Returns its name."""
        self.heal()
        self._await_play()
        if kind is None:
            kinds = (faults.TAKEOVERS if self.random.random() < self.takeover_share
                     else faults.OTHERS)
            kind = self.random.choice(kinds)
        name = kind.__name__
        self.history.write("fault", fault=name, target=self.writer, edge="begin")
        kind(self)
        target = self.writer
        self.heal()
        self.history.write("fault", fault=name, target=target, edge="end")
        self.counts[name] = self.counts.get(name, 0) + 1
        return name

    def play_on(self, seconds=0.15):
        """Lets tables and people play. Raises what one of them has failed with."""
        time.sleep(seconds)  # of play, not of waiting for anything
        self._raise_failures()

    def _await_play(self):
        """Waits until every table has been acknowledged since now. What ends is started again."""
        before = [table.acknowledged for table in self.tables]

        def all_go_on():
            for name in self.house.names:
                self._start_ended(name)
            return all(table.acknowledged > count for table, count in zip(self.tables, before))

        self._await(all_go_on, lambda: "a table does not go on")

    def rule(self, what, name, number):
        """Sets the ruling of a node's disk (disk_fault.cc) or clock (clock_shift.cc)."""
        with open(self.rulings / f"{what}-{name}", "r+b") as ruling:
            ruling.write(struct.pack("=q", number))

    def kill_members(self, count):
        for member in self.random.sample(range(len(MEMBERS)), count):
            self.members.kill_member(member)

    def ask_etcd(self, path, document):
        return self.members.ask(0, path, document)

    def make_node(self, name):
        """Makes the folder of a node again, as the runbook does."""
        self.house.make_again(name, self.writer)
        self.house.begin(name)

    def lose_quorum(self, seconds):
        """Two members are away under play: no table is acknowledged, the real agent locks its table
        and opens it again by itself."""
        self.heal()
        self._await_play()
        locks, opens = (self.agent.count(f"progressive {word}") for word in ("locked", "open"))
        self.history.write("fault", fault="quorum_lost_for_long", target="etcd", edge="begin")
        self.kill_members(2)
        self._await(lambda: self.agent.count("progressive locked") > locks,
                    lambda: "the agent does not lock its table")
        before = [table.acknowledged for table in self.tables]
        self.play_on(seconds)
        if [table.acknowledged for table in self.tables] != before:
            raise AssertionError("a table was acknowledged without a quorum")
        self.heal()
        self._await(lambda: self.agent.count("progressive open") > opens,
                    lambda: "the agent does not open its table")
        self._await_play()
        self.history.write("fault", fault="quorum_lost_for_long", target="etcd", edge="end")

    # --- what nodes say ---

    def role(self, name):
        """"writer", "standby of NAME", "starting" or "ended"."""
        node = self.node(name)
        if not node.is_running():
            return "ended"
        for line in reversed(list(node.said)):
            if WRITER.search(line):
                return "writer"
            if standby := STANDBY.search(line):
                return f"standby of {standby[1]}"
        return "starting"

    def await_other_writer(self):
        """Waits until the standby of the beginning is the writer. It is started again if it ends.
        """
        self._await(lambda: self.role(self.standby) == "writer" or self._start_ended(self.standby),
                    lambda: f"{self.standby} does not take over from {self.writer}")
        self.note_writers()

    def await_end_of(self, name):
        node = self.node(name)
        self._await(lambda: not node.is_running(), lambda: f"{name} does not end")

    def heal(self):
        """Repairs everything, and starts what has ended, as its manager would, until one node is
        the writer, the other one its standby, and all members answer."""
        self.network.heal()
        for what in RULINGS:
            for name in self.house.names:
                self.rule(what, name, 0)
        for member in range(len(MEMBERS)):
            if not self.members.is_running(member):
                self.members.restart_member(member)
        self.members.await_healthy()
        self._await(self._is_whole, lambda: "the house does not heal")
        self.note_writers()

    def await_caught_up(self):
        """Waits until the standby has what the writer has now. Until then only the writer has what
        was deleted from etcd, and a house without the writer would wait for it."""
        self.heal()
        self.house.await_entry(self.standby, self.house.head(self.writer))

    def _is_whole(self):
        for name in self.house.names:
            self._start_ended(name)
        roles = {name: self.role(name) for name in self.house.names}
        writers = [name for name, role in roles.items() if role == "writer"]
        if len(writers) != 1:
            return False
        self.writer = writers[0]
        self.standby = next(name for name in self.house.names if name != self.writer)
        return roles[self.standby] == f"standby of {self.writer}"

    def _start_ended(self, name):
        """As the service manager does it. False."""
        node = self.node(name)
        if not node.is_running():
            node.wait()
            self.note_writers()
            self._log_end(name, node)
            self.house.floor.processes.remove(node)
            self.house.begin(name)
        return False

    def _await(self, condition, mistake):
        until = time.monotonic() + nodes.PATIENCE_S
        while not condition():
            self._raise_failures()
            if time.monotonic() > until:
                raise AssertionError(f"{mistake()}: {self.describe()}")
            time.sleep(0.01)  # before it is looked at again

    def describe(self):
        return "\n".join(f"{name}: {self.role(name)}: {self.node(name).telling()}"
                         for name in self.house.names)

    def note_writers(self):
        """Takes the new writers from what controllers said."""
        new = []
        for process in self.house.floor.processes:
            for line in list(process.said):
                if writer := WRITER.search(line):
                    new.append((int(writer[2]), writer[1]))
        for epoch, node in sorted(set(new) - self.noted):  # two with one epoch are a finding
            self.epochs[epoch] = node
            self.noted.add((epoch, node))
            self.history.write("writer", node=node, epoch=epoch)

    def _log_end(self, name, node):
        code = node.child.returncode
        self.ends[code] = self.ends.get(code, 0) + 1
        if self.logs is not None:
            with open(self.logs / f"{name}.log", "a", encoding="utf-8") as log:
                log.writelines(f"{line}\n" for line in [*node.said, f"--- exit code {code}"])

    def _raise_failures(self):
        for one in (*self.tables, self.people, self.agent):
            if one is not None and one.failure is not None:
                raise one.failure

    # --- begin and end ---

    def _make_rulings(self):
        self.rulings = pathlib.Path(nodes.STATE_HOME.name)
        for what in RULINGS:
            for name in ("a", "b"):
                (self.rulings / f"{what}-{name}").write_bytes(struct.pack("=q", 0))

    def _environment(self, name):
        libraries = ":".join(str(PRELOADED / f"lib{library}.so")
                             for library in ("disk_fault", "clock_shift"))
        return {"LD_PRELOAD": libraries} | {
            variable: str(self.rulings / f"{what}-{name}") for what, variable in RULINGS.items()}

    def _begin_play(self, tables, seed, pause_s):
        names = TABLES[:tables]
        self.history = history_file.HistoryFile(self.path, "Demo Casino", self.house.names,
                                                dict.fromkeys(names, 0))
        self.note_writers()
        self.tables = [table_client.TableClient(
            self.history, name, self.house.floor.credentials(name), self.house.endpoints["a"],
            "crazy-4/five-card", "C4-MEGA", 500, seed, pause_s=pause_s) for name in names]
        self.people = person_client.PersonClient(self.history, self.house, FROZEN_TABLE)
        for one in (*self.tables, self.people):
            one.start()
        self.agent = real_agent.RealAgent(self.house, AGENT_TABLE, seed)

    def judge(self):
        """(findings, summary) after all is healed and every message is acknowledged. Raises
        AssertionError if journals differ or an audit is not clean."""
        self.heal()
        self.agent.finish()
        for one in (self.people, *self.tables):
            one.finish()
        self.note_writers()
        self.history.close()
        self.agent.judge(self.house.await_equal_journals())
        for name in self.house.names:
            audit = self.house.audit(name)
            if not audit["clean"]:
                raise AssertionError(f"node {name}: {audit}")
        journals = {name: [line.encode() + b"\n" for line in self.house.journal(name)]
                    for name in self.house.names}
        with open(self.path, "rb") as file:
            return history_judge.judge(history_lines.lines_of(file), journals)

    def _close(self):
        if self.logs is not None:
            for name in self.house.names:
                self._log_end(name, self.node(name))
            for member in range(len(MEMBERS)):
                shutil.copy(self.members.log(member), self.logs)
        self.house.close()
        self.network.close()
