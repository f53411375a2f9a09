"""The power is cut under a controller, a table, or the whole house: unsynced data is lost, each
sector at random (power_cut.py).

Every program is cut at a step of its own work that was chosen at random before it started (a
write, a sync, a new name, in its start or later), or from outside at any time. Its files are put
into a state that such a cut may leave; then it starts again, without a person. After each cut the
journal is audited, and an outbox must hold every message that it had sent. At the end the judge
checks everything.

    LINKMETER_CUTS=300 python3 tests/crash/power_loss_test.py

This plays games of forty cuts, each from a seed of its own, the first from LINKMETER_SEED. Without
LINKMETER_CUTS it plays one short game.
"""

import collections
import os
import pathlib
import random
import signal
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

from judge import Judge
from played_floor import PlayedFloor
from power_cut import PowerCut, watched

SEED = int(os.environ.get("LINKMETER_SEED", "1"))
CUTS = int(os.environ.get("LINKMETER_CUTS", "8"))
CUTS_OF_GAME = 40
MESSAGES_OF_CUT = 40  # of each table: the scripts last longer than the cuts
TABLES = ("C4-01", "C4-02", "RIU-01", "BJ-01", "P-01")
EVERY, WAIT_MS = 2, 12
PATIENCE_S = 0.4  # then the cut comes from outside
STEPS_MAX = 2500  # of a program until its cut


class PoweredFloor(PlayedFloor):
    """Every program's writes are recorded, and it may end at a step of its own."""

    def __init__(self, test, tables, seed, messages, is_synced=True):
        self.random = random.Random(f"power {seed}")
        self.is_synced, self.has_cuts = is_synced, False
        self.unsynced = tempfile.TemporaryDirectory(prefix="linkmeter-unsynced-")
        test.addCleanup(self.unsynced.cleanup)
        super().__init__(test, tables, seed, messages, EVERY, WAIT_MS)
        self.cuts, self.lost = collections.Counter(), collections.Counter()

    def surroundings(self, name):
        # Steps near the start are as likely as late ones.
        steps = int(STEPS_MAX ** self.random.random()) if self.has_cuts else 0
        return {"environment": watched(self.floor.folder, self.log(name), steps, self.is_synced)}

    def start_agents(self):
        # One folder for all tables here: no agent's power cut may lose it.
        self.floor.agents.mkdir()
        super().start_agents()

    def log(self, name):
        return pathlib.Path(self.unsynced.name) / name

    # --- cuts ---

    def cut(self, names):
        """Cuts the power of these programs; leaves their files as after a power cut."""
        for name in names:
            self.process(name).kill()
        blow = PowerCut(self.random, self.floor.folder)
        for name in names:
            blow.strike(self.log(name))
        self.cuts["house" if len(names) > 1 else "controller" if "controller" in names else
                  "table"] += 1
        self.lost += blow.lost
        if "controller" in names:
            self.test.assertTrue(self.floor.audit()["clean"], self.seed)
        for name in names:
            if name != "controller":
                self.look_at_outbox(name)

    def process(self, name):
        return self.controller if name == "controller" else self.agents[name]

    def look_at_outbox(self, table):
        """Nothing is sent before it is stored: the outbox holds all of its table's messages in the
        journal."""
        self.ask_witness(table)
        said = sum("message" in entry for entry in self.floor.entries()
                   if entry.get("table") == table)
        self.test.assertGreaterEqual(self.stored[table], said, f"seed {self.seed}: {table}")

    def restart_controller(self):
        """Repeats the start as often as the power is cut in it."""
        while True:
            controller = self.floor.begin_controller(
                listen=self.controller.endpoint, **self.surroundings("controller"))
            endpoint, self.controller = self.controller.endpoint, controller
            try:
                controller.await_ready()
                return
            except AssertionError:
                controller.endpoint = endpoint
                if controller.wait() != -signal.SIGKILL:
                    raise
            self.cuts["in the controller's start"] += 1
            self.cut(["controller"])

    def dark(self):
        """The programs that have ended at their own step."""
        return [name for name in ("controller", *self.tables)
                if self.process(name).child.poll() == -signal.SIGKILL]

    def ask_witness(self, table):
        if (self.floor.agents / f"{table}.outbox" / "data.mdb").exists():
            super().ask_witness(table)
        else:
            self.test.assertEqual(0, self.stored[table], "an outbox is gone")


def made(cuts):
    return cuts["controller"] + cuts["table"] + cuts["house"]


class PowerLoss(unittest.TestCase):
    def test_acknowledged_messages_survive_every_power_cut(self):
        cuts, lost, seed = collections.Counter(), collections.Counter(), SEED
        while (to_go := CUTS - made(cuts)) > 0:
            game = self.play(seed, min(to_go, CUTS_OF_GAME))
            cuts += game.cuts
            lost += game.lost
            seed += 1
        print(f"seeds {SEED} to {seed - 1}: cuts {dict(cuts)}, lost {dict(lost)}")
        self.assertGreater(lost["sectors"], 0)

    def play(self, seed, wanted):
        with PoweredFloor(self, TABLES, seed, MESSAGES_OF_CUT * wanted) as game:
            game.has_cuts = True
            game.start_agents()
            while made(game.cuts) < wanted and self.running(game):
                self.cut_something(game)
            game.has_cuts = False
            names = ["controller", *TABLES]
            game.cut(names)
            self.restart(game, names)
            game.finish()
            self.assertEqual(0, game.controller.stop())
            game.look_at()
        return game

    def cut_something(self, game):
        until = time.monotonic() + game.random.uniform(0, PATIENCE_S)
        while not (names := game.dark()) and time.monotonic() < until:
            time.sleep(0.002)  # a random time is the point of this test
        running = self.running(game)
        if not names:
            names = game.random.choice((["controller"], [game.random.choice(running or TABLES)],
                                        ["controller", *running]))
        elif game.random.random() < 0.2:
            names = ["controller", *running, *names]  # the whole house was cut
        names = list(dict.fromkeys(names))
        game.cut(names)
        self.restart(game, names)

    @staticmethod
    def running(game):
        return [table for table in TABLES if game.agents[table].is_running()]

    @staticmethod
    def restart(game, names):
        if "controller" in names:
            game.restart_controller()
        for name in names:
            if name != "controller":
                game.start_agent(name)


class Canary(unittest.TestCase):
    """Programs that never sync: the judge must find their losses."""

    def test_losses_of_a_controller_are_found(self):
        with self.lost("controller") as game:
            judge = Judge(self, game.floor, SEED)
            with self.assertRaisesRegex(AssertionError, "has seen an entry that is not there"):
                judge.look_at_witnesses(game.floor.entries(), game.played, game.witnessed)

    def test_losses_of_a_table_are_found(self):
        with self.lost("C4-01") as game:
            with self.assertRaisesRegex(AssertionError, "an outbox is gone|not greater than"):
                game.look_at_outbox("C4-01")

    def lost(self, name):
        """A floor that has played and then lost everything that its program had not synced."""
        game = PoweredFloor(self, ("C4-01", "C4-02"), SEED, 40, is_synced=False)
        game.start_agents()
        game.finish()
        game.controller.stop()
        blow = PowerCut(game.random, game.floor.folder)
        blow.kept, blow.size_of = 0.0, min
        blow.strike(game.log(name))
        return game


if __name__ == "__main__":
    unittest.main()
