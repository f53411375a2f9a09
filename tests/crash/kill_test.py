"""Controller and agents are killed with SIGKILL at random moments, again and again, as they play.

At the end every message counts exactly once (played_floor.py). LINKMETER_SEED plays another game.
"""

import os
import random
import time
import unittest

from played_floor import PlayedFloor

SEED = int(os.environ.get("LINKMETER_SEED", "1"))
TABLES = ("C4-01", "C4-02", "C4-03", "RIU-01", "BJ-01", "P-01")
KILLS = 60  # of each side at least a quarter
MESSAGES = 3000  # of each table
MOMENTS_S = (0.0, 0.25)  # between two kills
EVERY, WAIT_MS = 2, 12  # the pace of a script: always something under way, longer than the kills


class KillTest(unittest.TestCase):
    def test_every_message_counts_once_through_kills_of_both_sides(self):
        self.random = random.Random(SEED)
        self.killed = {"controller": 0, "agent": 0}
        with PlayedFloor(self, TABLES, SEED, MESSAGES, EVERY, WAIT_MS) as self.game:
            self.game.start_agents()
            while sum(self.killed.values()) < KILLS:
                self.kill_one()
            self.game.finish()
            self.assertGreaterEqual(min(self.killed.values()), KILLS // 4, f"seed {SEED}")
            self.assertTrue(self.game.controller.kill())
            self.game.restart_controller()
            self.assertTrue(self.game.floor.audit()["clean"])
            self.assertEqual(0, self.game.controller.stop())
            self.game.look_at()
            self.assertGreater(len(self.game.witnessed), KILLS // 4)
        print(f"seed {SEED}: killed {self.killed}, {len(TABLES)} tables of {MESSAGES} messages, "
              f"{len(self.game.witnessed)} heads witnessed")

    def kill_one(self):
        time.sleep(self.random.uniform(*MOMENTS_S))  # a random moment is the point of this test
        running = [table for table in TABLES if self.game.agents[table].is_running()]
        self.assertTrue(running, f"seed {SEED}: the scripts are over after {self.killed}")
        if self.random.random() < 0.5:
            self.assertTrue(self.game.controller.kill(), self.game.controller.telling())
            self.killed["controller"] += 1
            if self.random.random() < 0.3:
                self.kill_agent(self.random.choice(running))  # both at once
            self.game.restart_controller()
            self.assertTrue(self.game.floor.audit()["clean"])
        else:
            self.kill_agent(self.random.choice(running))

    def kill_agent(self, table):
        if self.game.kill_agent(table):
            self.killed["agent"] += 1
        self.game.start_agent(table)


if __name__ == "__main__":
    unittest.main()
