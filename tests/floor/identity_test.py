"""Who may connect, on a real floor: keys are carried, enrolled and revoked, and never printed."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import time
import unittest

from floor_process import PATIENCE_S, PROGRAMS
from people_test import LINK, People, win

NOBODY = "tcp://127.0.0.1:10"  # nobody listens there, and no registry knows it


STAYS = {"event": "wait", "ms": 600_000}  # longer than the test


def rounds(count, wait_ms=20):
    for number in range(count):
        yield {"event": "lock", "round": f"w{number}", "wagers": []}
        yield {"event": "wait", "ms": wait_ms}
        yield {"event": "close", "round": f"w{number}"}


class Identity(People):
    def setUp(self):
        super().setUp()
        self.carried = self.floor.folder / "carried"
        self.carried.mkdir()

    def carry(self, table="C4-01"):
        """A copy of the table's file, as a person would carry it, with its mode."""
        return shutil.copy2(self.floor.credentials(table), self.carried)

    def agent(self, table="C4-01", script=None, options=(), endpoint=None):
        return self.floor.start_agent(endpoint or self.controller.endpoint, table, script,
                                      list(map(str, options)))

    def fails(self, agent, *words):
        self.assertEqual(1, agent.wait(), agent.telling())
        for word in words:
            self.assertIn(word, "\n".join(agent.said))

    def make_engineer(self):
        self.add("E-1", "systems", "engineer")

    def unconfirmed(self, name, by, told):
        result = self.ask(by, "confirm", told["proposal"])
        self.assertEqual(1, result.returncode, result.stdout)
        self.assertIn(f"refused: {name}: ", result.stderr)

    def keys(self):
        return {one["name"]: one["key"] for one in
                json.loads(self.floor.ask("enrolments", "--json")) if one["kind"] == "table"}


class Carrying(Identity):
    def test_init_makes_keys_that_only_the_owner_may_read(self):
        for folder in ("keys", "credentials", "credentials/viewers"):
            self.assertEqual(0o700, os.stat(self.floor.data / folder).st_mode & 0o777, folder)
        files = [path for path in self.floor.data.rglob("*.credentials")]
        names = {path.name.removesuffix(".credentials") for path in files}
        self.assertEqual({*self.keys(), "feed", "operator", "controller"}, names)
        secrets = set()
        for path in files:
            self.assertEqual(0o600, os.stat(path).st_mode & 0o777, path)
            secrets.add(re.search(r"^secret (\S{40})$", path.read_text(), re.M)[1])
        self.assertEqual(len(files), len(secrets))

    def test_a_copied_key_file_opens_an_unregistered_endpoint(self):
        # Another name of this machine, as from another machine.
        endpoint = self.controller.endpoint.replace("127.0.0.1", "127.0.0.2")
        self.assertEqual(0, self.controller.stop())
        self.controller = self.floor.start_controller(
            listen="tcp://0.0.0.0:" + endpoint.rsplit(":", 1)[1])
        file = self.carry()
        waiting = self.agent(script=list(rounds(1)), endpoint=endpoint)
        waiting.await_line("no credentials yet: copy the table's file to ")
        self.agent("C4-02", win("r1"), ["--credentials", self.carry("C4-02")],
                   endpoint).finish(0)
        shutil.copy2(file, self.floor.agents)
        waiting.finish(0)

    def test_an_agent_may_start_before_its_controller(self):
        self.assertEqual(0, self.controller.stop())
        first = self.agent(script=win("r1"))  # the registry knows the endpoint from before
        second = self.agent("C4-02", win("r1"), endpoint=NOBODY)
        second.await_line("no credentials yet")
        first.await_line("no controller at ")
        self.controller = self.floor.start_controller(listen=self.controller.endpoint)
        first.finish(0)
        second.kill()

    def test_a_file_of_another_table_is_refused_by_name(self):
        file = self.carry("C4-02")
        self.fails(self.agent(options=["--deal", 1, "--credentials", file]),
                   f"{file}: is for table C4-02, not for table C4-01")
        feed = self.floor.data / "credentials" / "viewers" / "feed.credentials"
        self.fails(self.agent(options=["--deal", 1, "--credentials", feed]),
                   f"{feed}: is for viewer feed, not for table C4-01")

    def test_a_file_that_others_may_read_is_refused(self):
        file = self.carry()
        os.chmod(file, 0o640)
        self.fails(self.agent(options=["--deal", 1, "--credentials", file]), file,
                   "others may use it", "chmod 600")
        self.assertEqual(["floor_opened", "self_checked"], self.facts())


class Enrolment(Identity):
    def test_a_revoked_table_is_cut_off_at_once_and_a_new_key_lets_it_in(self):
        self.make_engineer()
        stolen = self.carry()
        old_key = self.keys()["C4-01"]
        playing = self.agent(script=[*rounds(2_000), STAYS])
        other = self.agent("C4-02", [*rounds(2_000), STAYS])
        for agent in (playing, other):
            agent.await_line("connected to ")
        revoke = ("revoke", "--table", "C4-01")
        told = self.done("E-1", *revoke)
        self.unconfirmed("same_department", "E-1", told)
        self.assertTrue(playing.is_running())
        self.done("TGM-1", "confirm", told["proposal"])
        self.fails(playing, "key_unknown")
        said_last = max((entry["message"] for entry in self.floor.entries()
                         if entry.get("table") == "C4-01"), default=0)
        self.assertTrue(other.is_running(), other.telling())
        self.assertNotIn("C4-01", self.keys())
        self.assertFalse(self.floor.credentials("C4-01").exists())
        self.assertTrue(self.floor.credentials("C4-02").exists())

        # The old file is no longer accepted.
        thief = self.agent(script=list(rounds(1)), options=["--credentials", stolen])
        thief.await_line("no controller at .* that knows this table's key")
        # The new file does not work before a manager has confirmed it, and then works by itself.
        new = self.carried / "new.credentials"
        told = self.done("E-1", "enroll", "--table", "C4-01", "--out", new)
        self.assertEqual(0o600, os.stat(new).st_mode & 0o777)
        self.assertTrue(thief.kill())
        back = self.agent(options=["--deal", 1, "--rounds", 3, "--credentials", new])
        back.await_line("no controller at .* that knows this table's key")
        self.done("TGM-1", "confirm", told["proposal"])
        back.finish(0)
        self.assertNotEqual(old_key, self.keys()["C4-01"])
        after = [entry["message"] for entry in self.floor.entries()
                 if entry.get("table") == "C4-01"]
        self.assertEqual(list(range(1, len(after) + 1)), after)
        self.assertGreater(len(after), said_last)
        self.fails_silently(stolen)
        self.assertTrue(other.is_running(), other.telling())
        self.assertTrue(self.floor.audit()["clean"])

    def fails_silently(self, stolen):
        thief = self.agent(script=list(rounds(1)), options=["--credentials", stolen])
        thief.await_line("no controller at .* that knows this table's key")
        self.controller.await_line(r"refused key \S{40} from 127.0.0.1 is not enrolled for tables")
        self.assertTrue(thief.kill())

    def test_only_an_engineer_and_a_manager_enrol(self):
        self.make_engineer()
        self.add("E-2", "systems", "engineer")
        self.add("F-1", "table_games", "floorperson")
        before = self.keys()
        revoke = ("revoke", "--table", "C4-01")
        self.refused("right_missing", "F-1", *revoke)
        told = self.done("E-1", *revoke)
        self.unconfirmed("same_department", "E-2", told)
        self.unconfirmed("right_missing", "F-1", told)
        told = self.done("TGM-1", *revoke)
        self.unconfirmed("right_missing", "FM-1", told)  # two managers
        self.assertEqual(before, self.keys())
        self.refused("table_unknown", "E-1", "enroll", "--table", "C4-99", "--out",
                     self.carried / "none")
        self.refused("not_enrolled", "E-1", "revoke", "--viewer", "sign-7")
        self.assertEqual([], list(self.carried.iterdir()))
        # An engineer may change tables' keys, but no amounts.
        told = self.done("TGM-1", "correct", "--link", LINK, "--amount", "1.00", "--level", "major",
                         "--reason", "count_variance")
        self.unconfirmed("right_missing", "E-1", told)

    def test_enroll_overwrites_no_file(self):
        self.make_engineer()
        file = self.carry()
        before = (self.carried / "C4-01.credentials").read_bytes()
        result = self.ask("E-1", "enroll", "--table", "C4-01", "--out", file)
        self.assertEqual(1, result.returncode)
        self.assertIn("holds the key of table C4-01 in force; move", result.stderr)
        self.assertIn("--out", result.stderr)
        self.assertEqual(before, (self.carried / "C4-01.credentials").read_bytes())
        self.assertNotIn("proposed", self.facts()[-1])


    def test_a_refused_enrolment_leaves_no_file(self):
        self.make_engineer()
        file = self.carried / "new.credentials"
        self.refused("pin_wrong", "E-1", "enroll", "--table", "C4-01", "--out", file,
                     pin="000000")
        self.assertEqual([], list(self.carried.iterdir()))

    def test_a_file_that_is_not_the_tables_key_is_never_replaced(self):
        self.make_engineer()
        file = self.carried / "new.credentials"
        for text in ("notes\n", self.floor.credentials("C4-02").read_text()):
            file.write_text(text)
            file.chmod(0o600)
            told = self.ask("E-1", "enroll", "--table", "C4-01", "--out", file)
            self.assertEqual(1, told.returncode)
            self.assertIn("move", told.stderr)
            self.assertEqual(text, file.read_text())
            self.assertNotIn("proposed", self.facts()[-1])

    def test_an_enrolment_that_is_interrupted_leaves_no_file(self):
        self.make_engineer()
        file = self.carried / "new.credentials"
        environment = {key: value for key, value in os.environ.items() if key != "LINKMETER_PIN"}
        asked = subprocess.Popen(
            [PROGRAMS / "linkmeter", "enroll", "--table", "C4-01", "--out", file, "--data",
             self.floor.data, "--by", "E-1"], stdin=subprocess.PIPE, env=environment)
        with asked:
            until = time.monotonic() + PATIENCE_S
            # It waits for the PIN: it reads standard input (x86-64).
            while not pathlib.Path(f"/proc/{asked.pid}/syscall").read_text().startswith("0 0x0 "):
                self.assertLess(time.monotonic(), until)
                time.sleep(0.02)
            asked.terminate()
            self.assertNotEqual(0, asked.wait(PATIENCE_S))
        self.assertEqual([], list(self.carried.iterdir()))


class Secrets(Identity):
    def test_secret_keys_are_never_printed(self):
        self.make_engineer()
        new = self.carried / "new.credentials"
        told = self.ask("E-1", "enroll", "--table", "C4-01", "--out", new)
        self.assertEqual(0, told.returncode, told.stderr)
        heard = [told.stdout, told.stderr]
        files = [*self.floor.data.rglob("*.credentials"), new]
        secrets = [re.search(r"^secret (\S{40})$", file.read_text(), re.M)[1] for file in files]
        self.assertEqual(len(self.keys()) + 4, len(set(secrets)))

        waiting = json.loads(self.floor.ask("proposals", "--json"))[0]["proposal"]
        agent = self.agent("C4-02", win("r1"))
        agent.finish(0)
        stranger = self.agent(script=list(rounds(1)), options=["--credentials", new])
        self.controller.await_line("is not enrolled for tables")
        self.done("TGM-1", "confirm", waiting)
        stranger.finish(0)
        bad = self.carried / "bad.credentials"
        bad.write_text(new.read_text().replace("public ", "public x"))
        bad.chmod(0o600)
        self.fails(spoilt := self.agent(options=["--deal", 1, "--credentials", bad]), "is no key")
        self.assertEqual(0, self.controller.stop())
        for process in (agent, stranger, spoilt, self.controller):
            heard += process.said
        heard += [self.floor.ask(*command) for command in
                  (["export"], ["meters", "--json"], ["enrolments"], ["enrolments", "--json"],
                   ["proposals", "--json"], ["audit", "--json"])]
        for program in ("linkmeter", "linkmeter-controller", "linkmeter-table-agent"):
            for words in ([], ["enroll"], ["revoke"]):
                heard.append(subprocess.run([PROGRAMS / program, *words, "--help"], text=True,
                                            capture_output=True, check=False,
                                            timeout=PATIENCE_S).stdout)
        text = "\n".join(heard)
        for secret in secrets:
            self.assertNotIn(secret, text)
            for path in self.floor.data.rglob("*"):
                if path.is_file() and path.suffix != ".credentials":
                    self.assertNotIn(secret.encode(), path.read_bytes(), path)
        for key in self.keys().values():  # public keys may be printed
            self.assertIn(key, text)


if __name__ == "__main__":
    unittest.main()
