"""The commands of gaming days on a house in which none has ended: what they say and refuse.

What they tell of days that have ended is tests/unit/accounting/day_report_test.cc's.
"""

import json
import unittest

from floor_process import DEMO, Floor


class DaysTest(unittest.TestCase):
    def test_a_new_house_has_a_today_and_no_days(self):
        with Floor(DEMO) as floor:
            floor.init()
            told = json.loads(self.run_tool(floor, 0, "days", "--data", floor.data, "--json"))
            self.assertEqual([], told["days"])
            today = told["today"]
            self.assertLess(today["begins_at"], today["ends_at"])
            self.assertEqual(today["day"], today["begins_at"][:10])
            self.assertEqual("day  state  ended  open  signed  closed\n",
                             self.run_tool(floor, 0, "days", "--data", floor.data, "--open"))
            self.assertIn(f"the gaming day {today['day']} has not ended here; none has",
                          self.run_tool(floor, 1, "day", today["day"], "--data", floor.data))
            self.assertIn('"2026-02-30" is not a date',
                          self.run_tool(floor, 2, "day", "2026-02-30", "--data", floor.data))
            self.assertIn("date is required", self.run_tool(floor, 2, "day", "--data", floor.data))
            self.assertIn("--data is required",
                          self.run_tool(floor, 2, "day", today["day"]))
            self.assertIn("is not a Linkmeter data folder",
                          self.run_tool(floor, 1, "days", "--data", floor.file.parent))

    # What it printed where it should: the one stream has it, the other one nothing.
    def run_tool(self, floor, code, *arguments):
        result = floor.tool(*arguments)
        self.assertEqual(code, result.returncode, result.stdout + result.stderr)
        self.assertEqual("", result.stdout if code else result.stderr)
        return result.stderr if code else result.stdout


if __name__ == "__main__":
    unittest.main()
