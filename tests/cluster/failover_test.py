"""Two controllers over a real etcd cluster: the writer is killed, stopped or ends, and the other
one takes over; nothing acknowledged is lost, and nothing counts twice."""

import json
import os
import signal
import unittest

from nodes import LOST_ROLE, House

TABLE = "C4-01"


def rounds(first, count):
    """Rounds of one wager each that win nothing."""
    events = []
    for number in range(first, first + count):
        events += [{"event": "lock", "round": f"r{number}",
                    "wagers": [{"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]},
                   {"event": "close", "round": f"r{number}"}]
    return events


class FailoverTest(unittest.TestCase):
    def setUp(self):
        self.house = House()
        self.addCleanup(self.house.close)

    def locked(self):
        return [entry["round"] for entry in map(json.loads, self.house.await_equal_journals())
                if entry.get("fact") == "round_locked"]

    def writers(self):
        return [(entry["node"], entry["reason"])
                for entry in map(json.loads, self.house.await_equal_journals())
                if entry.get("fact") == "writer_changed"]

    def test_a_standby_takes_over_from_a_killed_writer(self):
        self.house.start_agent(TABLE, rounds(1, 20)).finish(0)
        self.house.nodes["a"].kill()
        self.house.await_writer("b")
        self.house.start_agent(TABLE, rounds(21, 20)).finish(0)
        self.house.start("a")
        self.assertEqual([f"r{number}" for number in range(1, 41)], self.locked())
        self.assertEqual([("a", "started"), ("b", "expired")], self.writers())
        for name in self.house.names:
            self.assertTrue(self.house.audit(name)["clean"])

    def test_an_agent_in_play_goes_on_with_the_other_node(self):
        agent = self.house.start_agent(TABLE, rounds(1, 300))
        self.house.await_entry("b", self.house.head("b") + 100)  # so b follows, too
        self.house.nodes["a"].kill()
        self.house.await_writer("b")
        agent.finish(0)
        self.house.start("a")
        self.assertEqual([f"r{number}" for number in range(1, 301)], self.locked())

    def test_a_writer_that_ends_leaves_at_once(self):
        self.assertEqual(0, self.house.nodes["a"].stop())
        self.house.await_writer("b")
        self.house.start("a")
        self.assertEqual([("a", "started"), ("b", "expired")], self.writers())

    def test_a_stopped_writer_that_wakes_after_another_wrote_ends_without_an_entry(self):
        self.house.start_agent(TABLE, rounds(1, 5)).finish(0)  # it learns the key of b
        os.kill(self.house.nodes["a"].pid, signal.SIGSTOP)
        self.house.await_writer("b")
        self.house.start_agent(TABLE, rounds(6, 5)).finish(0)
        os.kill(self.house.nodes["a"].pid, signal.SIGCONT)
        self.assertEqual(LOST_ROLE, self.house.nodes["a"].wait())
        self.house.start("a")
        self.house.nodes["a"].await_line("standby writer=b")
        self.assertEqual([f"r{number}" for number in range(1, 11)], self.locked())
        self.assertEqual([("a", "started"), ("b", "expired")], self.writers())


if __name__ == "__main__":
    unittest.main()
