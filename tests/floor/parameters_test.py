"""A change of parameters on a real floor: two persons, a suspended link, real files. Every figure
before and after it is computed independently of Linkmeter."""

import hashlib
import json
import pathlib
import re
import shutil
import unittest

from expected_floor import ExpectedFloor, Scripted, told, told_claims
from floor_process import DEMO, ROOT
from people_test import People

LINK = "RIU-MAIN"
OLD_RATES = 'rates = { main = "14%" }'
NEW_RATES = 'reseed = "6000.00"\nrates = { main = "15.25%", reserve = "2.5%" }'
HANDS = {("As", "Ks", "Qs"): "akq_spades", ("2c", "3d", "9h"): None}
WIN, LOSS = ([list(hand) for hand in HANDS])


def changed(text, *edits):
    for old, new in edits:
        if text.count(old) != 1:
            raise AssertionError(f"{old!r} stands {text.count(old)} times in the floor file")
        text = text.replace(old, new)
    return text


def a_round(name, seats, hand=LOSS):
    """Wagers of $5 on the link; the highest seat is shown."""
    return [{"event": "lock", "round": name, "chips": len(seats),
             "wagers": [{"seat": seat, "wager": "raise-it-up/progressive", "amount": "5.00"}
                        for seat in seats]},
            {"event": "show", "round": name,
             "hands": [{"seat": max(seats), "cards": hand, "folded": False}]},
            {"event": "close", "round": name}]


class Parameters(People):
    def setUp(self):
        super().setUp()
        self.expected = ExpectedFloor(lambda cards: HANDS[tuple(cards)])
        self.new = self.floor.write(changed(DEMO, (OLD_RATES, NEW_RATES)), "new.toml")

    def play_both(self, events, table="RIU-01"):
        self.play(events, table)
        for event in events:
            self.expected.play(table, Scripted(event))

    def propose(self, by="TGM-1", file=None):
        return self.done(by, "parameters", "change", "--floor", file or self.new)

    def suspend(self, link=LINK):
        self.done("FM-1", "link", "suspend", link, "--reason", "other parameters")

    def assert_as_expected(self):
        self.assertEqual(self.expected.meters(), told(self.floor.meters()))
        self.assertEqual(self.expected.claims, told_claims(self.floor.claims()))
        self.assertTrue(self.floor.audit()["clean"])

    def in_force(self):
        return json.loads(self.floor.ask("parameters", "show", "--json"))


class Change(Parameters):
    def test_takes_effect_with_its_entry_and_lowers_no_meter(self):
        self.play_both(a_round("r1", [1, 3]))
        self.play_both([{"event": "lock", "round": "c1", "chips": 1, "wagers": [
            {"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]}], "C4-01")
        self.suspend()
        before = self.floor.meters()["links"]
        proposal = self.propose()
        sha256 = hashlib.sha256(self.new.read_bytes()).hexdigest()
        self.assertEqual(
            ["parameters:", "    RIU-MAIN main reseed $5000.00 -> $6000.00",
             "    RIU-MAIN main rate 14% -> 15.25%", "    RIU-MAIN reserve rate 0% -> 2.5%",
             f"    floor file {sha256}"], proposal["summary"].splitlines()[:-1])
        self.assertEqual(1, self.in_force()["entry"])
        self.assert_as_expected()
        confirmed = self.done("FM-1", "confirm", proposal["proposal"])
        self.assertEqual(proposal["summary"], confirmed["summary"])
        # Every meter and reserve is unchanged, to 10^-8 dollar.
        after = self.floor.meters()["links"]
        for one in (before, after):
            for link in one:
                for level in link["levels"]:
                    level.pop("rate"), level.pop("reseed")
                link.pop("reserve_rate")
        self.assertEqual(before, after)
        self.expected.links[LINK].change(rates={"main": 152_500, "reserve": 25_000},
                                         reseeds={"main": 6000})
        self.both("link", "resume", LINK)
        self.floor.file = self.new
        self.play_both(a_round("r2", [2]))
        self.play_both([*a_round("r3", [5, 6])[:1], {"event": "void", "round": "r3",
                                                     "reason": "misdeal"}])
        self.play_both(a_round("r4", [1, 4, 6], WIN))
        self.play_both(a_round("r5", [1]))
        self.assert_as_expected()
        self.tell_of_it(confirmed["entry"], sha256)

    def tell_of_it(self, entry, sha256):
        shown = self.in_force()
        self.assertEqual((entry, "TGM-1", "FM-1", sha256, self.new.read_text(encoding="utf-8")),
                         tuple(shown[key] for key in ("entry", "proposed_by", "confirmed_by",
                                                      "floor_sha256", "floor_file")))
        link = next(link for link in shown["links"] if link["link"] == LINK)
        self.assertEqual({"level": "main", "seed": "5000.00", "reseed": "6000.00",
                          "rate": "15.25%", "limit": None}, link["levels"][0])
        history = json.loads(self.floor.ask("parameters", "history", "--json"))
        self.assertEqual([1, entry], [one["entry"] for one in history])
        self.assertEqual(([], 3), (history[0]["changes"], len(history[1]["changes"])))
        self.assertIn("RIU-MAIN main rate 14% -> 15.25%", self.floor.ask("parameters", "history"))
        self.assertIn("15.25%", self.floor.ask("parameters", "show"))

    def test_the_next_start_takes_the_new_file_alone(self):
        self.play_both(a_round("r1", [1]))
        self.suspend()
        old = self.floor.file
        self.done("FM-1", "confirm", self.propose()["proposal"])
        # Also if the power fails at once.
        self.assertTrue(self.controller.kill())
        refused = self.floor.run_controller(old)
        self.assertEqual(1, refused.child.returncode)
        self.assertIn("link RIU-MAIN, level main: reseed is 6000.00000000 in the journal, "
                      "5000.00000000 in the floor file", refused.telling())
        unsealed = self.floor.run_controller(self.new)
        self.assertIn("differs from what was sealed", unsealed.telling())
        sealed = self.floor.tool("seal", "--floor", self.new, "--data", self.floor.data)
        self.assertEqual(0, sealed.returncode, sealed.stderr)
        self.floor.file = self.new
        self.controller = self.floor.start_controller()
        self.expected.links[LINK].change(rates={"main": 152_500, "reserve": 25_000},
                                         reseeds={"main": 6000})
        self.both("link", "resume", LINK)
        self.play_both(a_round("r2", [1, 2], WIN))
        self.assert_as_expected()

    def test_a_changed_chapter_is_listed_line_by_line_and_applied(self):
        """The catalogue's Fortune Bonus pays 2 to 1 for a straight (§ 645a.13(b)); a copy says
        700, first under the same paytable and then under another."""
        catalogue = pathlib.Path(shutil.copytree(ROOT / "config" / "catalogue",
                                                 self.floor.folder / "altered"))
        chapter = catalogue / "pai-gow-poker.toml"
        text = chapter.read_text(encoding="utf-8")
        start = text.index('id = "pai-gow-poker/fortune-bonus"')
        straight = re.compile(r'(\{ line = "straight", +pays = )"2 to 1"')
        for paytable in "AB":
            at = text.index(f'\nid = "{paytable}"\n', start)
            text = text[:at] + straight.sub(r'\1"700 to 1"', text[at:], count=1)
        chapter.write_text(text, encoding="utf-8")
        self.suspend("PG-FORTUNE")
        told = ["    chapter pai-gow-poker is another one than in force"]
        straight_line = "    PG-FORTUNE straight pays 2 to 1 -> 700 to 1"

        def proposed(file, by="TGM-1"):
            proposal = self.done(by, "parameters", "change", "--floor", file,
                                 "--catalogue", catalogue)
            return proposal["summary"].splitlines()[1:-2], proposal["proposal"]
        same, _ = proposed(self.floor.file)
        self.assertEqual([*told, straight_line], same)
        old, new = ('fortune-bonus"\npaytable = "A"', 'fortune-bonus"\npaytable = "B"')
        other, number = proposed(self.floor.write(changed(DEMO, (old, new)), "b.toml"), by="FM-1")
        natural = "    PG-FORTUNE seven_card_straight_flush_no_joker "
        self.assertEqual([*told, '    PG-FORTUNE paytable "A" -> "B"',
                          natural + "pays 8000 to 1 -> 5000 to 1", straight_line,
                          natural + "envy on $5.00 or more $5000.00 -> $3000.00"], other)
        waiting = json.loads(self.floor.ask("proposals", "--json"))
        self.assertEqual([line.strip() for line in other], waiting[-1]["changes"])
        self.done("TGM-1", "confirm", number)
        history = json.loads(self.floor.ask("parameters", "history", "--json"))
        self.assertEqual([line.strip() for line in other], history[-1]["changes"])

    def test_after_a_changed_unit_the_old_wager_is_refused_by_name(self):
        link, unit = "BJ-RUN-5", 'wager = "blackjack/hit-and-run"\nunit = "5.00"'
        self.new.write_text(changed(DEMO, (unit, unit.replace("5.00", "2.00"))), encoding="utf-8")
        self.suspend(link)
        self.done("FM-1", "confirm", self.propose()["proposal"])
        self.both("link", "resume", link)

        def lock(name, amount):
            return [{"event": "lock", "round": name, "chips": 1, "wagers": [
                {"seat": 1, "wager": "blackjack/hit-and-run", "amount": amount}]}]
        # An agent with the old floor file is told so, and takes no bets.
        old = self.floor.start_agent(self.controller.endpoint, "BJ-01", lock("r1", "5.00"))
        old.await_line("start it with the one in force")
        old.stop()
        self.assert_as_expected()
        # With the file in force the old unit is refused with its name.
        self.floor.file = self.new
        self.play(lock("r1", "5.00"), "BJ-01", code=1)
        self.assertIn("wager_not_a_unit", [entry.get("refusal") for entry in self.floor.entries()])
        self.assert_as_expected()
        self.expected.links[link].change(unit=200)
        self.play_both(lock("r2", "2.00"), "BJ-01")
        self.assert_as_expected()


class Refused(Parameters):
    def setUp(self):
        super().setUp()
        self.before = self.floor.meters()["links"]

    def refuse(self, name, by="TGM-1", file=None):
        self.refused(name, by, "parameters", "change", "--floor", file or self.new)

    def test_parameters_need_a_suspended_link_without_open_rounds(self):
        result = self.ask("TGM-1", "parameters", "change", "--floor", self.new)
        self.assertEqual("linkmeter: refused: link_not_suspended: the link is not suspended: "
                         "RIU-MAIN\n",
                         result.stderr)
        self.play_both(a_round("r1", [1])[:1])
        self.suspend()
        self.refuse("link_has_open_rounds")
        self.play_both([{"event": "close", "round": "r1"}])
        self.propose()
        # Once more when it is confirmed.
        self.both("link", "resume", LINK)
        result = self.ask("FM-1", "confirm", 1)
        self.assertIn("refused: link_not_suspended: ", result.stderr)
        self.assert_as_expected()

    def test_a_change_needs_two_persons_of_two_departments_with_the_right(self):
        self.suspend()
        self.add("F-1", "table_games", "floorperson")
        self.add("TGM-2", "table_games", "table_games_manager")
        self.refuse("right_missing", "F-1")
        proposal = self.propose()["proposal"]
        for by, why in (("TGM-1", "same_department"), ("TGM-2", "same_department"),
                        ("F-1", "right_missing")):
            self.assertIn(f"refused: {why}: ", self.ask(by, "confirm", proposal).stderr)
        self.assertEqual(1, self.in_force()["entry"])

    def test_invalid_or_too_long_changes_are_refused(self):
        self.suspend()
        wrong = self.floor.write(changed(DEMO, (OLD_RATES, 'rates = { main = "13%" }')), "w.toml")
        result = self.ask("TGM-1", "parameters", "change", "--floor", wrong)
        self.assertEqual(1, result.returncode)
        self.assertRegex(result.stderr, r"w\.toml:\d+: .*RIU-MAIN.*rate")
        long = self.floor.write(DEMO + "# " + "x" * (1 << 20) + "\n", "long.toml")
        result = self.ask("TGM-1", "parameters", "change", "--floor", long)
        self.assertEqual(1, result.returncode)
        self.assertIn("longer than 1048576 bytes", result.stderr)
        # Several hundred KiB are accepted.
        long.write_text(self.new.read_text(encoding="utf-8") + ("# " + "x" * 80 + "\n") * 6000,
                        encoding="utf-8")
        self.done("FM-1", "confirm", self.propose(file=long)["proposal"])
        self.assertTrue(self.floor.audit()["clean"])

    def test_link_names_and_seeds_may_not_change(self):
        for edit, why in (((f'id = "{LINK}"', 'id = "RIU-OTHER"'), "links_differ"),
                          (('seed = "1000.00"\nrates = { main = "15%"',
                            'seed = "1000.01"\nrates = { main = "15%"'), "seed_changed"),
                          (("[house]\n", "# as it is\n[house]\n"), "parameters_unchanged")):
            with self.subTest(why=why):
                self.new.write_text(changed(DEMO, edit), encoding="utf-8")
                if why == "seed_changed":
                    self.suspend("RIU-ONE")
                self.refuse(why)


del People  # its own file runs it

if __name__ == "__main__":
    unittest.main()
