"""etcd is lost for good: two managers let one node go on alone (`linkmeter cluster leave`), and it
comes back to a cluster later; on real etcd, with two controllers and a table."""

import json
import time
import unittest

from failover_test import TABLE, rounds
from floor_process import FREE_PAGES, FREE_PORT, Controller
from nodes import LOST_ROLE, PATIENCE_S, House


class LeaveTest(unittest.TestCase):
    def setUp(self):
        self.house = House(lease_s=1)
        self.addCleanup(self.house.close)

    def leave(self, name, by, *options):
        return self.house.floor.tool("cluster", "leave", *options, "--by", by, "--json",
                                     "--data", self.house.data(name),
                                     said=f"{self.house.floor.own_pin(by)}\n")

    def proposal(self, name, by):
        """The number, as soon as etcd has been silent for long enough."""
        until = time.monotonic() + PATIENCE_S
        while (told := self.leave(name, by)).returncode != 0:
            self.assertIn("leave_not_possible", told.stdout + told.stderr)
            self.assertLess(time.monotonic(), until)
        return json.loads(told.stdout)["proposal"]

    def lose_etcd(self):
        """Two of three members are killed; the writer ends, and comes back as a standby."""
        self.house.members.kill_member(1)
        self.house.members.kill_member(2)
        self.house.nodes["a"].finish(LOST_ROLE)
        self.house.start("a")

    def start_alone(self, name):
        node = Controller(self.house.floor.file, self.house.data(name),
                          self.house.endpoints[name], web=FREE_PAGES,
                          options=["--sign-every", 86_400])
        self.house.floor.processes.append(node)
        self.house.nodes[name] = node
        return node

    def refuses_to_start(self, name, words, options=None):
        """The controller ends with this error, and its journal stays."""
        before = self.house.journal(name)
        if options is None:
            node = self.start_alone(name)
        else:
            node = Controller(self.house.floor.file, self.house.data(name), FREE_PORT,
                              web=FREE_PAGES,
                              options=["--etcd", self.house.members.endpoints, *options])
            self.house.floor.processes.append(node)
        node.await_line(words)
        node.finish(1)
        self.assertEqual(before, self.house.journal(name))

    def play(self, first, count):
        self.house.start_agent(TABLE, rounds(first, count)).finish(0)

    def facts(self, name, fact):
        return [entry for entry in map(json.loads, self.house.journal(name))
                if entry.get("fact") == fact]

    def test_one_node_goes_on_alone_and_comes_back(self):
        house = self.house
        self.play(1, 10)
        for name in house.names:
            self.assertIn("leave_not_possible", self.leave(name, "TGM-1").stderr)
        self.assertEqual(0, house.nodes["b"].stop())
        self.refuses_to_start("b", "does not write alone")
        house.start("b")
        house.await_entry("b", house.head("a"))
        self.lose_etcd()
        agent = house.start_agent(TABLE, rounds(11, 10))

        number = self.proposal("a", "TGM-1")
        before = house.journal("a")
        for by, options in (("TGM-1", ("--confirm", number)), ("FM-1", ("--confirm", number + 1)),
                            ("E-1", ("--confirm", number))):
            self.assertNotEqual(0, self.leave("a", by, *options).returncode)
        self.assertEqual(before, house.journal("a"))
        self.assertEqual(0, self.leave("a", "FM-1", "--confirm", number).returncode)
        agent.finish(0)
        acts = [entry for entry in self.facts("a", "act_confirmed")
                if "leaves the cluster" in json.dumps(entry)]
        self.assertEqual(1, len(acts))
        self.assertEqual(0, house.nodes["a"].stop())

        self.refuses_to_start("a", "has left its cluster", options=())
        self.start_alone("a").await_ready()
        self.play(21, 10)
        self.assertEqual(0, house.nodes["a"].stop())

        self.assertEqual(0, house.nodes["b"].stop())
        house.members.restart_member(1)
        house.members.restart_member(2)
        house.members.await_healthy(0, 1, 2)
        house.start("a", options=["--create-cluster"])
        house.await_writer("a")
        house.start("b")
        self.play(31, 10)
        house.await_equal_journals()
        self.assertEqual([f"r{number}" for number in range(1, 41)],
                         [entry["round"] for entry in self.facts("b", "round_locked")])
        self.assertEqual([("a", "started"), ("a", "started")],
                         [(entry["node"], entry["reason"])
                          for entry in self.facts("b", "writer_changed")])
        for name in house.names:
            self.assertTrue(house.audit(name)["clean"])


if __name__ == "__main__":
    unittest.main()
