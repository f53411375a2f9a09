"""A dealer at the panel of a table and a floorperson at the console, on a real floor: from the
first touch of a round to the paid slip."""

import shutil
import unittest

from real_house import RealHouse

from browser import Keys
from floor_process import DEMO, FREE_PAGES
from page_check import PageChecks

TABLE = "C4-01"


DRAWN = "magic_card = true\nlucky_bonus = true\n"


class Dealer(RealHouse, PageChecks):
    # The Hand Bonus without a draw: its first tables are C4-05 and C4-06.
    floor_text = DEMO.replace(DRAWN, "", 1)

    def setUp(self):
        super().setUp()
        self.add("D-1", "table_games", "dealer")

    def sit_down(self, table):
        """The dealer, signed in at the panel of a table."""
        agent = self.floor.start_agent(self.controller.endpoint, table,
                                       options=("--panel", FREE_PAGES))
        url = agent.await_line(r"panel at (\S+)")[1]
        agent.await_line("connected to")
        self.browser.size(1024, 768)
        self.sign_in("D-1", url)
        self.browser.find("#bar")

    def type(self, text):
        """Types while no field has the focus."""
        self.browser.press(*text)

    def await_closed_dialog(self):
        """Waits for the closing: until then the keys belong to the dialog."""
        self.browser.wait(lambda: self.browser.text("#dialog") is None, "the dialog stays open")

    def facts(self):
        return [entry["fact"] for entry in self.floor.table_entries()]

    def test_from_the_first_touch_to_the_paid_slip(self):
        self.add("F-1", "table_games", "floorperson")
        self.add("C-1", "finance", "cashier")
        self.sit_down(TABLE)
        panel = self.browser.driver.current_window_handle
        self.browser.click("#floor")
        self.says("#floor", "Floor called")
        self.browser.click("#open_bets")
        for seat in (2, 5):
            self.browser.click(f"#mark_{seat}_0")
            self.browser.find(f"#mark_{seat}_0[aria-pressed=true]")
        self.browser.click("#close_bets")
        # The dealer counts three chips, but there are two wagers. The floorperson finds two chips.
        self.browser.find("#key_3")
        self.type("3")
        self.browser.press(Keys.ENTER)
        self.says("#words", "Do not deal")
        self.says("#announce", "The count differs")
        self.browser.click("#resolve")
        self.assertEqual(["2", "5"], self.browser.run(
            "return [...document.querySelectorAll('.corrections input:checked')]"
            ".map((box) => box.id.split('_')[1])"))
        self.assert_accessible()
        self.browser.shot("dealer_resolve")
        self.browser.write("#dialog .other input", "F-1")
        self.browser.write("#dialog .pin", self.floor.own_pin("F-1"))
        self.browser.click("#dialog .main")
        # Seat 5 is first, at the dealer's right. The dealer calls another line than the cards make.
        self.says("#mode", "Round")
        self.await_closed_dialog()
        self.type("9h10hjhqhkh")
        self.browser.click("#keyed option[value=royal_flush]")
        self.browser.click("#send")
        for text in ("$5,000", "claim 1", "Pay nothing yet", "It is not paid from the rack",
                     "Envy for the straight flush of seat 5", "$1,500.00"):
            self.says("#owed", text)
        self.says("#seats", "called: royal flush")
        self.assert_accessible()
        self.browser.shot("dealer_claim")
        # At another screen.
        self.browser.driver.switch_to.new_window("window")
        self.browser.size(1440, 900)
        self.sign_in("F-1", self.url + "/floor")
        self.says("#status", f"{TABLE} calls the floor")
        self.browser.click("#claims button")
        self.says("#claim", "The dealer entered another line")
        self.browser.write(".pin", self.floor.own_pin("F-1"))
        self.push("Validate")
        self.says(".result", "Claim 1 is validated")
        self.browser.click("input[value=hand_pay]")
        self.browser.write(".other input", "C-1")
        self.browser.write(".pin", self.floor.own_pin("C-1"))
        self.push("Make the slip")
        self.says(".acts", "Pay on slip 1")
        console = self.browser.driver.current_window_handle
        self.browser.driver.switch_to.window(panel)
        self.says("#owed", "is validated: to be paid at the cage, on slip 1")
        self.browser.driver.switch_to.window(console)
        self.browser.write(".other input", "C-1")
        self.browser.write(".pin", self.floor.own_pin("C-1"))
        self.push("Paid $5,000")
        self.says("#none", "No claim is pending")
        self.browser.driver.close()
        self.browser.driver.switch_to.window(panel)
        self.says("#owed", "paid at the cage, on slip 1")
        # The round continues with the last hand and its end. The claim stays visible.
        self.type("2c3d4h6s7c")
        self.browser.press(Keys.ENTER)
        self.says("#words", "Every bettor's hand is shown")
        self.browser.click("#close")
        self.says("#mode", "Idle")
        self.browser.click("#open_bets")
        self.says("#owed", "Paid at the cage, on slip 1")
        self.assert_accessible()
        self.assertTrue(self.floor.audit()["clean"])

    def test_a_round_that_was_open_when_the_outbox_was_lost(self):
        self.sit_down(TABLE)
        self.browser.click("#open_bets")
        for seat in (2, 5):
            self.browser.click(f"#mark_{seat}_0")
            self.browser.find(f"#mark_{seat}_0[aria-pressed=true]")
        self.browser.click("#close_bets")
        self.browser.find("#key_2")
        self.type("2")
        self.browser.press(Keys.ENTER)
        self.says("#mode", "Round")
        self.type("2c3d4h6s7c")
        self.browser.click("#send")
        self.says("#work", "Show seat 2")
        self.browser.wait(lambda: self.facts()[-1] == "hands_shown", "the hand is in the journal")
        self.assertTrue(self.floor.processes[-1].kill())
        shutil.rmtree(self.floor.agents / f"{TABLE}.outbox")
        # The new computer asks the dealer, who continues with the remaining hand.
        self.sit_down(TABLE)
        self.says("#mode", "Left Open")
        self.says("#words", "Go on with it, or void it")
        self.says("#work", "Shown: seat 5.")
        self.assert_accessible()
        self.browser.shot("dealer_left_open")
        self.browser.click("#go_on")
        self.says("#mode", "Round")
        self.type("2d4c5s8h9c")
        self.browser.press(Keys.ENTER)
        # Until the hand is known to be shown, a close would ask about seat 2.
        self.says("#words", "Every bettor's hand is shown")
        self.browser.click("#close")
        self.says("#mode", "Idle")
        self.assertEqual(["round_locked", "hands_shown", "hands_shown", "round_closed"],
                         self.facts())
        # In another round the dealer does not know the wagers, and voids it.
        self.browser.click("#open_bets")
        self.browser.click("#mark_3_0")
        self.browser.find("#mark_3_0[aria-pressed=true]")
        self.browser.click("#close_bets")
        self.browser.find("#key_1")
        self.type("1")
        self.browser.press(Keys.ENTER)
        self.says("#mode", "Round")
        self.assertTrue(self.floor.processes[-1].kill())
        shutil.rmtree(self.floor.agents / f"{TABLE}.outbox")
        self.sit_down(TABLE)
        self.says("#work", "No hand was shown.")
        self.browser.click("#void")
        self.browser.find("#act_reason")
        self.assert_accessible()
        self.browser.shot("dealer_void")
        self.browser.write("#act_reason", "the computer was replaced")
        self.browser.click("#dialog .danger")
        self.says("#mode", "Idle")
        self.assertEqual("round_voided", self.facts()[-1])

    def test_a_correction_of_the_dealers_hand_takes_payouts_back(self):
        """§ 657a.12(f)(1): a flush of the dealer pays 50 for 1 to players who bet on it."""
        self.add("F-1", "table_games", "floorperson")
        self.sit_down("C4-05")
        self.browser.click("#open_bets")
        mark = "[aria-label^='Seat 2: Five Card Hand Bonus on dealer']"
        self.browser.click(mark)
        self.browser.find(mark + "[aria-pressed=true]")
        self.browser.click("#close_bets")
        self.says("#mode", "Round")
        self.type("kh9h7h4h2h")
        self.says("#send", "Show my hand")
        self.browser.press(Keys.ENTER)
        self.says("#owed", "$50.00")
        self.assertNotIn("Take back", self.browser.text("#owed"))
        # In fact the last card was the deuce of clubs.
        self.done("F-1", "round", "correct", "C4-05", self.floor.table_entries()[-1]["round"],
                  "dealer", "--cards", "Kh 9h 7h 4h 2c", "--reason", "misread_card")
        self.says("#owed", "Take back $50.00 from seat 2")
        self.assertNotIn("To pay", self.browser.text("#owed"))
        self.assert_accessible()
        self.browser.shot("dealer_take_back")

    def test_a_bad_beat_is_reported_at_a_poker_table(self):
        self.sit_down("P-01")
        self.says("#mode", "Pot")
        self.browser.write("#pot_amount", "246.00")
        for seat in (2, 5, 7):
            self.browser.click(f"#dealt_{seat}")
        self.browser.click("#target_board")
        self.type("QsQhKsKh2c")
        self.browser.press(Keys.ENTER)  # moves to the first hand, later to the next
        self.type("QcQd")
        self.browser.press(Keys.ENTER)
        self.type("KcKd")
        self.says("#send_why", "Enter the cards of seat 7, or mark the fold.")
        self.browser.click("#fold_rest")
        self.says("#send_why", "Choose who won.")
        self.browser.click("#won_5")
        self.assert_accessible()
        self.browser.click("#send")
        for text in ("Seat 2", "Seat 5", "Call the poker shift supervisor"):
            self.says("#owed", text)
        self.assert_accessible()
        self.browser.shot("dealer_pot")
        pot = self.floor.table_entries()[-1]
        self.assertEqual(("pot_played", "246.00", "D-1"),
                         tuple(pot[key] for key in ("fact", "pot", "by")))
        won = {hand["seat"]: hand["won"] for hand in pot["hands"]}
        self.assertEqual({2: "0.00", 5: "245.00", 7: "0.00"}, won)
        # For the next hand only the players stay.
        self.assertEqual("", self.browser.run("return document.getElementById('pot_amount').value"))
        self.says("#dealt_5", "in")


if __name__ == "__main__":
    unittest.main()
