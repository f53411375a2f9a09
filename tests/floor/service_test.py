"""The programs as services: the units, notifications to the manager, the metrics, and a stop under
load."""

import grp
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest
import urllib.request

import floor_process
from floor_process import DEMO, PROGRAMS, ROOT, Floor

UNITS = ("linkmeter-controller.service", "linkmeter-table-agent@.service")
ANALYZE = shutil.which("systemd-analyze")


def settings(unit):
    """The values of each key of a unit's sections, in their order: ("Service", "Type")."""
    found, section = {}, None
    for line in (ROOT / "config" / "systemd" / unit).read_text(encoding="utf-8").splitlines():
        if head := re.fullmatch(r"\[(\w+)\]", line):
            section = head[1]
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault((section, key), []).append(value)
    return found


class Settings(unittest.TestCase):
    """Settings that the programs depend on."""

    def test_units_start_after_time_sync_and_always_restart(self):
        for unit in UNITS:
            with self.subTest(unit):
                has = settings(unit)
                for key in ("After", "Wants"):
                    self.assertIn("time-sync.target", " ".join(has["Unit", key]).split())
                # No limit of starts: a controller that ended because of a full disk starts again.
                self.assertEqual(["0"], has["Unit", "StartLimitIntervalSec"])
                self.assertEqual(["always"], has["Service", "Restart"])
                self.assertNotIn(("Unit", "StartLimitAction"), has)
                self.assertNotIn(("Service", "RestartPreventExitStatus"), has)

    def test_the_controller_opens_the_staff_socket_for_its_group(self):
        has = settings(UNITS[0])
        command, = has["Service", "ExecStart"]
        words = command.split()
        path = pathlib.Path(words[words.index("--staff-socket") + 1])
        group = words[words.index("--staff-group") + 1]
        self.assertEqual(["linkmeter"], has["Service", "RuntimeDirectory"])
        self.assertEqual(pathlib.Path("/run/linkmeter"), path.parent)
        # Members of the group can reach the socket, and the controller may give it to the group.
        self.assertEqual(["0755"], has["Service", "RuntimeDirectoryMode"])
        self.assertEqual([group], has["Service", "SupplementaryGroups"])
        self.assertNotEqual([group], has["Service", "Group"])


@unittest.skipUnless(ANALYZE, "this machine has no systemd-analyze")
class Units(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="linkmeter-units-")
        self.addCleanup(folder.cleanup)
        self.paths = []
        for unit in UNITS:
            text = (ROOT / "config" / "systemd" / unit).read_text(encoding="utf-8")
            self.assertIn("ExecStart=/usr/local/bin/linkmeter-", text)
            path = pathlib.Path(folder.name, unit)
            path.write_text(text.replace("/usr/local/bin", str(PROGRAMS)), encoding="utf-8")
            self.paths.append(path)

    def analyze(self, *arguments):
        return subprocess.run([ANALYZE, *map(str, arguments)], capture_output=True, text=True,
                              timeout=60, check=False)

    def test_systemd_accepts_the_units(self):
        result = self.analyze("verify", "--man=no", *self.paths)
        # Ignore messages about other units of this machine.
        ours = [line for line in (result.stdout + result.stderr).splitlines()
                if "linkmeter" in line]
        self.assertEqual([], ours)

    def test_an_unknown_word_in_a_unit_is_detected(self):
        self.paths[0].write_text(self.paths[0].read_text().replace("UMask=", "UMusk="))
        result = self.analyze("verify", "--man=no", self.paths[0])
        self.assertIn("UMusk", result.stdout + result.stderr)

    def test_the_units_have_a_low_exposure_score(self):
        if "--offline" not in self.analyze("--help").stdout:
            self.skipTest("this systemd-analyze cannot look at a unit that does not run")
        for path in self.paths:
            result = self.analyze("security", "--offline=true", "--threshold=20", path)
            self.assertEqual(0, result.returncode, result.stdout[-400:] + result.stderr)


def confines():
    """Whether this machine can run a program under a unit's filter."""
    python = subprocess.run(["/usr/bin/python3", "-c", "import seccomp"], capture_output=True,
                            check=False) if pathlib.Path("/usr/bin/python3").exists() else None
    return ANALYZE and python is not None and python.returncode == 0


@unittest.skipUnless(confines(), "no systemd-analyze, or no python3-seccomp in Debian's Python")
class Confined(unittest.TestCase):
    """Both programs, with only the system calls and address families that their units allow."""

    def setUp(self):
        self.floor = Floor(DEMO)
        self.addCleanup(self.floor.close)
        self.floor.init()
        # Each replaces its program, so that every start is confined.
        self.programs = self.floor.folder / "confined"
        self.programs.mkdir()
        for unit, name in zip(UNITS, ("linkmeter-controller", "linkmeter-table-agent")):
            path = self.programs / name
            path.write_text(f"#!/bin/sh\nexec /usr/bin/python3 {ROOT}/tests/floor/confined.py "
                            f"'{ROOT}/config/systemd/{unit}' {PROGRAMS / name} \"$@\"\n",
                            encoding="utf-8")
            path.chmod(0o755)
        self.addCleanup(setattr, floor_process, "PROGRAMS", PROGRAMS)

    def test_a_round_is_played_inside_the_units_sandbox(self):
        floor_process.PROGRAMS = self.programs
        run = self.floor.folder / "run"
        run.mkdir(mode=0o755)
        # The unit's filter lets the controller give its staff socket to the group.
        group = grp.getgrgid(os.getegid()).gr_name
        controller = self.floor.start_controller(
            options=("--staff-socket", run / "staff.sock", "--staff-group", group))
        five = {"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}
        events = [{"event": "lock", "round": "r1", "wagers": [five]},
                  {"event": "close", "round": "r1"}]
        agent = self.floor.start_agent(controller.endpoint, "C4-01", events)
        agent.finish(0)
        floor_process.PROGRAMS = PROGRAMS
        over_socket = self.floor.tool("meters", "--json", "--socket", run / "staff.sock")
        self.assertEqual("", over_socket.stderr)
        self.assertEqual(self.floor.meters(), json.loads(over_socket.stdout))
        self.assertEqual(0, controller.stop())
        floor_process.PROGRAMS = PROGRAMS
        self.assertEqual(["round_locked", "round_closed"],
                         [entry["fact"] for entry in self.floor.entries()[2:]])

    def test_a_panel_is_served(self):
        """With the certificate that the table makes, for every address of the machine."""
        controller = self.floor.start_controller()
        floor_process.PROGRAMS = self.programs
        agent = self.floor.start_agent(controller.endpoint, "C4-04",
                                       options=("--panel", "https://*:0"))
        port = agent.await_line(r"panel at https://\S+:(\d+)")[1]
        made = self.floor.agents / "C4-04.certificate/web.certificate"
        for host in subprocess.run(["hostname", "-I"], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout.split() or ["127.0.0.1"]:
            if ":" in host:
                continue  # not every one is reachable by its address alone
            with urllib.request.urlopen(f"https://{host}:{port}/api/table", timeout=20,
                                        context=ssl.create_default_context(cafile=made)) as answer:
                self.assertEqual(200, answer.status)
        self.assertEqual(0, agent.stop())

    def test_the_units_restrictions_are_in_force(self):
        """Otherwise the test above would prove nothing."""
        for unit in UNITS:
            refused = subprocess.run(
                ["/usr/bin/python3", ROOT / "tests/floor/confined.py",
                 ROOT / "config/systemd" / unit, "/usr/bin/python3", "-c",
                 "import os\ntry:\n os.chroot('/')\nexcept PermissionError: print('refused')"],
                capture_output=True, text=True, check=False)
            self.assertEqual("refused\n", refused.stdout, refused.stderr)


class Manager:
    """The socket of a service manager: collects the notifications."""

    def __init__(self, folder):
        self.path = folder / "notify"
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(self.path))
        self.socket.settimeout(30)
        self.environment = {"NOTIFY_SOCKET": str(self.path), "WATCHDOG_USEC": "400000"}

    def await_word(self, word):
        while True:
            lines = self.socket.recv(4096).decode().splitlines()
            if any(line.startswith(word) for line in lines):
                return lines


class Service(unittest.TestCase):
    def setUp(self):
        self.floor = Floor(DEMO)
        self.addCleanup(self.floor.close)
        self.floor.init()

    def start(self, environment=None):
        return self.floor.start_controller(environment=environment)

    def metrics(self):
        text = (self.floor.data / "metrics.prom").read_text(encoding="utf-8")
        return dict(re.findall(r"^([^#\s]\S*) (\S+)$", text, re.M))

    def await_metric(self, name, value):
        for _ in range(600):
            if self.metrics().get(name) == value:
                return self.metrics()
            time.sleep(0.05)  # a new text comes every five seconds
        raise AssertionError(f"{name} is {self.metrics().get(name)}, not {value}")

    def test_ready_alive_and_stopping(self):
        manager = Manager(self.floor.folder)
        self.addCleanup(manager.socket.close)
        controller = self.start(manager.environment)
        manager.await_word("READY=1")
        manager.await_word("STATUS=0 tables linked, 0 lost; 15 links operate, 0 suspended")
        for _ in range(3):
            manager.await_word("WATCHDOG=1")
        # The event loop stands still, so nothing reports that it is alive.
        os.kill(controller.pid, signal.SIGSTOP)
        manager.socket.settimeout(0.05)
        with self.assertRaises(TimeoutError):
            while True:
                manager.socket.recv(4096)  # earlier notifications
        manager.socket.settimeout(1)
        with self.assertRaises(TimeoutError):
            manager.socket.recv(4096)
        manager.socket.settimeout(30)
        os.kill(controller.pid, signal.SIGCONT)
        manager.await_word("WATCHDOG=1")
        controller.child.terminate()
        manager.await_word("STOPPING=1")
        self.assertEqual(0, controller.wait())

    def test_an_agent_is_a_service_too(self):
        controller = self.start()
        manager = Manager(self.floor.folder)
        self.addCleanup(manager.socket.close)
        os.environ.update(manager.environment)
        self.addCleanup(lambda: [os.environ.pop(key) for key in manager.environment])
        agent = self.floor.start_agent(controller.endpoint, "C4-01",
                                       [{"event": "wait", "ms": 600_000}])
        manager.await_word("READY=1")
        manager.await_word("STATUS=table C4-01: open")
        manager.await_word("WATCHDOG=1")
        agent.child.terminate()
        manager.await_word("STOPPING=1")
        self.assertEqual(0, agent.wait())

    def test_the_log_as_journald_reads_it(self):
        controller = self.start({"JOURNAL_STREAM": "8:1"})
        self.assertEqual(0, controller.stop())
        self.assertTrue(any(line.startswith("<6>start data=") for line in controller.said),
                        controller.telling())

    def test_the_metrics_count_what_was_done(self):
        controller = self.start()
        five = {"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}
        events = [{"event": "lock", "round": "r1", "wagers": [five]},
                  {"event": "lock", "round": "r2", "wagers": [{**five, "seat": 9}]},
                  {"event": "wait", "ms": 600_000}]
        self.floor.start_agent(controller.endpoint, "C4-01", events).await_line("refused")
        metrics = self.await_metric("linkmeter_journal_entries", "4")
        self.assertEqual("1", metrics['linkmeter_refusals_total{refusal="seat_unknown"}'])
        self.assertEqual("1", metrics['linkmeter_tables{standing="linked"}'])
        self.assertEqual("13", metrics['linkmeter_tables{standing="never_seen"}'])
        self.assertEqual("15", metrics['linkmeter_links{status="operating"}'])
        self.assertGreaterEqual(int(metrics["linkmeter_turn_seconds_count"]), 1)
        self.assertGreaterEqual(int(metrics["linkmeter_commit_seconds_count"]), 1)
        self.assertLessEqual(int(metrics["linkmeter_commit_seconds_count"]), 2)
        self.assertGreater(int(metrics["linkmeter_journal_bytes"]), 0)
        self.assertEqual("1", metrics["linkmeter_self_check_passed"])
        self.assertEqual("0", metrics['linkmeter_outbox_messages{table="C4-01"}'])

    def test_a_stop_under_load_loses_nothing(self):
        """SIGTERM drains: what was acknowledged is there; otherwise an agent would miss it."""
        controller = self.start()
        tables = re.findall(r'^\[\[table\]\]\nid = "(.*)"', DEMO, re.M)[:8]
        agents = [self.floor.start_agent(controller.endpoint, table, options=("--deal", "1"))
                  for table in tables]
        for _ in range(3):
            entry = self.floor.meters()["entry"]
            while self.floor.meters()["entry"] < entry + 1_000:
                self.assertTrue(all(agent.is_running() for agent in agents))
            self.assertEqual(0, controller.stop(), controller.telling())
            stopped = [line for line in controller.said if "stop entry=" in line]
            audit = self.floor.audit()
            self.assertTrue(audit["clean"], audit)
            self.assertEqual(1, len(stopped))
            self.assertIn(f"stop entry={self.floor.meters()['entry']} ", stopped[0])
            controller = self.floor.start_controller(controller.endpoint)
        entry = self.floor.meters()["entry"]
        while self.floor.meters()["entry"] < entry + 100:
            self.assertTrue(all(agent.is_running() for agent in agents))
        for agent in agents:
            self.assertEqual(0, agent.stop(), agent.telling())


if __name__ == "__main__":
    unittest.main()
