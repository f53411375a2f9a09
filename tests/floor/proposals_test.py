"""Proposals expire by the controller's time, whatever the clock of the machine that lists them."""

import datetime
import json
import time
import unittest

from day_end_test import CLOCK_SHIFT, Shifted
from floor_process import PATIENCE_S
from people_test import People

MINUTE = datetime.timedelta(minutes=1)


class Proposals(Shifted, unittest.TestCase):
    def setUp(self):
        self.open()
        self.controller = self.start()

    def propose(self):
        self.as_manager("TGM-1", "correct", "--link", "C4-MEGA", "--level", "major", "--reason",
                        "count_variance", "--amount", "0.01")

    def listed(self, **more):
        told = self.floor.tool("proposals", "--data", self.floor.data, "--json", **more)
        self.assertEqual((0, ""), (told.returncode, told.stderr))
        return [one["expired"] for one in json.loads(told.stdout)]

    def await_expired(self):
        until = time.monotonic() + PATIENCE_S
        while self.listed() != [True]:
            self.assertLess(time.monotonic(), until, "the proposal does not expire")
            time.sleep(0.05)

    def test_a_wrong_local_clock_expires_no_proposal(self):
        self.propose()
        ahead = self.floor.folder / "ahead"
        ahead.write_bytes((600 * 10**9).to_bytes(8, "little"))
        wrong = {"LD_PRELOAD": str(CLOCK_SHIFT), "LINKMETER_CLOCK_SHIFT": str(ahead)}
        self.assertEqual([False], self.listed(environment=wrong))

    def test_proposals_expire_by_the_controllers_clock(self):
        self.propose()
        self.assertEqual([False], self.listed())
        self.rule(3 * MINUTE)
        self.await_expired()
        # The manager who confirms it gets the same answer.
        pin = self.floor.own_pin("FM-1")
        said = self.floor.tool("confirm", "1", "--data", self.floor.data, "--by", "FM-1",
                               said=pin + "\n")
        self.assertIn("expired at", said.stdout)
        self.assertIn("proposal_expired", said.stderr)
        # Its next start begins with the last recorded time.
        self.controller.stop()
        self.assertEqual([True], self.listed())


class Enrolments(Shifted, People):
    """A proposal of a key that nobody confirms does not prevent the next one."""

    def setUp(self):
        self.open()
        self.controller = self.start()
        self.secrets = []
        self.add("E-1", "systems", "engineer")
        self.file = self.floor.folder / "new.credentials"

    def test_an_unconfirmed_key_file_is_replaced(self):
        enroll = ("enroll", "--table", "C4-01", "--out", self.file)
        first = self.done("E-1", *enroll)
        text = self.file.read_text()
        waiting = self.ask("E-1", *enroll)
        self.assertEqual(1, waiting.returncode)
        self.assertIn(f"proposal {first['proposal']} of its key waits until", waiting.stderr)
        self.assertEqual(text, self.file.read_text())
        self.rule(3 * MINUTE)
        until = time.monotonic() + PATIENCE_S
        while (again := self.ask("E-1", *enroll, "--json")).returncode != 0:
            self.assertLess(time.monotonic(), until, again.stderr)
            time.sleep(0.05)
        self.assertIn("its key was never enrolled; it is replaced", again.stderr)
        self.assertNotEqual(text, self.file.read_text())
        self.done("TGM-1", "confirm", json.loads(again.stdout)["proposal"])
        enrolled = {one["name"]: one["key"]
                    for one in json.loads(self.floor.ask("enrolments", "--json"))}
        self.assertIn(f"public {enrolled['C4-01']}\n", self.file.read_text())


# Only the helpers of these classes are used here.
del People

if __name__ == "__main__":
    unittest.main()
