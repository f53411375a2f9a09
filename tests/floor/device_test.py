"""Sensors, lights and button of a real table: an agent and a simulated device, as real processes.

The simulated device keeps its own account of what lay on its sensors and got its light. The meters
must agree with it to the cent, whatever was planted on the line or killed beside it.
"""

import binascii
import json
import os
import pathlib
import select
import signal
import socket
import threading
import time
import unittest

from floor_process import DEMO, PROGRAMS, Floor, Process

TABLE = "BJ-01"  # seven seats; Hit and Run by chip in two units, Bad Beat electronic
ROUNDS = 200


class Device(Process):
    """A simulated device at a Unix socket."""

    def __init__(self, floor, rounds=ROUNDS, seed=605, options=()):
        self.path = floor.folder / "device"
        super().__init__([PROGRAMS / "linkmeter-table-agent", "--floor", floor.file, "--table",
                          TABLE, "--simulate-device", f"unix:{self.path}", "--deal", seed,
                          "--rounds", rounds, *options])
        floor.processes.append(self)

    def account(self):
        """When it is over; it found nothing to complain of."""
        self.finish(0, timeout_s=280)
        return json.loads(self.said[-1])


class DeviceFloor(unittest.TestCase):
    def setUp(self):
        self.floor = Floor(DEMO)
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.controller = self.floor.start_controller()

    def start_agent(self, address):
        return self.floor.start_agent(self.controller.endpoint, TABLE,
                                      options=("--device", address))

    def agree(self, account):
        """The device's account is the controller's."""
        self.assertEqual([], account["complaints"])
        self.assertTrue(self.floor.audit()["clean"])
        counted = {}
        for link in self.floor.meters()["links"]:
            at = [table for table in link["tables"] if table["table"] == TABLE]
            if at:
                kind = counted.setdefault(link["wager"], {"wagers": 0, "handle": 0})
                kind["wagers"] += at[0]["wagers"]
                kind["handle"] += round(100 * float(at[0]["handle"]))
        told = {wager: {"wagers": one["wagers"], "handle": round(100 * float(one["handle"]))}
                for wager, one in account["wagers"].items()}
        self.assertEqual(told, counted)
        rounds = [entry for entry in self.floor.entries() if entry.get("table") == TABLE]
        closed = sum(entry["fact"] == "round_closed" for entry in rounds)
        voided = sum(entry["fact"] == "round_voided" for entry in rounds)
        self.assertEqual((account["rounds"], account["voided"]), (closed, voided))
        self.assertEqual(ROUNDS, closed + voided)
        return rounds

    def test_two_hundred_rounds_over_a_unix_socket_with_faults(self):
        device = Device(self.floor, options=("--plant-faults",))
        agent = self.start_agent(f"unix:{device.path}")
        account = device.account()
        self.assertEqual(0, agent.stop(), agent.telling())
        self.agree(account)
        for planted in ("lost", "doubled", "held_back", "damaged", "dropped", "power_lost",
                        "blocked"):
            self.assertGreater(account[planted], 0, planted)
        print("planted:", {key: account[key] for key in (
            "lost", "doubled", "held_back", "damaged", "dropped", "power_lost", "blocked",
            "given_back")})

    def test_two_hundred_rounds_over_a_serial_line(self):
        try:
            master, slave = os.openpty()
        except OSError:
            self.skipTest("this machine has no pseudo-terminals")
        # Open until the end: a terminal that nobody holds is a line that was pulled out.
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, slave)
        device = Device(self.floor)
        bridge = Bridge(device, master)
        self.addCleanup(bridge.close)
        agent = self.start_agent(f"serial:{os.ttyname(slave)}:115200")
        account = device.account()
        self.assertEqual(0, agent.stop(), agent.telling())
        rounds = self.agree(account)
        # Nothing was planted: every win had its light too.
        awards = [award for entry in rounds for award in entry.get("awards", ())]
        self.assertEqual(account["wins"], len(awards))
        self.assertEqual(round(100 * float(account["win"])),
                         sum(round(100 * float(award["amount"])) for award in awards))

    def test_agent_and_controller_killed_in_the_middle_of_rounds(self):
        device = Device(self.floor, options=("--plant-faults",))
        agent = self.start_agent(f"unix:{device.path}")
        for turn in range(12):
            entry = self.floor.meters()["entry"]
            while device.is_running() and self.floor.meters()["entry"] < entry + 5 + turn:
                time.sleep(0.02)  # until the round has gone on, wherever it is then
            if turn % 3 == 2:
                self.assertTrue(self.controller.kill())
                self.controller = self.floor.start_controller(self.controller.endpoint)
            else:
                self.assertTrue(agent.kill())
                agent = self.start_agent(f"unix:{device.path}")
        account = device.account()
        self.assertEqual(0, agent.stop(), agent.telling())
        self.agree(account)

    def test_from_the_death_of_the_controller_to_the_lock_of_the_sensors(self):
        """L5: two seconds without the controller, and the sensors take nothing."""
        path = self.floor.folder / "listener"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen(1)
            self.start_agent(f"unix:{path}")
            line, _ = listener.accept()
        with HandDevice(line) as device:
            device.await_text("lock idle")
            device.say("state 0 closed -")
            device.say("bets open")
            device.await_text("open ")
            self.assertTrue(self.controller.kill())
            died = time.monotonic()
            device.await_text("lock no_controller")
            took_s = time.monotonic() - died
            print(f"from the controller's death to the sensors' lock: {took_s:.3f} s")
            # Two seconds of silence, begun by its last heartbeat, at most half a second before.
            self.assertGreater(took_s, 1.4)
            self.assertLess(took_s, 2.6)
            self.controller = self.floor.start_controller(self.controller.endpoint)
            device.await_text("open ")


class Bridge:
    """Carries bytes between a device's socket and the master of a pseudo-terminal."""

    def __init__(self, device, master):
        self.socket = socket.socket(socket.AF_UNIX)
        while not device.path.exists():
            time.sleep(0.01)
        self.socket.connect(str(device.path))
        self.master = master
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._carry, daemon=True)
        self.thread.start()

    def _carry(self):
        while not self.is_over.is_set():
            for ready in select.select([self.socket, self.master], [], [], 0.1)[0]:
                try:
                    if ready is self.socket:
                        if not (said := self.socket.recv(65536)):
                            return
                        os.write(self.master, said)
                    else:
                        self.socket.sendall(os.read(self.master, 65536))
                except OSError:
                    return  # one of the two has ended

    def close(self):
        self.is_over.set()
        self.thread.join()
        self.socket.close()


class HandDevice:
    """A device by hand: says lines, and reads what it is told."""

    def __init__(self, line):
        self.line = line
        self.line.settimeout(60)
        self.file = line.makefile("rb")
        self.number = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.line.close()

    def say(self, text):
        self.number += 1
        self._send(f"{self.number} {text}")

    def _send(self, body):
        self.line.sendall(f"{body}*{binascii.crc_hqx(body.encode(), 0xffff):04x}\n".encode())

    def await_text(self, start):
        """The next line of the picture that begins so; until then it is alive, with its state."""
        session = getattr(self, "session", None)
        while True:
            number, text = self.file.readline().decode()[:-6].split(" ", 1)
            if text.startswith("hello "):
                session = self.session = text.split()[3]
                self._send(f"0 hello 1 7 counted {session}")
            elif text.startswith("alive "):
                self._send(f"0 alive {session}")
            elif text == "state" and hasattr(self, "round"):
                self.say(f"state 0 open {self.round}")
            elif text.startswith("open "):
                self.round = text.split()[1]
            if number != "0" and text.startswith(start):
                return text


if __name__ == "__main__":
    unittest.main()
