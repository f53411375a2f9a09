"""`linkmeter nodes` and `linkmeter handover` on two controllers over a real etcd cluster."""

import json
import time
import unittest

from failover_test import TABLE, rounds
from nodes import LOST_ROLE, PATIENCE_S, House


class NodesTest(unittest.TestCase):
    def setUp(self):
        self.house = House()
        self.addCleanup(self.house.close)
        self.house.nodes["b"].await_line("standby writer=a")

    def ask(self, command, node, *options):
        return self.house.floor.tool(command, "--data", self.house.data(node), *options, "--json")

    def nodes(self, asked):
        result = self.ask("nodes", asked)
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(result.stdout)

    def test_each_node_names_the_writer_and_the_members_of_etcd(self):
        for asked in ("a", "b"):
            told = self.nodes(asked)
            self.assertEqual((asked, "a"), (told["node"], told["writer"]))
            self.assertTrue(told["etcd"]["answers"])
            roles = {node["name"]: (node["role"], node["enrolled"]) for node in told["nodes"]}
            self.assertEqual({"a": ("writer", True), "b": ("standby", True)}, roles)
        self.assertEqual(0, self.house.nodes["b"].stop())
        until = time.monotonic() + PATIENCE_S
        while ("b", "away") not in [(node["name"], node["role"])
                                    for node in self.nodes("a")["nodes"]]:
            self.assertLess(time.monotonic(), until)
        refused = self.ask("handover", "a", "--to", "b")
        self.assertIn("node_not_running", refused.stderr)

    def test_refused_handovers_change_nothing(self):
        for asked, to, refusal in (("a", "a", "is_the_writer"), ("a", "c", "node_not_enrolled"),
                                   ("b", "b", "not_the_writer"),
                                   ("a", TABLE, "node_not_enrolled")):
            result = self.ask("handover", asked, "--to", to)
            self.assertEqual(1, result.returncode)
            self.assertEqual(refusal, json.loads(result.stdout)["refusal"])
        self.assertEqual("a", self.nodes("b")["writer"])

    def test_a_standby_uses_the_pin_key_that_its_folder_has_now(self):
        key = self.house.data("b") / "keys" / "pin.key"
        key.chmod(0o640)
        self.house.nodes["b"].await_line("does not become the writer: .*pin.key: others may read")
        roles = {node["name"]: node["role"] for node in self.nodes("b")["nodes"]}
        self.assertEqual("faulty", roles["b"])
        key.chmod(0o600)
        until = time.monotonic() + PATIENCE_S
        while ("b", "standby") not in [(node["name"], node["role"])
                                       for node in self.nodes("b")["nodes"]]:
            self.assertLess(time.monotonic(), until)

    def test_the_writer_hands_over_while_a_table_plays(self):
        agent = self.house.start_agent(TABLE, rounds(1, 300))
        self.house.await_entry("b", self.house.head("b") + 20)
        result = self.ask("handover", "a", "--to", "b")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual({"refusal": None, "text": "handing over to b"}, json.loads(result.stdout))
        self.assertEqual(LOST_ROLE, self.house.nodes["a"].wait())
        self.house.await_writer("b")
        agent.finish(0)
        self.house.start("a")
        self.house.nodes["a"].await_line("standby writer=b")
        journal = [json.loads(line) for line in self.house.await_equal_journals()]
        locked = [entry["round"] for entry in journal if entry.get("fact") == "round_locked"]
        self.assertEqual([f"r{number}" for number in range(1, 301)], locked)
        self.assertEqual([("a", "started"), ("b", "handover")],
                         [(entry["node"], entry["reason"]) for entry in journal
                          if entry.get("fact") == "writer_changed"])

    def test_a_node_that_was_away_gets_from_another_what_etcd_no_longer_has(self):
        self.assertEqual(0, self.house.nodes["b"].stop())
        self.house.start_agent(TABLE, rounds(1, 50)).finish(0)
        self.house.delete_turns()
        self.house.start("b")
        self.house.await_entry("b", self.house.head("a"))
        self.house.start_agent(TABLE, rounds(51, 10)).finish(0)
        self.assertEqual(60, sum(json.loads(line).get("fact") == "round_locked"
                                 for line in self.house.await_equal_journals()))


if __name__ == "__main__":
    unittest.main()
