"""`linkmeter odds`: its document for every wager, its refusals, and their exit codes.

Frequencies are compared with the arithmetic of the cards, not with earlier output of the program;
the long counts are in tests/bench.
"""

import fractions
import json
import subprocess
import unittest

import floor_process

TOTALS = {"raise-it-up/progressive": 22100, "crazy-4/four-card": 2598960,
               "crazy-4/five-card": 2598960, "crazy-4/five-card-hand-bonus": 2598960,
               "three-card-prime/bad-beat-bonus": 22100 * 18424}


def odds(*arguments):
    return subprocess.run([floor_process.PROGRAMS / "linkmeter", "odds", *arguments], text=True,
                          capture_output=True, timeout=floor_process.PATIENCE_S, check=False)


class OddsTest(unittest.TestCase):
    def document(self, *arguments):
        result = odds(*arguments, "--json")
        self.assertEqual((0, ""), (result.returncode, result.stderr), arguments)
        return json.loads(result.stdout)

    def test_counted_wagers(self):
        for wager, total in TOTALS.items():
            told = self.document("--wager", wager)
            self.assertEqual((wager, total), (told["wager"], told["total"]))
            for line in told["lines"]:
                self.assertEqual(fractions.Fraction(line["count"], total),
                                 fractions.Fraction(line["exact"]), line)
                self.assertLess(abs(fractions.Fraction(line["probability"])
                                    - fractions.Fraction(line["exact"])), 1e-18)

    def test_lines_in_paytable_order_with_their_pays(self):
        told = self.document("--wager", "crazy-4/five-card", "--paytable", "C")
        self.assertEqual(
            [("royal_flush", 4, "100% of mega"), ("straight_flush", 36, "100% of major"),
             ("four_of_a_kind", 624, "100% of minor"), ("full_house", 3744, "50 for 1"),
             ("flush", 5108, "40 for 1"), ("straight", 10200, "30 for 1"),
             ("three_of_a_kind", 54912, "10 for 1")],
            [(line["line"], line["count"], line["pays"]) for line in told["lines"]])

    def test_without_a_paytable_the_first_is_named(self):
        told = self.document("--wager", "crazy-4/five-card")
        self.assertEqual(("A", ["A", "B", "C", "D"]), (told["paytable"], told["paytables"]))
        paper = odds("--wager", "crazy-4/five-card").stdout
        for paytable in "ABCD":
            self.assertIn(f"\npaytable {paytable} ", paper)

    def test_the_meter_at_which_the_wager_breaks_even(self):
        told = self.document("--wager", "raise-it-up/progressive", "--unit", "5.00")
        self.assertEqual("50400.00000000", told["levels"][0]["break_even_meter"])
        told = self.document("--wager", "raise-it-up/progressive", "--unit", "5.00",
                             "--meter", "50400.00")
        self.assertEqual("1", told["return"]["exact"]["at_meter"])

    def test_a_level_by_name(self):
        told = self.document("--wager", "crazy-4/five-card", "--paytable", "B",
                             "--meter", "mega=20000.00")
        self.assertEqual(["20000.00", "1000.00"], [level["meter"] for level in told["levels"]])

    def test_hit_and_run_by_decks(self):
        told = self.document("--wager", "blackjack/hit-and-run")
        self.assertEqual(8, told["decks"])
        self.assertNotIn("total", told)
        self.assertEqual([1, 2, 4, 6, 8], [row["decks"] for row in told["by_decks"]])
        for row in [told, *told["by_decks"]]:
            decks = row["decks"]
            cards = 52 * decks
            blackjack = fractions.Fraction(2 * 4 * decks * 16 * decks, cards * (cards - 1))
            self.assertEqual(blackjack, fractions.Fraction(row["lines"][-1]["exact"]))
        self.assertIsNone(told["return"]["long_run"])
        self.assertTrue(any("--rate" in note for note in told["notes"]))
        self.assertEqual(3, self.document("--wager", "blackjack/hit-and-run",
                                          "--decks", "3")["decks"])
        told = self.document("--wager", "blackjack/hit-and-run", "--rate", "12%")
        self.assertIsNotNone(told["return"]["long_run"])

    def test_bad_beat_odds_include_the_dealers_hand(self):
        told = self.document("--wager", "blackjack/bad-beat")
        self.assertTrue(told["dealer_side_only"])
        self.assertNotIn("return", told)
        self.assertTrue(any("dealer's side" in note for note in told["notes"]))
        self.assertIn("dealer's side", odds("--wager", "blackjack/bad-beat").stdout)

    def test_hold_above_a_quarter_is_warned_of(self):
        least = ("--wager", "raise-it-up/progressive")
        self.assertTrue(self.document(*least)["hold_above_25_percent"])
        self.assertIn("warning: above 25%", odds(*least).stdout)
        more = (*least, "--rate", "20%")
        self.assertFalse(self.document(*more)["hold_above_25_percent"])
        self.assertNotIn("warning", odds(*more).stdout)

    def test_refused(self):
        for arguments, says in (
                (("--wager", "crazy-4/nine-card"), "it has: blackjack/bad-beat"),
                (("--wager", "crazy-4/five-card", "--paytable", "E"), "it has: A B C D"),
                (("--wager", "raise-it-up/progressive", "--paytable", "A"), "no name"),
                (("--wager", "poker/bad-beat"), "no odds of this kind"),
                (("--wager", "crazy-4/five-card", "--paytable", "B", "--meter", "1.00"),
                 "has several levels"),
                (("--wager", "crazy-4/five-card", "--meter", "mega=1.00"), "no level mega"),
                (("--wager", "crazy-4/five-card", "--seed", "1.00"), "§ 657a.12(e)(3)"),
                (("--wager", "crazy-4/five-card", "--rate", "mega=1%"), "no level mega")):
            result = odds(*arguments)
            self.assertEqual((1, ""), (result.returncode, result.stdout), arguments)
            self.assertIn(says, result.stderr, arguments)
            self.assertEqual(1, result.stderr.count("\n"), result.stderr)

    def test_an_option_that_changes_nothing_of_the_wager(self):
        prime, five = "three-card-prime/bad-beat-bonus", "crazy-4/five-card"
        for wager, option, value, says in (
                (prime, "--rate", "1%", "no meter"), (prime, "--meter", "1.00", "no meter"),
                (prime, "--seed", "1.00", "no meter"), (prime, "--reserve", "1%", "no meter"),
                (prime, "--seats", "3", "neither envy"), (prime, "--draw", "50%", "drawn"),
                ("blackjack/bad-beat", "--meter", "9000.00", "dealer's side"),
                ("blackjack/hit-and-run", "--draw", "50%", "drawn"),
                (five, "--winners", "2", "paid in turn"), (five, "--decks", "2", "decks")):
            result = odds("--wager", wager, option, value)
            self.assertEqual((2, ""), (result.returncode, result.stdout), (wager, option))
            self.assertIn(says, result.stderr)
            self.assertIn(option[2:], result.stderr)

    def test_the_odds_fit_80_columns(self):
        alone = odds("--wager", "raise-it-up/progressive", "--seats", "1").stdout
        self.assertNotIn("envy", alone)
        self.assertIn("envy", odds("--wager", "raise-it-up/progressive", "--seats", "2").stdout)
        # At $50,400 a $5 wager returns itself; a cent above it returns more.
        rich = ("--wager", "raise-it-up/progressive", "--unit", "5.00", "--rate", "20%", "--meter")
        self.assertNotIn("100 %", odds(*rich, "50400.00").stdout)
        self.assertIn("warning: above 100 %", odds(*rich, "50400.01").stdout)
        for line in odds("--wager", "blackjack/bad-beat").stdout.split("\n\n")[-1].split("\n"):
            self.assertLessEqual(len(line), 80)

    def test_wrong_usage(self):
        wager = ("--wager", "blackjack/hit-and-run")
        for arguments in ((), (*wager, "--meter", "much"), (*wager, "--meter", "-1.00"),
                          (*wager, "--rate", "12"), (*wager, "--rate", "101%"),
                          (*wager, "--decks", "0"), (*wager, "--decks", "9"),
                          (*wager, "--decks", "six"), (*wager, "--winners", "0"),
                          (*wager, "--winners", "8"), (*wager, "--unit", "0.00"),
                          (*wager, "--draw", "sometimes"), (*wager, "--seats", "0"),
                          (*wager, "--paytables", "A")):
            result = odds(*arguments)
            self.assertEqual((2, ""), (result.returncode, result.stdout), arguments)
            self.assertNotEqual("", result.stderr, arguments)


if __name__ == "__main__":
    unittest.main()
