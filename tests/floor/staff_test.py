"""The staff socket: people with other user accounts, who cannot read the data folder, and their
own PINs."""

import contextlib
import grp
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from floor_process import DEMO, ENDS_WITH_ITS_PARENT, PATIENCE_S, PROGRAMS, Controller, Floor

ALICE, BERT = 54_321, 54_322  # user ids; they need no entry in the user database
# A group that exists on every machine; neither user is a member unless the test says so.
GROUP = next(group for group in grp.getgrall() if group.gr_gid != 0)
# Not in a home folder.
PYTHON = shutil.which("python3", path="/usr/bin:/usr/local/bin") or "python3"
SNAPSHOT = b"\xe2\x0c\x00"  # Request.snapshot, field 204 of proto/control.proto
RECOVER = b"\x0a\x05TGM-1\xa2\x03\x00"  # Request.badge, Request.recover
NOT_HERE, TOO_MANY_REQUESTS, MALFORMED = 217, 205, 1
LOCK = {"event": "lock", "round": "r1",
        "wagers": [{"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]}
WIN = [LOCK, {"event": "show", "round": "r1",
              "hands": [{"seat": 2, "cards": ["9h", "Th", "Jh", "Qh", "Kh"]}]},
       {"event": "close", "round": "r1"}]

# Opens this many connections, prints in how many a reply came at once, and keeps them until it is
# told to stop.
CROWD = """
import select, socket, sys
made = [socket.socket(socket.AF_UNIX) for _ in range(int(sys.argv[2]))]
for one in made:
    one.connect(sys.argv[1])
refused = 0
while refused < len(made) - 8:
    refused = sum(bool(select.select([one], [], [], 0)[0]) for one in made)
print(refused, flush=True)
sys.stdin.read()
"""
# Connects again and again, and never sends a request.
FLOOD = """
import socket, sys
print("on", flush=True)
while True:
    one = socket.socket(socket.AF_UNIX)
    one.connect(sys.argv[1])
    one.close()
"""


def refusal_of(reply):
    """Reply.refusal, field 1, a varint of at most two bytes; 0 if there is none."""
    if not reply.startswith(b"\x08"):
        return 0
    return reply[1] if reply[1] < 0x80 else (reply[1] & 0x7F) | reply[2] << 7


class StaffFloor(unittest.TestCase):
    def setUp(self):
        self.floor = Floor(DEMO)
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.run = pathlib.Path(tempfile.mkdtemp(prefix="linkmeter-run-"))
        self.addCleanup(shutil.rmtree, self.run, ignore_errors=True)
        self.run.chmod(0o755)
        self.socket = self.run / "staff.sock"

    def start(self, *options):
        return self.floor.start_controller(options=("--staff-socket", self.socket, *options))

    def refused_start(self, path, *options):
        controller = self.floor.begin_controller(options=("--staff-socket", path, *options))
        self.assertEqual(1, controller.wait())
        return controller.telling()

    def staff(self, *arguments, said=""):
        """Runs the tool over the socket, as this user."""
        return self.floor.tool(*arguments, "--socket", self.socket, said=said)

    def said(self, request):
        """The controller's reply to these bytes; nothing: it closed the connection."""
        with socket.socket(socket.AF_UNIX) as one:
            one.settimeout(PATIENCE_S)
            one.connect(str(self.socket))
            one.sendall(struct.pack(">I", len(request)) + request)
            reply = b""
            with contextlib.suppress(ConnectionResetError):
                while chunk := one.recv(65_536):
                    reply += chunk
        return reply[4:]


class Place(StaffFloor):
    """Where the socket may be."""

    def test_the_socket_of_a_dead_controller_is_replaced(self):
        self.assertTrue(self.start().kill())
        self.assertTrue(self.socket.is_socket())
        refused = self.staff("claims")
        self.assertEqual(1, refused.returncode)
        self.assertIn("no controller serves this socket", refused.stderr)
        controller = self.start()
        self.assertEqual(0, self.staff("claims").returncode)
        self.assertEqual(0o660, self.socket.stat().st_mode & 0o777)
        self.assertEqual(0, controller.stop())
        self.assertFalse(self.socket.exists())

    def test_the_socket_of_a_running_controller_is_not_replaced(self):
        self.start()
        with Floor(DEMO) as other:
            other.init()
            second = other.begin_controller(options=("--staff-socket", self.socket))
            self.assertEqual(1, second.wait())
            self.assertIn("another controller serves it", second.telling())
            # The socket of a program that is not a controller is refused, too.
            path = self.run / "foreign.sock"
            with socket.socket(socket.AF_UNIX) as foreign:
                foreign.bind(str(path))
                foreign.listen()
                second = other.begin_controller(options=("--staff-socket", path))
                self.assertEqual(1, second.wait())
                self.assertIn("another program listens there", second.telling())
                with socket.socket(socket.AF_UNIX) as one:
                    one.connect(str(path))
        self.assertEqual(0, self.staff("claims").returncode)

    def test_symbolic_links_and_files_or_folders_of_others_are_refused(self):
        self.socket.symlink_to(self.run / "elsewhere")
        self.assertIn("it is a symbolic link", self.refused_start(self.socket))
        self.assertFalse((self.run / "elsewhere").exists())
        self.socket.unlink()
        self.socket.write_text("kept", encoding="utf-8")
        self.assertIn("the path is a file, not a socket", self.refused_start(self.socket))
        self.assertEqual("kept", self.socket.read_text(encoding="utf-8"))
        self.socket.unlink()
        open_to_all = self.run / "open"
        open_to_all.mkdir()
        for mode in (0o777, 0o775, 0o1777):
            open_to_all.chmod(mode)
            self.assertIn("users other than the owner can write",
                          self.refused_start(open_to_all / "staff.sock"))
        open_to_all.chmod(0o755)
        (self.run / "link").symlink_to(open_to_all)
        self.assertIn("is a symbolic link", self.refused_start(self.run / "link" / "staff.sock"))
        self.assertIn("cannot open", self.refused_start(self.run / "none" / "staff.sock"))
        self.assertIn("there is no group", self.refused_start(self.socket, "--staff-group", "?"))

    def test_a_path_longer_than_a_socket_name(self):
        self.socket = self.run / ("d" * 120) / "staff.sock"
        self.socket.parent.mkdir(mode=0o755)
        self.start()
        self.assertEqual(0, self.staff("claims").returncode)


class Said(StaffFloor):
    """What the socket transports, and what it does not."""

    def test_every_list_is_the_same_as_from_the_data_folder(self):
        controller = self.start("--sign-every", "86400")  # no entry between two lists
        self.floor.hire("F-1", "floorperson")
        self.floor.start_agent(controller.endpoint, "C4-01", WIN).finish(0)
        for command in (("claims",), ("claims", "--json"), ("rounds",), ("slips", "--json"),
                        ("person", "list"), ("enrolments",), ("proposals", "--json"),
                        ("parameters", "show"), ("parameters", "show", "--json"),
                        ("meters", "--json"), ("keys", "list"), ("history", "show")):
            over_socket = self.staff(*command)
            self.assertEqual((self.floor.ask(*command), "", 0),
                             (over_socket.stdout, over_socket.stderr, over_socket.returncode))
        self.assertIn("controller running", self.staff("meters").stdout)
        # A table that was linked may be lost by now.
        tables = json.loads(self.staff("tables", "--json").stdout)["tables"]
        self.assertEqual([one["table"] for one in json.loads(
            self.floor.ask("tables", "--json"))["tables"]], [one["table"] for one in tables])

    def test_a_snapshot_has_no_pin_hash(self):
        self.start()
        managers = {**self.floor.pins}
        self.floor.done("TGM-1", "person", "add", "F-9", "--name", "Nine", "--department",
                         "table_games", "--role", "floorperson")
        journal = (self.floor.data / "journal" / "data.mdb").read_bytes()
        self.assertGreaterEqual(journal.count(b"scrypt-keyed$"), len(managers))
        snapshot = self.said(SNAPSHOT)
        self.assertIn(b"F-9", snapshot)
        self.assertIn(b"TGM-1", snapshot)
        self.assertNotIn(b"scrypt", snapshot)

    def test_commands_that_need_the_data_folder_say_so(self):
        self.start()
        for command in (("signs",), ("parameters", "history"), ("days",), ("day", "2026-11-01"),
                        ("distribution", "--claim", "1"), ("recover", "--badge", "TGM-1"),
                        ("keys", "rotate", "seal", "--by", "TGM-1")):
            result = self.staff(*command, said="111111\n")
            self.assertEqual(2, result.returncode, command)
            self.assertIn("--data", result.stderr, command)
            of_user = self.floor.tool(*command, said="111111\n",
                                      environment={"LINKMETER_SOCKET": str(self.socket)})
            self.assertEqual(2, of_user.returncode, command)
            self.assertIn("--data", of_user.stderr, command)
        for command in (("signs",), ("parameters", "history"), ("days",), ("day",),
                        ("distribution",)):
            self.assertNotIn("--socket", self.floor.tool(*command, "--help").stdout, command)
        told = self.floor.tool("day", "sign", "--help").stdout
        self.assertIn("At the staff socket --report is required", " ".join(told.split()))
        for command in (("audit",), ("export",), ("rebuild",)):
            result = self.floor.tool(*command, environment={"LINKMETER_SOCKET": str(self.socket)})
            self.assertEqual(2, result.returncode, command)
            self.assertIn("--data", result.stderr)
        both = self.staff("claims", "--data", self.floor.data)
        self.assertEqual(2, both.returncode)
        self.assertIn("--data or --socket", self.floor.tool("claims").stderr)

    def test_right_pins_of_one_badge_are_rate_limited(self):
        self.start()
        pins = {badge: self.floor.own_pin(badge) for badge in ("TGM-1", "FM-1")}

        def act(badge, option, place):
            return self.floor.tool("table", "freeze", "C4-02", "--reason", "x", "--by", badge,
                                   option, place, said=f"{pins[badge]}\n")

        begun, count = time.monotonic(), 0
        while "too_many_attempts" not in (told := act("FM-1", "--socket", self.socket)).stderr:
            count += 1
            self.assertLessEqual(count, 30 * (1 + (time.monotonic() - begun) // 60))
        self.assertEqual(1, told.returncode)
        self.assertGreaterEqual(count, 30)
        self.assertNotIn("too_many_attempts", act("TGM-1", "--socket", self.socket).stderr)
        self.assertNotIn("too_many_attempts", act("FM-1", "--data", self.floor.data).stderr)

    def test_recovery_and_malformed_bytes_are_refused_over_the_staff_socket(self):
        controller = self.start()
        self.assertEqual(NOT_HERE, refusal_of(self.said(RECOVER)))
        self.assertEqual(MALFORMED, refusal_of(self.said(b"\xff\xff\xff")))
        with socket.socket(socket.AF_UNIX) as one:
            one.settimeout(PATIENCE_S)
            one.connect(str(self.socket))
            one.sendall(b"\xff\xff\xff\xff")
            self.assertEqual(b"", one.recv(1))
        self.assertEqual(0, self.staff("claims").returncode)
        self.assertTrue(controller.is_running())
        self.assertEqual("recovery_failed" in [e["fact"] for e in self.floor.entries()], False)


@unittest.skipUnless(os.geteuid() == 0, "only root can be other users")
class OtherUsers(StaffFloor):
    def setUp(self):
        super().setUp()
        # Other users may not be able to read the build folder.
        self.program = self.run / "linkmeter"
        shutil.copy(PROGRAMS / "linkmeter", self.program)
        self.controller = self.start("--staff-group", GROUP.gr_name)
        self.floor.hire("F-1", "floorperson")
        self.pin = self.floor.own_pin("F-1")

    def as_user(self, user, *command, is_member=True):
        groups = ["--groups", str(GROUP.gr_gid)] if is_member else ["--clear-groups"]
        return [*ENDS_WITH_ITS_PARENT[:-1], "--reuid", str(user), "--regid", str(user), *groups,
                "--", *map(str, command)]

    @staticmethod
    def environment():
        """Without the libraries to preload: other users may not read the build folder, and ld.so
        would report that on each program's standard error."""
        return {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}

    def tool(self, user, *arguments, pin="", is_member=True):
        return subprocess.run(
            self.as_user(user, self.program, *arguments, is_member=is_member), text=True,
            capture_output=True, input=f"{pin}\n", timeout=10 * PATIENCE_S, check=False,
            env={**self.environment(), "LINKMETER_SOCKET": str(self.socket), "HOME": "/"})

    def done(self, user, *arguments, **more):
        result = self.tool(user, *arguments, **more)
        self.assertEqual(0, result.returncode, result.stderr)
        return result.stdout

    def wrong_pins(self, user, count):
        """The result of each."""
        names = []
        for _ in range(count):
            result = self.tool(user, "table", "freeze", "C4-02", "--reason", "x", "--by", "F-1",
                               pin="000000")
            self.assertEqual(1, result.returncode)
            names.append(result.stderr.split(": ")[2])
        return names

    def person(self):
        return next(one for one in json.loads(self.floor.ask("person", "list", "--json"))
                    if one["badge"] == "F-1")

    def start_other(self, user, text, *arguments):
        child = subprocess.Popen(
            self.as_user(user, PYTHON, "-c", text, self.socket, *arguments), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment())
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        self.addCleanup(child.stdin.close)
        return child

    def test_a_floorperson_validates_a_claim_as_another_user(self):
        self.floor.start_agent(self.controller.endpoint, "C4-01", WIN).finish(0)
        folder = self.tool(ALICE, "claims", "--data", self.floor.data)
        self.assertEqual(1, folder.returncode, folder.stdout)
        listed = json.loads(self.done(ALICE, "claims", "--json"))
        self.assertEqual(self.floor.claims(), listed)
        self.assertEqual("raised", listed[0]["state"])
        told = self.done(ALICE, "claim", "validate", 1, "--by", "F-1", pin=self.pin)
        self.assertIn("claim 1 is validated", told)
        self.assertEqual(("validated", "F-1"), tuple(
            self.floor.claims()[0][key] for key in ("state", "validated_by")))
        self.controller.await_line(
            rf"person badge=F-1 act=validate_claim entry=\d+ from=uid/{ALICE}")
        self.assertEqual(self.floor.claims(), json.loads(self.done(BERT, "claims", "--json")))

    def test_the_confirming_person_sees_the_proposal(self):
        told = json.loads(self.done(
            ALICE, "person", "add", "C-1", "--name", "Carol", "--department", "finance", "--role",
            "cashier", "--by", "TGM-1", "--json", pin=self.floor.own_pin("TGM-1")))
        self.assertIn("C-1", self.done(BERT, "proposals"))
        confirmed = self.done(BERT, "confirm", told["proposal"], "--by", "FM-1",
                              pin=self.floor.own_pin("FM-1")).splitlines()
        self.assertIn(f"proposal {told['proposal']} by TGM-1", confirmed[0])
        self.assertIn("Carol", confirmed[0])
        self.assertIn("done: ", confirmed[1])
        own = f"{told['pin']}\n{told['pin']}7"
        self.assertIn("the PIN is changed",
                      self.done(BERT, "person", "pin", "--by", "C-1", pin=own))

    def test_a_user_outside_the_group_cannot_connect(self):
        result = self.tool(BERT, "claims", is_member=False)
        self.assertEqual(1, result.returncode)
        self.assertIn("only members of the socket's group may", result.stderr)
        self.done(BERT, "claims")

    def test_wrong_pins_lock_only_from_a_trusted_origin(self):
        # Nobody's right PIN came from this user: three attempts, then the next one must wait.
        self.assertEqual(["pin_wrong"] * 3 + ["too_many_attempts"] * 3, self.wrong_pins(ALICE, 6))
        self.assertEqual(("active", 0), tuple(self.person()[key] for key in ("state", "failures")))
        freeze = ("table", "freeze", "C4-03", "--reason", "x", "--by", "F-1")
        waits = self.tool(ALICE, *freeze, pin=self.pin)
        self.assertIn("too_many_attempts", waits.stderr)
        # These attempts do not block other origins.
        self.done(BERT, *freeze, pin=self.pin)
        self.assertEqual(["pin_wrong"] * 5, self.wrong_pins(BERT, 5))
        self.assertEqual("locked", self.person()["state"])
        self.assertEqual(["person_locked"], self.wrong_pins(BERT, 1))
        # This survives a restart; and attempts from untrusted origins are counted in an entry.
        self.assertEqual(0, self.controller.stop())
        self.assertIn(f"F-1\tuid/{BERT}\t",
                      (self.floor.data / "staff.homes").read_text(encoding="utf-8"))
        tried = [entry for entry in self.floor.entries() if entry["fact"] == "pins_tried"]
        self.assertEqual([{"badge": "F-1", "count": 3}], tried[-1]["tries"])

    def test_many_connections_of_one_user_do_not_keep_others_out(self):
        crowd = self.start_other(ALICE, CROWD, "40")
        self.assertEqual("32\n", crowd.stdout.readline())
        refused = self.tool(ALICE, "claims")
        self.assertEqual(1, refused.returncode)
        self.assertIn("too_many_requests", refused.stderr)
        self.done(BERT, "claims")
        self.done(BERT, "table", "freeze", "C4-02", "--reason", "x", "--by", "F-1", pin=self.pin)
        flood = self.start_other(ALICE, FLOOD)
        self.assertEqual("on\n", flood.stdout.readline())
        for _ in range(5):
            self.done(BERT, "claims")
        self.assertIsNone(flood.poll())
        flood.kill()
        # When connections end, others have room again.
        crowd.kill()
        crowd.wait()
        while (again := self.tool(ALICE, "claims")).returncode != 0:
            self.assertIn("too_many_requests", again.stderr)


if __name__ == "__main__":
    unittest.main()
