"""Two releases on one data folder: this one and the next one (next_release.cc), which has another
version of state rows and may write an entry that this release does not know.

Each program prints the right message about a folder that the other has written, and changes
nothing that the other one needs.
"""

import hashlib
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import people_test
from floor_process import NEXT
from people_test import win

# Its suspension is the entry that this release does not know.
REASON = "a reason of the next release"
IDLE_LINK = "PG-MAIN"
# Every command that reads a stopped controller's folder.
READERS = (("meters",), ("meters", "--json"), ("claims",), ("claims", "--json"), ("slips",),
           ("rounds",), ("person", "list"), ("enrolments",),
           ("proposals",), ("days",), ("days", "--open"), ("history", "show"), ("keys", "list"),
           ("clock", "show"), ("parameters", "show"), ("parameters", "history"), ("export",),
           ("export", "--format", "ledger"), ("explain", "--link", "C4-MEGA", "--level", "major"),
           ("explain", "--claim", "1"))


class Releases(people_test.People):
    def setUp(self):
        super().setUp()
        self.play(win("r1"))
        self.this_version = self.version()

    def version(self):
        told = self.floor.tool("--version")
        self.assertEqual(0, told.returncode, told.stderr)
        return told.stdout.split()[-1]

    def stop(self):
        self.assertEqual(0, self.controller.stop(), self.controller.telling())

    def start(self, programs, *, is_sealed=True):
        if is_sealed:
            self.floor.install(programs)
        else:
            self.floor.programs = programs
        self.controller = self.floor.start_controller()

    def does_not_start(self):
        """Returns the sentence that it ends with."""
        controller = self.floor.run_controller()
        self.assertEqual(1, controller.child.returncode, controller.telling())
        self.assertFalse([line for line in controller.said if line.startswith("ready ")])
        return controller.last_error()

    def journal_digest(self):
        return hashlib.sha256((self.floor.data / "journal" / "data.mdb").read_bytes()).hexdigest()

    def operates(self):
        self.assertEqual({"operating"},
                         {link["status"] for link in self.floor.meters()["links"]})

    def readings(self, folder):
        """The output of every command, by command; files that commands create go into a new
        folder."""
        folder = self.floor.folder / folder
        folder.mkdir()
        made = {"bundle": ("--claim", "1", "--out", folder / "bundle"),
                "backup": ("--to", folder / "backup")}
        return {reader: self.floor.tool(*reader, *made.get(reader[0], ()), "--data",
                                        self.floor.data)
                for reader in (*READERS, ("bundle",), ("backup",))}


class KnownEntries(Releases):
    def test_every_command_reads_the_folder_of_the_other_release(self):
        self.stop()
        before = self.readings("this")
        self.start(NEXT)
        self.stop()
        self.floor.programs = None  # the tool of this release, the rows of the next one
        digest = self.journal_digest()
        after = self.readings("next")
        for reader, told in after.items():
            with self.subTest(reader=reader):
                self.assertEqual(0, before[reader].returncode, before[reader].stderr)
                self.assertEqual(0, told.returncode, told.stderr)
        for reader in (("claims", "--json"), ("explain", "--claim", "1")):
            self.assertEqual(before[reader].stdout, after[reader].stdout)
        meters = [json.loads(told["meters", "--json"].stdout)["links"] for told in (before, after)]
        self.assertEqual(*meters)
        audit = self.floor.tool("audit", "--data", self.floor.data)
        self.assertEqual(0, audit.returncode, audit.stderr)
        self.assertIn("its next start rebuilds it", audit.stdout)
        self.assertEqual(digest, self.journal_digest())

    def test_this_tool_reads_beside_the_next_controller(self):
        self.stop()
        self.start(NEXT)
        theirs = self.floor.meters()
        self.floor.programs = None
        self.assertEqual(theirs, self.floor.meters())
        self.assertTrue(self.floor.audit()["clean"])

    def test_an_unsealed_upgrade_says_what_to_do_and_can_be_rolled_back(self):
        self.stop()
        self.floor.programs = NEXT
        told = self.does_not_start()
        for word in ("software", "differs", "linkmeter seal", "then start again"):
            self.assertIn(word, told)
        self.start(None, is_sealed=False)  # put back, without any command
        self.operates()
        self.stop()
        self.assertFalse([line for line in self.controller.said if "remade" in line])
        self.floor.programs = NEXT
        self.does_not_start()
        self.start(NEXT)  # sealed
        self.operates()
        self.stop()
        self.floor.programs = None
        self.does_not_start()
        self.start(None)
        self.operates()
        self.assertTrue(self.floor.audit()["clean"])


class UnknownEntry(Releases):
    def setUp(self):
        super().setUp()
        self.stop()
        self.start(NEXT)
        self.next_version = self.version()
        self.done("FM-1", "link", "suspend", IDLE_LINK, "--reason", REASON)
        self.number = self.floor.entries()[-1]["entry"]
        self.assertEqual("link_suspended", self.floor.entries()[-1]["fact"])
        self.needed = f"needs release {self.next_version} or later; this is {self.this_version}"

    def test_this_release_names_the_needed_one_and_changes_nothing(self):
        self.assertEqual(0, self.controller.stop())
        manifest = (self.floor.data / "manifest").read_bytes()
        digest = self.journal_digest()
        self.floor.programs = None
        for refused in (self.does_not_start(),
                        self.floor.tool("seal", "--floor", self.floor.file, "--data",
                                        self.floor.data).stderr,
                        self.floor.tool("rebuild", "--data", self.floor.data).stderr,
                        self.floor.tool("audit", "--data", self.floor.data).stderr,
                        self.floor.tool("verify-software", "--data", self.floor.data).stderr,
                        json.loads(self.floor.tool("audit", "--json", "--data",
                                                   self.floor.data).stdout)["why"]):
            self.assertIn(f"entry {self.number}: it {self.needed}", refused)
        for reader, told in self.readings("this").items():
            with self.subTest(reader=reader):
                if reader[0] == "backup":  # copies bytes, and verifies their chain
                    self.assertEqual(0, told.returncode, told.stderr)
                    continue
                self.assertEqual(1, told.returncode, (told.stdout, told.stderr))
                self.assertIn(self.needed, told.stderr)
                self.assertEqual(1, len(told.stderr.strip().splitlines()), told.stderr)
        restored = self.floor.tool("restore", "--from", self.floor.folder / "this" / "backup",
                                   "--to", self.floor.folder / "restored")
        self.assertEqual(1, restored.returncode)
        self.assertIn(self.needed, restored.stderr)
        self.assertFalse((self.floor.folder / "restored").exists())
        self.assertEqual(digest, self.journal_digest())
        self.assertEqual(manifest, (self.floor.data / "manifest").read_bytes())
        # The next release continues as if nothing had happened.
        self.start(NEXT, is_sealed=False)
        states = {link["link"]: link["status"] for link in self.floor.meters()["links"]}
        self.assertEqual("suspended", states.pop(IDLE_LINK))
        self.assertEqual({"operating"}, set(states.values()))
        self.assertTrue(self.floor.audit()["clean"])
        self.stop()
        self.assertFalse([line for line in self.controller.said if "remade" in line])


if __name__ == "__main__":
    unittest.main()
