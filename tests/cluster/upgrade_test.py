"""Two releases in one cluster, over a real etcd: the upgrade of one node after the other, the way
back, and an entry that the old release cannot read.

The old release is this one, and the new one is the next release that tests link
(crash/next_release.cc). With LINKMETER_OLD_RELEASE=DIR, the folder of an older release's programs,
the upgrade from that one to this one is tested, too.
"""

import hashlib
import json
import os
import pathlib
import unittest

from failover_test import TABLE, rounds
from floor_process import NEXT
from nodes import House

OLD = os.environ.get("LINKMETER_OLD_RELEASE")
# A suspension for this reason is the entry that this release cannot read.
REASON = "a reason of the next release"
IDLE_LINK = "PG-MAIN"


class Releases(unittest.TestCase):
    """`old`, `new`: folders of programs; None: this release."""
    old, new = None, NEXT

    def setUp(self):
        self.house = House(programs=self.old)
        self.addCleanup(self.house.close)
        self.house.nodes["b"].await_line("standby writer=a")
        self.played = 0

    def play(self):
        self.house.start_agent(TABLE, rounds(self.played + 1, 5)).finish(0)
        self.played += 5

    def install(self, name, programs, writer):
        """On a standby, which may have ended."""
        self.house.nodes[name].stop()
        self.house.install(name, programs)
        self.house.start(name)
        self.house.nodes[name].await_line(f"standby writer={writer}")
        self.house.await_running(writer, name)

    def hand_over(self, writer, to):
        handed = self.house.tool(writer, "handover", "--to", to)
        self.assertEqual(0, handed.returncode, handed.stderr)
        self.house.nodes[writer].wait()
        self.house.await_writer(to)
        self.house.start(writer)
        self.house.nodes[writer].await_line(f"standby writer={to}")
        self.house.await_running(to, writer)

    def version(self, name):
        return self.house.tool(name, "--version").stdout.split()[-1]

    def require_one_history(self):
        journal = [json.loads(line) for line in self.house.await_equal_journals()]
        self.assertEqual([f"r{number}" for number in range(1, self.played + 1)],
                         [entry["round"] for entry in journal
                          if entry.get("fact") == "round_locked"])
        for name in self.house.names:
            self.assertTrue(self.house.audit(name)["clean"])


class KnownEntries(Releases):
    def test_one_node_after_the_other_is_upgraded_and_the_first_may_go_back(self):
        self.play()
        self.install("b", self.new, "a")  # the new release follows the old one
        self.play()
        self.hand_over("a", "b")
        self.play()  # the old release follows the new one
        self.hand_over("b", "a")
        self.install("b", self.old, "a")  # back: no entry needs the new release
        self.play()
        self.install("b", self.new, "a")
        self.hand_over("a", "b")
        self.install("a", self.new, "b")
        self.play()
        self.require_one_history()


class UnknownEntry(Releases):
    def digest(self, name):
        store = self.house.data(name) / "journal" / "data.mdb"
        return hashlib.sha256(store.read_bytes()).hexdigest()

    def test_an_old_node_ends_at_an_entry_of_the_new_release_and_continues_after_its_upgrade(self):
        self.install("b", self.new, "a")
        self.hand_over("a", "b")
        self.play()
        self.house.await_equal_journals()
        before = self.house.head("b")
        done = self.house.tool("b", "link", "suspend", IDLE_LINK, "--reason", REASON,
                               "--by", "FM-1", said=f"{self.house.floor.own_pin('FM-1')}\n")
        self.assertEqual(0, done.returncode, done.stderr)
        unknown = next(entry["entry"] for entry in map(json.loads, self.house.journal("b"))
                       if entry.get("note") == REASON)
        a = self.house.nodes["a"]
        a.finish(1)
        needed = (f"entry {unknown}: it needs release {self.version('b')} or later; "
                  f"this is {self.version('a')}")
        self.assertIn(needed, a.last_error())
        # It keeps what came before, and another start changes nothing.
        self.assertTrue(self.house.audit("a")["clean"])
        self.assertIn(self.house.head("a"), range(before, unknown))
        digest = self.digest("a")
        again = self.house.begin("a")
        again.finish(1)
        self.assertIn(needed, again.last_error())
        self.assertEqual(digest, self.digest("a"))
        self.play()  # the writer does not wait for it
        self.install("a", self.new, "b")
        self.require_one_history()
        links = json.loads(self.house.tool("a", "meters", "--json").stdout)["links"]
        self.assertEqual("suspended",
                         next(link["status"] for link in links if link["link"] == IDLE_LINK))


@unittest.skipUnless(OLD, "LINKMETER_OLD_RELEASE names no folder with an older release")
class FromAnOlderRelease(KnownEntries):
    old, new = pathlib.Path(OLD or "."), None


if __name__ == "__main__":
    unittest.main()
