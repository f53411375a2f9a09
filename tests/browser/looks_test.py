"""Pages as people read, touch and print them: names, contrast, sizes, cards, slips on paper."""

import base64
import re
import time
import unittest

from desk import ConsoleTest


class Looks(ConsoleTest):
    SCREENS = {"desktop": (1440, 900), "tablet": (820, 1180), "phone": (390, 844)}

    def setUp(self):
        super().setUp()
        at = time.time()
        self.floor.raise_claim(
            at=at - 200, keyed_line="flush", folded=True, board=["Xx", "Td"],
            flags=[{"flag": "keyed_line_differs", "why": "the dealer keyed flush"},
                   {"flag": "count_mismatch", "why": "3 chips, 2 wagers"}],
            share={"call_amount": "1000.01", "rule": "633a.13",
                   "seats": [{"seat": 5, "amount": "500.01"}, {"seat": 2, "amount": "500.00"}]},
            limit={"before": "60000.00", "limit": "50000.00"})
        self.floor.raise_claim(at=at - 70)
        self.floor.suspend("BJ-RUN", "state differs")

    def test_accessible_at_every_size_in_both_modes(self):
        self.be("F-1")
        self.says("#freshness", "Live")
        for theme in ("dark", "light"):
            for name, (width, height) in self.SCREENS.items():
                with self.subTest(theme=theme, screen=name):
                    self.browser.size(width, height)
                    self.browser.run("location.hash = ''")
                    self.browser.wait(lambda: self.browser.text("#claim") is None)
                    self.assert_accessible()
                    self.browser.run("location.hash = '#1'")
                    self.browser.find("#claim .claim_amount")
                    self.assert_accessible()
                    self.browser.shot(f"console_{theme}_{name}")
            self.push("Reject")
            self.assert_accessible()
            self.browser.size(1440, 900)
            self.browser.click("#theme")

    def test_sign_in_slip_and_accounting_are_accessible(self):
        self.open("/floor")
        self.browser.find(".sign_in")
        self.assert_accessible()
        claim = self.floor.raise_claim(seat=1, second_signature=None)
        self.floor.settle(claim, "validate", "F-2")
        self.floor.settle(claim, "slip", "F-2", source="hand_pay")
        self.be("AU-1", path="/slips/1")
        self.says("#paper", "Duplicate: accounting")
        self.assert_accessible()
        self.open("/accounting")
        self.says("#meters", "C4-MEGA")
        self.assert_accessible()

    def test_cards_are_read_and_coloured(self):
        self.be("F-1")
        self.browser.click("[data-claim='1']")
        self.browser.find(".card")
        images = self.names("image")
        for name in ("joker", "ten of diamonds", "two of clubs", "ace of diamonds"):
            self.assertIn(name, images)
        club = "return getComputedStyle(document.querySelector('.suit_c path')).fill"
        before = self.browser.run(club)
        self.browser.click("#deck")
        self.assertNotEqual(before, self.browser.run(club))
        self.browser.click("#deck")


class Paper(ConsoleTest):
    def slip(self, **claim):
        number = self.floor.raise_claim(second_signature=None, **claim)
        self.floor.settle(number, "validate", "F-2")
        self.floor.settle(number, "slip", "F-2", source="hand_pay")

    def test_a_slip_is_one_page_with_two_parts(self):
        seats = [{"seat": 5, "amount": "500.01"}, {"seat": 2, "amount": "500.00"}]
        self.slip(share={"call_amount": "1000.01", "rule": "633a.13", "seats": seats},
                  limit={"before": "60000.00", "limit": "50000.00"})
        self.be("F-1", path="/slips/1")
        self.says("#paper", "Original: cage")
        for text in ("No. 1", "Straight flush", "Taxable", "C4-01 (T-1041), seat 2",
                     "1, entry 801, round r1", "Hand pay at the cage", "F-2 Bob Ito",
                     "Call of $1,000.01 shared (§ 633a.13): seat 5 $500.01 + seat 2 $500.00",
                     "over the payout limit of $50,000.00",
                     "Major at the call $7,319.70 = $5,000.00 (seed) + $2,319.70 "
                     "contributions and adjustments"):
            self.assertEqual(2, self.browser.text("#paper").count(text), text)
        printed = self.browser.tell("Page.printToPDF", preferCSSPageSize=True)["data"]
        pdf = base64.b64decode(printed)
        self.assertEqual(1, len(re.findall(rb"/Type\s*/Page\b", pdf)))
        self.assertRegex(pdf, rb"/MediaBox\s*\[0 0 612 79\d")
        spills = self.browser.run("""
            return [...document.querySelectorAll(".slip")].filter(
              (slip) => slip.scrollHeight > slip.clientHeight + 1).length;""")
        self.assertEqual(0, spills)

    def test_a_void_slip_says_so(self):
        self.slip()
        with self.floor.lock:
            self.floor.house.void_slip(1, self.floor.house.people["F-1"],
                                       {"reason": "misprint", "note": "paper jam"})
        self.be("F-1", path="/slips/1")
        self.says("#paper", "misprint: paper jam")
        self.assertEqual(2, self.browser.text("#paper").count("VOID"))

    def test_a_slip_that_is_not_there(self):
        self.be("F-1", path="/slips/99")
        self.says("#paper", "there is no such slip")


if __name__ == "__main__":
    unittest.main()
