"""The power is cut under a table with a device, again and again within its rounds: what the device
was told is not lost.

The simulated device keeps its own account of the wagers on its sensors, of closed rounds and of
returned wagers; the journal must agree with it to the cent (floor/device_test.py).
"""

import os
import pathlib
import random
import signal
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import device_test
from power_cut import PowerCut, watched

SEED = int(os.environ.get("LINKMETER_SEED", "1"))
CUTS = int(os.environ.get("LINKMETER_CUTS", "8"))
STEPS_MAX = 400  # of the agent until its cut: some rounds
ROUNDS = 30


class DevicePowerLoss(device_test.DeviceFloor):
    def setUp(self):
        super().setUp()
        self.floor.agents.mkdir()
        unsynced = tempfile.TemporaryDirectory(prefix="linkmeter-unsynced-")
        self.addCleanup(unsynced.cleanup)
        self.log = pathlib.Path(unsynced.name) / "log"

    def test_acknowledged_device_lines_survive_every_power_cut(self):
        self.lost, cuts, seed = 0, 0, SEED
        while cuts < CUTS:
            if cuts > 0:
                self.setUp()  # each seed has its own house
            cuts += self.play(seed, CUTS - cuts)
            seed += 1
        print(f"seeds {SEED} to {seed - 1}: {cuts} cuts, {self.lost} losses, {ROUNDS} rounds each")

    def start_watched(self, device, step):
        return self.floor.start_agent(
            self.controller.endpoint, device_test.TABLE,
            options=("--device", f"unix:{device.path}"),
            environment=watched(self.floor.folder, self.log, step))

    def play(self, seed, wanted):
        """Returns the number of cuts until the rounds were over."""
        chance, cuts = random.Random(f"told {seed}"), 0
        device = device_test.Device(self.floor, rounds=ROUNDS, seed=seed)
        agent = self.start_watched(device, self.step(chance))
        while device.is_running():
            time.sleep(0.005)  # until it has reached its step
            if agent.is_running():
                continue
            self.assertEqual(-signal.SIGKILL, agent.wait(), agent.telling())
            blow = PowerCut(chance, self.floor.folder)
            blow.strike(self.log)
            cuts, self.lost = cuts + 1, self.lost + sum(blow.lost.values())
            agent = self.start_watched(device, self.step(chance) if cuts < wanted else 0)
        if agent.is_running():
            agent.kill()  # the next agent delivers the rest
        agent = self.start_watched(device, 0)
        agent.await_line("connected to")  # and handles signals by now
        self.await_rounds()
        self.assertEqual(0, agent.stop(), agent.telling())
        self.agree(device.account(), ROUNDS)
        return cuts

    @staticmethod
    def step(chance):
        return int(STEPS_MAX ** chance.random())

    def await_rounds(self):
        until = time.monotonic() + device_test.PATIENCE_S
        while sum(entry["fact"] in ("round_closed", "round_voided")
                  for entry in self.floor.entries()) < ROUNDS:
            self.assertLess(time.monotonic(), until, "rounds are missing")
            time.sleep(0.05)


if __name__ == "__main__":
    unittest.main()
