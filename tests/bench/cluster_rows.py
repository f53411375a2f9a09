"""The rows of tests/bench/run --cluster: a house of two nodes over three members of etcd, beside
bare etcd and one controller alone, in turns.

Everything runs on this machine: etcd, both nodes and the load share its processors and its disk.
A gap is the time between the last answer of one node and the first of the other.
"""

import pathlib
import socket
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cluster")]

import figures
import nodes
from figures import measured_by

BENCH = "linkmeter-cluster-bench"
TABLES = 8
LEASE_S = 3
AGENT = "C4-8"  # the takeover load plays at the tables before
ALONE_LIGHT = "one controller, 6 wagers a round, window 1, 1 agent"
ALONE_FULL = "one controller, 6 wagers a round, window 1,024, 8 agents"
BARE = "etcd alone, one fenced transaction after the other, the bytes of the row above"
LIGHT = "two nodes, 6 wagers a round, window 1, 1 agent"
FULL = "two nodes, 6 wagers a round, window 1,024, 8 agents"
FAILOVER = "two nodes, the writer gets SIGKILL"
HANDOVER = "two nodes, linkmeter handover"


class Cluster(nodes.House):
    """Nodes a, the writer, and b, with the benchmark's floor."""

    def __init__(self):
        floor = subprocess.run([figures.PROGRAMS / BENCH, "floor", "--tables", str(TABLES)],
                               capture_output=True, text=True, check=True).stdout
        super().__init__(lease_s=LEASE_S, floor=floor)

    def load(self, window, tables, rounds):
        """The load and the lag of node b. Once in a house: tables begin with their message 1. Both
        journals must have every message then."""
        wanted = self.head("a") + 2 * rounds
        told = measured_by(BENCH, "load", "--endpoint", self.endpoints["a"], "--data",
                           self.data("a"), "--standby", self.data("b"), "--window", window,
                           "--tables", tables, "--rounds", rounds)
        for name in self.names:
            audit = self.audit(name)
            if not audit["clean"] or audit["entries"] != wanted:
                raise RuntimeError(f"node {name} has not counted everything once: {audit}")
        return told

    def bare_etcd(self, count):
        return measured_by(BENCH, "etcd", "--etcd", self.members.endpoints, "--data",
                           self.data("a"), "--count", count)

    def failover(self):
        return self._takeover("--kill", self.nodes["a"].pid)

    def handover(self):
        return self._takeover("--", nodes.PROGRAMS / "linkmeter", "handover", "--data",
                              self.data("a"), "--to", "b")

    def _takeover(self, *how):
        """With a real agent at one table, whose locks are counted."""
        self.await_running("a", "b")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(str(self.floor.folder / "notices"))
            agent = self.floor.start_agent(
                self.endpoints["a"], AGENT, environment={"NOTIFY_SOCKET": notices.getsockname()},
                options=["--controller", self.endpoints["b"], "--deal", "1", "--pace", "20"])
            until = time.monotonic() + figures.PATIENCE_S
            while b": open" not in notices.recv(4096):
                if time.monotonic() > until:
                    raise RuntimeError(f"the agent's table does not open: {agent.telling()}")
            told = measured_by(BENCH, "takeover", "--endpoint", self.endpoints["a"], "--data",
                               self.data("a"), "--tables", TABLES - 1, "--to", "b", *how)
            agent.kill()
            told["locks"] = sum(b": locked" in notice for notice in waiting(notices))
        return told


def waiting(notices):
    """The messages that have come."""
    notices.setblocking(False)
    try:
        while True:
            yield notices.recv(4096)
    except BlockingIOError:
        return


class Run:
    """One whole run: its rounds and their results."""

    is_cluster = True

    def __init__(self, is_quick, folder):
        self.is_quick, self.folder = is_quick, folder
        self.light = 300 if is_quick else 1_500
        self.full = 10_000 if is_quick else 60_000
        self.measured = figures.Measured()

    def measure(self):
        begin, company = time.monotonic(), figures.Company()
        figures.repeat(self.one_round, *((1, 60) if self.is_quick else (5, 170)))
        self.seconds = time.monotonic() - begin
        self.company = company.share()

    def one_round(self, number):
        steps = (self.play_alone, self.play_light, self.play_full)
        for step in steps if number % 2 == 0 else steps[::-1]:
            step()

    def play_alone(self):
        for name, window, tables, rounds in ((ALONE_LIGHT, 1, 1, self.light),
                                             (ALONE_FULL, 1_024, 8, self.full)):
            told = measured_by("linkmeter-bench", "--json", "--window", window, "--tables", tables,
                               "--rounds", rounds)
            self.measured.add(name, {key: told[key] for key in
                                     ("wagers_per_s", "p50_ms", "p99_ms", "p999_ms")})

    def play_light(self):
        with Cluster() as house:
            self.measured.add(LIGHT, house.load(1, 1, self.light))
            self.measured.add(BARE, house.bare_etcd(self.light))
            self.measured.add(HANDOVER, house.handover())

    def play_full(self):
        with Cluster() as house:
            self.measured.add(FULL, house.load(1_024, 8, self.full))
            self.measured.add(FAILOVER, house.failover())

    @staticmethod
    def versions():
        return [figures.command_line("etcd", "--version").splitlines()[0]]

    def goals(self):
        goals, seen = figures.Goals(self.company > figures.COMPANY_MAX), self.measured
        parts = zip(*(seen.values(name, "p50_ms") for name in (LIGHT, BARE, ALONE_LIGHT)))
        goals.at_most("p50 with one message open, of bare etcd's plus one controller's", 1.3,
                      [ours / (etcd + alone) for ours, etcd, alone in parts])
        goals.at_least("wagers/s of one controller's, full load", 0.4,
                       seen.ratios(FULL, ALONE_FULL, "wagers_per_s"))
        goals.at_most("from SIGKILL of the writer to the first answer of the other node",
                      1_000 * (LEASE_S + 1), seen.values(FAILOVER, "first_ms"), " ms")
        goals.at_most("gap of a handover", 300, seen.values(HANDOVER, "gap_ms"), " ms")
        goals.at_most("locks of a table at a handover", 0, seen.values(HANDOVER, "locks"), "")
        goals.at_most("p99 of a standby's lag, full load", 1_000,
                      seen.values(FULL, "lag_p99_ms"), " ms")
        return goals
