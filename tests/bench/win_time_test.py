"""Measures how long a win takes from the dealer's touch to every display.

A real controller and a real agent with sensors and a dealer's panel. A winning hand is entered at
the panel; from that moment it measures the time until
    the device's light    the output line reports the win (table-agent/device/README.md)
    the floor console     its event stream has the claim
    each open sign        its event stream has the win
Streams are read as a browser reads them; a browser draws the result one frame later.

    LINKMETER_WINS=200 LINKMETER_SIGNS=50 python3 tests/bench/win_time_test.py

This prints the figures; without the variables it only shows that it runs.
"""

import os
import pathlib
import selectors
import sys
import threading
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import panel_test
from browser import Browser
from device_test import HandDevice
from floor_process import FREE_PAGES, PATIENCE_S
from people_test import LINK, People

WINS = int(os.environ.get("LINKMETER_WINS", "3"))
SIGNS = int(os.environ.get("LINKMETER_SIGNS", "5"))
TABLE = "C4-01"
CHIP = "2 crazy-4/five-card 500 own"


class Sensors(threading.Thread):
    """Places one chip at seat 2 as soon as betting is open; records when each win was reported."""

    def __init__(self, device):
        super().__init__(daemon=True)
        self.device = device
        self.wins = []
        self.has_won = threading.Condition()

    def run(self):
        while True:
            try:
                number, text = self.device._read()
            except (OSError, ValueError):
                return  # closed at the end
            if number == "0" and text == "state" and self.device.is_open:
                self.device.say(f"placed {CHIP}")
            if number != "0" and text.startswith("win 2 ") and text.endswith(" line"):
                with self.has_won:
                    self.wins.append(time.monotonic())
                    self.has_won.notify()

    def first_since(self, moment):
        """A repeated output state reports the win again: the first report counts."""
        def told():
            return next((win for win in self.wins if win > moment), None)
        with self.has_won:
            assert self.has_won.wait_for(told, PATIENCE_S)
            return told()


class Streams(threading.Thread):
    """Many event streams; records when each had a claim first."""

    def __init__(self):
        super().__init__(daemon=True)
        self.selector = selectors.DefaultSelector()
        self.seen = {}  # (name, claim): when
        self.news = threading.Condition()
        self.count = 0

    def add(self, name, events, claim_of):
        """claim_of: the text in an event before the number of its claim."""
        events.socket.setblocking(False)
        self.selector.register(events.socket, selectors.EVENT_READ, [name, claim_of, b""])
        self.count += 1

    def run(self):
        while True:
            for key, _ in self.selector.select():
                try:
                    read = key.fileobj.recv(1 << 18)
                except OSError:
                    read = b""
                if not read:
                    self.selector.unregister(key.fileobj)
                    key.fileobj.close()
                    continue
                self.take(key.data, read, time.monotonic())

    def take(self, stream, read, now):
        name, claim_of, before = stream
        *events, stream[2] = (before + read).split(b"\n\n")
        for event in events:
            for part in event.split(claim_of)[1:]:
                digits = part[:12].split(b",")[0]
                with self.news:
                    self.seen.setdefault((name, int(digits)), now)
                    self.news.notify()

    def await_claim(self, claim):
        """{name: when} as soon as all have it."""
        def told():
            return {name: at for (name, of), at in list(self.seen.items()) if of == claim}
        with self.news:
            assert self.news.wait_for(lambda: len(told()) == self.count, PATIENCE_S), told()
            return told()


def figures(name, seconds):
    ordered = sorted(1000 * second for second in seconds)
    def at(share):
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
    return (f"{name:24} p50 {at(0.5):7.1f} ms   p99 {at(0.99):7.1f} ms   "
            f"longest {ordered[-1]:7.1f} ms   of {len(ordered)}")


class WinTime(People):
    def setUp(self):
        super().setUp()
        self.controller.stop()
        self.controller = self.floor.start_controller(web=FREE_PAGES)
        self.add("D-1", "table_games", "dealer")
        self.add("F-1", "table_games", "floorperson")
        device = HandDevice(self.floor.folder / "device")
        self.addCleanup(device.close)
        self.sensors = Sensors(device)
        self.agent = self.floor.start_agent(
            self.controller.endpoint, TABLE,
            options=("--device", f"unix:{device.path}", "--panel", "http://127.0.0.1:0"))
        self.panel = panel_test.Browser(self.agent.await_line(r"panel at (\S+)")[1])
        self.agent.await_line("connected to")
        self.sensors.start()

    def open_streams(self):
        streams = Streams()
        for number in range(SIGNS):
            sign = Browser(self.controller.pages())
            streams.add(f"sign {number}", self.opened(sign.events(f"/events/signs?link={LINK}")),
                        b'"last_award":{"claim":')
        console = Browser(self.controller.pages())
        self.assertEqual(200, console.sign_in("F-1", self.floor.own_pin("F-1")).status)
        streams.add("console", self.opened(console.events("/events/floor")), b'{"claim":')
        streams.start()
        return streams

    def opened(self, events):
        self.addCleanup(events.close)
        return events

    def touch(self, do, **more):
        self.assertEqual("", self.panel.touch(do, **more), do)

    def begin_round(self):
        self.panel.await_mode("idle")
        self.touch("open_bets")
        until = time.monotonic() + PATIENCE_S
        while not self.panel.picture()["seats"][1]["wagers"]:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.005)  # until the sensor has received it
        self.touch("close_bets")
        self.touch("count", chips=1)
        self.panel.await_mode("round")

    def test_from_the_dealers_action_to_light_console_and_signs(self):
        status, person = self.panel.sign_in("D-1", self.floor.own_pin("D-1"))
        self.assertEqual(200, status, person)
        streams = self.open_streams()
        light, console, sign, answer = [], [], [], []
        for claim in range(1, WINS + 1):
            self.begin_round()
            began = time.monotonic()
            self.touch("show", hands=[{"seat": 2, "cards": panel_test.FLUSH}])
            answer.append(time.monotonic() - began)
            seen = streams.await_claim(claim)
            light.append(self.sensors.first_since(began) - began)
            console.append(seen.pop("console") - began)
            sign += [at - began for at in seen.values()]
            self.touch("close")
        self.assertEqual(WINS, len(self.floor.claims()))
        print(f"\n{WINS} wins at a panel, {SIGNS} signs open:")
        for name, seconds in (("answer at the panel", answer), ("light on the device", light),
                              ("claim on the console", console), ("win on every sign", sign)):
            print(figures(name, seconds))


if __name__ == "__main__":
    unittest.main()
