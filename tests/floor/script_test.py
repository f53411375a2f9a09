"""Script files and their values: mistakes are reported as early as possible, and each event is
played once."""

import unittest

from bad_input_test import BadInput, close, lock


class Scripts(BadInput):
    def setUp(self):
        super().setUp()
        self.floor.init()
        self.controller = self.floor.start_controller()

    def play(self, events):
        return self.floor.start_agent(self.controller.endpoint, "C4-01", events)

    def refused(self, events, name):
        """Every one of these locks is refused with this name, and the script continues after it."""
        before = self.picture()
        agent = self.play(events)
        agent.finish(1)
        self.assertEqual([name] * len(events),
                         [entry.get("refusal") for entry in self.floor.table_entries()])
        self.assertEqual(before, self.picture())
        self.play([*events, lock("after")]).finish(0)
        self.assertNotEqual(before, self.picture())

    def test_impossible_amounts(self):
        amounts = ("-5.00", "-0.00000001", "5.001", "2000000000.00", "92233720368.54775807",
                   "-92233720368.54775808")
        self.refused([lock(f"r{amount}", amount=amount) for amount in amounts], "wager_not_a_unit")

    def test_impossible_seats(self):
        seats = (-1, 0, 7, 255, 256, 2**63, 2**64, -(2**64))
        self.refused([lock(f"r{seat}", seat=seat) for seat in seats], "seat_unknown")

    def test_impossible_chip_counts(self):
        self.play([{**lock("r1"), "chips": 2**64}]).finish(0)
        self.assertEqual("count_differed", self.floor.entries()[-1]["fact"])

    def test_a_hand_without_cards(self):
        show = {"event": "show", "round": "r1", "hands": [{"seat": 2}]}
        self.play([lock("r1"), show, close("r1")]).finish(1)
        self.assertEqual([None, "wrong_card_count", None],
                         [entry.get("refusal") for entry in self.floor.entries()[-3:]])

    def test_a_stop_does_not_hide_a_refusal(self):
        agent = self.play([lock("r1", seat=9), {"event": "wait", "ms": 600_000}])
        agent.await_line("refused: seat_unknown")
        self.assertEqual(1, agent.stop(), agent.telling())

    def test_a_stop_without_a_refusal_exits_with_0(self):
        agent = self.play([lock("r1"), {"event": "wait", "ms": 600_000}])
        agent.await_line("connected")
        self.assertEqual(0, agent.stop(), agent.telling())

    def test_an_earlier_script_repeats_nothing(self):
        """Each is played once, in any order."""
        first, second = [lock("r1"), close("r1")], [lock("r2"), close("r2")]
        for events, entries in ((first, 2), (second, 2), (first, 0), (second, 0),
                                ([*first, lock("r3")], 1), (second, 0)):
            before = self.floor.meters()["entry"]
            self.play(events).finish(0)
            self.assertEqual(before + entries, self.floor.meters()["entry"])

    def test_a_replaced_outbox_that_comes_back_is_refused(self):
        """It is behind the controller: another agent has played for the table."""
        self.play([lock("r1")]).finish(0)
        self.floor.agents.rename(self.floor.folder / "kept")
        self.play([lock("r2")]).finish(0)  # a replaced table computer continues with 2
        (self.floor.folder / "kept").rename(self.floor.folder / "agents2")
        self.floor.agents = self.floor.folder / "agents2"
        before = self.picture()
        agent = self.play([lock("r3")])
        agent.wait()
        self.failed(agent, "not the outbox the table was run with")
        self.assertEqual(before, self.picture())


if __name__ == "__main__":
    unittest.main()
