"""The README's first command, for some rounds: it builds, hires people, deals, and ends without
errors."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import unittest

from floor_process import DEMO
from people_test import People, win
from slips_test import TERMS

SOURCE = pathlib.Path(os.environ["LINKMETER_SOURCE_DIR"])
PROGRAMS = pathlib.Path(os.environ["LINKMETER_PROGRAMS"])
PEOPLE = ["TGM-1", "FM-1", "TGM-2", "D-1", "F-1", "PS-1", "C-1", "A-1", "E-1"]


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


def processes_of(folder):
    """The command lines of the processes that work in or with the folder."""
    found = []
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_bytes()
            if f"{folder}/".encode() in command + (place / "environ").read_bytes():
                found.append(command.replace(b"\0", b" ").decode())
        except OSError:
            continue  # it has ended
    return found


class NodesTest(unittest.TestCase):
    """Two controllers over three etcd members, in one folder that all runs continue."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="lm")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name)

    def begin(self, *more, environment=None):
        """A demo that runs, with its output in self.said."""
        run = subprocess.Popen([SOURCE / "config/demo/run", "--nodes", "3", "--data", self.data,
                                *more], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env=environment)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.terminate)
        self.said = ""
        return run

    def read_until(self, run, pattern):
        for line in run.stdout:
            self.said += line
            if (found := re.search(pattern, line)) is not None:
                return found
        self.fail(f"no {pattern} in:\n{self.said}")

    def ends(self, run, code=0):
        self.said += run.stdout.read()
        self.assertEqual(code, run.wait(60), self.said)
        self.assertEqual([], processes_of(self.data))

    def entry(self, node):
        meters = subprocess.run([PROGRAMS / "linkmeter", "meters", "--json", "--data",
                                 self.data / node], text=True, capture_output=True, check=True)
        return json.loads(meters.stdout)["entry"]

    def journal(self, node):
        return subprocess.run([PROGRAMS / "linkmeter", "export", "--data", self.data / node],
                              text=True, capture_output=True, check=True).stdout

    def equal_journals(self):
        self.assertRegex(self.said, r"\nthe journals of both nodes are equal: \d+ entries, head ")
        both = [self.journal(node) for node in ("floor", "node-b")]
        self.assertEqual(*both)
        return [json.loads(line) for line in both[0].splitlines()]

    def test_a_killed_writer_is_replaced_and_the_demo_ends_well(self):
        run = self.begin("--rounds", "40", "--pace", "250")
        killed = int(self.read_until(run, r"node a is the writer now \(pid (\d+)\)")[1])
        self.read_until(run, r"^14 tables deal; ")
        start = self.entry("node-b")
        while self.entry("node-b") < start + 100:  # tables play, and b follows
            self.assertIsNone(run.poll())
        os.kill(killed, signal.SIGKILL)
        self.read_until(run, rf"node a \(the writer, pid {killed}\) was killed; .* in 5 s")
        self.read_until(run, r"node b is the writer now \(pid \d+\), \d\.\d s without a writer")
        self.read_until(run, r"node a \(pid \d+\) follows node b")
        self.ends(run)
        entries = self.equal_journals()
        writers = [(one["node"], one["reason"]) for one in entries
                   if one["fact"] == "writer_changed"]
        self.assertEqual([("a", "started"), ("b", "expired")], writers)
        rounds = [one["round"] for one in entries
                  if one["fact"] == "round_locked" and one["table"] == "C4-01"]
        self.assertEqual(40, len(set(rounds)))

        run = self.begin()  # it continues
        self.read_until(run, r"^13 tables deal; ")
        run.terminate()
        self.ends(run)
        self.assertGreater(len(self.equal_journals()), len(entries))

        addresses = json.loads((self.data / "etcd/addresses.json").read_text(encoding="utf-8"))
        with socket.create_server((addresses["host"], addresses["client"][1])):
            run = self.begin()
            self.ends(run, 1)
        self.assertRegex(self.said, r"did not start; .*etcd-2 ended; .*address already in use")

    def test_what_cannot_start_is_named_and_leaves_nothing(self):
        with tempfile.TemporaryDirectory(prefix="lm") as programs:
            for program in pathlib.Path("/usr/bin").iterdir():
                if program.name != "etcd":
                    pathlib.Path(programs, program.name).symlink_to(program)
            run = self.begin(environment={**os.environ, "PATH": programs})
            self.ends(run, 1)
        self.assertRegex(self.said, r"did not start; .*etcd is missing")
        for wrong in ("2", "0", "-1", "three", ""):
            told = subprocess.run([SOURCE / "config/demo/run", "--nodes", wrong], text=True,
                                  capture_output=True, check=False)
            self.assertEqual((2, f"config/demo/run: --nodes takes 1 (one controller) or 3 (three "
                                 f"etcd members, two controllers), not '{wrong}'\n"),
                             (told.returncode, told.stderr))
        told = subprocess.run([SOURCE / "config/demo/run", "--rounds", "1", "--data", self.data],
                              text=True, capture_output=True, check=False)
        self.assertEqual(1, told.returncode)
        self.assertIn("is the data of a demo with --nodes 3; choose another folder", told.stderr)


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
