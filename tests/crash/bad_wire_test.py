"""Tables and their controller are on two machines with a bad network between them (bad_wire.py).

Spells of bad weather follow each other at random: packets are lost, late, repeated, reordered, or
all of these at once; now and then no packet passes, in both directions or in one. Then every table
must lock its progressives within two seconds (L5), and open them again once the network works. The
controller also dies in bad weather. At the end the judge checks everything (judge.py).

    LINKMETER_SPELLS=60 python3 tests/crash/bad_wire_test.py

Without root or TUN devices, it prints that and is skipped.
"""

import collections
import os
import random
import re
import time
import unittest

import bad_wire
from bad_wire import ADDRESSES, BadWire, Weather
from played_floor import PlayedFloor

SEED = int(os.environ.get("LINKMETER_SEED", "1"))
SPELLS = int(os.environ.get("LINKMETER_SPELLS", "5"))
TABLES = ("C4-01", "C4-02", "RIU-01", "BJ-01", "P-01")
EVERY, WAIT_MS = 2, 40
MESSAGES_OF_SPELL = 60  # of each table: they last longer than the spells
SPELL_S = (0.3, 1.2)
LOST_AFTER_S = 2.0
READ_S = 0.75  # until this test has read the line, on a machine with other work
CUT_S = 2.6
OPEN_AGAIN_S = 20.0
BAD = {
    "loss": Weather(lost=0.05), "delay": Weather(delay=(0.01, 0.06)),
    "doubles": Weather(doubled=0.2), "overtaking": Weather(overtaken=0.2),
    "all at once": Weather(0.05, 0.05, 0.1, (0.005, 0.03)), "heavy loss": Weather(lost=0.2)}
CUT = {"no wire": (False, False), "nothing to the tables": (False, True),
       "nothing to the controller": (True, False)}


class WiredFloor(PlayedFloor):
    def __init__(self, test, wire, seed, spells):
        self.wire = wire
        super().__init__(test, TABLES, seed, MESSAGES_OF_SPELL * spells, EVERY, WAIT_MS)

    def surroundings(self, name):
        if name == "controller":
            return {"within": self.wire.within(0), "listen": f"tcp://{ADDRESSES[0]}:*"}
        return {"within": self.wire.within(1)}


class BadWireTest(unittest.TestCase):
    def setUp(self):
        if missing := bad_wire.what_is_missing():
            print(f"LEFT OUT: {missing}")
            self.skipTest(missing)
        self.random = random.Random(SEED)
        self.wire = BadWire(SEED)
        self.addCleanup(self.wire.close)
        self.done = collections.Counter()
        self.locked_s, self.open_s = [], []

    def test_every_message_counts_once_over_a_bad_wire(self):
        with WiredFloor(self, self.wire, SEED, SPELLS) as self.game:
            self.game.start_agents()
            for agent in self.game.agents.values():
                agent.await_line("connected to")
            for number in range(SPELLS):
                if number % 5 == 4:
                    self.cut(self.random.choice(list(CUT)))
                else:
                    self.live_through(self.random.choice(list(BAD)))
            self.wire.become(Weather())
            self.game.finish()
            self.assertEqual(0, self.game.controller.stop())
            self.game.look_at()
        print(f"seed {SEED}: {dict(self.done)}; packets {dict(self.wire.counts)}; locked after "
              f"{self.told(self.locked_s)} s, open again after {self.told(self.open_s)} s")
        self.assertGreater(self.wire.counts["lost"] + self.wire.counts["cut off"], 0)

    @staticmethod
    def told(seconds):
        return f"{min(seconds):.2f} to {max(seconds):.2f}" if seconds else "no"

    def live_through(self, name):
        self.done[name] += 1
        self.wire.become(BAD[name])
        time.sleep(self.random.uniform(*SPELL_S))  # weather lasts for a time
        if self.random.random() < 0.2:
            self.done["controller killed"] += 1
            self.assertTrue(self.game.controller.kill(), self.game.controller.telling())
            self.game.restart_controller()

    def cut(self, name):
        """The tables are open before; they lock in time, and open again."""
        self.wire.become(Weather())
        self.await_tables(False, OPEN_AGAIN_S)
        self.done[name] += 1
        self.wire.become(Weather(carries=CUT[name]))
        began = time.monotonic()
        self.locked_s.append(self.await_tables(True, LOST_AFTER_S + READ_S))
        time.sleep(max(0.0, began + CUT_S - time.monotonic()))
        self.wire.become(Weather())
        self.open_s.append(self.await_tables(False, OPEN_AGAIN_S))

    def await_tables(self, are_locked, within_s):
        """Waits until all tables that still play are locked, or open; returns the seconds that it
        took."""
        began = time.monotonic()
        while late := [table for table, agent in self.game.agents.items()
                       if agent.is_running() and self.is_locked(agent) != are_locked]:
            self.assertLess(time.monotonic(), began + within_s,
                            f"seed {SEED}: {late} not {'locked' if are_locked else 'open'}")
            time.sleep(0.005)
        return time.monotonic() - began

    @staticmethod
    def is_locked(agent):
        """According to its last line; before its first lock it is open."""
        said = [line for line in list(agent.said) if re.search("progressive (locked|open)", line)]
        return bool(said) and "progressive locked" in said[-1]


if __name__ == "__main__":
    unittest.main()
