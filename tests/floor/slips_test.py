"""From a win to the paid slip, from a shell: signatures, slips, and what is taxable."""

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
        # His PIN comes from the other manager: he is nobody's who could have made F-1's.
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
        # Whoever may not pay issues no slip on the way.
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
        self.done("F-1", "slip", "issue", 1, "--source", "hand_pay")
        self.refused("slip_open", "F-1", "slip", "issue", 1, "--source", "hand_pay")
        self.refused("slip_open", "F-1", "reject", 1, "--reason", "hand_misread")
        self.refused("slip_source_differs", "C-1", "pay", 1, "--source", "game_account")
        self.done("C-1", "slip", "void", 1, "--reason", "misprint", "--note", "torn")
        self.assertEqual((None, "slip"), tuple(self.claim()[key] for key in ("slip", "needs")))
        self.done("F-1", "slip", "issue", 1, "--source", "hand_pay")
        shown = self.floor.ask("slip", "show", 2)
        self.assertIn("slip 2: issued", shown)
        self.assertIn(f"claim      1, {LINK}, C4-01 seat 2, straight_flush", shown)
        # The source is the slip's.
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

    def test_what_is_asked_wrongly_changes_nothing(self):
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
        self.assertIn("say --source", unsaid.stderr)
        self.assertEqual(before, self.floor.meters()["entry"])

    def test_a_notice_stands_on_a_fund_of_pots(self):
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


del People  # it has no tests of its own


if __name__ == "__main__":
    unittest.main()
