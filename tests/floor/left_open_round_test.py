"""A table's outbox is lost in the middle of a round: the dealer decides about the round."""

import json
import shutil
import unittest

import panel_test
from panel_test import FLUSH, TABLE, WAGER

LOW = ["2c", "3d", "4s", "6c", "7d"]


class LeftOpen(panel_test.PanelFloor):
    def setUp(self):
        super().setUp()
        self.sign_in()

    def lose_outbox(self):
        """A new computer at the table: a kill and the loss of the outbox."""
        round_id = self.browser.picture()["round"]
        self.assertTrue(self.agent.kill())
        shutil.rmtree(self.floor.agents / f"{TABLE}.outbox")
        self.start_agent()
        self.assertTrue(any(f"round {round_id} of this table is open" in line
                            for line in self.agent.said))
        self.browser.sign_in(self.dealer, self.pins[self.dealer])
        picture = self.browser.await_mode("left_open")
        self.assertEqual(round_id, picture["round"])
        return picture

    def open_rounds(self):
        told = json.loads(self.floor.ask("rounds", "--json"))
        return {table["table"]: [one["round"] for one in table["rounds"]]
                for table in told if table["rounds"]}

    def test_the_dealer_continues_a_left_open_round(self):
        self.open_round([2, 5])
        self.browser.await_mode("round")
        self.assertEqual("", self.browser.touch("show", hands=[{"seat": 5, "cards": FLUSH}]))
        self.await_picture(lambda picture: picture["order"] == [2] and picture["claims"])
        picture = self.lose_outbox()
        touch = self.browser.touch
        self.assertEqual({TABLE: [picture["round"]]}, self.open_rounds())
        self.assertFalse(picture["left_open"]["count_differs"])
        self.assertIsInstance(picture["left_open"]["since_ms"], int)
        self.assertEqual([2], picture["order"])
        self.assertEqual(FLUSH, picture["seats"][4]["hand"]["cards"])
        self.assertEqual("accepted", picture["seats"][1]["wagers"][0]["light"])
        self.assertEqual("round_open", touch("open_bets"))
        self.assertEqual("", touch("go_on"))
        self.assertEqual("round", self.browser.await_mode("round")["mode"])
        self.assertEqual("", touch("show", hands=[{"seat": 2, "cards": LOW}]))
        self.assertEqual("", touch("close"))
        self.browser.await_mode("idle")
        self.assertEqual({}, self.open_rounds())
        # The round is over, and the dealer is not asked again.
        self.agent.kill()
        self.start_agent()
        self.browser.sign_in(self.dealer, self.pins[self.dealer])
        self.browser.await_mode("idle")
        self.open_round([2])
        self.browser.await_mode("round")
        self.assertTrue(self.floor.audit()["clean"])

    def test_the_dealer_voids_a_left_open_round_with_a_wrong_count(self):
        self.open_round([2, 5], chips=3)
        self.browser.await_mode("blocked")
        picture = self.lose_outbox()
        self.assertTrue(picture["left_open"]["count_differs"])
        self.assertEqual({"chips": 3, "expected": 2},
                         {key: picture["count"][key] for key in ("chips", "expected")})
        self.assertEqual("round_blocked", self.browser.touch("close"))
        # Killed before anybody has decided: the dealer is asked again.
        self.agent.kill()
        self.start_agent()
        self.browser.sign_in(self.dealer, self.pins[self.dealer])
        self.browser.await_mode("left_open")
        self.assertEqual("", self.browser.touch("void", reason="the computer was replaced"))
        self.browser.await_mode("idle")
        voided = self.floor.table_entries()[-1]
        self.assertEqual(("round_voided", picture["round"], self.dealer),
                         tuple(voided[key] for key in ("fact", "round", "by")))
        self.assertEqual({}, self.open_rounds())

    def test_a_round_that_the_outbox_knows_is_not_asked_about(self):
        self.open_round([2])
        self.browser.await_mode("round")
        self.assertTrue(self.agent.kill())
        self.start_agent()
        self.browser.sign_in(self.dealer, self.pins[self.dealer])
        self.assertEqual("round", self.browser.await_mode("round", "left_open")["mode"])
        self.assertFalse(any("of this table is open" in line for line in self.agent.said))

    def test_a_script_ends_a_left_open_round(self):
        self.open_round([2])
        round_id = self.browser.await_mode("round")["round"]
        self.assertTrue(self.agent.kill())
        shutil.rmtree(self.floor.agents / f"{TABLE}.outbox")
        agent = self.floor.start_agent(
            self.controller.endpoint, TABLE,
            [{"event": "void", "round": round_id, "reason": "the computer was replaced"},
             {"event": "lock", "round": "s1",
              "wagers": [{"seat": 2, "wager": WAGER, "amount": "5.00"}]},
             {"event": "close", "round": "s1"}])
        agent.await_line(f"round {round_id} of this table is open, with 1 wager")
        agent.finish(0)
        self.assertEqual({}, self.open_rounds())


if __name__ == "__main__":
    unittest.main()
