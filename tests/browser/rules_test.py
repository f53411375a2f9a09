"""The posted rules of a link in a browser, and the distribution of a payout on paper."""

import unittest

from accounting_case import BAD, QUIET, AccountsTest
from browser import PageTest
from console_case import ConsoleTest
from mock_fund import DAY


class Rules(PageTest):
    def test_a_fund_posts_all_that_the_rule_requires(self):
        self.open("/rules/POKER-ROOM")
        for words in ("$23,175.45", "Bad Beat", "$1.00 is taken from each pot of $20.00 or more",
                      "one pot never contributes more", "full house or better", "50%", "25%",
                      "P-01, P-02 and P-03",
                      "80% goes to the amount shown and 20% goes to the reserve",
                      "belongs to the poker patrons", "Current amount, as of 20"):
            self.browser.wait_for_text("main", words)
        self.browser.shot("rules_fund")
        self.floor.change("POKER-ROOM", pending_adjustment=True)
        self.browser.wait_for_text(".band", "Pending adjustment")

    def test_a_table_is_named_as_the_floor_file_names_it(self):
        tables = self.floor.house.tables
        tables["PK_01"] = {**tables["P-01"], "table": "PK_01"}
        self.open("/rules/POKER-ROOM")
        self.floor.change("POKER-ROOM", tables=["PK_01", "P-02"])
        self.browser.wait_for_text("main", "dealt in, at tables PK_01 and P-02.")

    def test_a_fund_that_does_not_collect_says_so(self):
        self.open("/rules/POKER-ROOM")
        self.browser.wait_for_text("main", "is taken from each pot")
        self.floor.change("POKER-ROOM", collecting=False)
        self.browser.wait_for_text("main", "No pot contributes any more")
        self.browser.wait_for_text(".band", "No more contributions are taken")
        self.assertNotIn("$1.00", self.browser.text("main"))
        self.assertIn("$23,175.45", self.browser.text("main"))  # it can still be won

    def test_a_discontinued_fund_posts_only_where_its_amount_went(self):
        self.open("/rules/POKER-ROOM")
        self.browser.wait_for_text("main", "full house or better")
        self.floor.change("POKER-ROOM", collecting=False, discontinued=True,
                          went_to={"link": "POKER-2", "level": "main"})
        self.browser.wait_for_text(".band", "has ended; its amount was moved to POKER-2 main")
        for gone in ("full house", "Current amount", "$"):
            self.assertNotIn(gone, self.browser.text("main"), gone)

    def test_an_old_amount_is_removed_and_the_rules_stay(self):
        self.open("/rules/POKER-ROOM")
        self.browser.wait_for_text("main", "$23,175.45")
        self.floor.cut()
        self.browser.wait_for_text(".current", "Amount not available")
        self.assertNotIn("$23,175.45", self.browser.text(".current"))
        self.browser.wait_for_text("main", "full house or better")

    def test_every_sign_links_to_its_rules(self):
        for path, link, words in (("/sign/POKER-ROOM", "POKER-ROOM", "What qualifies"),
                                  ("/sign/C4-MEGA", "C4-MEGA", "Royal flush"),
                                  ("/sign/PG-FORTUNE", "PG-FORTUNE", "Five aces"),
                                  ("/signs?link=BJ-RUN", "BJ-RUN", "Every wager is $1")):
            with self.subTest(path=path):
                self.open(path)
                self.browser.wait_for_text("footer", "Rules")
                self.browser.run("document.querySelector('.rules_link').click()")
                self.browser.wait_for_text("main", words)
                self.assertTrue(self.browser.driver.current_url.endswith(f"/rules/{link}"))

    def test_the_link_to_the_rules_is_not_printed(self):
        self.open("/sign/C4-MEGA?still=1")
        self.browser.wait_for_text("footer", "Rules")
        self.browser.cdp("Emulation.setEmulatedMedia", media="print")
        self.browser.wait(lambda: "Rules" not in self.browser.text("footer"))
        self.browser.cdp("Emulation.setEmulatedMedia", media="")

    def test_the_rules_of_a_progressive(self):
        self.open("/rules/C4-MEGA")
        for words in ("$59,186.45", "Royal flush", "100%", "Every wager is $5"):
            self.browser.wait_for_text("main", words)

    def test_every_hand_is_posted_with_its_odds_or_amount(self):
        """§ 645a.2(b)(9), (10), § 657a.2(b)(6): odds or amounts of all wagers; the payout limit."""
        self.open("/rules/C4-MEGA")
        for words in ("Royal flush", "100% of the mega meter", "Full house", "50 for 1",
                      "Three of a kind", "10 for 1", "Envy Bonus", "$5,000 for a $5 wager"):
            self.browser.wait_for_text("main", words)
        self.assertNotIn("Payout limit", self.browser.text("main"))
        self.open("/rules/PG-FORTUNE")
        for words in ("8000 to 1", "Five aces", "400 to 1", "$250 for a $5 wager or more",
                      "No more than $50,000.00 is paid to a player on a single hand",
                      "The limit does not include Envy Bonuses"):
            self.browser.wait_for_text("main", words)
        self.assertNotIn("the meter", self.browser.text("main"))

    def test_the_sign_has_the_paytable_and_the_payout_limit(self):
        self.open("/sign/C4-MEGA")
        for words in ("Royal flush 100% of the mega meter", "Full house 50 for 1"):
            self.browser.wait_for_text("footer", words)
        self.open("/sign/PG-FORTUNE")
        for words in ("Five aces 400 to 1", "Payout limit $50,000 a hand"):
            self.browser.wait_for_text("footer", words)

    def test_a_link_that_does_not_exist(self):
        self.open("/rules/%3Cb%3ENOWHERE")
        self.browser.wait_for_text("main", "There is no link <b>NOWHERE on this floor")


class Distribution(ConsoleTest):
    def test_every_share_and_who_verified_it(self):
        self.be("C-1", "/distribution/8")
        for words in ("$500.80", "Losing hand, 50%", "$250.40", "Table, 25% among 2", "$62.60",
                      "by PS-1", "by C-1", "Display adjusted", "not yet"):
            self.browser.wait_for_text("main", words)
        self.browser.shot("distribution")


class FundDay(AccountsTest):
    def test_the_day_sheet_has_boxes_cage_and_display(self):
        link = next(one for one in self.report()["links"] if one["link"] == "POKER-ROOM")
        link["fund"] = DAY
        self.be_at(f"day/{BAD}")
        part = "[aria-label='Fund of POKER-ROOM']"
        for words in ("P-01, P-02", "D-1, F-1", "S-1, accounted for by F-1", "A-1, F-1",
                      "$1,623.00", "$23,175.45", "−$1.00"):
            self.says(part, words)
        self.assertNotIn("P-03", self.browser.text(part))  # it had no activity
        self.browser.shot("day_fund")

    def test_a_floor_without_a_fund_shows_none(self):
        self.be_at(f"day/{QUIET}")
        self.assertIsNone(self.browser.text("[aria-label^='Fund of']"))


if __name__ == "__main__":
    unittest.main()
