"""A month of a house, counted again by a program that has only the CSV export (tests/recount.py):
every balance at the end of every day must be that of the day's report, to 10^-8 dollar. Where one
posting is altered, the two must differ."""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("LINKMETER_PROGRAMS", ROOT / "build" / "bin"))
FIRST = "2026-10-20"  # over the night in which the clocks change
DAYS = 30
# With this seed an award of a meter is paid, and one waits over the end of a day.
LIVED = ["--first", FIRST, "--days", DAYS, "--tables", 10, "--rounds", 12, "--faults", 12,
         "--seed", 2]
UNITS = 100_000_000
AMOUNT = 10  # the column

# A figure of the report: the account, and its sign there. Flows are the movements of the day.
BALANCES = {"opening": ("meter", 1), "closing": ("meter", 1),
            "withheld_opening": ("withheld", -1), "withheld_closing": ("withheld", -1),
            "pending_opening": ("pending", 1), "pending_closing": ("pending", 1)}
RESERVE = {"opening": ("reserve", 1), "closing": ("reserve", 1),
           "withheld_opening": ("withheld", -1), "withheld_closing": ("withheld", -1)}
FLOWS = {"contributed": ("wagers", -1), "seeded": ("seed_funding", -1),
         "corrected": ("corrections", -1), "transferred": ("transfers", -1), "paid": ("paid", 1)}


def units(dollars):
    whole, part = dollars.lstrip("-").split(".")
    return (-1 if dollars.startswith("-") else 1) * (int(whole) * UNITS + int(part.ljust(8, "0")))


def told_apart(counted, reports):
    """(number of figures compared, [(day, link, level, figure)] that differ)."""
    count, apart = 0, []

    def compare(where, reported, recounted):
        nonlocal count
        count += 1
        if units(reported) != recounted:
            apart.append(where)

    of_day = {day["day"]: {link["link"]: {level["level"]: level for level in link["levels"]}
                           for link in day["links"]} for day in counted["days"]}
    for report in reports:
        if report["day"] not in of_day:
            apart.append((report["day"], None, None, "day"))
            continue
        links = of_day.pop(report["day"])
        for link in report["links"]:
            levels = links.get(link["link"], {})
            pools = [(level["level"], level, BALANCES) for level in link["levels"]]
            if pools:
                pools.append(("reserve", link["reserve"], RESERVE))
            for name, pool, balances in pools:
                told = levels.get(name, {"opening": {}, "closing": {}, "flows": {}})
                where = (report["day"], link["link"], name)
                for figure, (account, sign) in balances.items():
                    at = "opening" if figure.endswith("opening") else "closing"
                    compare((*where, figure), pool[figure], sign * told[at].get(account, 0))
                for figure, (account, sign) in FLOWS.items():
                    if figure in pool:
                        flow = told["flows"].get(account, {"in": 0, "out": 0})
                        compare((*where, figure), pool[figure],
                                sign * (flow["in"] - flow["out"]))
    apart += [(day, None, None, "day") for day in of_day]
    return count, apart


class RecountOfDays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="linkmeter-year-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.data = cls.folder / "data"
        cls.run_program("linkmeter-year", cls.data, *LIVED)
        cls.file = cls.folder / "postings.csv"
        cls.run_program("linkmeter", "export", "--data", cls.data, "--format", "postings", "--out",
                        cls.file)
        days = json.loads(cls.run_program("linkmeter", "days", "--data", cls.data, "--json"))
        cls.days = days
        cls.reports = [json.loads(cls.run_program("linkmeter", "day", day["day"], "--data",
                                                  cls.data, "--json"))
                       for day in days["days"]]
        with open(cls.file, newline="", encoding="utf-8") as text:
            cls.rows = list(csv.reader(text, strict=True))

    @staticmethod
    def run_program(program, *arguments):
        run = subprocess.run([PROGRAMS / program, *map(str, arguments)], capture_output=True,
                             text=True, check=False)
        if run.returncode != 0:
            raise AssertionError(f"{program} {arguments}: {run.stdout}{run.stderr}")
        return run.stdout

    def recount(self, file):
        return subprocess.run([sys.executable, ROOT / "tests/recount.py", str(file)],
                              capture_output=True, text=True, check=False)

    def counted(self, file):
        run = self.recount(file)
        self.assertEqual(0, run.returncode, run.stderr)
        return json.loads(run.stdout)

    def altered(self, *changes):
        """A copy of the export with other amounts: (row, change)."""
        rows = [list(row) for row in self.rows]
        for row, more in changes:
            rows[row][AMOUNT] = str(int(rows[row][AMOUNT]) + more)
        return self.written(rows)

    def written(self, rows):
        file = self.folder / "altered.csv"
        with open(file, "w", newline="", encoding="utf-8") as text:
            csv.writer(text).writerows(rows)
        return file

    def row_of(self, day, account):
        """A row in the middle of the day's rows."""
        found = [at for at, row in enumerate(self.rows) if (row[2], row[9]) == (day, account)]
        return found[len(found) // 2]

    def test_every_figure_of_every_day_is_counted_again(self):
        self.assertEqual(DAYS, len(self.reports))
        count, apart = told_apart(self.counted(self.file), self.reports)
        self.assertEqual([], apart)
        pools = sum(len(link["levels"]) + bool(link["levels"]) for link in self.reports[0]["links"])
        self.assertGreater(count, DAYS * pools * len(RESERVE))
        # No figure that is compared was always zero.
        for figure in (*BALANCES, *FLOWS):
            self.assertTrue(any(units(level[figure]) for report in self.reports
                                for link in report["links"] for level in link["levels"]),
                            f"no day has a {figure}: another seed does")
        for figure in ("closing", "contributed"):
            self.assertTrue(any(units(link["reserve"][figure]) for report in self.reports
                                for link in report["links"] if link["levels"]), figure)
        for report in self.reports:
            rows = [row for row in self.rows[1:] if row[2] == report["day"]]
            self.assertEqual(report["control"]["postings"], len(rows))
            self.assertLessEqual(report["entries"]["first"], int(rows[0][0]))
            self.assertLessEqual(int(rows[-1][0]), report["entries"]["last"])

    def test_the_running_day_is_recounted_too(self):
        self.assertEqual({"day": "2026-11-19", "begins_at": self.days["days"][0]["ends_at"],
                          "ends_at": "2026-11-20T11:00:00.000000Z"}, self.days["today"])

    def test_one_altered_amount_is_found(self):
        file = self.altered((self.row_of("2026-10-30", "meter"), 1))
        run = self.recount(file)
        self.assertEqual(1, run.returncode)
        self.assertRegex(run.stderr, r"altered\.csv:\d+: the entry before, \d+, sums to 1, not")

    def test_an_alteration_that_balances_is_found_on_its_day(self):
        day = "2026-10-30"
        at = self.row_of(day, "meter")
        link, level = self.rows[at][7:9]
        other = next(row for row in range(at - 4, at + 5)
                     if self.rows[row][0] == self.rows[at][0] and self.rows[row][9] == "wagers" and
                     self.rows[row][7:9] == [link, level])
        _, apart = told_apart(self.counted(self.altered((at, 1), (other, -1))), self.reports)
        self.assertEqual({(link, level)}, {where[1:3] for where in apart})
        self.assertEqual({"closing", "contributed"},
                         {figure for date, _, _, figure in apart if date == day})
        self.assertEqual(day, min(where[0] for where in apart))

    def test_an_entry_left_out_or_moved_to_another_day_is_found(self):
        paid = next(row for row in self.rows if row[9] == "paid")
        rows = [row for row in self.rows if row[0] != paid[0]]
        _, apart = told_apart(self.counted(self.written(rows)), self.reports)
        self.assertIn((paid[2], *paid[7:9], "paid"), apart)
        self.assertEqual(paid[2], min(where[0] for where in apart))
        last = [row for row in self.rows if row[2] == "2026-11-01"][-1][0]
        rows = [[*row[:2], "2026-11-02", *row[3:]] if row[0] == last else row for row in self.rows]
        _, apart = told_apart(self.counted(self.written(rows)), self.reports)
        self.assertEqual({"2026-11-01", "2026-11-02"}, {where[0] for where in apart})


if __name__ == "__main__":
    unittest.main()
