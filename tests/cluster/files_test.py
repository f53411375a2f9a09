"""Every node has every slip and day report that the journal names, byte for byte: a standby makes
them from the journal; what was deleted or changed comes back; what cannot be stored is reported."""

import hashlib
import json
import pathlib
import tempfile
import time
import unittest

from nodes import PATIENCE_S, House

from day_end_test import CLOCK_SHIFT, DAY, Shifted, begin, day_of, moment_of, now
from people_test import win

TABLE = "C4-01"


class FilesTest(Shifted, unittest.TestCase):
    def setUp(self):
        self.assertTrue(CLOCK_SHIFT.is_file(), f"{CLOCK_SHIFT} is not built: no clock is wrong")
        folder = tempfile.TemporaryDirectory(prefix="linkmeter-shift-")
        self.addCleanup(folder.cleanup)
        self.ruling = pathlib.Path(folder.name) / "shift"
        self.rule(now() - now())
        self.house = House(environment={"LD_PRELOAD": str(CLOCK_SHIFT),
                                        "LINKMETER_CLOCK_SHIFT": str(self.ruling)})
        self.addCleanup(self.house.close)
        self.floor = self.house.floor  # the folder of node a, which writes
        self.house.nodes["b"].await_line("standby writer=a")

    def await_true(self, holds, message):
        until = time.monotonic() + PATIENCE_S
        while not holds():
            self.assertLess(time.monotonic(), until, message)
            time.sleep(0.1)

    def when_ready(self, by, *arguments):
        """As soon as the day's report is made."""
        until = time.monotonic() + PATIENCE_S
        while (result := self.floor.tool(*arguments, "--data", self.floor.data, "--by", by,
                                         said=self.floor.own_pin(by) + "\n")).returncode != 0:
            self.assertRegex(result.stderr, "report_(not_ready|differs)")
            self.assertLess(time.monotonic(), until)

    def pay_a_win(self):
        self.floor.hire("F-1", "floorperson")
        self.floor.hire("C-1", "cashier", "finance", by="FM-1")
        self.house.start_agent(TABLE, win("r1")).finish(0)
        self.floor.done("F-1", "validate", 1)
        self.floor.done("C-1", "pay", 1, "--source", "hand_pay")

    def close_a_day(self):
        self.floor.hire("A-1", "accountant", "finance")
        first = day_of(moment_of(self.floor.entries()[0]["recorded_at"]))
        self.set_clock(begin(first + DAY) - now())
        self.await_end(first)
        for item in json.loads(self.floor.ask("day", first, "--json"))["items"]:
            self.when_ready("A-1", "day", "explain", first, item["item"],
                            f"--difference={item['difference']}", "--note", "a test")
        self.when_ready("A-1", "day", "sign", first)
        self.when_ready("FM-1", "day", "close", first)
        return first

    def missing(self, node):
        asked = self.floor.tool("nodes", "--data", self.house.data(node), "--json")
        return json.loads(asked.stdout)["missing_files"]

    def test_every_node_has_every_file_that_the_journal_names(self):
        self.pay_a_win()
        files = ["slips/000001.pdf", f"days/{self.close_a_day()}.json"]
        a, b = (self.house.data(name) for name in ("a", "b"))

        def is_equal(file):
            paths = [a / file, b / file]
            return all(path.is_file() for path in paths) and \
                paths[0].read_bytes() == paths[1].read_bytes()

        def await_equal(*names):
            for file in names:
                self.await_true(lambda one=file: is_equal(one), f"{file} does not come")

        # Node b was made from a backup that was older than both.
        await_equal(*files)
        journal = self.floor.ask("export")
        named = [hashlib.sha256((b / file).read_bytes()).hexdigest() for file in files]
        for digest in named:
            self.assertIn(digest, journal)

        # Also the writer gets back what it loses.
        (b / files[0]).write_bytes(b"%PDF-1.7 another amount")
        (b / files[1]).unlink()
        (a / files[0]).unlink()
        await_equal(*files)
        self.assertEqual(named, [hashlib.sha256((b / file).read_bytes()).hexdigest()
                                 for file in files])
        self.house.nodes["b"].await_line("THE FILE IS NOT THE ONE THAT THE JOURNAL NAMES")

        # What cannot be stored is reported until it can be.
        (b / "days").rename(b / "days-away")
        (b / "days").write_text("in the way", encoding="utf-8")
        self.await_true(lambda: self.missing("b") == 1, "nobody says that a file is missing")
        self.house.nodes["b"].await_line("is missing, and tried again: ")
        self.assertEqual(0, self.missing("a"))
        (b / "days").unlink()
        await_equal(*files)
        self.await_true(lambda: self.missing("b") == 0, "the file is there")


if __name__ == "__main__":
    unittest.main()
