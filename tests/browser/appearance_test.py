"""The look of the pages: names, contrast, sizes, cards, slips on paper."""

import base64
import re
import time
import unittest

from console_case import PIN, ConsoleTest


class Appearance(ConsoleTest):
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
        for name, (width, height) in self.SCREENS.items():
            with self.subTest(screen=name):
                self.browser.size(width, height)
                self.assertFalse(self.browser.run(
                    "return document.documentElement.scrollHeight > innerHeight"))
        claim = self.floor.raise_claim(seat=1, second_signature=None)
        self.floor.settle(claim, "validate", "F-2")
        self.floor.settle(claim, "slip", "F-1", source="hand_pay")
        self.be("AU-1", path="/slips/1")
        self.says("#paper", "DUPLICATE")
        self.assert_accessible()
        self.open("/accounting#meters")
        self.says("#page", "C4-MEGA")
        self.assert_accessible()

    def test_cards_have_names_and_colours(self):
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

    def test_a_long_list_of_claims_shows_more_on_request(self):
        for _ in range(130):
            self.floor.raise_claim()
        self.be("F-1")
        self.says("#more", "newer claims")
        self.browser.click("#more")
        self.browser.find("[data-claim='130']")
        self.assertIsNone(self.browser.text("#more"))

    def test_claims_of_one_table(self):
        for _ in range(9):
            self.floor.raise_claim()
        mine = self.floor.raise_claim(table="C4-02")
        self.be("F-1")
        self.browser.find(f"[data-claim='{mine}']")
        listed = ("return [...document.querySelectorAll('#claims [data-claim]')]"
                  ".map((row) => Number(row.dataset.claim))")
        self.browser.write("#of_table", "4-02")
        self.assertEqual([mine], self.browser.run(listed))
        self.assert_accessible()
        self.floor.raise_claim()
        newer = self.floor.raise_claim(table="C4-02")
        self.browser.find(f"[data-claim='{newer}']")
        self.assertEqual([mine, newer], self.browser.run(listed))
        self.browser.write("#of_table", "X")
        self.says("#none", "No claim of this table is pending.")
        self.browser.write("#of_table", "")
        self.browser.find(f"[data-claim='{mine - 1}']")
        self.browser.write("#of_table", "X")
        self.browser.click("#sign_out")
        self.browser.write("#sign_in_badge", "F-1")
        self.browser.write("#sign_in_pin", PIN)
        self.browser.click(".sign_in .main")
        self.browser.find(f"[data-claim='{mine}']")
        self.assertLess(10, len(self.browser.run(listed)))


class Paper(ConsoleTest):
    SEATS = [{"seat": 5, "amount": "500.01"}, {"seat": 2, "amount": "500.00"}]

    def slip(self, **claim):
        number = self.floor.raise_claim(second_signature=None, **claim)
        self.floor.settle(number, "validate", "F-2")
        self.floor.settle(number, "slip", "F-1", source="hand_pay")

    def void(self, note):
        with self.floor.lock:
            self.floor.house.void_slip(1, self.floor.house.people["F-1"],
                                       {"reason": "misprint", "note": note})

    def words(self, document):
        """All texts of the stored copy."""
        for value in document.values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    yield from one.values()
                elif isinstance(one, str):
                    yield one

    def spills(self):
        return self.browser.run("""
            return [...document.querySelectorAll(".slip")].filter(
              (slip) => slip.scrollHeight > slip.clientHeight + 1).length;""")

    def test_a_slip_is_one_page_with_two_parts(self):
        self.slip(share={"call_amount": "1000.01", "rule": "633a.13", "seats": self.SEATS})
        self.be("F-1", path="/slips/1")
        self.says("#paper", "ORIGINAL \u00b7 cage")
        document = self.floor.house.slip(1)["document"]
        cards = set(document["cards"]) | {document["issued_at"]}
        for text in set(self.words(document)) - cards:
            self.assertLessEqual(2, self.browser.text("#paper").count(text), text)
        self.assertNotIn("VOID", self.browser.text("main"))
        printed = self.browser.cdp("Page.printToPDF", preferCSSPageSize=True)["data"]
        pdf = base64.b64decode(printed)
        self.assertEqual(1, len(re.findall(rb"/Type\s*/Page\b", pdf)))
        self.assertRegex(pdf, rb"/MediaBox\s*\[0 0 612 79\d")
        self.assertEqual(0, self.spills())
        self.browser.shot("slip")

    def test_long_text_on_a_slip_is_smaller(self):
        seats = [{"seat": seat, "amount": "1000000.01"} for seat in range(1, 11)]
        self.slip(round="r" * 64, share={"call_amount": "1000.01", "rule": "633a.13",
                                         "seats": seats}, cards=["As"] * 13)
        self.void("the note of a person who has a very long story to tell " * 3)
        self.be("F-1", path="/slips/1")
        self.says("#paper", "seat 10 $1000000.01")
        self.assertEqual(0, self.spills())
        self.browser.shot("slip_much")

    def test_a_void_slip_says_so(self):
        self.slip()
        self.void("paper jam")
        self.be("F-1", path="/slips/1")
        self.says("#paper", "VOID: not to be paid. Reason: misprint, paper jam.")
        self.says("#paper", "Made void by F-1 Ann Flores")
        marks = self.browser.run("""
            return [...document.querySelectorAll(".void_mark")].map((mark) => mark.innerText);""")
        self.assertEqual(["VOID", "VOID"], marks)
        self.says("#tools", "VOID copy (PDF)")
        self.browser.shot("slip_void")

    def test_nothing_is_printed_before_the_stored_copy_exists(self):
        self.slip()
        with self.floor.lock:
            self.floor.house.slips_stored = False
        self.be("F-1", path="/slips/1")
        self.says("#paper", "its copy is being made")
        self.assertIsNone(self.browser.text("#print"))
        with self.floor.lock:
            self.floor.house.slips_stored = True
        self.says("#paper", "No. 000001")

    def test_a_slip_that_does_not_exist(self):
        self.be("F-1", path="/slips/99")
        self.says("#paper", "There is no such slip")


if __name__ == "__main__":
    unittest.main()
