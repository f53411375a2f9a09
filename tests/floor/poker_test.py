"""4,930 real poker hands through a real agent into a real controller; both are killed on the way.

The expected figures are in the README of the data; they were computed independently of Linkmeter.
"""

import json
import unittest

import floor_process
from floor_process import DEMO, Floor

HANDS = floor_process.SHARED / "data" / "poker" / "hands.jsonl"
POTS, CONTRIBUTING = 4930, 1374
# More pots at once than a table deals in a shift.
FLOOR = DEMO.replace('id = "P-01"\n', f'id = "P-01"\npace = {POTS}\n')
AWARDS = [("h34057", "548.00"), ("h45018", "153.60"), ("h64168", "240.20"), ("h75060", "126.40"),
          ("h89060", "166.00"), ("h94126", "102.40"), ("h95070", "38.00"), ("h97109", "77.40"),
          ("h109102", "173.20"), ("h109171", "54.00"), ("h111030", "31.00")]
KILLS_EACH = 3
WAIT = '{"event":"wait","ms":10}\n'  # the script must not end before the kills


def in_cents(text):
    return round(100 * float(text))


class PokerTest(unittest.TestCase):
    def test_the_fund_has_the_exact_amount_after_kills_of_both_sides(self):
        if not HANDS.exists():
            print(f"{HANDS}: absent: skipped")
            self.skipTest("absent")
        lines = HANDS.read_text(encoding="utf-8").splitlines(keepends=True)
        self.assertEqual(POTS, len(lines))
        script = "".join(line + (WAIT if number % 20 == 19 else "")
                         for number, line in enumerate(lines))
        with Floor(FLOOR) as floor:
            floor.init()
            self.play(floor, floor.write(script, "hands.jsonl"))
            self.look_at(floor)

    def play(self, floor, script):
        controller = floor.start_controller()
        agent = floor.start_agent(controller.endpoint, "P-01", script)
        for kill in range(1, 2 * KILLS_EACH + 1):
            target = kill * POTS // (2 * KILLS_EACH + 2)
            while floor.meters()["entry"] < target:
                self.assertTrue(agent.is_running(), agent.telling())
            self.assertTrue(agent.is_running(), "the script is too short for the kills")
            if kill % 2 == 0:
                self.assertTrue(agent.kill(), agent.telling())
                agent = floor.start_agent(controller.endpoint, "P-01", script)
            else:
                self.assertTrue(controller.kill(), controller.telling())
                self.assertTrue(floor.audit()["clean"])
                controller = floor.start_controller(listen=controller.endpoint)
        agent.finish(0)
        self.assertEqual(0, controller.stop())

    def look_at(self, floor):
        audit = floor.audit()
        self.assertTrue(audit["clean"])
        self.assertEqual(1 + floor.starts + POTS, audit["entries"])
        link = floor.link("POKER-ROOM")
        level, table = link["levels"][0], link["tables"][0]
        self.assertEqual(("132.40000000", "31.40000000"), (level["amount"], link["reserve"]))
        self.assertEqual(("P-01", POTS, CONTRIBUTING, "1374.00"),
                         (table["table"], table["rounds"], table["wagers"], table["handle"]))
        self.assertEqual(len(AWARDS), level["hits"])
        won = {}
        for claim in floor.claims():
            cents = in_cents(claim["amount"])
            won[claim["round"]] = won.get(claim["round"], 0) + cents
        self.assertEqual([(hand, in_cents(amount)) for hand, amount in AWARDS], list(won.items()))
        played = [entry["round"] for entry in floor.entries() if entry["fact"] == "pot_played"]
        with open(HANDS, encoding="utf-8") as hands:
            self.assertEqual([json.loads(line)["round"] for line in hands], played)


if __name__ == "__main__":
    unittest.main()
