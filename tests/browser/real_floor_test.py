"""The pages on a real floor with a controller, agents that play, and people at browsers."""

import time
import unittest

from real_house import RealHouse

from floor_process import DEMO
from people_test import win
from sign_watch import WATCH

TERMS = '[house]\nsecond_signature = [{ from = "1200.00", roles = ["table_games_manager"] }]\n'
TABLES = ("C4-01", "C4-02", "C4-03", "C4-04")


class Walk(RealHouse):
    floor_text = DEMO.replace("[house]\n", TERMS, 1)

    def hire(self):
        self.add("F-1", "table_games", "floorperson")
        self.add("C-1", "finance", "cashier")
        self.add("TGM-2", "table_games", "table_games_manager", by="FM-1")

    def watch(self):
        return self.browser.run("return window.sign_watch")

    def test_from_the_win_to_the_paid_slip(self):
        self.hire()
        self.browser.open(self.url + "/sign/C4-MEGA")
        self.says("main", "$5,000.00")
        self.play(win("r1"))
        for text in ("$5,000.35", "Straight flush", "Table C4-01", "T-1041", "Pending"):
            self.says(".win", text)
        self.browser.shot("walk_sign")
        self.sign_in_at_the_console("F-1")
        self.browser.click("#claims button")
        for text in ("$5,000.35", "Opened (seed)", "+ $0.35", "§ 657a.12(e)(1)"):
            self.says("#claim", text)
        self.browser.write(".pin", self.floor.own_pin("F-1"))
        self.push("Validate")
        self.says(".result", "Claim 1 is validated.")
        self.browser.write(".other input", "TGM-2")
        self.browser.write(".pin", self.floor.own_pin("TGM-2"))
        self.push("Sign second")
        self.says(".acts", "Paid from")
        self.browser.write(".other input", "C-1")
        self.browser.write(".pin", self.floor.own_pin("C-1"))
        self.push("Make the slip")
        self.says(".acts", "Pay on slip 1")
        self.browser.write(".other input", "C-1")
        self.browser.write(".pin", self.floor.own_pin("C-1"))
        self.push("Paid $5,000.35")
        self.says("#none", "No claim is pending")
        claim, = self.floor.claims()
        self.assertEqual(("paid", "hand_pay", "F-1", "TGM-2", "C-1"),
                         tuple(claim[key] for key in ("state", "source", "validated_by",
                                                      "countersigned_by", "paid_by")))
        self.browser.open(self.url + "/slips/1")
        self.says("#paper", "No. 000001")
        self.says("#tools", "by C-1")
        for text in ("TGM-2", "F-1", "hand pay at the cage", "$5,000.35"):
            self.says("#paper", text)
        self.browser.shot("walk_slip")

    def test_another_person_acts_first_at_another_screen(self):
        self.hire()
        self.add("F-2", "table_games", "floorperson")
        self.play(win("r1"))
        self.sign_in_at_the_console("F-1")
        self.browser.click("#claims button")
        self.browser.find(".pin")
        self.done("F-2", "validate", 1)
        self.says(".result", "Validated by F-2")
        self.push("Sign second")

    def test_a_sign_through_a_restart_of_the_controller(self):
        self.browser.before_pages(WATCH)
        self.play(win("r1"))
        self.browser.open(self.url + "/sign/C4-MEGA")
        self.says("main", "$50,000.45")
        self.assertTrue(self.controller.kill())
        killed_at = time.monotonic()
        self.says("main", "Amount not available")
        self.assertLess(time.monotonic() - killed_at, 3.5)
        self.controller = self.floor.start_controller(web=self.url)
        self.says("main", "$50,000.45")
        self.assertEqual([], self.watch()["lies"])

    def test_never_above_the_true_amount_while_tables_play(self):
        self.browser.before_pages(WATCH)
        self.browser.open(self.url + "/sign/C4-MEGA")
        agents = [self.floor.start_agent(self.controller.endpoint, table,
                                         options=["--deal", str(seed), "--rounds", "300",
                                                  "--pace", "10"])
                  for seed, table in enumerate(TABLES, start=7)]
        for agent in agents:
            agent.finish(0)
        levels = self.floor.link("C4-MEGA")["levels"]
        mega = next(level["amount"] for level in levels if level["level"] == "mega")
        whole = f"${int(mega.split('.')[0]):,}.{mega.split('.')[1][:2]}"
        self.browser.wait(lambda: whole in self.browser.text("main").replace("\n", ""))
        watch = self.watch()
        self.assertEqual([], watch["lies"])
        self.assertGreater(len(watch["seen"]["mega"]), 20)


if __name__ == "__main__":
    unittest.main()
