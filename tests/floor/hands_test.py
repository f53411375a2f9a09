"""Every hand of the test data: its name by `linkmeter hand`, and its effect on a floor.

`linkmeter hand` must name the line of every hand of every wager, and report the mistake in an
input that is no hand. On the floor three tables play at once through real agents into a real
controller, which is killed on the way. Each hand is a round of its own: the journal must have the
line that the data names, and meters, counts and claims must follow from the paytables for these
lines.
"""

import json
import subprocess
import unittest

import floor_process
from expected_floor import ExpectedFloor, Scripted, told, told_claims
from floor_process import Floor

FOLDER = floor_process.SHARED / "data" / "hands"
WAGERS = {"RIU-01": ("raise-it-up/progressive", "5.00"), "C4-01": ("crazy-4/five-card", "5.00"),
          "BJ-01": ("blackjack/hit-and-run", "1.00")}
WAIT = {"event": "wait", "ms": 5}
FILES = {"raise-it-up/progressive", "crazy-4/four-card", "crazy-4/five-card",
         "crazy-4/five-card-hand-bonus", "blackjack/bad-beat", "blackjack/hit-and-run",
         "pai-gow-poker/progressive", "pai-gow-poker/fortune-bonus",
         "pai-gow-poker/emperors-treasure"}


def linkmeter_hand(wager, lines):
    """Runs `linkmeter hand` on these lines."""
    return subprocess.run(
        [floor_process.PROGRAMS / "linkmeter", "hand", "--wager", wager], text=True,
        input="".join(line + "\n" for line in lines), capture_output=True,
        timeout=floor_process.PATIENCE_S, check=False)


class LineTest(unittest.TestCase):
    def test_every_hand_of_every_wager_has_its_line(self):
        if not FOLDER.exists():
            print(f"{FOLDER}: absent: skipped")
            self.skipTest("absent")
        files = {file.stem.replace(".", "/", 1): file for file in FOLDER.glob("*.jsonl")}
        self.assertEqual(FILES, files.keys())
        for wager, file in files.items():
            lines = file.read_text(encoding="utf-8").splitlines()
            self.assertGreater(len(lines), 90, wager)
            result = linkmeter_hand(wager, lines)
            self.assertEqual((0, ""), (result.returncode, result.stderr), wager)
            told = result.stdout.splitlines()
            self.assertEqual(len(lines), len(told), wager)
            for line, answer in zip(lines, told):
                self.assertEqual({"line": json.loads(line)["line"]}, json.loads(answer), line)

    def test_wagers_without_a_file(self):
        for wager, cards, dealer, line in (
                ("three-card-prime/bad-beat-bonus", "2c 3c 4c", "Ad Kd Qd", "straight_flush"),
                ("three-card-prime/bad-beat-bonus", "2c 2d 2h", "3c 3d 3h", "three_of_a_kind"),
                ("three-card-prime/bad-beat-bonus", "Ac Kd Qh", "2c 2d 2h", "straight"),
                ("three-card-prime/bad-beat-bonus", "Ac Kd Qh", "As Ks Qd", None),
                ("three-card-prime/bad-beat-bonus", "Ac Kc 9c", "2c 2d 2h", None),
                ("poker/bad-beat", "Ah Ad Ac Kh Kd 2c 3c", "", "full_house"),
                ("poker/bad-beat", "Ah Ad 9c 7h 2d", "", "pair")):
            text = json.dumps({"cards": cards.split(), "dealer": dealer.split()})
            result = linkmeter_hand(wager, [text])
            self.assertEqual((0, ""), (result.returncode, result.stderr), text)
            self.assertEqual({"line": line}, json.loads(result.stdout), text)

    def test_a_poker_player_also_has_the_boards_cards(self):
        hand = {"cards": ["Ah", "Ad"], "board": ["Ac", "Kh", "Kd", "2c", "3c"]}
        result = linkmeter_hand("poker/bad-beat", [json.dumps(hand)])
        self.assertEqual({"line": "full_house"}, json.loads(result.stdout))
        hand["board"][0] = "Ah"
        self.assertIn('"Ah"', linkmeter_hand("poker/bad-beat", [json.dumps(hand)]).stderr)

    def test_unknown_keys_are_named(self):
        for wager, key in (("poker/bad-beat", "borad"), ("crazy-4/five-card", "board"),
                           ("crazy-4/five-card", "Cards")):
            result = linkmeter_hand(
                wager, [json.dumps({"cards": ["As", "Ks", "Qs", "Js", "9s"], key: []})])
            self.assertEqual((1, ""), (result.returncode, result.stdout))
            self.assertIn(f'line 1: "{key}" is not a key', result.stderr)

    def test_an_invalid_hand_is_refused_with_its_line(self):
        whole = {"crazy-4/five-card": {"cards": ["As", "Ks", "Qs", "Js", "9s"]},
                 "crazy-4/four-card": {"cards": ["As", "Ks", "Qs", "Js", "9s"]},
                 "pai-gow-poker/progressive":
                     {"cards": ["As", "Ks", "Qs", "Js", "Xx", "2d", "3d"]},
                 "blackjack/bad-beat": {"cards": ["Ks", "Qd"], "dealer": ["As", "Ks"]},
                 "blackjack/hit-and-run": {"cards": [], "dealer": ["As", "Ks"]},
                 "three-card-prime/bad-beat-bonus":
                     {"cards": ["As", "Ks", "Qs"], "dealer": ["2d", "3d", "4d"]}}
        for wager, changes, says in (
                ("crazy-4/five-card", {"cards": ["As", "As", "Qs", "Js", "9s"]}, '"As"'),
                ("crazy-4/five-card", {"cards": ["As", "Ks", "Qs", "Js", "9s", "8s"]}, "6 cards"),
                ("crazy-4/five-card", {"cards": ["As", "Ks", "Qs", "Js", "Zs"]}, '"Zs"'),
                ("crazy-4/five-card", {"cards": ["As", "Ks", "Qs", "Js", 9]}, "9"),
                ("crazy-4/five-card", {"cards": "As"}, '"cards"'),
                ("crazy-4/four-card", {"cards": ["As", "Ks", "Qs", "Js", "Xx"]}, "joker"),
                ("crazy-4/four-card", {"cards": ["As", "Ks", "Qs", "Js"]}, "4 cards"),
                ("pai-gow-poker/progressive",
                 {"cards": ["As", "Ks", "Qs", "Xx", "Xx", "2d", "3d"]}, '"Xx"'),
                ("pai-gow-poker/progressive", {"cards": []}, "0 cards"),
                ("blackjack/bad-beat", {"dealer": []}, '"dealer"'),
                ("blackjack/bad-beat", {"dealer": ["As"]}, '"dealer"'),
                ("blackjack/bad-beat", {"cards": []}, '"cards"'),
                ("blackjack/bad-beat", {"cards": ["As"] * 6, "dealer": ["As"] * 3}, '"As"'),
                ("blackjack/hit-and-run", {"dealer": []}, '"dealer"'),
                ("three-card-prime/bad-beat-bonus", {"dealer": []}, '"dealer"'),
                ("three-card-prime/bad-beat-bonus", {"dealer": ["As", "3d", "4d"]}, '"As"')):
            good, bad = json.dumps(whole[wager]), json.dumps({**whole[wager], **changes})
            with self.subTest(wager=wager, bad=bad):
                result = linkmeter_hand(wager, [good, "", bad, good])
                self.assertEqual(1, result.returncode)
                self.assertEqual(1, len(result.stdout.splitlines()))
                self.assertRegex(result.stderr, r"^[^\n]*line 3: [^\n]*\n$")
                self.assertIn(says, result.stderr.split("line 3: ")[1])
        for wager in whole:
            # The last one: brackets nested deeper than a recursive printer could handle.
            for bad in ("[]", "{", '"As"', "null", "As Ks",
                        '{"cards":[' + 100_000 * "[" + 100_000 * "]" + "]}"):
                result = linkmeter_hand(wager, [bad])
                self.assertEqual((1, ""), (result.returncode, result.stdout), bad[:20])
                self.assertIn("line 1: ", result.stderr)


def read_hands(table):
    file = FOLDER / (WAGERS[table][0].replace("/", ".") + ".jsonl")
    if not file.exists():
        return None
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def events_of(table, hands):
    """A round of one seat for each hand; its cards, and its line."""
    wager, amount = WAGERS[table]
    for number, hand in enumerate(hands):
        name, seat = f"{table}-{number}", 1 + number % 6
        show = {"event": "show", "round": name,
                "hands": [{"seat": seat, "cards": hand["cards"], "folded": False}]}
        if "dealer" in hand:
            show["dealer"] = hand["dealer"]
        yield {"event": "lock", "round": name, "chips": 1,
               "wagers": [{"seat": seat, "wager": wager, "amount": amount}]}
        yield show
        yield {"event": "close", "round": name}
        yield WAIT


class HandsTest(unittest.TestCase):
    def setUp(self):
        self.hands = {table: read_hands(table) for table in WAGERS}
        if None in self.hands.values():
            print(f"{FOLDER}: absent: skipped")
            self.skipTest("absent")

    def test_every_hand_is_paid_by_its_line(self):
        with Floor() as floor:
            floor.init()
            self.play(floor)
            self.assertTrue(floor.audit()["clean"])
            self.compare_lines(floor)
            self.compare_meters(floor)

    def play(self, floor):
        controller = floor.start_controller()
        scripts = {table: floor.write_script(list(events_of(table, hands)), f"{table}.jsonl")
                   for table, hands in self.hands.items()}
        agents = {table: floor.start_agent(controller.endpoint, table, script)
                  for table, script in scripts.items()}
        total = 3 * sum(map(len, self.hands.values()))
        for part, table in enumerate(agents, start=1):
            while floor.meters()["entry"] < part * total // 6:
                self.assertTrue(any(agent.is_running() for agent in agents.values()))
            agents[table].kill()
            self.assertTrue(controller.kill(), controller.telling())
            controller = floor.start_controller(listen=controller.endpoint)
            agents[table] = floor.start_agent(controller.endpoint, table, scripts[table])
        for agent in agents.values():
            agent.finish(0)
        self.assertEqual(0, controller.stop())
        self.assertEqual(1 + floor.starts + total, floor.meters()["entry"])

    def compare_lines(self, floor):
        shown = {entry["round"]: entry for entry in floor.entries()
                 if entry["fact"] == "hands_shown"}
        for table, hands in self.hands.items():
            for number, hand in enumerate(hands):
                awards = shown[f"{table}-{number}"]["awards"]
                lines = [award["line"] for award in awards]
                self.assertEqual([hand["line"]] if hand["line"] else [], lines, hand)

    def compare_meters(self, floor):
        lines = {}
        for table, hands in self.hands.items():
            for hand in hands:
                decides = hand["dealer"] if table == "BJ-01" else hand["cards"]
                lines[tuple(decides)] = hand["line"]
        expected = ExpectedFloor(lambda cards: lines[tuple(cards)])
        for table, hands in self.hands.items():
            for event in events_of(table, hands):
                if event is not WAIT:
                    expected.play(table, Scripted(event))
        self.assertEqual(expected.meters(), told(floor.meters()))
        self.assertEqual(sorted(expected.claims), sorted(told_claims(floor.claims())))
        self.assertGreater(len(expected.claims), 30)


if __name__ == "__main__":
    unittest.main()
