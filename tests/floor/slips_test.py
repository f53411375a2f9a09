"""From a win to the paid slip, from a shell: signatures, slips, and taxable payments."""

import json
import unittest

from floor_process import DEMO
from people_test import LINK, People, win

TERMS = '''[house]
second_signature = [{ from = "5000.00", roles = ["table_games_manager"] }]
taxable = [{ since = "2026-01-01", amount = "2000.00", ratio = 300 }]
'''


class Slips(People):
    floor_text = DEMO.replace("[house]\n", TERMS, 1)

    def setUp(self):
        super().setUp()
        self.add("F-1", "table_games", "floorperson")
        self.add("C-1", "finance", "cashier")
        # The other manager made his PIN, so nobody who could have made F-1's PIN knows it.
        self.add("TGM-2", "table_games", "table_games_manager", by="FM-1")

    def slips(self):
        return json.loads(self.floor.ask("slips", "--json"))

    def claim(self):
        return self.floor.claims()[0]

    def test_a_win_is_validated_countersigned_and_paid_on_its_slip(self):
        self.play(win("r1"))
        self.assertEqual(("validation", None, None),
                         tuple(self.claim()[key] for key in ("needs", "slip", "taxable")))
        self.done("F-1", "validate", 1)
        self.assertEqual("second_signature", self.claim()["needs"])
        pay = ("pay", 1, "--source", "hand_pay")
        self.refused("second_signature_missing", "C-1", *pay)
        self.refused("right_missing", "F-1", "countersign", 1)
        self.refused("same_hand", "TGM-1", "countersign", 1)
        self.assertEqual("claim 1 is countersigned",
                         self.done("TGM-2", "countersign", 1)["text"])
        claim = self.claim()
        self.assertEqual(("slip", "TGM-2"), (claim["needs"], claim["countersigned_by"]))
        self.assertIsNotNone(claim["countersigned_at"])
        # A person who may not pay cannot issue a slip either.
        self.refused("right_missing", "F-1", *pay)
        self.assertEqual([], self.slips())
        told = self.done("C-1", *pay)
        self.assertEqual(("claim 1 is paid on slip 1: hand pay at the cage", 1),
                         (told["text"], told["slip"]))
        facts = {entry["entry"]: entry for entry in self.floor.entries()}
        self.assertEqual("slip_issued", facts[told["slip_entry"]]["fact"])
        self.assertEqual("claim_paid", facts[told["entry"]]["fact"])
        slip, = self.slips()
        # $5,000 of seed and 7 % of $5; a thousand times the wager.
        self.assertEqual((1, "paid", 1, "hand_pay", "5000.35", "5.00", True, "C-1", "C-1"),
                         tuple(slip[key] for key in
                               ("slip", "state", "claim", "source", "amount", "wager", "taxable",
                                "issued_by", "paid_by")))
        self.assertEqual({"since": "2026-01-01", "amount": "2000.00", "ratio": 300},
                         slip["threshold"])
        self.assertEqual((None, 1, True),
                         tuple(self.claim()[key] for key in ("needs", "slip", "taxable")))
        self.assertTrue(self.floor.audit()["clean"])

    def test_a_void_slip_is_kept_and_the_claim_has_another(self):
        self.play(win("r1"))
        self.done("F-1", "claim", "validate", 1)
        self.done("TGM-2", "claim", "countersign", 1)
        # § 657a.11(e)(1): not from the table inventory.
        self.refused("source_not_allowed", "F-1", "slip", "issue", 1, "--source",
                     "table_inventory")
        self.refused("same_person", "F-1", "slip", "issue", 1, "--source", "hand_pay")
        self.done("C-1", "slip", "issue", 1, "--source", "hand_pay")
        self.refused("slip_open", "F-1", "slip", "issue", 1, "--source", "hand_pay")
        self.refused("slip_open", "F-1", "reject", 1, "--reason", "hand_misread")
        # § 657a.2(c): chips have no game account.
        self.refused("source_not_allowed", "C-1", "pay", 1, "--source", "game_account")
        self.done("C-1", "slip", "void", 1, "--reason", "misprint", "--note", "torn")
        self.assertEqual((None, "slip"), tuple(self.claim()[key] for key in ("slip", "needs")))
        self.done("C-1", "slip", "issue", 1, "--source", "hand_pay")
        shown = self.floor.ask("slip", "show", 2)
        self.assertIn("slip 2: issued", shown)
        self.assertIn(f"claim      1, {LINK}, C4-01 seat 2, straight_flush", shown)
        # The source is that of the slip.
        paid = self.ask("C-1", "pay", 1)
        self.assertEqual(0, paid.returncode, paid.stderr)
        self.assertRegex(paid.stdout,
                         r"\Aentry \d+: claim 1 is paid on slip 2: hand pay at the cage\n\Z")
        self.refused("slip_used", "F-1", "slip", "void", 2, "--reason", "other_error")
        self.refused("claim_not_validated", "C-1", "pay", 1, "--source", "hand_pay")
        self.assertEqual([(1, "void", "misprint", "torn"), (2, "paid", None, None)],
                         [tuple(slip[key] for key in ("slip", "state", "void_reason", "void_note"))
                          for slip in self.slips()])
        table = self.floor.ask("slips").splitlines()
        self.assertEqual(3, len(table))
        self.assertEqual((1, 2), (table[1].count("void"), table[2].count("paid") + 1))
        missing = self.floor.tool("slip", "show", 3, "--data", self.floor.data)
        self.assertEqual((1, "linkmeter: there is no slip 3; there are 2\n"),
                         (missing.returncode, missing.stderr))
        self.assertTrue(self.floor.audit()["clean"])

    def test_wrong_slip_requests_change_nothing(self):
        self.floor.own_pin("C-1")
        before = self.floor.meters()["entry"]
        for code, arguments in ((2, ("slip", "issue", 1)), (2, ("slip", "void", 1)),
                                (2, ("slip", "issue", 1, "--source", "till")),
                                (2, ("slip", "void", 1, "--reason", "because")),
                                (2, ("link", "notice", "POKER-1")),
                                (2, ("link", "notice", "POKER-1", "--posted", "--cleared"))):
            self.assertEqual(code, self.ask("C-1", *arguments).returncode, arguments)
        unsaid = self.ask("C-1", "pay", 1)
        self.assertEqual(1, unsaid.returncode)
        self.assertIn("there is no claim 1", unsaid.stderr)
        self.assertEqual(before, self.floor.meters()["entry"])

    def test_a_notice_is_posted_on_a_fund_of_pots(self):
        fund = next(link["link"] for link in self.floor.meters()["links"]
                    if link["wager"] == "poker/bad-beat")
        self.add("PSS-1", "table_games", "poker_shift_supervisor")
        self.refused("right_missing", "F-1", "link", "notice", fund, "--posted")
        self.refused("notice_not_offered", "PSS-1", "link", "notice", LINK, "--posted")
        self.refused("notice_unchanged", "PSS-1", "link", "notice", fund, "--cleared")
        self.done("PSS-1", "link", "notice", fund, "--posted")
        self.assertTrue(self.floor.link(fund)["pending_adjustment"])
        self.both("correct", "--link", fund, "--level", "main", "--amount", "1.00", "--reason",
                  "display_adjustment")
        self.assertFalse(self.floor.link(fund)["pending_adjustment"])
        self.done("PSS-1", "link", "notice", fund, "--posted")
        self.adjusted_by_two(fund)

    def adjusted_by_two(self, fund):
        """Finance and a floorperson, each with a PIN: on two lines, or in the environment."""
        level = self.floor.link(fund)["levels"][0]
        shown = level["amount"][:-6]  # whole cents
        adjust = ("fund", "adjust", fund, "--kept", shown, "--witness", "F-1")
        own, floorperson = self.floor.own_pin("FM-1"), self.floor.own_pin("F-1")
        wrong = "0000" if floorperson != "0000" else "1111"
        before = len(self.floor.entries())
        self.refused("witness_not_signed", "FM-1", *adjust, pin=f"{own}\n{wrong}")
        self.assertEqual(["signed_in", "sign_in_failed", "act_refused"],
                         [entry["fact"] for entry in self.floor.entries()[before:]])
        self.assertEqual(1, self.ask("FM-1", *adjust).returncode)  # no second PIN
        self.refused("floorperson_missing", "FM-1", *adjust[:-1], "C-1",
                     pin=f"{own}\n{self.floor.own_pin('C-1')}")
        both = f"{own}\n{floorperson}"
        self.refused("display_differs", "FM-1", *adjust, "--shown", "1.00", pin=both)
        self.assertTrue(self.floor.link(fund)["pending_adjustment"])
        told = self.done("FM-1", *adjust, "--shown", shown, pin=both)
        self.assertFalse(self.floor.link(fund)["pending_adjustment"])
        entry = self.floor.entries()[-1]
        self.assertEqual((told["entry"], "display_adjusted", fund, shown, shown, "F-1", "FM-1", []),
                         tuple(entry[key] for key in ("entry", "fact", "link", "shown", "kept",
                                                      "witness", "by", "postings")))
        self.assertEqual(level, self.floor.link(fund)["levels"][0])
        self.done("FM-1", *adjust, pin=own, environment={"LINKMETER_WITNESS_PIN": floorperson})
        self.shared_by_four(fund, both)
        self.assertTrue(self.floor.audit()["clean"])

    def shared_by_four(self, fund, both):
        """$500 of seed, $1.00 of a correction, 80 cents of the pot: 50%, 25%, and 25% for two."""
        folded = [{"seat": seat, "cards": [], "folded": True} for seat in (1, 7)]
        self.play([{"event": "pot", "round": "h1", "pot": "200.00", "showdown": True,
                    "board": ["Ac", "Kh", "Kd", "2c", "3c"], "hands": folded + [
                        {"seat": 2, "cards": ["Ah", "Ad"], "folded": False},
                        {"seat": 5, "cards": ["Ks", "Kc"], "folded": False, "won": "199.00"}]}],
                  table="P-01")
        claims = [claim["claim"] for claim in self.floor.claims() if claim["link"] == fund]
        # § 553.20(f): the first validation of the hand posts the notice, and names who was told.
        self.refused("notified_not_possible", "PSS-1", "claim", "validate", claims[0],
                     "--notified", "F-1")
        posted, *_ = [self.done("PSS-1", "claim", "validate", claim, "--notified", "C-1")["entry"]
                      for claim in claims]
        # § 553.20(f)(2): the person of security or finance who was told; nobody if nobody was
        # named.
        self.assertEqual(["C-1"] * len(claims),
                         [entry.get("notified") for entry in self.floor.entries()
                          if entry["fact"] == "claim_validated" and entry["claim"] in claims])
        self.assertEqual("claim_validated", self.floor.entries()[posted - 1]["fact"])
        self.assertTrue(self.floor.link(fund)["pending_adjustment"])
        adjusted = self.done("FM-1", "fund", "adjust", fund, "--kept", "0.20", "--shown", "0.20",
                             "--witness", "F-1", pin=both)["entry"]
        told = self.floor.tool("distribution", "--claim", claims[-1], "--data", self.floor.data,
                               "--json")
        told = json.loads(told.stdout)
        self.assertEqual([(7, "table", "62.73"), (5, "winning_hand", "125.45"),
                          (2, "losing_hand", "250.90"), (1, "table", "62.72")],
                         [(share["seat"], share["for"], share["amount"])
                          for share in told["shares"]])
        self.assertEqual(("501.80", "501.80", "0.00", posted, adjusted, adjusted),
                         (told["award"], told["sum"], told["difference"],
                          told["notice_posted"]["entry"], told["notice_cleared"]["entry"],
                          told["display_adjusted"]["entry"]))
        self.assertEqual({"PSS-1"}, {share["verified_by"] for share in told["shares"]})
        paper = self.floor.tool("distribution", "--claim", claims[0], "--data", self.floor.data)
        self.assertIn("award $501.80, shares $501.80\n", paper.stdout)
        none = self.floor.tool("distribution", "--claim", 99, "--data", self.floor.data)
        self.assertEqual((1, "linkmeter: there is no claim 99\n"), (none.returncode, none.stderr))


del People  # it has no tests of its own


if __name__ == "__main__":
    unittest.main()
