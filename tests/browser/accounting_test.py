"""The accounting pages in a browser: days and their sheets, items, signatures, histories, the
origin of amounts, the journal."""

import unittest

from accounting_case import BAD, QUIET, AccountsTest
from browser import Keys
from console_case import PIN
from mock_accounting import exact, units

EVIL = "<img src=x onerror=\"document.body.innerHTML='hacked'\"><script>document.title='x'</script>"


class Days(AccountsTest):
    def test_days_are_listed_with_the_signature_they_wait_for(self):
        self.be_at("days")
        self.says(".verdict", "2 days not closed, 5 items open")
        self.says("#page", "Today is Sunday, 2026-11-22")
        rows = self.browser.run("return [...document.querySelectorAll('tbody tr')]"
                                ".map((row) => row.innerText.replace(/\\s+/g, ' '))")
        self.assertIn("2026-11-21 Saturday", rows[0])
        self.assertIn("5 items open", rows[0])
        self.assertIn("waits for the first signature", rows[1])
        self.assertIn("closed A-1 2026-11-20", rows[2])

    def test_a_day_without_differences_says_so_in_one_line(self):
        self.be_at(f"day/{QUIET}")
        self.says(".verdict", "Everything is zero")
        self.says(".verdict", "6 meters add up to 10⁻⁸ dollar")
        self.assertIsNone(self.browser.text(".items"))
        self.assertNotIn("off by", self.browser.text("#page"))

    def test_a_day_with_differences_shows_them_first(self):
        self.be_at(f"day/{BAD}")
        self.says(".verdict", "5 items open · 1 explained · 1 of 6 meters do not add up")
        items = self.browser.run("return [...document.querySelectorAll('.item')]"
                                 ".map((item) => item.innerText)")
        self.assertEqual(6, len(items))
        for text in ("Postings and readings differ", "open", "−$0.75", "C4-MEGA · Major"):
            self.assertIn(text, items[0])
        self.assertIn("explained", items[5])
        self.assertIn("A dollar chip was found under the tray. A-1", items[5])
        self.assertIn("since 2026-11-22 03:30:00 EST", items[3])
        entry = self.report()["events"][1]["entry"]
        self.assertIn(f"entry {entry}", items[4])
        # Items come before everything else.
        self.assertTrue(self.browser.run(
            "const [a, b] = ['.items', '.balance'].map((s) => document.querySelector(s));"
            "return (a.compareDocumentPosition(b) & 4) !== 0"))

    def test_only_rows_that_do_not_add_up_are_marked(self):
        self.be_at(f"day/{BAD}")
        self.browser.find(".balance")
        off = self.browser.run("return [...document.querySelectorAll('.balance .is_off')]"
                               ".map((row) => row.innerText)")
        self.assertEqual(1, len(off))
        self.assertIn("off by −$0.75", off[0])
        self.assertEqual(5, self.browser.text(".balance").count("adds up"))
        self.assertIn("± Corrected", self.browser.text(".balance"))
        self.assertNotIn("Transferred", self.browser.text(".balance"))

    def test_a_day_without_items_that_does_not_add_up_says_so(self):
        report = self.report(QUIET)
        level = report["links"][0]["levels"][0]
        level["closing"] = level["closing"][:-1] + str((int(level["closing"][-1]) + 1) % 10)
        self.be_at(f"day/{QUIET}")
        self.says(".verdict", "The figures do not add up · 1 of 6 meters do not add up")
        self.says(".balance .is_off", "off by $0.00000001")
        report["control"]["sum"] = "-0.00000001"
        self.push("Sign the report")  # the page can still be used
        self.open("/accounting#days")
        self.be_at(f"day/{QUIET}")
        self.says(".verdict", "14,709 postings sum to −$0.00000001")

    def test_every_term_is_a_column_and_a_row_still_adds_up(self):
        report = self.report(QUIET)
        level = report["links"][0]["levels"][0]
        terms = {"corrected": "-12.50000000", "transferred": "3.00000000",
                 "from_reserve": "77.12345678", "overflowed": "1.00000001",
                 "withheld_closing": "4.00000000", "awarded": "7000.00000000",
                 "returned": "6999.00000000"}
        moved = units("-12.5") + units("3") + units("77.12345678") - units("1.00000001") \
            + units("4") - units("7000") + units("6999")
        level.update(terms, closing=exact(units(level["closing"]) + moved))
        reserve = report["links"][0]["reserve"]
        reserve.update(overflow="1.00000001", to_levels="77.12345678", closing=exact(
            units(reserve["closing"]) + units("1.00000001") - units("77.12345678")))
        self.be_at(f"day/{QUIET}")
        self.says(".verdict", "6 meters add up")
        for title in ("± Corrected", "± Transferred", "± Reserve", "± Overflow", "± Withheld",
                      "− Awarded", "+ Returned"):
            self.says(".balance thead", title)

    def test_with_the_keyboard_alone(self):
        self.be_at(f"day/{QUIET}")
        self.assertEqual("H2", self.browser.run("return document.activeElement.tagName"))
        focus = "document.querySelector(arguments[0]).focus()"
        self.browser.run(focus, ".balance .explained")
        self.browser.press(Keys.ENTER)
        self.says("#explain", "it adds up")
        self.browser.press(Keys.ESCAPE)
        self.browser.wait(lambda: self.browser.run(
            "return document.activeElement.className").startswith("explained"))
        self.browser.run(focus, "[data-step='sign'] .pin")
        self.browser.press(PIN, Keys.ENTER)
        self.says("#result", "is signed.")
        self.assertEqual("result", self.browser.run("return document.activeElement.id"))

    def test_exact_shows_all_digits(self):
        self.be_at(f"day/{QUIET}")
        opening = self.report(QUIET)["links"][0]["levels"][0]["opening"]
        left, right = opening.split(".")
        self.says(".balance", f"${int(left):,}.{right[:2]}")
        self.assertNotIn(right, self.browser.text(".balance"))
        self.browser.click("#exact")
        self.says(".balance", f"${int(left):,}.{right}")

    def test_a_day_of_25_hours_says_so(self):
        self.be_at("day/2026-10-31")
        self.says(".day_head", "24 hours" if self.report("2026-10-31")["hours"] == 24
                  else "25 hours: the clocks changed")
        self.assertEqual(25, self.report("2026-10-31")["hours"])

    def test_days_that_do_not_exist(self):
        for day, words in (("2026-11-22", "is not over"), ("1999-01-01", "No gaming day"),
                           ("..%2F..%2Fetc", "No gaming day")):
            self.be(badge="A-1", path=f"/accounting#day/{day}")
            self.says("#page .error", words)

    def test_a_report_that_is_not_ready_says_so(self):
        self.accounts.find(BAD)["is_ready"] = False
        self.be_at("days")
        self.says("#page", "report not ready")
        self.open(f"/accounting#day/{BAD}")
        self.says("#page .error", "The day's report is being made")
        self.accounts.find(BAD)["is_ready"] = True
        self.push("Read again")
        self.says(".verdict", "5 items open")


    def test_an_unknown_answer_is_not_shown_in_part(self):
        del self.report(QUIET)["links"][0]["levels"]
        self.be_at("days")
        self.browser.run(f"location.hash = 'day/{QUIET}'")
        self.says("#page .error", "shows nothing of it")
        self.assertEqual(1, len(self.browser.complaints()))


class Acts(AccountsTest):
    def sign(self, step, badge=None):
        card = f"[data-step='{step}']"
        if badge:
            self.browser.write(f"{card} .other input", badge)
        self.browser.write(f"{card} .pin", PIN)
        self.browser.click(f"{card} .main")

    def test_two_persons_sign_and_close_a_day(self):
        self.be_at(f"day/{QUIET}")
        self.says("[data-step='close']", "The first signature is missing.")
        self.sign("sign")
        self.says("#result", f"Day {QUIET} is signed.")
        self.says("[data-step='sign']", "A-1")
        self.says("[data-step='close']", "A-1 Ada Count does not have the right to do this. A "
                                        "finance manager can sign here.")
        self.sign("close", "FM-1")
        self.says("#result", f"Day {QUIET} is closed.")
        self.assertEqual("closed", self.accounts.record(self.accounts.find(QUIET))["state"])
        self.assertIsNone(self.browser.text("#page .act_form"))

    def test_another_accountant_can_sign_the_same_report(self):
        people = self.accounts.house.people
        people["A-2"] = {**people["A-1"], "badge": "A-2", "name": "Abe Sum"}
        self.be_at(f"day/{QUIET}")
        self.sign("sign")
        self.says("#result", f"Day {QUIET} is signed.")
        self.browser.click("[data-step='sign'] summary")
        self.says("[data-step='sign'] form", "A-1 Ada Count has already signed. Another accountant")
        self.sign("sign", "A-2")
        self.says("[data-step='sign'] .signed_by", "A-2")
        self.assertEqual("A-2", self.accounts.record(self.accounts.find(QUIET))["signed_by"])

    def test_only_the_report_on_the_screen_can_be_signed(self):
        self.be_at(f"day/{QUIET}")
        self.browser.find("[data-step='sign'] .pin")
        self.report(QUIET)["counts"].append({
            "entry": 9, "at": "2026-11-21T12:00:00.000000Z", "kind": "chips", "link": "C4-MEGA",
            "table": "C4-01", "amount": "5.00", "expected": None, "note": "", "by": "A-1",
            "witness": "F-1"})
        self.sign("sign")
        self.says("[data-step='sign'] .error", "This is not the day's report any more")
        self.assertIsNone(self.accounts.find(QUIET)["signed"])

    def test_refusals_are_shown_in_words(self):
        self.be_at(f"day/{QUIET}")
        self.browser.write("[data-step='sign'] .pin", "1111")
        self.browser.click("[data-step='sign'] .main")
        self.says("[data-step='sign'] .error", "The PIN is wrong.")
        pin = "return document.querySelector('[data-step=sign] .pin').value"
        self.assertEqual("", self.browser.run(pin))
        self.browser.click("[data-step='sign'] .main")
        self.says("[data-step='sign'] .error", "Enter your PIN.")

    def test_a_person_without_the_right_sees_why(self):
        self.be_at(f"day/{QUIET}", "AU-1")
        self.says("[data-step='sign']", "AU-1 Otto Audit does not have the right to do this. An "
                                       "accountant can sign here.")
        self.push("Record a count")
        self.says("#act .why_not", "AU-1 Otto Audit does not have the right to do this. A cashier "
                              "can sign here.")
        self.browser.press(Keys.ESCAPE)
        self.open(f"/accounting#day/{BAD}")
        self.says("[data-step='sign']", "5 items are open. Every item must be explained before")
        self.assertIsNone(self.browser.text("[data-step='sign'] form"))

    def test_days_are_closed_in_order(self):
        self.explain_all()
        self.accounts.write(self.accounts.find(BAD), "sign", "A-1", 30)
        self.be_at(f"day/{BAD}", "FM-1")
        self.says("[data-step='close']", f"{QUIET} is not closed. Days are closed in order.")

    def test_a_changed_report_must_be_signed_again(self):
        told = self.accounts.find(QUIET)
        self.accounts.write(told, "sign", "A-1", 30)
        told["report"]["counts"].append({
            "entry": 9, "at": "2026-11-21T12:00:00.000000Z", "kind": "chips", "link": "C4-MEGA",
            "table": "C4-01", "amount": "5.00", "expected": None, "note": "", "by": "C-1",
            "witness": "F-1"})
        self.be_at(f"day/{QUIET}")
        self.says("[data-step='close']", "The report has changed since the first signature")
        self.sign("sign")
        self.says("#result", "is signed")

    def test_an_item_is_explained(self):
        self.be_at(f"day/{BAD}")
        self.browser.click("[data-item='balance/C4-MEGA/major'] button")
        self.says("#act", "−$0.75 C4-MEGA · Major")
        self.browser.write("#act .pin", PIN)
        self.browser.click("#act .main")
        self.says("#act .error", "Enter an explanation.")
        self.browser.write("#act_note", EVIL)
        self.browser.write("#act_corrected_by", "12a")
        self.browser.click("#act .main")
        self.says("#act .error", "Enter the number of an entry.")
        self.browser.write("#act_corrected_by", "99999999")
        self.browser.write("#act .pin", PIN)
        self.browser.click("#act .main")
        self.says("#act .error", "There is no such entry.")
        self.browser.write("#act_corrected_by", "801")
        self.browser.write("#act .pin", PIN)
        self.browser.click("#act .main")
        self.says("#result", "is explained.")
        self.says(".verdict", "4 items open · 2 explained")
        self.says("[data-item='balance/C4-MEGA/major']", EVIL)
        self.says("[data-item='balance/C4-MEGA/major']", "corrected by entry 801")
        self.assertEqual(0, self.browser.run("return document.querySelectorAll('main img').length"))

    def test_a_changed_difference_is_not_explained(self):
        self.be_at(f"day/{BAD}")
        self.browser.click("[data-item='balance/C4-MEGA/major'] button")
        self.report()["items"][0]["difference"] = "-0.76000000"
        self.browser.write("#act_note", "a rounding")
        self.browser.write("#act .pin", PIN)
        self.browser.click("#act .main")
        self.says("#act .error", "The difference has changed; read the report again.")

    def test_a_count_needs_a_witness(self):
        self.be_at(f"day/{BAD}")
        self.push("Record a count")
        self.browser.run("const choose = (id, value) => { const field = document.querySelector(id);"
                         "field.value = value; field.dispatchEvent(new Event('change')); };"
                         "choose('#act_kind', 'poker_box'); choose('#act_link', 'POKER-ROOM');"
                         "choose('#act_table', 'P-01');")
        self.browser.write("#act_amount", "12.345")
        self.browser.click("#act .main")
        self.says("#act .error", "Enter the amount, for example 312.00.")
        self.browser.write("#act_amount", "$1,312.5")
        self.browser.click("#act .main")
        self.says("#act .error", "Enter who in compliance was notified.")
        self.browser.write("#act_notice", "R. Diaz, 06:10")
        self.browser.click("#act .main")
        self.says("#act .error", "Enter the witness’s badge.")
        for witness, told in (("C-1", "A count needs a witness: another person"), ("F-1", None)):
            self.browser.write("#act fieldset .other input", witness)
            self.browser.write("#act fieldset .pin", PIN)
            self.browser.write("#act form > .signature .other input", "C-1")
            self.browser.write("#act form > .signature .pin", PIN)
            self.browser.click("#act .main")
            if told:
                self.says("#act .error", told)
        self.says("#result", "The count is entry")
        last = self.report()["counts"][-1]
        self.assertEqual(("POKER-ROOM", "P-01", "1312.50", "F-1", "C-1"),
                         tuple(last[key] for key in ("link", "table", "amount", "witness", "by")))

    def test_a_reading_includes_amounts_seen_on_signs(self):
        self.be_at(f"day/{BAD}")
        self.push("Take a reading")
        self.browser.write("#act_seen_BJ-RUN_0", "1,042.17")
        self.browser.write("#act_note", "at noon")
        self.browser.write("#act .pin", PIN)
        self.browser.click("#act .main")
        self.says("#result", "The reading is entry")
        taken = self.report()["readings"][-1]
        self.assertEqual(("at noon", "BJ-RUN", "main", "1042.17"), (taken["note"], *(
            taken["seen"][0][key] for key in ("link", "level", "amount"))))

    def test_a_pin_does_not_stay_in_a_dialog_that_was_closed(self):
        self.be_at(f"day/{BAD}")
        self.push("Take a reading")
        self.browser.write("#act .pin", PIN)
        self.push("Cancel")
        # The close event of a dialog comes a moment after the closing.
        self.browser.wait(lambda: self.browser.run(
            "return document.querySelectorAll('#act input').length") == 0, "the form stays")


class Pages(AccountsTest):
    def test_an_amount_opens_a_tree_that_adds_up(self):
        self.be_at(f"day/{QUIET}")
        self.browser.click(".balance .explained")
        self.says("#explain", "seed, by the house")
        self.says("#explain", "it adds up")
        self.assertNotIn("too much or too little", self.browser.text("#explain"))
        self.browser.press(Keys.ESCAPE)
        self.browser.wait(lambda: self.browser.text("#explain") is None)

    def test_a_tree_that_does_not_add_up_says_so(self):
        read = self.accounts.read_explain

        def wrong(asked):
            told = read(asked)
            told["since"]["seeded"] = "1.00000000"
            told["days"][0]["day"] = EVIL
            return told
        self.accounts.read_explain = wrong
        self.be_at(f"day/{QUIET}")
        self.browser.click(".balance .explained")
        self.says("#explain .bad", "too much or too little")
        self.says("#explain", EVIL)

    def test_a_level_over_days_has_a_picture_and_figures(self):
        self.be_at("links/C4-MEGA/minor/30")
        self.browser.find(".history svg")
        points = self.accounts.history("C4-MEGA", "minor", 30)["points"]
        awards = [point for point in points if point["awarded"] != "0.00000000"]
        count = "return document.querySelectorAll(arguments[0]).length"
        self.assertEqual(len(awards), self.browser.run(count, ".history > svg .award"))
        self.assertEqual(len(points), self.browser.run(count, ".history > svg .close"))
        self.assertEqual(len(points), self.browser.run(count, "tbody tr"))
        named = [name for name in self.names("image") if "C4-MEGA minor over 26 days" in name]
        self.assertEqual(1, len(named))
        self.browser.click("a[href='#links/BJ-RUN/main/30']")
        self.says("#page h2", "BJ-RUN")

    def test_every_page_opens_by_its_tab(self):
        for tab, words in (("Variances", "6 items in the last 14 days"),
                           ("Links", "Meter at the end of the day"), ("Claims", "2:30:00"),
                           ("People", "validated claim 6"), ("Configuration", "in force"),
                           ("Journal", "The last entry is"), ("Current meters", "All meters"),
                           ("Days", "2 days not closed")):
            with self.subTest(tab=tab):
                if tab == "Variances":
                    self.be_at("days")
                self.browser.wait(lambda: next(
                    link for link in self.browser.driver.find_elements("css selector", ".pages a")
                    if link.text == tab).click() or True)
                self.says("#page", words)
                self.assertEqual(tab, self.browser.text(".pages [aria-current]"))

    def test_changed_lines_show_before_and_after(self):
        self.be_at("configuration")
        self.says(".change", "C4-MEGA major rate 3%")
        self.assertEqual("is 3.1%", self.browser.run(
            "return document.querySelector('.change ins').textContent"))

    def test_the_journal_from_an_entry_and_by_kind_of_fact(self):
        self.be_at("journal/3001/round_locked")
        self.says(".journal", "3003")
        facts = "return [...document.querySelectorAll('.entry_fact')].map((n) => n.innerText)"
        self.assertEqual({"Round locked"}, set(self.browser.run(facts)))
        self.browser.click(".journal summary")
        self.says(".journal", "The postings sum to zero.")
        self.browser.write("#journal_from", "17")
        self.browser.write("#journal_fact", "")
        self.push("Show")
        self.browser.wait(lambda: (self.browser.text(".entry_number") or "") == "17")

    def test_names_are_text_and_never_markup(self):
        for person in self.floor.house.people.values():
            person["name"] = EVIL
        report = self.report()
        report["links"][0]["tables"][0]["table"] = EVIL
        for item in report["items"]:
            item.update(words=EVIL, table=EVIL)
        report["events"][0]["words"] = report["counts"][0]["note"] = EVIL
        for page in (f"day/{BAD}", "people", "variances"):
            self.be_at(page)
            self.says("#page", EVIL)
            self.assertEqual(0, self.browser.run("return document.querySelectorAll('img').length"))
            self.assertNotEqual("x", self.browser.driver.title)

    def test_nothing_stays_after_the_session_ends(self):
        self.be_at(f"day/{BAD}")
        self.says("#page", "$")
        self.browser.click("#sign_out")
        self.browser.find(".sign_in")
        self.assertEqual("", self.browser.run(
            "return document.querySelector('#page').textContent"))


if __name__ == "__main__":
    unittest.main()
