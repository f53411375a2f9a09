"""Every hand of the test data through a real agent into a real controller, killed on the way.

Three tables at once. Each hand is a round of its own: the line that the data names must be the line
in the journal, and meters, counts and claims must be what the paytables make of these lines.
"""

import json
import unittest

import floor_process
from expected_floor import ExpectedFloor, Scripted, told, told_claims
from floor_process import Floor

FOLDER = floor_process.SHARED / "data" / "hands"
WAGERS = {"RIU-01": ("raise-it-up/progressive", "5.00"), "C4-01": ("crazy-4/five-card", "5.00"),
          "BJ-01": ("blackjack/hit-and-run", "1.00")}
WAIT = {"event": "wait", "ms": 5}


def read_hands(table):
    file = FOLDER / (WAGERS[table][0].replace("/", ".") + ".jsonl")
    if not file.exists():
        return None
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def events_of(table, hands):
    """A round of one seat for each hand; what is shown, and the line that it is."""
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
        self.assertEqual(1 + total, floor.meters()["entry"])

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
