"""A disk sector is bad in the middle of a floor file or chapter: no program continues with the
part before it, even if that part is valid."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import floor_process

PRELOADED = pathlib.Path(os.environ.get("LINKMETER_BINARY_DIR",
                                        floor_process.PROGRAMS.parent)) / "tests"
TABLE = """[[table]]
id = "BJ-01"
game = "blackjack"
seats = 7
"""
LINK = """[[link]]
id = "RUN-{unit}"
wager = "blackjack/hit-and-run"
unit = "{unit}.00"
seed = "1000.00"
rates = {{ main = "12%" }}
tables = ["BJ-01"]
"""
PIECE_BYTES = 64 << 10  # more than any reader takes at once


class ReadFault(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="linkmeter-read-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.catalogue = self.folder / "catalogue"
        shutil.copytree(floor_process.ROOT / "config" / "catalogue", self.catalogue)
        self.floor = self.folder / "floor.toml"
        self.floor.write_text(TABLE + LINK.format(unit=1) + "# a line\n" * (PIECE_BYTES // 9) +
                              LINK.format(unit=2), encoding="utf-8")

    def check(self, fault=None):
        environment = {**os.environ, "LINKMETER_CATALOGUE": str(self.catalogue)}
        if fault:
            environment |= {"LD_PRELOAD": str(PRELOADED / "libread_fault.so"),
                            "LINKMETER_READ_FAULT": str(fault)}
        return subprocess.run(
            [floor_process.PROGRAMS / "linkmeter", "check", "--floor", self.floor],
            env=environment, capture_output=True, text=True, check=False,
            timeout=floor_process.PATIENCE_S)

    def test_readable_files(self):
        checked = self.check()
        self.assertEqual((0, ""), (checked.returncode, checked.stderr))
        self.assertIn("2 links and 1 tables", checked.stdout)

    def test_a_half_readable_floor_file(self):
        checked = self.check(self.floor)
        self.assertEqual((1, ""), (checked.returncode, checked.stdout))
        self.assertIn(f"{self.floor}: the file cannot be read", checked.stderr)

    def test_a_half_readable_chapter(self):
        chapter = self.catalogue / "blackjack.toml"
        with open(chapter, "a", encoding="utf-8") as file:
            file.write("# a line\n" * (PIECE_BYTES // 9))
        checked = self.check(chapter)
        self.assertEqual((1, ""), (checked.returncode, checked.stdout))
        self.assertIn(f"{chapter}: the file cannot be read", checked.stderr)


if __name__ == "__main__":
    unittest.main()
