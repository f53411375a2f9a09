"""The README's first command, for some rounds: it builds, hires people, deals, and ends without
errors."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from floor_process import DEMO
from people_test import People, win
from slips_test import TERMS

SOURCE = pathlib.Path(os.environ["LINKMETER_SOURCE_DIR"])
PROGRAMS = pathlib.Path(os.environ["LINKMETER_PROGRAMS"])
PEOPLE = ["TGM-1", "FM-1", "TGM-2", "D-1", "F-1", "PS-1", "C-1", "A-1"]


class DemoTest(unittest.TestCase):
    def run_demo(self, data, rounds):
        run = subprocess.run([SOURCE / "config/demo/run", "--rounds", str(rounds), "--data", data],
                             text=True, capture_output=True, check=False, timeout=600)
        self.assertEqual(0, run.returncode, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"\n14 tables deal; ")
        self.assertRegex(run.stdout, r"\naudit: clean: \d+ entries")
        return int(re.search(r"clean: (\d+) entries", run.stdout)[1])

    def test_the_demo_deals_and_continues_after_a_restart(self):
        with tempfile.TemporaryDirectory(prefix="lm") as data:
            first = self.run_demo(data, 3)
            pins = pathlib.Path(data, "pins")
            self.assertEqual(PEOPLE, re.findall(r"^(\S+): \w+, PIN \d{8}$",
                                                pins.read_text(encoding="utf-8"), re.M))
            self.assertEqual(0o600, pins.stat().st_mode & 0o777)
            addresses = pathlib.Path(data, "addresses").read_text(encoding="utf-8")
            for what in ("signs at http://", "claims at http://", f"PINs in {data}/pins"):
                self.assertIn(what, addresses)
            # The amounts, as in the live table.
            watched = subprocess.run(
                [PROGRAMS / "linkmeter", "watch", "--once", "--data", f"{data}/floor", "--note",
                 addresses.strip()], text=True, capture_output=True, check=True).stdout
            self.assertIn(f" entry {first} ", watched.splitlines()[0])
            self.assertEqual(addresses.splitlines(), watched.splitlines()[1:5])
            self.assertGreater(self.run_demo(data, 3), first)


class Staff(People):
    # From $5,000.00 on a table games manager countersigns.
    floor_text = DEMO.replace("[house]\n", TERMS, 1)

    def test_the_demo_staff_can_countersign_every_step(self):
        roles = {"TGM-1": "table_games_manager", "FM-1": "finance_manager"}
        file = self.floor.write("".join(f"{badge}: {role}, PIN {self.floor.pins[badge]}\n"
                                        for badge, role in roles.items()), "staff")
        hired = subprocess.run([SOURCE / "config/demo/staff", PROGRAMS, self.floor.data, file],
                               text=True, capture_output=True, check=False, timeout=600)
        self.assertEqual(0, hired.returncode, hired.stderr)
        self.floor.pins = dict(re.findall(r"^(\S+): \w+, PIN (\d+)$",
                                          file.read_text(encoding="utf-8"), re.M))
        self.floor.given.clear()
        self.assertEqual(PEOPLE, list(self.floor.pins))
        self.play(win("r1"))
        self.done("F-1", "validate", 1)
        pay = ("pay", 1, "--source", "hand_pay")
        self.refused("second_signature_missing", "C-1", *pay)
        # TGM-1 made F-1's PIN; TGM-2 is the manager who did not.
        self.refused("same_hand", "TGM-1", "countersign", 1)
        self.done("TGM-2", "countersign", 1)
        self.done("C-1", *pay)
        self.assertEqual("paid", self.floor.claims()[0]["state"])


if __name__ == "__main__":
    unittest.main()
