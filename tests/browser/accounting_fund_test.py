"""Acts on a fund of pots at the accounting pages: transfers to the cage, and adjustments of the
display with a witness who enters a PIN."""

import unittest

from accounting_case import BAD, QUIET, AccountsTest
from browser import Keys
from console_case import PIN
from mock_fund import open_fund

CAGE, DISPLAY = "To the cage", "Adjust the display"
WITNESS = "#act fieldset .other input", "#act fieldset .pin"
SIGNER = "#act form > .signature"


class FundActs(AccountsTest):
    def setUp(self):
        super().setUp()
        self.fund = open_fund(self.floor.house, self.report())
        for box in self.fund["boxes"]:
            box["transfer"] = None
        self.fund["transfers"] = []

    def ask(self, button, badge):
        self.be_at(f"day/{BAD}", badge)
        self.push(button)
        self.browser.find("#act form")

    def choose(self, selector):
        self.browser.click(f"#act label:has({selector})")

    def fill(self, **texts):
        for name, text in texts.items():
            self.browser.write(f"#act_{name}", text)

    def sign(self, badge=None, pin=PIN):
        if badge:
            self.browser.write(f"{SIGNER} .other input", badge)
        self.browser.write(f"{SIGNER} .pin", pin)
        self.push_main()

    def witness(self, badge="F-1", pin=PIN):
        for selector, text in zip(WITNESS, (badge, pin)):
            self.browser.write(selector, text)

    def push_main(self):
        self.browser.click("#act .main")

    def complains(self, words, field=None):
        self.says("#act .error", words)
        if field:
            self.assertEqual(field, self.browser.run("return document.activeElement.id"))

    def ticked(self):
        return self.browser.run("return [...document.querySelectorAll('#act .boxes :checked')]"
                                ".map((box) => box.value)")

    def nothing_stays(self):
        # The close event of a dialog comes a moment after the closing.
        self.browser.wait(lambda: self.browser.run(
            "return document.querySelector('#act').childNodes.length") == 0, "the form stays")

    def pins(self):
        return self.browser.run("return [...document.querySelectorAll('#act .pin')]"
                                ".map((field) => field.value)")


class Cage(FundActs):
    def test_a_cashier_records_a_container(self):
        self.ask(CAGE, "A-1")
        self.says("#act .why_not", "A-1 Ada Count does not have the right to do this. A cashier "
                              "can sign here.")
        self.assertEqual(["P-01", "P-02"], self.ticked())
        self.fill(verified="$1,623", carried_by=" S-1 ", accounted_by="F-1", note=" container 7 ")
        self.sign("C-1")
        self.says("#result", "What came of POKER-ROOM is at the cage.")
        self.assertEqual([(f"/api/days/{BAD}/transfer", {
            "link": "POKER-ROOM", "tables": ["P-01", "P-02"], "verified": "1623.00",
            "carried_by": "S-1", "accounted_by": "F-1", "note": "container 7", "badge": "C-1",
            "pin": PIN})], self.floor.posted)
        self.says("[aria-label='Fund of POKER-ROOM']", "S-1, accounted for by F-1")
        self.nothing_stays()

    def test_locked_boxes_have_no_verified_amount(self):
        self.fund["boxes"][0].update(transfer=703)
        self.ask(CAGE, "A-1")
        self.assertEqual(["P-02"], self.ticked())
        self.says("#act .boxes", "at the cage with entry 703")
        self.choose("[value='P-02']")
        self.choose("[value='P-03']")
        self.fill(verified="12.345")  # an amount of a container, which is then not chosen
        self.choose("[value='boxes']")
        self.assertIsNone(self.browser.text("#act_verified"))
        self.says("#act", "Also record a count of each box.")
        self.fill(carried_by="S-1", accounted_by="F-1")
        self.sign("C-1")
        self.says("#result", "is at the cage.")
        self.assertEqual([(f"/api/days/{BAD}/transfer", {
            "link": "POKER-ROOM", "tables": ["P-03"], "verified": None, "carried_by": "S-1",
            "accounted_by": "F-1", "note": "", "badge": "C-1", "pin": PIN})], self.floor.posted)

    def test_the_boxes_belong_to_the_chosen_fund(self):
        other = next(one for one in self.report()["links"] if one["link"] == "BJ-RUN")
        other["fund"] = {"boxes": [dict(self.fund["boxes"][0], table="P-09", counted=None)],
                         "transfers": [], "displays": [], "bad_beat_verified": None}
        self.ask(CAGE, "A-1")
        self.says("#act .boxes", "P-09")
        self.assertEqual([], self.ticked())
        self.browser.run("const field = document.querySelector('#act_link');"
                         "field.value = 'POKER-ROOM'; field.dispatchEvent(new Event('change'))")
        self.assertEqual(["P-01", "P-02"], self.ticked())
        self.assertNotIn("P-09", self.browser.text("#act .boxes"))

    def test_an_incomplete_form_says_what_is_missing_and_sends_nothing(self):
        self.ask(CAGE, "A-1")
        for box in ("P-01", "P-02"):
            self.choose(f"[value='{box}']")
        self.push_main()
        self.complains("Choose the boxes that the money came from.")
        self.choose("[value='P-02']")
        for amount in ("", "1,623.005", "-3", "all"):
            self.fill(verified=amount)
            self.push_main()
            self.complains("Enter the amount that you counted, for example 312.00.", "act_verified")
        self.fill(verified="311.00")
        self.push_main()
        self.complains("Enter who carried it.", "act_carried_by")
        self.fill(carried_by="S-1")
        self.push_main()
        self.complains("Enter who accounted for it.", "act_accounted_by")
        self.fill(accounted_by="F-1")
        self.push_main()
        self.complains("Enter your badge.")
        self.assertEqual([], self.floor.posted)

    def test_a_refusal_is_shown_and_the_fields_stay(self):
        self.ask(CAGE, "A-1")
        self.fill(verified="1623", carried_by="F-1", accounted_by="F-1")
        self.sign("C-1", "1111")
        self.complains("The PIN is wrong.")
        self.sign("C-1")
        self.complains("A security officer must carry it to the cage; name the officer.")
        self.assertEqual([""], self.pins())
        self.fill(carried_by="S-1")
        self.sign("C-1")
        self.says("#result", "is at the cage.")

    def test_a_closed_form_keeps_nothing(self):
        self.ask(CAGE, "A-1")
        self.fill(verified="1623", carried_by="S-1")
        self.browser.write(f"{SIGNER} .pin", PIN)
        self.browser.press(Keys.ESCAPE)
        self.browser.wait(lambda: self.browser.text("#act") is None)
        self.nothing_stays()
        self.push(CAGE)
        self.assertEqual("", self.browser.run(
            "return document.querySelector('#act_verified').value"))
        self.assertEqual([], self.floor.posted)


class Display(FundActs):
    def test_the_display_is_adjusted_with_a_witness(self):
        self.ask(DISPLAY, "FM-1")
        self.assertIsNone(self.browser.text("#act .why_not"))
        self.says("#act", f"runs now, not to {BAD}")
        self.fill(kept="23,175.4", shown="$23,175.45", note=" a coin short ")
        self.witness(" F-1 ")
        self.sign()
        self.says("#result", "POKER-ROOM shows 23175.45, finance keeps 23175.40.")
        self.assertEqual([("/api/links/POKER-ROOM/display", {
            "kept": "23175.40", "shown": "23175.45", "note": "a coin short", "witness": "F-1",
            "witness_pin": PIN, "pin": PIN})], self.floor.posted)
        self.nothing_stays()

    def test_the_amount_on_the_display_is_optional_and_another_person_can_sign(self):
        self.ask(DISPLAY, "A-1")
        self.says("#act .why_not", "A-1 Ada Count does not have the right to do this. A finance "
                              "manager can sign here.")
        self.fill(kept="23175.45")
        self.witness()
        self.sign("FM-1")
        self.says("#result", "finance keeps 23175.45.")
        self.assertEqual([("/api/links/POKER-ROOM/display", {
            "kept": "23175.45", "shown": None, "note": "", "witness": "F-1", "witness_pin": PIN,
            "badge": "FM-1", "pin": PIN})], self.floor.posted)

    def test_an_incomplete_form_says_what_is_missing_and_sends_nothing(self):
        self.ask(DISPLAY, "FM-1")
        for kept in ("", "1.005", "-1", "all"):
            self.fill(kept=kept)
            self.push_main()
            self.complains("Enter the amount that finance keeps, for example 312.00.", "act_kept")
        self.fill(kept="521.60", shown="x")
        self.push_main()
        self.complains("Enter the amount on the display, for example 312.00.", "act_shown")
        self.fill(shown="")
        self.browser.write(f"{SIGNER} .pin", PIN)
        self.push_main()
        self.complains("Enter the witness’s badge.")
        self.browser.write(WITNESS[0], "F-1")
        self.push_main()
        self.complains("Enter the witness’s PIN.")
        self.witness()
        self.browser.write(f"{SIGNER} .pin", "")
        self.push_main()
        self.complains("Enter your PIN.")
        self.assertEqual([PIN, ""], self.pins(), "the witness does not have to type the PIN again")
        self.assertEqual([], self.floor.posted)

    def test_refusals_are_shown_and_no_pin_stays(self):
        self.ask(DISPLAY, "FM-1")
        self.fill(kept="521.60")
        for badge, pin, words in (
                ("F-1", "1111", "The PIN of the person who was present is missing or wrong."),
                ("A-1", PIN, "Another person must be present: a floorperson or above."),
                ("FM-1", PIN, "Another person must be present: a floorperson or above.")):
            with self.subTest(badge=badge):
                self.witness(badge, pin)
                self.sign()
                self.complains(words)
                self.assertEqual(["", ""], self.pins())
        self.fill(shown="521.60")
        self.witness()
        self.sign()
        self.complains("The display now shows another amount; read it again.")
        self.push("Cancel")
        self.nothing_stays()


class Offered(FundActs):
    def heads(self):
        self.browser.find(".day_head")
        return self.browser.text(".day_head .buttons")

    def test_fund_acts_need_a_fund(self):
        self.be_at(f"day/{BAD}")
        for words in (CAGE, DISPLAY):
            self.assertIn(words, self.heads())
        self.be_at(f"day/{QUIET}")
        for words in (CAGE, DISPLAY):
            self.assertNotIn(words, self.heads())

    def test_a_closed_day_offers_only_the_current_display(self):
        told = self.accounts.find(BAD)
        for act, badge in (("sign", "A-1"), ("close", "FM-1")):
            self.accounts.write(told, act, badge, 30)
        self.be_at(f"day/{BAD}")
        self.assertNotIn(CAGE, self.heads())
        self.assertIn(DISPLAY, self.heads())


if __name__ == "__main__":
    unittest.main()
