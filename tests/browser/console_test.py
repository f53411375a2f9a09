"""The floor console in a browser: a claim from its win to its payment, and acts of the floor."""

import time
import unittest

from browser import Keys
from console_case import PIN, ConsoleTest

SKEWED_CLOCK = """
const now = Date.now;
window.passed_ms = 0;
Date.now = () => now() + window.passed_ms;
"""
EVIL = "<img src=x onerror=\"document.body.innerHTML='hacked'\"><script>document.title='x'</script>"


class Walk(ConsoleTest):
    def test_from_win_to_paid_by_three_people(self):
        self.sign_in()
        self.says("#none", "No claim is pending")
        claim = self.floor.raise_claim()
        self.says("#claims", "$7,319.70")
        self.assertIn("New claim 1: straight flush, $7,319.70, Table C4-01 · T-1041 · seat 2",
                      self.browser.run("return document.querySelector('#announce').textContent"))
        self.browser.click("[data-claim='1']")
        for text in ("Straight flush", "$7,319.70", "§ 657a.12(d)", "floorperson",
                     "table games manager, from $1,200.00", "game account or hand pay at the cage",
                     "table inventory", "Opened (seed)", "$5,000.00", "+ $2,319.70"):
            self.says("#claim", text)
        self.assertIn("Seat 2: nine of hearts, ten of hearts, jack of hearts, queen of hearts and "
                      "king of hearts", self.names("group"))
        self.assertIn("king of hearts", self.names("image"))
        self.browser.write(".pin", PIN)
        self.push("Validate")
        self.says(".result", "Claim 1 is validated.")
        self.assertEqual("", self.browser.run("return document.querySelector('.pin').value"))
        self.browser.write(".other input", "TGM-1")
        self.browser.write(".pin", PIN)
        self.push("Sign second")
        self.says(".result", "Claim 1 is countersigned.")
        barred = self.browser.find("input[value=table_inventory]")
        self.assertFalse(barred.is_enabled())
        self.browser.click("input[value=hand_pay]")
        self.says(".acts", "F-1 signed this claim, so another person must make its slip.")
        self.browser.write(".other input", "F-2")
        self.browser.write(".pin", PIN)
        self.push("Make the slip")
        self.says(".result", "Slip 1 is made.")
        self.assertRegex(self.browser.find(".print").get_attribute("href"), r"/slips/1\Z")
        self.browser.write(".other input", "C-1")
        self.browser.write(".pin", PIN)
        self.push("Paid $7,319.70")
        self.says(".result", "Claim 1 is paid.")
        self.assertEqual("paid", self.state(claim))
        self.says("#none", "No claim is pending")

    def test_with_the_keyboard_alone(self):
        self.browser.size(1440, 900)
        first, second = self.floor.raise_claim(), self.floor.raise_claim(seat=4)
        self.open("/floor")
        self.browser.wait(lambda: self.browser.run(
            "return document.activeElement.id") == "sign_in_badge")
        self.browser.press("F-1", Keys.TAB, PIN, Keys.ENTER)
        self.browser.find("[data-claim='2']")
        focused = "return document.activeElement.dataset.claim"
        self.browser.run("document.activeElement.blur()")
        self.browser.press("j", "j")
        self.browser.wait(lambda: self.browser.run(focused) == "2")
        self.browser.press("k", "j", Keys.ENTER)
        self.says("#claim", "claim 2")
        self.browser.wait(lambda: self.browser.run("return document.activeElement.id")
                          == "claim_title")
        self.browser.press("v", PIN, Keys.ENTER)
        self.says(".result", "Claim 2 is validated.")
        self.browser.press(Keys.ESCAPE)
        self.browser.wait(lambda: self.browser.text("#claim") is None, "Escape does not go back")
        self.assertEqual("2", self.browser.run(focused))
        self.browser.press("k", Keys.ENTER)
        self.says("#claim", "claim 1")
        self.browser.wait(lambda: self.browser.run("return document.activeElement.id")
                          == "claim_title")
        self.browser.press("r", Keys.SPACE, Keys.TAB, "cards were short", Keys.TAB, Keys.TAB, PIN,
                           Keys.ENTER)
        self.says(".result", "Claim 1 is rejected.")
        self.assertEqual(["rejected", "validated"], [self.state(first), self.state(second)])
        self.assertEqual("cards were short", self.floor.claim(first)["reject_note"])
        self.browser.press("?")
        self.says("#keys", "next and previous claim")
        self.browser.press(Keys.ESCAPE)
        self.browser.wait(lambda: self.browser.text("#keys") is None)

    def test_two_claims_at_once_stay_apart(self):
        self.be("F-1")
        self.floor.raise_claim(table="C4-01", level="major")
        first = {"claim": 1, "table": "C4-01", "seat": 2, "order": "earlier", "amount": "7319.70",
                 "why": "It is before it in the journal."}
        flag = {"flag": "near_simultaneous", "why": "0.4 s after claim 1"}
        self.floor.raise_claim(table="C4-02", level="mega", line="royal_flush", flags=[flag],
                               near=[first])
        self.says("#pending_title", "2 pending claims")
        order = self.browser.run("return [...document.querySelectorAll('#claims [data-claim]')]"
                                 ".map((row) => row.dataset.claim)")
        self.assertEqual(["1", "2"], order, "the oldest is first")
        self.browser.click("[data-claim='2']")
        self.says("#claim", "0.4 s after claim 1")
        self.says("#claim", "It is before it in the journal.")
        self.browser.write(".pin", PIN)
        self.push("Validate $59,186.45")
        self.says(".result", "Claim 2 is validated.")
        self.assertEqual("raised", self.state(1))

    def test_a_slip_is_voided_and_another_is_made(self):
        claim = self.floor.raise_claim(second_signature=None)
        self.floor.settle(claim, "validate", "F-2")
        self.floor.settle(claim, "slip", "F-1", source="game_account")
        self.open_claim(claim)
        self.push("Void the slip")
        self.browser.write(".pin", PIN)
        self.push("Void slip 1")
        self.says(".acts .error", "Choose a reason.")
        self.browser.click("input[value=wrong_source]")
        self.browser.write(".pin", PIN)
        self.push("Void slip 1")
        self.button("Make the slip")
        self.says("#claim", "wrong source")


class Refusals(ConsoleTest):
    def test_another_person_acted_first(self):
        claim = self.floor.raise_claim()
        self.open_claim(claim)
        self.browser.write(".pin", PIN)
        self.floor.held_back = {"floor"}  # this screen has no news yet
        self.floor.settle(claim, "validate", "F-2")
        self.push("Validate")
        self.says(".acts .error", "Claim 1 is not raised any more: it is validated")
        self.says(".acts .error", "F-2 Bob Ito acted first")
        self.button("Sign second")
        signed = self.floor.claim(claim)["signatures"]
        self.assertEqual(["F-2"], [one["badge"] for one in signed])

    def test_acts_of_others_are_shown(self):
        claim = self.floor.raise_claim()
        self.open_claim(claim)
        self.floor.settle(claim, "validate", "F-2")
        self.says(".result", "Validated by F-2 Bob Ito.")
        self.button("Sign second")

    def test_typed_text_stays_while_the_list_moves(self):
        claim = self.floor.raise_claim()
        self.open_claim(claim)
        self.browser.write(".pin", "86")
        self.floor.raise_claim(seat=6)
        self.says("#pending_title", "2 pending claims")
        self.browser.press("42")
        self.assertEqual(PIN, self.browser.run("return document.querySelector('.pin').value"))

    def test_a_wrong_pin_five_times(self):
        for _ in range(5):
            self.sign_in(pin="1111")
            self.says(".sign_in .error", "The PIN is wrong")
            self.assertEqual("", self.browser.run(
                "return document.querySelector('#sign_in_pin').value"))
        self.sign_in()
        self.says(".sign_in .error", "F-1 is locked after five wrong PINs")
        self.assertIsNone(self.browser.text("#console"))

    def test_a_person_without_the_right_is_refused(self):
        claim = self.floor.raise_claim()
        self.open_claim(claim, "C-1")
        self.browser.write(".other input", "C-1")
        self.browser.write(".pin", PIN)
        self.push("Validate")
        self.says(".acts .error", "C-1 has no right to do this")
        self.assertEqual("raised", self.state(claim))

    def test_second_signature_by_the_same_person(self):
        claim = self.floor.raise_claim()
        self.floor.settle(claim, "validate", "TGM-1")
        self.open_claim(claim)
        self.browser.write(".other input", "TGM-1")
        self.browser.write(".pin", PIN)
        self.push("Sign second")
        self.says(".acts .error", "another person must do this")

    def test_an_unknown_outcome_is_shown_and_the_claim_is_read_again(self):
        claim = self.floor.raise_claim()
        self.open_claim(claim, "F-1")
        self.floor.house.loses_answers = True
        self.browser.write(".pin", PIN)
        self.push("Validate")
        self.says(".acts .error", "It is not known yet whether this was done")
        self.says(".acts", "A second person signs")  # it was done, and the page sees it
        self.assertEqual("validated", self.state(claim))

    def test_a_pin_does_not_stay_in_a_dialog_that_was_closed(self):
        self.be("F-1")
        self.push("Suspend a link")
        self.browser.write("#link_act .pin", PIN)
        self.push("Cancel")
        # The close event of a dialog comes a moment after the closing.
        self.browser.wait(lambda: self.browser.run(
            "return document.querySelectorAll('#link_act input').length") == 0)

    def test_a_script_in_a_name_or_a_reason_is_text(self):
        self.floor.house.people["F-1"]["name"] = EVIL
        claim = self.floor.raise_claim(flags=[{"flag": "late_report", "why": EVIL}])
        self.floor.settle(claim, "reject", "F-1", reason="hand_misread", note=EVIL)
        self.floor.suspend("BJ-RUN", EVIL)
        self.be("F-1")
        self.says("#status", EVIL)
        self.says("#person", EVIL)
        self.browser.run("document.querySelector('.settled').open = true")
        self.browser.click("[data-claim='1']")
        self.says("#claim .flags", EVIL)
        self.says("#claim .steps", EVIL)
        self.assertEqual(0, self.browser.run("return document.querySelectorAll('main img').length"))
        self.assertNotEqual("x", self.browser.driver.title)

    def test_no_foreign_script_runs(self):
        self.be("F-1")
        ran = self.browser.run("""
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            return window.ran === true;""")
        self.assertFalse(ran)
        refused = [line for line in self.browser.complaints() if "Content Security Policy" in line]
        self.assertEqual(1, len(refused))

    def test_a_person_who_may_not_read_claims_sees_why(self):
        self.floor.raise_claim()
        self.be("D-1")
        self.says("#refused", "D-1 has no right to claims")
        self.assertNotIn("$7,319.70", self.browser.text())

    def test_a_given_pin_must_be_changed_first(self):
        self.floor.house.people["F-1"]["pin_is_given"] = True
        self.sign_in()
        self.says(".sign_in", "Choose your own PIN")
        self.assertIsNone(self.browser.text("#console"))
        for again, told in (("1357", "The two entries of your new PIN differ."), ("2468", None)):
            for field, text in (("#given_pin", PIN), ("#own_pin", "2468"),
                                ("#own_pin_again", again)):
                self.browser.write(field, text)
            self.browser.click(".sign_in .main")
            if told:
                self.says(".sign_in .error", told)
        self.says("#freshness", "Live")
        self.assertEqual("2468", self.floor.house.people["F-1"]["pin"])

    def test_the_sign_in_form_is_not_replaced_while_a_person_types(self):
        """A request from before the sign-out is refused after it. The refusal must not replace the
        form in which a person already types."""
        self.be("F-1", path="/accounting")
        self.says("#page", "F-1 has no right to the accounts")
        asked = ("return performance.getEntriesByType('resource')"
                 ".filter((one) => one.name.endsWith('/api/me')).length")
        before = self.browser.run(asked)
        self.browser.run("""
            window.forms = 0;
            const count = (changes) => {
              window.forms += changes.filter((one) => one.addedNodes.length > 0).length;
            };
            new MutationObserver(count).observe(document.querySelector("#sign_in"),
                                                { childList: true });""")
        self.floor.cut()
        self.browser.run("location.hash = '#meters'")
        self.browser.click("#sign_out")
        self.floor.house.sessions.clear()
        self.floor.mend()
        self.browser.wait(lambda: self.browser.run(asked) > before, "no check of the session")
        self.browser.run_later("fetch('/api/meters').then((one) => one.text())"
                               ".then(() => setTimeout(arguments[0]))")  # the answer has arrived
        self.says(".sign_in .error", "You are signed out.")
        self.assertEqual(1, self.browser.run("return window.forms"))

    def test_accounting_is_not_for_floorpersons(self):
        self.be("F-1", path="/accounting")
        self.says("#page", "F-1 has no right to the accounts")
        self.assertNotIn("$", self.browser.text("#page"))
        self.browser.click("#sign_out")
        self.sign_in("A-1", path="/accounting#meters")
        self.says("#page", "$59,186.45140000")
        self.says("#page tfoot", "$92,148.07700000")


class Floor(ConsoleTest):
    def test_the_page_shows_what_does_not_work(self):
        self.floor.house.tables["P-01"]["blocked_rounds"] = ["r7"]
        self.floor.house.signs.append({"sign": "PIT-2", "link": "BJ-RUN", "state": "failed",
                                       "sent_at": None, "age_ms": 61000, "error": "no answer"})
        self.floor.suspend("BJ-RUN", "state differs")
        self.floor.lose_table("C4-03")
        self.floor.lose_table("P-02", "never_seen")
        self.floor.lose_table("P-03", "never_seen")
        self.be("F-1")
        for text in ("P-02 and P-03 never connected", "BJ-RUN suspended: state differs",
                     "C4-03 not connected since",
                     "P-01 round r7 is blocked", "Sign PIT-2 BJ-RUN: no answer",
                     "6 of 9 tables connected · 3 of 4 links operating · 1 of 2 signs updated"):
            self.says("#status", text)
        self.says("#announce", "P-01: the chip count of round r7 is wrong.")
        self.floor.house.tables["P-01"]["calls_floor"] = True
        self.floor.house.tables["P-01"]["blocked_rounds"] = []
        self.says("#announce", "P-01 calls the floor.")

    def test_a_link_is_suspended_with_a_reason(self):
        self.be("F-1")
        self.push("Suspend a link")
        self.sign("#link_act", ".danger")
        self.says("#link_act .error", "Enter the reason.")
        self.browser.write("#act_note", "cards found")
        self.sign("#link_act", ".danger")
        self.says("#status", "C4-MEGA suspended: cards found")
        self.assertIsNone(self.browser.text("#link_act"))

    def test_a_table_is_frozen_with_a_reason(self):
        self.floor.house.freeze("P-01", "two agents speak with this table's key", None)
        self.be("F-1")
        self.says("#status", "P-01 is frozen by the controller: two agents speak with this "
                             "table's key; it takes no new round")
        self.push("Freeze a table")
        self.sign("#link_act", ".danger")
        self.says("#link_act .error", "Enter the reason.")
        self.browser.write("#act_note", "no seal on the box")
        self.sign("#link_act", ".danger")
        self.says("#status", "C4-01 is frozen by F-1: no seal on the box; it takes no new round")
        self.assertIsNone(self.browser.text("#link_act"))
        self.assertEqual(("/api/tables/C4-01/freeze", {"note": "no seal on the box", "pin": PIN}),
                         self.floor.posted[-1])
        self.push("Freeze a table")
        self.browser.write("#act_note", "once more")
        self.sign("#link_act", ".danger")
        self.says("#link_act .error", "The table is already frozen.")

    def test_another_person_can_sign_a_freeze(self):
        self.be("C-1")
        self.push("Freeze a table")
        self.says("#link_act", "Badge (engineer, manager or floorperson)")
        self.browser.write("#act_note", "no seal on the box")
        self.browser.write("#link_act .other input", "TGM-1")
        self.sign("#link_act", ".danger")
        self.says("#status", "C4-01 is frozen by TGM-1: no seal on the box")

    def sign(self, dialog, button):
        self.browser.write(f"{dialog} .pin", PIN)
        self.browser.click(f"{dialog} {button}")

    def test_a_hand_is_corrected(self):
        self.floor.house.show_hand("C4-01", "r7", 5, ["9h", "Th", "Jh", "Qh", "2c"])
        self.floor.house.show_hand("C4-01", "r8", 3, ["9c", "Tc", "Jc", "Qc", "2d"])
        self.be("F-1")
        self.push("Correct a hand")
        self.browser.click("#hand_no_hand")
        self.sign("#hand_act", ".main")
        self.says("#hand_act .act_end .error", "Choose a reason.")
        self.browser.click("#hand_act input[value=wrong_seat]")
        self.sign("#hand_act", ".main")
        self.says("#hand_act .result", "Seat 3 has no hand; the dealer may show it again.")
        self.says("#hand_choice", "Round r7, seat 5")
        self.assertIn("Entry 801: seat 5: nine of hearts, ten of hearts, jack of hearts, queen of "
                      "hearts and two of clubs", self.names("group"))
        self.browser.write("#hand_cards", "9h Th Jh Qh Kh")
        self.assertIn("New hand: nine of hearts, ten of hearts, jack of hearts, queen of hearts "
                      "and king of hearts", self.names("group"))
        self.browser.click("#hand_act input[value=misread_card]")
        self.sign("#hand_act", ".main")
        self.says("#hand_act .result", "The hand of seat 5 is corrected, claim 1 is raised.")
        self.says("#hand_act", "The correction rejects claim 1. If a claim is validated, reject it "
                               "first.")
        self.push("Close")
        self.browser.click("[data-claim='1']")
        self.says("#claim .corrected", "Corrects entry 801: misread card, by F-1")
        self.browser.find("#claim .other input")  # it is another person's to validate
        self.assertIn("Entered before at seat 5: nine of hearts, ten of hearts, jack of hearts, "
                      "queen of hearts and two of clubs", self.names("group"))

    def choose(self, what, name):
        """Chooses an option of the dialog by its text."""
        self.says(what, name)
        self.browser.wait(lambda: self.browser.run(
            "const option = [...document.querySelectorAll(arguments[0] + ' option')]"
            ".find((one) => one.textContent === arguments[1]);"
            "if (!option) return false;"
            "const select = option.parentElement;"
            "if (select.value !== option.value) {"
            "  select.value = option.value;"
            "  select.dispatchEvent(new Event('change', { bubbles: true }));"
            "} return true;", what, name), f"no {name}")

    def correct(self, name, old, new, asked, done):
        """Chooses a hand, types its cards (None: nobody has a hand), and signs."""
        self.choose("#hand_choice", name)
        self.says("#hand_act", old)
        if new is None:
            self.browser.click("#hand_no_hand")
        else:
            self.browser.write("#hand_cards", new)
        self.browser.click("#hand_act input[value=misread_card]")
        self.sign("#hand_act", ".main")
        self.says("#hand_act .result", done)
        path, said = self.floor.posted[-1]
        self.assertEqual({**asked, "reason": "misread_card", "note": "", "pin": PIN}, said)
        return path

    def test_the_dealers_cards_are_corrected(self):
        house = self.floor.house
        house.show_hand("C4-01", "r/7", 5, ["9h", "Th", "Jh", "Qh", "2c"])
        house.show_dealer("C4-01", "r/7", ["As", "Ks", "Qs", "Js", "2d"], ["3c", "4c"], "7h")
        self.be("F-1")
        self.push("Correct a hand")
        done = "The dealer's side of round r/7 at C4-01 is corrected."
        for what, old, new, asked in (
                ("the dealer", "Entry 802: the dealer", "As Ks Qs Js 10s",
                 {"cards": "As Ks Qs Js Ts"}),
                ("the board", "Entry 803: the board", "3c 5c", {"board": "3c 5c"}),
                ("the Magic Card", "Entry 804: the Magic Card", "7c", {"magic": "7c"})):
            with self.subTest(what=what):
                path = self.correct(f"Round r/7, {what}", old, new, asked, done)
                self.assertEqual("/api/tables/C4-01/rounds/r/7/correct_dealer", path)
                # Only the hand of a seat can be folded or be missing.
                for box in ("#hand_no_hand", "#hand_act .choice input[type=checkbox]"):
                    self.assertTrue(self.browser.find(box).get_property("disabled"), box)
        self.choose("#hand_choice", "Round r/7, seat 5")
        self.assertFalse(self.browser.find("#hand_no_hand").get_property("disabled"))

    def test_a_pot_is_corrected(self):
        hands = {1: ["6s", "Kc"], 3: ["9c", "9d"], 5: []}
        self.floor.house.play_pot("P-01", "h/1", hands, ["7c", "7d", "9h", "9s", "2d"])
        self.be("F-1")
        self.push("Correct a hand")
        self.choose("#hand_table", "P-01")
        done = "Pot h/1 at P-01 is corrected."
        for name, old, new, asked in (
                ("seat 1", "Entry 801: seat 1", "7s Kc",
                 {"hands": [{"seat": 1, "cards": "7s Kc", "folded": False}]}),
                ("seat 5", "Entry 802: seat 5, folded", None,
                 {"hands": [{"seat": 5, "not_dealt_in": True}]}),
                ("the board", "Entry 803: the board", "7c 7d 9h 9s 3d",
                 {"board": "7c 7d 9h 9s 3d"})):
            with self.subTest(name=name):
                path = self.correct(f"Pot h/1, {name}", old, new, asked, done)
                self.assertEqual("/api/tables/P-01/pots/h/1/correct", path)

    def test_a_lost_connection_is_shown_and_comes_back(self):
        self.floor.raise_claim()
        self.be("F-1")
        self.says("#freshness", "Live")
        self.floor.cut()
        self.says("#freshness", "Connection lost")
        self.says("#how_old", "this information is 0:0")
        self.floor.mend()
        self.says("#freshness", "Live")

    def test_a_restart_needs_a_new_sign_in(self):
        self.floor.raise_claim()
        self.be("F-1")
        self.says("#freshness", "Live")
        self.floor.stop()
        self.floor.start()
        self.says("#sign_in", "You are signed out")
        self.assertIsNone(self.browser.text("#console"))
        self.assertNotIn("$7,319.70", self.browser.run("return document.body.textContent"))

    def test_memory_does_not_grow_in_a_long_shift(self):
        self.be("F-1")
        self.says("#freshness", "Live")

        def work(claims):
            for _ in range(claims):
                claim = self.floor.raise_claim(second_signature=None)
                if claim % 10 == 0:
                    self.browser.run("location.hash = arguments[0]", f"#{claim}")
                    self.says("#claim", f"claim {claim}")
                self.floor.settle(claim, "reject", "F-1", reason="hand_misread")
            self.browser.run("location.hash = ''")
            self.says("#none", "No claim is pending")
            self.browser.wait(lambda: self.browser.text("#claim") is None)
            for _ in range(2):
                self.browser.cdp("HeapProfiler.collectGarbage")
            counts = self.browser.cdp("Memory.getDOMCounters")
            heap = self.browser.run("return performance.memory.usedJSHeapSize")
            return heap, counts["nodes"], counts["jsEventListeners"]

        work(60)
        heap, nodes, listeners = work(40)
        heap_after, nodes_after, listeners_after = work(200)
        self.assertLess(heap_after - heap, 600_000)
        self.assertLessEqual(nodes_after, nodes + 20)
        self.assertLessEqual(listeners_after, listeners + 5)

    def test_idleness_signs_out(self):
        self.browser.before_pages(SKEWED_CLOCK)
        self.be("F-1")
        self.says("#freshness", "Live")
        self.browser.run("window.passed_ms = 560000")
        self.says("#idle", "You will be signed out within 60 s")
        self.browser.press(Keys.SHIFT)
        self.browser.wait(lambda: self.browser.text("#idle") is None, "a touch has no effect")
        self.browser.run("window.passed_ms += 601000")
        self.says("#sign_in", "You were signed out after 10 minutes without activity")
        self.assertEqual({}, self.floor.house.sessions)

    def test_a_touch_keeps_the_session_at_the_server(self):
        self.browser.before_pages(SKEWED_CLOCK)
        self.be("F-1")
        self.says("#freshness", "Live")
        self.floor.house.sessions.clear()
        time.sleep(1.2)
        self.assertIsNone(self.browser.text("#sign_in"))
        self.browser.run("window.passed_ms = 61000")
        self.browser.press(Keys.SHIFT)
        self.says("#sign_in", "You are signed out.")

    def test_sound_says_that_it_needs_a_touch(self):
        self.be("F-1")
        self.says("#sound", "Sound off")
        self.browser.click("#sound")
        self.says("#sound", "Sound on")
        self.browser.run("localStorage.removeItem('linkmeter.sound')")


if __name__ == "__main__":
    unittest.main()
