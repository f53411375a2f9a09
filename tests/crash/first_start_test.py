"""The power is cut during `linkmeter init`, and during a table's first start: at one of the few
steps of that work. Whatever is left must not prevent another attempt.

    LINKMETER_CUTS=300 python3 tests/crash/first_start_test.py

This cuts at one step after the other and starts over until it has made that many cuts of each
kind; it loses other sectors each time. Without LINKMETER_CUTS it makes a few cuts in `init`, and
one at every second step of a table.
"""

import os
import pathlib
import random
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

from floor_process import Floor
from power_cut import PowerCut, watched

SEED = int(os.environ.get("LINKMETER_SEED", "1"))
CUTS = int(os.environ.get("LINKMETER_CUTS", "3"))
FEW, INIT_STEPS_LEAST = 12, 150  # a few cuts do not search for the last step of init
TABLE_STEPS = 48  # until its first round is submitted, and some more
ROUND = ({"event": "lock",
          "wagers": [{"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]},
         {"event": "close"})


class FirstStart(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(f"first {SEED}")
        unsynced = tempfile.TemporaryDirectory(prefix="linkmeter-unsynced-")
        self.addCleanup(unsynced.cleanup)
        self.log = pathlib.Path(unsynced.name) / "log"
        self.lost = 0
        # A cut after a call and one before the next call are nearly the same.
        self.stride = 2 if CUTS < FEW else 1

    def environment(self, folder, step):
        return watched(folder, self.log, step)

    def steps(self, last):
        """The steps of this run; in the long run each step occurs."""
        if CUTS >= last:
            return [1 + number % last for number in range(CUTS)]
        return sorted(self.random.sample(range(1, last + 1), CUTS))

    def strike(self, folder, is_hollow=False):
        """Hollow: files keep their length, and contain nothing that was not synced."""
        blow = PowerCut(self.random, folder)
        if is_hollow:
            blow.kept, blow.size_of = 0.0, max
        blow.strike(self.log)
        self.lost += sum(blow.lost.values())

    def test_init_survives_a_power_cut_at_every_step(self):
        last = self.steps_of_init() if CUTS > FEW else INIT_STEPS_LEAST
        steps = self.steps(last)
        remained = 0
        for step in steps:
            with Floor() as floor:
                result = floor.tool("init", "--floor", floor.file, "--data", floor.data,
                                    environment=self.environment(floor.folder, step))
                self.assertEqual(-signal.SIGKILL, result.returncode, (step, result.stderr))
                self.strike(floor.folder)
                if floor.data.exists():
                    remained += 1  # and is complete
                else:
                    floor.init()
                self.assertTrue(floor.audit()["clean"], step)
                controller = floor.start_controller()
                self.assertEqual(0, controller.stop())
        print(f"init, of {last} steps: {len(steps)} cuts, {self.lost} losses, {remained} times it "
              "had been made")

    def steps_of_init(self):
        """The first step that the work does not reach, minus one."""
        done, cut = 1024, 0
        with Floor() as floor:
            while done - cut > 1:
                step = (done + cut) // 2
                result = floor.tool("init", "--floor", floor.file, "--data",
                                    floor.folder / f"data-{step}",
                                    environment=self.environment(floor.folder, step))
                done, cut = (step, cut) if result.returncode == 0 else (done, step)
                self.log.unlink(missing_ok=True)
        return cut

    def test_first_start_of_a_table_survives_a_power_cut_at_every_step(self):
        numbers = max(CUTS, TABLE_STEPS // 2)
        with Floor() as floor:
            floor.init()
            controller = floor.start_controller()
            cuts = sum(self.cut_table(floor, controller, number) for number in range(numbers))
            self.assertEqual(0, controller.stop())
            self.assertTrue(floor.audit()["clean"])
            said = [(entry["fact"], entry["round"]) for entry in floor.table_entries()
                    if "message" in entry]
        self.assertEqual([(fact, f"r{number}") for number in range(numbers)
                          for fact in ("round_locked", "round_closed")], said)
        self.assertGreater(cuts, numbers / 2)
        print(f"a table's first start: {cuts} cuts, {self.lost} losses")

    def cut_table(self, floor, controller, number):
        """Uses a new outbox for each cut. Returns whether the agent was cut."""
        floor.agents = floor.folder / f"agents-{number}"
        floor.agents.mkdir()
        script = [{**event, "round": f"r{number}"} for event in ROUND]
        agent = floor.start_agent(
            controller.endpoint, "C4-01", script,
            environment=self.environment(floor.folder, 1 + self.stride * number % TABLE_STEPS))
        was_cut = agent.wait() == -signal.SIGKILL
        if was_cut:
            self.strike(floor.folder, is_hollow=number < TABLE_STEPS // self.stride)
            floor.start_agent(controller.endpoint, "C4-01", script).finish(0)
        self.log.unlink(missing_ok=True)
        return was_cut


if __name__ == "__main__":
    unittest.main()
