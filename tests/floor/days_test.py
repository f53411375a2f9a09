"""The commands of gaming days in a house where none has ended: their output and refusals.

tests/unit/accounting/day_report_test.cc tests the reports of days that have ended.
"""

import json
import unittest

from floor_process import DEMO, Floor


class DaysTest(unittest.TestCase):
    def test_a_new_house_has_a_running_day_and_no_ended_days(self):
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

    # Checks that one stream has the output and the other one is empty.
    def run_tool(self, floor, code, *arguments):
        result = floor.tool(*arguments)
        self.assertEqual(code, result.returncode, result.stdout + result.stderr)
        self.assertEqual("", result.stdout if code else result.stderr)
        return result.stderr if code else result.stdout


if __name__ == "__main__":
    unittest.main()
