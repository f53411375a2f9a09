"""Sensors, lights and button of a real table: an agent and a simulated device, as real processes.

The simulated device keeps its own account of the wagers on its sensors and of their lights. The
meters must agree with it to the cent, whatever faults were planted on the line and whatever was
killed.
"""

import binascii
import errno
import json
import os
import pathlib
import select
import signal
import socket
import threading
import time
import unittest

from floor_process import DEMO, PATIENCE_S, PROGRAMS, Floor, Process

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
        """The account at its end; the device had no complaints."""
        self.finish(0, timeout_s=280)
        return json.loads(self.output[-1])


class DeviceFloor(unittest.TestCase):
    def setUp(self):
        self.floor = Floor(DEMO)
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.controller = self.floor.start_controller()
        self.floor.hire("F-1", "floorperson")  # resolves wrong counts

    def start_agent(self, address):
        return self.floor.start_agent(self.controller.endpoint, TABLE,
                                      options=("--device", address))

    def agree(self, account, rounds_played=ROUNDS):
        """The device's account equals the controller's figures."""
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
        self.assertEqual(rounds_played, closed + voided)
        return rounds


class DevicePlay(DeviceFloor):
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
        # Open until the end: a terminal that no process holds is like a line that was unplugged.
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, slave)
        device = Device(self.floor)
        bridge = Bridge(device, master)
        self.addCleanup(bridge.close)
        agent = self.start_agent(f"serial:{os.ttyname(slave)}:115200")
        account = device.account()
        self.assertEqual(0, agent.stop(), agent.telling())
        rounds = self.agree(account)
        # No fault was planted: every win had its light too.
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
                time.sleep(0.02)  # until the round has advanced
            if turn % 3 == 2:
                self.assertTrue(self.controller.kill())
                self.controller = self.floor.start_controller(self.controller.endpoint)
            else:
                self.assertTrue(agent.kill())
                agent = self.start_agent(f"unix:{device.path}")
        account = device.account()
        self.assertEqual(0, agent.stop(), agent.telling())
        self.agree(account)


class HandFloor(unittest.TestCase):
    """A dealer whose actions the test controls, at C4-01: one chip at seat 2."""

    TABLE = "C4-01"
    CHIP = "2 crazy-4/five-card 500 own"
    STAFF = {"F-1": "floorperson"}  # resolves wrong counts

    def setUp(self):
        self.floor = Floor(DEMO)
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.controller = self.floor.start_controller()
        # Before the device connects: it would be silent during these acts, and be dropped.
        for badge, role in self.STAFF.items():
            self.floor.hire(badge, role)
        self.device = HandDevice(self.floor.folder / "device")
        self.addCleanup(self.device.close)
        self.agent = self.start_agent()
        self.device.await_text("lock idle")

    def start_agent(self):
        return self.floor.start_agent(self.controller.endpoint, self.TABLE,
                                      options=("--device", f"unix:{self.device.path}"))

    def bet(self):
        """Betting is open, and one chip is placed."""
        self.device.chips = []
        self.assertEqual("ok", self.device.ask("bets open"))
        self.device.await_text("open ")
        self.device.await_state()
        self.assertEqual("ok", self.device.place(self.CHIP))

    def lock(self, chips):
        self.assertEqual("ok", self.device.ask("bets closed"))
        self.assertEqual("ok", self.device.ask(f"count {chips}"))

    def event(self, event, **more):
        return self.device.ask("event " + json.dumps(
            {"event": event, "round": self.device.round, **more}))

    def show(self):
        return self.event("show", hands=[{"seat": 2, "cards": ["9h", "Th", "Jh", "Qh", "Kh"]}])

    def pause_controller(self):
        os.kill(self.controller.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, self.controller.pid, signal.SIGCONT)

    def resume_controller(self):
        os.kill(self.controller.pid, signal.SIGCONT)

    def facts(self):
        return [entry["fact"] for entry in self.floor.entries()
                if entry.get("table") == self.TABLE]


class HandCount(HandFloor):
    STAFF = {"F-1": "floorperson", "D-1": "dealer"}

    def test_only_a_person_with_the_right_resolves_a_count(self):
        self.bet()
        self.lock(2)  # there is one chip
        self.device.await_text("lock blocked")
        wagers = [{"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]
        for by, why in (({"by": "D-1"}, "right_missing"), ({}, "badge_missing"),
                        ({"by": "GHOST"}, "person_unknown"), ({"by": "F-1"}, None)):
            self.assertEqual("ok", self.event("resolve", wagers=wagers, **by))
            self.device.await_text(f"refused resolve {why}" if why
                                   else f"light {self.CHIP} accepted")
        counted = [entry for entry in self.floor.entries() if entry.get("table") == self.TABLE]
        self.assertEqual(["count_differed", *3 * ["message_refused"], "count_resolved"],
                         [entry["fact"] for entry in counted])
        self.assertEqual("F-1", counted[-1]["by"])
        # The refused messages changed no meter.
        self.assertEqual([[], [], []], [entry["postings"] for entry in counted[1:4]])


class HandPlay(HandFloor):
    def test_time_from_the_controllers_end_to_the_lock_of_the_sensors(self):
        """L5: after two seconds without the controller, the sensors accept nothing."""
        self.bet()
        self.assertTrue(self.controller.kill())
        died = time.monotonic()
        self.device.await_text("lock no_controller")
        took_s = time.monotonic() - died
        print(f"from the controller's death to the sensors' lock: {took_s:.3f} s")
        # Two seconds of silence since its last heartbeat, which was at most half a second earlier.
        self.assertGreater(took_s, 1.4)
        self.assertLess(took_s, 2.6)
        self.controller = self.floor.start_controller(self.controller.endpoint)
        self.device.await_text("lock idle")
        self.bet()

    def test_no_sensor_opens_by_itself_after_a_lockout(self):
        """The base game went on: a player who puts a chip now may have seen his cards."""
        self.bet()
        self.pause_controller()
        self.device.await_text("lock no_controller")
        self.assertEqual("no no_controller", self.device.ask("bets closed"))
        self.resume_controller()
        self.device.await_text("lock idle")
        self.assertEqual("no locked", self.device.ask("placed 3 crazy-4/five-card 500 own"))
        self.assertEqual("no not_open", self.device.ask("bets closed"))
        self.bet()

    def test_a_refused_event_is_sent_again_and_counts(self):
        self.bet()
        self.pause_controller()
        self.lock(2)  # there is one chip
        self.assertEqual("ok", self.show())
        self.assertEqual("ok", self.event("close"))
        self.resume_controller()
        self.device.await_text("lock blocked")
        self.assertEqual("ok", self.event("resolve", by="F-1", wagers=[
            {"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]))
        self.device.await_text(f"light {self.CHIP} accepted")
        self.assertEqual("ok", self.show())
        self.device.await_text("win 2 straight_flush ")
        self.assertEqual("ok", self.event("close"))
        self.device.await_text("lock idle")
        self.assertEqual("ok", self.device.ask("bets open"))
        self.assertEqual(["count_differed", "count_resolved", "hands_shown", "round_closed"],
                         [fact for fact in self.facts() if fact != "message_refused"])

    def test_answers_that_arrive_while_an_agent_stops_are_stored(self):
        self.bet()
        for said, shown in ((lambda: self.lock(1), f"light {self.CHIP} accepted"),
                            (self.show, "win 2 straight_flush ")):
            self.pause_controller()
            said()
            self.agent.child.terminate()
            self.device.await_text("lock stopping")
            self.resume_controller()
            self.agent.finish(0)
            self.assertNotIn("kept for the next run", self.agent.telling())
            self.device.hang_up()
            self.agent = self.start_agent()
            self.device.await_text(shown)
        self.assertEqual("ok", self.event("close"))
        self.device.await_text("lock idle")


class Bridge:
    """Carries bytes between a device's socket and the master of a pseudo-terminal."""

    def __init__(self, device, master):
        self.socket = socket.socket(socket.AF_UNIX)
        # The file exists a moment before the program listens on it.
        while (code := self.socket.connect_ex(str(device.path))) in (
                errno.ENOENT, errno.ECONNREFUSED) and device.is_running():
            time.sleep(0.01)
        if code != 0:
            raise AssertionError(f"{os.strerror(code)}: {device.telling()}")
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
    """A device under the test's control: it sends lines and reads the agent's. While it waits it
    sends `alive`."""

    def __init__(self, path):
        self.path = path
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(1)
        self.listener.settimeout(60)
        self.line = self.file = None
        self.session, self.number = "-", 0
        self.round, self.is_open, self.chips = "-", False, []

    def close(self):
        self.hang_up()
        self.listener.close()

    def hang_up(self):
        """Drops the agent's unread lines."""
        for each in (self.file, self.line):
            if each is not None:
                each.close()
        self.file = self.line = None

    def say(self, text):
        self.number += 1
        self._send(f"{self.number} {text}")
        return self.number

    def ask(self, text):
        """Sends the line, and returns the answer: "ok", or "no" and the reason."""
        if text == "bets closed":
            self.is_open = False
        number = self.say(text)
        for said, answer in self._lines(f"the answer to {text}"):
            word, _, rest = answer.partition(" ")
            if said == "0" and word in ("ok", "no") and rest.split(" ")[0] == str(number):
                return " ".join([word, *rest.split(" ")[1:]])
        return None

    def place(self, chip):
        answer = self.ask(f"placed {chip}")
        self.chips += [chip] if answer == "ok" else []
        return answer

    def await_text(self, start):
        """The next output line with this beginning."""
        for number, text in self._lines(start):
            if number != "0" and text.startswith(start):
                return text
        return None

    def await_state(self):
        """Waits until the agent asks for the state, and sends it."""
        for line in self._lines("state"):
            if line == ("0", "state"):
                return

    def _lines(self, wanted):
        """The agent's lines, with a limit for a test that would wait for ever."""
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            yield self._read()
        raise AssertionError(f"the agent did not say: {wanted}")

    def _send(self, body):
        self.line.sendall(f"{body}*{binascii.crc_hqx(body.encode(), 0xffff):04x}\n".encode())

    def _read(self):
        """The agent's next line; lines that every device answers by itself are answered."""
        line = self.file.readline() if self.file else b""
        if not line:
            self.line, _ = self.listener.accept()
            self.line.settimeout(60)
            self.file = self.line.makefile("rb")
            return self._read()
        number, text = line.decode()[:-6].split(" ", 1)
        try:
            self._answer(*text.split(" "))
        except BrokenPipeError:
            # The test was busy, so the agent took the device for silent and closed the line.
            self.hang_up()
        return number, text

    def _answer(self, word, *rest):
        if word == "hello":
            if rest[2] != self.session:
                self.session, self.number = rest[2], 0
            self._send(f"0 hello 1 7 counted {self.session}")
        elif word == "alive":
            self._send(f"0 alive {self.session}")
        elif word == "state":
            self.say(f"state {len(self.chips)} {'open' if self.is_open else 'closed'} "
                     f"{self.round}")
            for chip in self.chips:
                self.say(f"held {chip}")
        elif word == "open":
            self.round, self.is_open = rest[0], True


if __name__ == "__main__":
    unittest.main()
