"""People with PINs, on a real floor: what each may do, alone or with a second person, and what is
recorded."""

import datetime
import json
import os
import re
import select
import subprocess
import unittest

from floor_process import DEMO, PATIENCE_S, PROGRAMS, Floor

MANAGERS = {"TGM-1": "FM-1", "FM-1": "TGM-1"}
LINK = "C4-MEGA"


def win(name, seat=2):
    """A round of one wager whose hand is a straight flush: 100 % of the major."""
    return [{"event": "lock", "round": name,
             "wagers": [{"seat": seat, "wager": "crazy-4/five-card", "amount": "5.00"}]},
            {"event": "show", "round": name,
             "hands": [{"seat": seat, "cards": ["9h", "Th", "Jh", "Qh", "Kh"]}]},
            {"event": "close", "round": name}]


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


class People(unittest.TestCase):
    floor_text = DEMO

    def setUp(self):
        self.floor = Floor(self.floor_text)
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.secrets = list(self.floor.pins.values())
        self.controller = self.floor.start_controller()

    def ask(self, by, *arguments, pin=None, environment=None):
        """Runs the tool for a person; on standard input `pin`, otherwise a PIN that he made
        himself."""
        return self.floor.tool(*arguments, "--data", self.floor.data, "--by", by,
                               said=f"{pin or self.floor.own_pin(by)}\n", environment=environment)

    def done(self, by, *arguments, **more):
        result = self.ask(by, *arguments, "--json", **more)
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(result.stdout)

    def refused(self, name, by, *arguments, **more):
        result = self.ask(by, *arguments, **more)
        self.assertEqual(1, result.returncode, result.stdout)
        self.assertRegex(result.stderr, rf"\Alinkmeter: refused: {name}: .+\n\Z")
        self.assertEqual("", result.stdout)

    def both(self, *arguments, by="TGM-1", **more):
        """Proposed by one manager, confirmed by the other; returns the output of the proposal."""
        told = self.done(by, *arguments, **more)
        self.done(MANAGERS[by], "confirm", told["proposal"])
        return told

    def add(self, badge, department, role, by=None):
        """Proposed by the manager of his own department, who can then never be his second person.
        """
        by = by or ("TGM-1" if department == "table_games" else "FM-1")
        told = self.both("person", "add", badge, "--name", f"Person {badge}", "--department",
                         department, "--role", role, by=by)
        self.assertRegex(told["pin"], r"\A\d{6}\Z")
        self.floor.give_pin(badge, told["pin"])
        self.secrets.append(told["pin"])

    def play(self, events, table="C4-01", code=0):
        self.floor.start_agent(self.controller.endpoint, table, events).finish(code)

    def level(self, name="major"):
        return next(level for level in self.floor.link(LINK)["levels"] if level["level"] == name)

    def facts(self):
        return [entry["fact"] for entry in self.floor.entries()]


class Claims(People):
    def test_validated_by_a_floorperson_and_paid_by_a_cashier(self):
        self.add("F-1", "table_games", "floorperson")
        self.add("C-1", "finance", "cashier")
        self.play(win("r1"))
        self.refused("right_missing", "TGM-1", "claim", "validate", 1)
        self.refused("claim_not_validated", "C-1", "claim", "pay", 1, "--source", "hand_pay")
        self.done("F-1", "claim", "validate", 1)
        self.refused("right_missing", "F-1", "claim", "pay", 1, "--source", "hand_pay")
        # § 657a.11(e)(1): not from the table inventory.
        self.refused("source_not_allowed", "C-1", "claim", "pay", 1, "--source", "table_inventory")
        before = self.level()
        self.assertEqual("0.00000000", before["paid"])
        told = self.done("C-1", "claim", "pay", 1, "--source", "hand_pay")
        self.assertEqual("claim 1 is paid on slip 1: hand pay at the cage", told["text"])
        after = self.level()
        self.assertEqual(("0.00000000", before["pending"]), (after["pending"], after["paid"]))
        claim = self.floor.claims()[0]
        self.assertEqual(("paid", "hand_pay", "F-1", "C-1"),
                         tuple(claim[key] for key in
                               ("state", "source", "validated_by", "paid_by")))
        self.refused("claim_settled", "F-1", "claim", "reject", 1, "--reason", "hand_misread")

    def test_a_rejected_claim_is_as_if_its_meter_was_never_hit(self):
        self.add("F-1", "table_games", "floorperson")
        self.play(win("r1"))
        self.assertEqual(("5000.00000000", "5000.35000000"),
                         (self.level()["amount"], self.level()["pending"]))
        self.done("F-1", "claim", "reject", 1, "--reason", "hand_misread", "--note", "no king")
        level = self.level()
        # M11: the earlier meter, $5,000 of seed and 7 % of $5; the reseed is taken back.
        self.assertEqual(("5000.35000000", "0.00000000", "5000.00000000", 0),
                         (level["amount"], level["pending"], level["seeded"], level["hits"]))
        claim = self.floor.claims()[0]
        self.assertEqual(("rejected", "F-1", "hand_misread", "no king"),
                         tuple(claim[key] for key in
                               ("state", "rejected_by", "reject_reason", "reject_note")))
        self.assertIsNotNone(claim["rejected_at"])
        self.play_on_a_misread_hand()
        self.assertTrue(self.floor.audit()["clean"])

    def test_every_open_round_is_listed(self):
        """Also a blocked one, and one without a shown hand."""
        self.add("C-1", "finance", "cashier")
        lock, show, _ = win("r1")
        self.play([lock, show, {**lock, "round": "r2 für C"},
                   {**lock, "round": "r3", "chips": 2}])
        lines = self.floor.ask("rounds").splitlines()
        self.assertEqual(4, len(lines), lines)
        self.assertIn("9h Th Jh Qh Kh", lines[1])
        self.assertRegex(lines[2], r"\AC4-01 +r2 für C +no hand shown\Z")
        self.assertRegex(lines[3], r"\AC4-01 +r3 +blocked: the chip count differs\Z")
        # Columns are as wide as their characters, not as their bytes.
        self.assertEqual(lines[2].index("no hand"), lines[3].index("blocked"))
        self.assertEqual(lines[0].index("seat"), lines[1].index(" 2 ") + 1)
        unpaid = self.ask("C-1", "pay", 1)
        self.assertIn("claim 1 is not validated yet", unpaid.stderr)

    def open_claims(self, table):
        return [(claim["seat"], claim["line"], claim["amount"]) for claim in self.floor.claims()
                if claim["table"] == table and claim["state"] == "raised"]

    def test_the_dealers_hand_is_corrected(self):
        self.add("F-1", "table_games", "floorperson")
        bonus = {"seat": 3, "wager": "crazy-4/five-card-hand-bonus", "amount": "1.00"}
        flush = {"seat": 3, "cards": ["Kh", "9h", "7h", "4h", "2h"]}
        self.play([{"event": "lock", "round": "c1", "wagers": [bonus]},
                   {"event": "show", "round": "c1", "hands": [flush],
                    "draw": {"magic": "7c", "seat": 4}}], "C4-05")
        self.assertEqual([], self.open_claims("C4-05"))
        because = ("dealer", "--reason", "misread_card")
        draw = ("round", "correct", "C4-05", "c1", *because)
        self.floor.own_pin("F-1")
        before = self.floor.entries()
        for wrong, code in ((("--magic", "zz"), 2), (("--magic", "7h 7c"), 2),
                            (("--lucky", "256"), 2), (("--lucky", "-1"), 2),
                            (("--lucky", "0x3"), 2), (("--board", "7"), 2), ((), 2),
                            (("--magic", "7h", "--folded"), 1), (("--no-hand",), 1)):
            result = self.ask("F-1", *draw, *wrong)
            self.assertEqual((code, ""), (result.returncode, result.stdout), (wrong, result.stderr))
        other = self.ask("F-1", "round", "correct", "C4-05", "c1", 3, "--magic", "7h", "--reason",
                         "misread_card")
        self.assertEqual(1, other.returncode)
        self.assertIn("--magic and --lucky are the dealer's", other.stderr)
        self.assertEqual(before, self.floor.entries())
        told = self.done("F-1", *draw, "--magic", "7h", "--lucky", "3")
        self.assertEqual("the dealer's side of round c1 at C4-05 is corrected, claim 1 is raised, "
                         "claim 2 is raised", told["text"])
        # § 657a.12(f)(3): 20 for 1 and 5 for 1, beside the $50.00 of the flush.
        self.assertEqual({(3, "magic_card", "20.00"), (3, "lucky_bonus", "5.00")},
                         set(self.open_claims("C4-05")))
        self.done("F-1", *draw, "--lucky", "0")  # the dealer's own position
        self.assertEqual([(3, "magic_card", "20.00")], self.open_claims("C4-05"))
        # A board at another game: the card that was misread is free again.
        bets = [{"seat": seat, "wager": "raise-it-up/progressive", "amount": "1.00"}
                for seat in (2, 3)]
        self.play([{"event": "lock", "round": "u1", "wagers": bets},
                   {"event": "show", "round": "u1", "board": ["7d", "7s", "3d"],
                    "hands": [{"seat": 3, "cards": ["9c", "9d", "4h"]}]}], "RIU-01")
        told = self.done("F-1", "round", "correct", "RIU-01", "u1", *because, "--board", "7d 7h 3d")
        self.assertEqual("the dealer's side of round u1 at RIU-01 is corrected", told["text"])
        entry = self.floor.entries()[-1]
        self.assertEqual((["7d", "7s", "3d"], ["7d", "7h", "3d"]),
                         (entry["was"]["board"], entry["board"]))
        for cards, fact in ((["7h", "5c", "2s"], "message_refused"),
                            (["7s", "5c", "2s"], "hands_shown")):
            self.play([{"event": "show", "round": "u1", "hands": [{"seat": 2, "cards": cards}]}],
                      "RIU-01", code=1 if fact == "message_refused" else 0)
            self.assertEqual(fact, self.floor.table_entries()[-1]["fact"])
        self.assertTrue(self.floor.audit()["clean"])

    def test_a_pot_is_corrected(self):
        self.add("F-1", "table_games", "floorperson")
        self.add("PS-1", "table_games", "poker_shift_supervisor")
        self.play([{"event": "pot", "round": "h1", "pot": "42.00", "showdown": True,
                    "board": ["7c", "7d", "9h", "8s", "2d"],
                    "hands": [{"seat": 1, "cards": ["6s", "Kc"]},
                              {"seat": 3, "cards": ["9c", "9d"]},
                              {"seat": 5, "cards": [], "folded": True}]}], "P-01")
        correct = ("pot", "correct", "P-01", "h1", "--reason", "misread_card")
        self.floor.own_pin("F-1")
        before = self.floor.entries()
        for wrong, code in ((("--hand", "7s Kc"), 2), (("--hand", "1"), 2), (("--hand", "1 "), 2),
                            (("--hand", "256 7s Kc"), 2), (("--hand", "0x1 7s Kc"), 2),
                            (("--hand", "1 10s"), 2), (("--board", "7"), 2),
                            (("--showdown", "perhaps"), 2), ((), 1)):
            result = self.ask("F-1", *correct, *wrong)
            self.assertEqual((code, ""), (result.returncode, result.stdout), (wrong, result.stderr))
        self.assertEqual(before, self.floor.entries())
        self.refused("pot_unknown", "F-1", "pot", "correct", "P-01", "h2", "--showdown", "no",
                     "--reason", "misread_card")
        told = self.done("F-1", *correct, "--hand", "1 7s Kc", "--board", "7c 7d 9h 9s 2d")
        self.assertEqual("pot h1 at P-01 is corrected, claim 1 is raised, claim 2 is raised, "
                         "claim 3 is raised", told["text"])
        # $500 of seed and 80 % of $1: 25 % to the table, 25 % to the winner, 50 % to the loser.
        self.assertEqual([(5, "full_house", "125.20"), (3, "full_house", "125.20"),
                          (1, "full_house", "250.40")], self.open_claims("P-01"))
        self.refused("right_missing", "F-1", *correct, "--hand", "5 none")
        self.done("PS-1", *correct, "--hand", "5 none")
        # No other player was dealt in: the table's part goes to the two, two to one.
        self.assertEqual([(3, "full_house", "166.93"), (1, "full_house", "333.87")],
                         self.open_claims("P-01"))
        self.refused("showdown_incomplete", "PS-1", *correct, "--hand", "1 folded")
        self.done("PS-1", *correct, "--hand", "1 folded", "--showdown", "no")
        self.assertEqual([], self.open_claims("P-01"))
        meter, = self.floor.link("POKER-ROOM")["levels"]
        self.assertEqual(("500.80000000", "0.00000000"), (meter["amount"], meter["pending"]))
        self.assertTrue(self.floor.audit()["clean"])

    def play_on_a_misread_hand(self):
        """The king of hearts was taken for the deuce of clubs; the round is still open."""
        lock, show, _ = win("r2")
        show["hands"][0]["cards"] = ["9h", "Th", "Jh", "Qh", "2c"]
        self.play([lock, show])
        shown = self.floor.entries()[-1]
        self.assertEqual([], shown["awards"])
        correct = ("round", "correct", "C4-01", "r2", 2, "--reason", "misread_card", "--cards")
        self.refused("right_missing", "TGM-1", *correct, "9h Th Jh Qh Kh")
        self.refused("wrong_card_count", "F-1", *correct, "9h Th Jh Qh")
        told = self.done("F-1", *correct, "9h Th Jh Qh Kh", "--note", "camera 4")
        self.assertEqual("the hand of seat 2 in round r2 at C4-01 is corrected, claim 2 is raised",
                         told["text"])
        entry = self.floor.entries()[-1]
        self.assertEqual(("hand_corrected", "C4-01", shown["entry"], "F-1", "camera 4",
                          {"cards": ["9h", "Th", "Jh", "Qh", "2c"], "folded": False}),
                         tuple(entry[key] for key in ("fact", "table", "corrects", "by", "note",
                                                      "was")))
        # The major's $5,000 of seed and 7 % of two wagers of $5.
        self.assertEqual([("straight_flush", "5000.70", 2)],
                         [(one["line"], one["amount"], one["claim"]) for one in entry["awards"]])
        tables = json.loads(self.floor.ask("rounds", "--json"))
        (opened,), = [one["rounds"] for one in tables if one["table"] == "C4-01"]
        self.assertEqual([{"seat": 2, "cards": ["9h", "Th", "Jh", "Qh", "Kh"], "folded": False,
                           "entry": entry["entry"], "claims": [2], "void": False}],
                         opened["hands"])
        self.assertIn("9h Th Jh Qh Kh", self.floor.ask("rounds"))
        self.refused("same_person", "F-1", "claim", "validate", 2)
        none = correct[:-1] + ("--no-hand",)
        for usage in ((*correct, "9h Th Jh Qh 1h"), (*none, "--folded"), (*none, "--cards", "9h"),
                      correct[:-1]):
            wrong = self.ask("F-1", *usage)
            self.assertEqual(2, wrong.returncode, (usage, wrong.stderr))
        wrong = self.ask("F-1", *correct, "")
        self.assertEqual(2, wrong.returncode, wrong.stderr)
        told = self.done("F-1", *none)
        self.assertEqual("seat 2 in round r2 at C4-01 has no hand; the dealer may show it again, "
                         "claim 2 is rejected", told["text"])
        entry = self.floor.entries()[-1]
        self.assertEqual(("hand_corrected", [], True, [2]),
                         tuple(entry[key] for key in ("fact", "cards", "no_hand", "rejected")))
        self.refused("seat_not_shown", "F-1", *none)


class Links(People):
    def test_a_suspended_link_takes_no_wagers_until_two_resume_it(self):
        self.done("FM-1", "link", "suspend", LINK, "--reason", "sign dark")
        link = self.floor.link(LINK)
        self.assertEqual(("suspended", "sign dark"), (link["status"], link["reason"]))
        self.assertIn("SUSPENDED: sign dark", self.floor.ask("watch", "--once"))
        self.play(win("r1"), code=1)
        self.assertIn("link_suspended", [entry.get("refusal") for entry in self.floor.entries()])
        self.assertEqual("5000.00000000", self.level()["amount"])
        self.both("link", "resume", LINK)
        link = self.floor.link(LINK)
        self.assertEqual(("operating", None), (link["status"], link["reason"]))
        self.play(win("r2"), table="C4-02")
        self.assertEqual(1, self.level()["hits"])

    def test_a_correction_and_a_transfer_take_two(self):
        correct = ("correct", "--link", LINK, "--level", "major", "--reason", "count_variance",
                   "--amount", "12.50")
        told = self.done("TGM-1", *correct)
        self.assertEqual(f"correct {LINK} major by +12.50000000: count_variance", told["summary"])
        self.assertEqual("5000.00000000", self.level()["amount"])
        waiting = json.loads(self.floor.ask("proposals", "--json"))
        self.assertEqual([(told["proposal"], told["summary"], "TGM-1", False)],
                         [tuple(one[key] for key in ("proposal", "summary", "by", "expired"))
                          for one in waiting])
        self.refused_confirmation("same_department", "TGM-1", told)
        self.add("TGM-2", "table_games", "table_games_manager")
        self.refused_confirmation("same_department", "TGM-2", told)
        # The person who hired him knows his PIN, and could have made another one.
        self.add("FM-2", "finance", "finance_manager", by="TGM-1")
        self.refused_confirmation("same_hand", "FM-2", told)
        shown = self.ask("FM-1", "confirm", told["proposal"])
        self.assertEqual(0, shown.returncode, shown.stderr)
        self.assertIn(told["summary"], shown.stdout.splitlines()[0])
        self.assertEqual("5012.50000000", self.level()["amount"])
        self.both("transfer", "--from", LINK, "--from-level", "major", "--to", LINK, "--to-level",
                  "minor", "--amount", "0.00000001", "--reason", "merged", by="FM-1")
        self.assertEqual(("5012.49999999", "1250.00000001"),
                         (self.level()["amount"], self.level("minor")["amount"]))
        self.both("correct", "--link", LINK, "--level", "major", "--reason", "mispaid_award",
                  "--amount", "-5012.49999999")
        self.assertEqual("0.00000000", self.level()["amount"])
        self.refused("below_zero", "TGM-1", "correct", "--link", LINK, "--level", "major",
                     "--reason", "mispaid_award", "--amount=-0.01")
        self.assertTrue(self.floor.audit()["clean"])

    def refused_confirmation(self, name, by, told):
        result = self.ask(by, "confirm", told["proposal"])
        self.assertEqual(1, result.returncode, result.stdout)
        self.assertIn(f"refused: {name}: ", result.stderr)
        self.assertEqual("5000.00000000", self.level()["amount"])


class Keys(People):
    def test_five_wrong_pins_lock_over_a_kill(self):
        # The last manager of a department would only wait a minute.
        self.add("FM-2", "finance", "finance_manager")
        self.floor.own_pin("FM-1")
        suspend = ("link", "suspend", LINK, "--reason", "sign dark")
        for _ in range(3):
            self.refused("pin_wrong", "FM-1", *suspend, pin="0")
        self.assertTrue(self.controller.kill())
        self.controller = self.floor.start_controller()
        for _ in range(2):
            self.refused("pin_wrong", "FM-1", *suspend, pin="0")
        self.refused("person_locked", "FM-1", *suspend, pin="0")
        self.assertTrue(self.controller.kill())
        self.controller = self.floor.start_controller()
        self.refused("person_locked", "FM-1", *suspend, pin="0")
        people = {one["badge"]: one for one in
                  json.loads(self.floor.ask("person", "list", "--json"))}
        self.assertEqual({"FM-1": "locked", "FM-2": "active", "TGM-1": "active"},
                         {badge: one["state"] for badge, one in people.items()})
        # A quarter of an hour after the fifth failure.
        fifth = [one for one in self.floor.entries() if one["fact"] == "sign_in_failed"][-1]
        self.assertEqual(fifth["locked_until"], people["FM-1"]["locked_until"])
        self.assertEqual(15 * 60, round((moment(fifth["locked_until"]) -
                                         moment(fifth["recorded_at"])).total_seconds()))
        self.assertIn("locked to " + fifth["locked_until"][11:16] + "Z",
                      self.floor.ask("person", "list"))
        self.assertEqual(5, self.facts().count("sign_in_failed"))
        self.assertEqual("operating", self.floor.link(LINK)["status"])
        # On the controller's machine the right PIN ends a lock that is limited in time.
        self.done("FM-1", *suspend)
        self.assertEqual("suspended", self.floor.link(LINK)["status"])

    def recover(self, badge, codes, *more):
        return self.floor.tool("recover", "--data", self.floor.data, "--badge", badge, *more,
                               environment={"LINKMETER_RECOVERY_CODES": " ".join(codes)})

    def test_a_floor_whose_managers_are_all_locked_is_recovered(self):
        suspend = ("link", "suspend", LINK, "--reason", "monthly check")
        self.done("TGM-1", *suspend)
        for badge in MANAGERS:
            self.floor.own_pin(badge)
            for _ in range(5):
                self.refused("pin_wrong", badge, *suspend, pin="0")
            self.refused("person_locked", badge, *suspend, pin="0")
        codes = self.floor.recovery_codes
        self.assertEqual(3, len(codes))
        # Also typed, on standard input.
        result = self.floor.tool("recover", "--data", self.floor.data, "--badge", "TGM-1", "--json",
                                 said=f"{codes[2].upper()}\n{codes[0].replace('-', ' ')}\n")
        self.assertEqual(0, result.returncode, result.stderr)
        told = json.loads(result.stdout)
        self.assertEqual("TGM-1 has a new PIN; every link is suspended", told["text"])
        entry = next(one for one in self.floor.entries() if one["entry"] == told["entry"])
        self.assertEqual(("recovered", "TGM-1", [1, 3]),
                         (entry["fact"], entry["badge"], entry["codes"]))
        self.assertEqual({"suspended"}, {link["status"] for link in self.floor.meters()["links"]})
        # The person who resumes a link that was suspended before reads about the recovery, too.
        suspended = [one for one in self.floor.entries() if one["fact"] == "link_suspended"]
        self.assertIn("monthly check; recovery codes were used for TGM-1",
                      [one["note"] for one in suspended if one["link"] == LINK])
        self.refused("pin_to_be_changed", "TGM-1", *suspend, pin=told["pin"])
        self.floor.give_pin("TGM-1", told["pin"])
        self.refused("link_suspended_already", "TGM-1", *suspend)
        # One code is left, and recovers nobody.
        again = self.recover("FM-1", codes[:2])
        self.assertEqual(1, again.returncode)
        self.assertIn("refused: recovery_not_possible: ", again.stderr)
        for code in codes:
            self.assertNotIn(code.replace("-", ""), self.floor.ask("export").replace("-", ""))
        self.assertTrue(self.floor.audit()["clean"])

    def test_wrong_recovery_codes_are_entries_and_wait_and_new_ones_take_two_managers(self):
        codes = self.floor.recovery_codes
        told = self.done("TGM-1", "recover", "--new-codes")
        own = told["recovery_codes"]
        other = self.done("FM-1", "confirm", told["proposal"])["recovery_codes"]
        self.assertEqual(6, len(set(own + other)))
        before = len(self.floor.entries())
        # TGM-1 has three of his own and old ones: he cannot become FM-1 with them.
        alone = self.recover("FM-1", own + codes[:1])
        self.assertEqual(1, alone.returncode)
        self.assertIn("refused: recovery_codes_wrong: ", alone.stderr)
        self.assertEqual(["recovery_failed"],
                         [one["fact"] for one in self.floor.entries()[before:]])
        for given in (codes[:2] + own[:2], own[:2] + other[:2]):
            soon = self.recover("FM-1", given)
            self.assertEqual(1, soon.returncode)
            self.assertIn("refused: recovery_waits: ", soon.stderr)
        self.assertEqual(before + 1, len(self.floor.entries()))
        none = self.floor.tool("recover", "--data", self.floor.data, "--badge", "TGM-1", said="a\n")
        self.assertEqual(1, none.returncode)
        self.assertIn("two recovery codes of each manager who made them are needed", none.stderr)
        self.assertEqual(2, self.floor.tool("recover", "--data", self.floor.data).returncode)

    def test_a_new_pin_has_six_digits_and_is_not_easily_guessed(self):
        for pin, why in (("12345", "6 to 12 digits"), ("123456", "one repeated digit, a run"),
                         ("121212", "one repeated digit, a run")):
            refused = self.change_pin("FM-1", self.floor.pins["FM-1"], pin)
            self.assertEqual(1, refused.returncode)
            self.assertIn(why, refused.stderr)

    def test_two_managers_unlock_with_a_new_pin(self):
        self.add("F-1", "table_games", "floorperson")
        self.play(win("r1"))
        for _ in range(5):
            self.refused("pin_wrong", "F-1", "claim", "validate", 1, pin="000000000000")
        old = self.floor.pins["F-1"]
        self.both("person", "pin", "F-1", environment={"LINKMETER_NEW_PIN": "864213"})
        self.refused("pin_wrong", "F-1", "claim", "validate", 1, pin=old)
        self.refused("pin_to_be_changed", "F-1", "claim", "validate", 1, pin="864213")
        self.floor.give_pin("F-1", "864213")
        self.done("F-1", "claim", "validate", 1)

    def change_pin(self, badge, old, new):
        return self.floor.tool("person", "pin", "--data", self.floor.data, "--by", badge,
                               said=f"{old}\n{new}\n")

    def test_a_pin_set_by_others_only_allows_its_change(self):
        def is_given():
            people = json.loads(self.floor.ask("person", "list", "--json"))
            return {one["badge"]: one["pin_is_given"] for one in people}
        given = self.floor.pins["FM-1"]
        suspend = ("link", "suspend", LINK, "--reason", "sign dark")
        self.assertEqual({"FM-1": True, "TGM-1": True}, is_given())
        self.assertEqual(2, self.floor.ask("person", "list").count("PIN given"))
        self.refused("pin_to_be_changed", "FM-1", *suspend, pin=given)
        self.assertEqual(("act_refused", "operating"),
                         (self.facts()[-1], self.floor.link(LINK)["status"]))
        same = self.change_pin("FM-1", given, given)
        self.assertEqual(1, same.returncode)
        self.assertEqual("linkmeter: refused: pin_unchanged: the new PIN is the old one; choose "
                         "another one\n", same.stderr)
        changed = self.change_pin("FM-1", given, "135793")
        self.assertEqual(0, changed.returncode, changed.stderr)
        self.assertEqual({"FM-1": False, "TGM-1": True}, is_given())
        self.refused("pin_wrong", "FM-1", *suspend, pin=given)
        self.done("FM-1", *suspend, pin="135793")

    def test_a_manager_who_added_a_person_cannot_act_with_that_person(self):
        told = self.done("TGM-1", "person", "add", "FM-2", "--name", "Bo", "--department",
                         "finance", "--role", "finance_manager",
                         environment={"LINKMETER_NEW_PIN": "246813"})
        self.done("FM-1", "confirm", told["proposal"])
        told = self.done("TGM-1", "correct", "--link", LINK, "--level", "major", "--amount", "9",
                         "--reason", "count_variance")
        result = self.ask("FM-2", "confirm", told["proposal"], pin="246813")
        self.assertEqual(1, result.returncode)
        self.assertIn("refused: pin_to_be_changed: ", result.stderr)
        self.assertEqual("5000.00000000", self.level()["amount"])

    def test_the_tool_explains_how_to_change_a_pin_set_by_others(self):
        told = self.ask("TGM-1", "person", "add", "F-1", "--name", "Ann", "--department",
                        "table_games", "--role", "floorperson")
        self.assertIn("the PIN of F-1 must be changed before anything else: linkmeter person pin "
                      f"--data {self.floor.data} --by F-1\n", told.stdout)

    def test_an_unknown_person_is_logged_but_not_journaled(self):
        before = self.facts()
        self.refused("pin_wrong", "nobody", "claim", "validate", 1, pin="123456")
        self.assertEqual(before, self.facts())
        self.controller.await_line(r"refused badge=nobody act=validate_claim "
                                   r"refusal=person_unknown")

    def test_no_pin_is_ever_stored(self):
        self.add("F-1", "table_games", "floorperson")
        self.refused("pin_wrong", "F-1", "claim", "validate", 1, pin="918273645")
        self.both("person", "pin", "F-1", environment={"LINKMETER_NEW_PIN": "564738291"})
        self.secrets += ["918273645", "564738291"]
        self.secrets += self.floor.pins.values()
        told = [self.floor.ask(*command) for command in
                (["export"], ["person", "list", "--json"], ["meters", "--json"], ["claims"])]
        self.assertEqual(0, self.controller.stop())
        told += self.controller.said
        texts = {path: path.read_bytes() for path in self.floor.data.rglob("*") if path.is_file()}
        texts["told"] = "\n".join(told).encode()
        for where, text in texts.items():
            # Digests, long numbers and microseconds may contain six given digits by chance.
            text = re.sub(rb"[0-9a-f]{10,}|\.\d{6}Z", b"", text)
            for secret in self.secrets:
                self.assertNotIn(secret.encode(), text, where)

    def test_a_pin_typed_at_a_terminal_is_not_shown(self):
        try:
            terminal, end = os.openpty()
        except OSError as none:
            self.skipTest(f"this machine gives no terminal ({none}): no PIN is typed at one")
        self.addCleanup(os.close, terminal)
        pin = self.floor.own_pin("FM-1").encode()
        with subprocess.Popen(
                [PROGRAMS / "linkmeter", "link", "suspend", LINK, "--reason", "sign dark",
                 "--data", self.floor.data, "--by", "FM-1"], stdin=end, stdout=end, stderr=end,
                env={name: value for name, value in os.environ.items()
                     if not name.startswith("LINKMETER_")}) as child:
            os.close(end)
            shown = self.read_until(terminal, b"PIN of FM-1: ")
            os.write(terminal, pin + b"\n")
            shown += self.read_until(terminal, b"is suspended")
            self.assertEqual(0, child.wait(PATIENCE_S))
        self.assertNotIn(pin, shown)

    def read_until(self, terminal, words):
        shown = b""
        while words not in shown:
            ready, _, _ = select.select([terminal], [], [], PATIENCE_S)
            self.assertTrue(ready, shown)
            shown += os.read(terminal, 4096)
        return shown

    def test_only_the_owner_reaches_the_socket(self):
        self.assertEqual(0o700, os.stat(self.floor.data).st_mode & 0o777)
        self.assertEqual(0o600, os.stat(self.floor.data / "control").st_mode & 0o777)


class Wrong(People):
    def test_without_a_controller_one_sentence(self):
        self.assertEqual(0, self.controller.stop())
        result = self.ask("TGM-1", "link", "suspend", LINK, "--reason", "sign dark",
                          pin=self.floor.pins["TGM-1"])
        self.assertEqual(1, result.returncode)
        self.assertRegex(result.stderr, r"\Alinkmeter: no controller is running on [^\n]*\n\Z")
        # Commands that only read still work.
        self.assertEqual(2, len(json.loads(self.floor.ask("person", "list", "--json"))))
        self.assertEqual([], json.loads(self.floor.ask("proposals", "--json")))

    def test_wrong_usage(self):
        for arguments in (["claim", "reject", 1, "--reason", "bored"],
                          ["claim", "validate", "one"],
                          ["claim", "pay", 1, "--source", "pocket"],
                          ["correct", "--link", LINK, "--amount", "x", "--reason", "mispaid_award"],
                          ["person", "roles", "F-1", "--role", "king"],
                          ["person"], ["link", "suspend", LINK]):
            with self.subTest(arguments=arguments):
                self.assertEqual(2, self.ask("TGM-1", *arguments).returncode)

    def test_malformed_pins_are_refused(self):
        result = self.floor.tool("claim", "validate", 1, "--data", self.floor.data, "--by", "FM-1")
        self.assertEqual(1, result.returncode)
        self.assertIn("no PIN", result.stderr)
        for pin in ("12", "12345678901234", "abcd"):
            result = self.ask("TGM-1", "person", "add", "F-1", "--name", "Ann", "--department",
                              "table_games", "--role", "floorperson",
                              environment={"LINKMETER_NEW_PIN": pin})
            self.assertEqual(1, result.returncode)
            self.assertIn("a new PIN must have 6 to 12 digits", result.stderr)

    def test_roles_that_one_person_may_not_combine(self):
        self.refused("roles_conflict", "TGM-1", "person", "add", "X-1", "--name", "X",
                     "--department", "table_games", "--role", "floorperson", "--role",
                     "table_games_manager")
        self.refused("last_of_its_kind", "TGM-1", "person", "remove", "FM-1")


if __name__ == "__main__":
    unittest.main()
