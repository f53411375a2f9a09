"""Controller and agents are killed with SIGKILL at random times, again and again, while they play:
one of them, both at once, in their start, or while they are stopped (SIGSTOP). Now and then the
next release replaces the controller, or this one returns; and people go on settling claims. At the
end the judge checks everything (judge.py).

    LINKMETER_KILLS=1000 python3 tests/crash/kill_test.py

This plays games of sixty kills each, with seeds from LINKMETER_SEED on; without LINKMETER_KILLS a
shorter one.
"""

import collections
import os
import random
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

from floor_process import ENDS_WITH_ITS_PARENT, NEXT, PROGRAMS, Floor
from played_floor import PlayedFloor
from power_cut import watched
from settling import Staff

SEED = int(os.environ.get("LINKMETER_SEED", "1"))
KILLS = int(os.environ.get("LINKMETER_KILLS", "30"))
KILLS_OF_GAME = 60
TABLES = ("C4-01", "C4-02", "C4-03", "RIU-01", "BJ-01", "P-01")
MESSAGES_OF_KILL = 50  # of each table
MOMENTS_S = (0.0, 0.25)  # between two kills
QUIET_S = 0.8
START_S = (0.0, 0.15)  # of a controller, until it serves
STRIKES_OF_RELEASE = 8  # the controller that comes back is of the other release
# The pace of a script: always a message in transit, and longer than the kills.
EVERY, WAIT_MS = 2, 12


class KillTest(unittest.TestCase):
    def test_every_message_counts_once_through_kills_of_both_sides(self):
        told, killed, seed = collections.Counter(), 0, SEED
        while killed < KILLS:
            self.random = random.Random(seed)
            self.done = collections.Counter()
            wanted = min(KILLS - killed, KILLS_OF_GAME)
            self.play(seed, wanted)
            killed += self.killed()
            told += self.done
            seed += 1
        print(f"seeds {SEED} to {seed - 1}: {killed} killed: {dict(told)}")

    def killed(self):
        return self.done["controllers"] + self.done["agents"]

    def play(self, seed, wanted):
        messages = MESSAGES_OF_KILL * wanted
        with PlayedFloor(self, TABLES, seed, messages, EVERY, WAIT_MS) as self.game:
            staff = Staff(self.game.floor)
            staff.come()
            self.addCleanup(staff.is_over.set)
            self.game.start_agents()
            while self.killed() < wanted:
                self.strike(seed)
            self.game.finish()
            staff.leave()
            least = min(self.done["controllers"], self.done["agents"])
            self.assertGreaterEqual(least, wanted // 4, f"seed {seed}")
            self.kill_controller(is_other_release=self.game.floor.programs is not None)
            self.assertEqual(0, self.game.controller.stop())
            self.game.look_at(staff.paid)
            self.assertGreater(len(self.game.witnessed), wanted // 4)
            # A person without an answer repeats a request that may already be done; no other claim
            # is refused.
            done = {(name, "again") for name in ("claim_not_raised", "claim_not_validated")}
            done |= {(name, asked) for asked in ("once", "again")
                     for name in ("link_operating", "link_suspended", "proposal_unknown")}
            self.assertLessEqual(staff.refusals, done, f"seed {seed}")
        self.done += {"messages": messages * len(TABLES), "heads seen": len(self.game.witnessed),
                      "claims paid": len(staff.paid), "suspensions": staff.suspended,
                      "people not heard": staff.unheard}

    def strike(self, seed):
        # Random times are the point of this test; now and then people have time for an answer.
        time.sleep(self.random.uniform(*MOMENTS_S) + (self.random.random() < 0.15) * QUIET_S)
        running = [table for table in TABLES if self.game.agents[table].is_running()]
        self.assertTrue(running, f"seed {seed}: the scripts are over after {self.done}")
        table, kind = self.random.choice(running), self.random.random()
        self.done["strikes"] += 1
        if self.done["strikes"] % STRIKES_OF_RELEASE == 0:
            self.kill_controller(is_other_release=True)
        elif kind < 0.3:
            self.kill_controller()
        elif kind < 0.4:
            self.kill_controller(table)
        elif kind < 0.5:
            self.kill_controller(starts=1)
        elif kind < 0.7:
            self.stand_still(self.game.controller, table)
        elif kind < 0.75:
            self.stand_still(self.game.agents[table], table)
        else:
            self.kill_agent(table)

    def kill_controller(self, table=None, starts=0, is_other_release=False):
        """Also kills the table's agent; and kills the controller `starts` times more before it is
        ready. With is_other_release, the other release continues in its place."""
        self.assertTrue(self.game.controller.kill(), self.game.controller.telling())
        self.done["controllers"] += 1
        if table:
            self.kill_agent(table)
        if is_other_release:
            self.game.floor.install(None if self.game.floor.programs else NEXT)
            self.done["releases"] += 1
        for _ in range(starts):
            starting = self.game.floor.begin_controller(listen=self.game.controller.endpoint)
            time.sleep(self.random.uniform(*START_S))
            self.assertTrue(starting.kill(), starting.telling())
            self.done["controllers"] += 1
            self.done["in their start"] += 1
        self.game.restart_controller()
        self.assertTrue(self.game.floor.audit()["clean"])

    def kill_agent(self, table):
        if self.game.kill_agent(table):
            self.done["agents"] += 1
        self.game.start_agent(table)

    def stand_still(self, process, table):
        """Stops the process for a moment; in some cases an agent is killed meanwhile."""
        os.kill(process.pid, signal.SIGSTOP)
        self.done["stood still"] += 1
        time.sleep(self.random.uniform(*MOMENTS_S))
        if self.random.random() < 0.5:
            self.kill_agent(table)
        if process.is_running():
            os.kill(process.pid, signal.SIGCONT)


class KilledWhileReadTest(unittest.TestCase):
    """A process reads the journal all the time, so that the state that readers and writer share
    (LMDB's lock file) survives the killed writer unchanged."""

    def test_a_controller_starts_after_a_kill_at_any_step_of_its_start(self):
        with Floor() as floor:
            floor.init()
            controller = floor.start_controller()
            floor.start_agent(controller.endpoint, "C4-01",
                              options=["--deal", "8", "--rounds", "100"]).finish(0)
            self.assertEqual(0, controller.stop())
            reader = subprocess.Popen(
                [*ENDS_WITH_ITS_PARENT, PROGRAMS / "linkmeter", "export", "--data", floor.data],
                stdout=subprocess.PIPE)
            reader.stdout.read(1)  # it has begun; more than a pipe holds is still to come
            killed = 0
            while self.is_killed_at(floor, killed + 1):
                killed += 1
                self.assertEqual(0, floor.start_controller().stop(), f"after step {killed}")
            self.assertIsNone(reader.poll())
            reader.kill()
            reader.communicate()
            self.assertTrue(floor.audit()["clean"])
        self.assertGreater(killed, 4)

    @staticmethod
    def is_killed_at(floor, step):
        log = floor.folder / "unsynced"
        controller = floor.begin_controller(environment=watched(floor.data, log, step))
        try:
            controller.await_ready()
        except AssertionError:
            return controller.wait() == -signal.SIGKILL
        return controller.stop() == -signal.SIGKILL


if __name__ == "__main__":
    unittest.main()
