"""A disk or a map that fills up under a running controller (L3)."""

import json
import os
import shutil
import subprocess
import time
import unittest

from floor_process import PATIENCE_S, Process
from self_check_test import SelfCheckTest, close, lock

MEBIBYTE = 1 << 20


class DiskFull(SelfCheckTest):
    """A disk or a map that fills up: links suspend themselves while that can still be written."""

    def suspended(self):
        return {link["status"] for link in self.floor.meters()["links"]}

    def await_suspension(self, word):
        until = time.monotonic() + PATIENCE_S
        while not any(entry["fact"] == "link_suspended" for entry in self.floor.entries()):
            self.assertLess(time.monotonic(), until, "no link suspends itself")
        entries = [e for e in self.floor.entries() if e["fact"] == "link_suspended"]
        self.assertEqual(len(self.floor.meters()["links"]), len(entries))
        for entry in entries:
            self.assertIn(word, entry["note"])
            self.assertEqual("", entry["by"])

    def answered(self):
        """Rounds that were acknowledged to an agent, from the last head that it saw."""
        said = subprocess.run([self.programs / "linkmeter-table-agent", "--table", "C4-01",
                               "--data", self.floor.agents, "--print-witness"], check=True,
                              capture_output=True, text=True)
        return json.loads(said.stdout)

    def goes_on(self, events, *options):
        """With free space again: nothing acknowledged is lost, and the agent plays to its end."""
        seen = self.answered()
        controller = self.start(*options)
        entries = {entry["entry"]: entry["hash"] for entry in self.floor.entries()}
        self.assertEqual(seen["hash"], entries[seen["entry"]])
        agent = self.floor.start_agent(controller.endpoint, "C4-01", events)
        agent.finish(1)  # locks from after the suspension of the link were refused
        self.assertTrue(self.floor.audit()["clean"])
        of_table = self.floor.table_entries()
        self.assertEqual(list(range(1, len(events) + 1)), [e["message"] for e in of_table])
        for entry, event in zip(of_table, events):
            if entry["fact"] != "message_refused":
                self.assertEqual(event["round"], entry["round"])
            else:
                self.assertIn(entry["refusal"], ("link_suspended", "round_unknown"))
        controller.stop()

    def test_links_suspend_themselves_before_the_map_is_full(self):
        events = [event for n in range(4_000) for event in (lock(f"r{n}"), close(f"r{n}"))]
        controller = self.start("--map-size", "1M", "--margin", "256K")
        agent = self.floor.start_agent(controller.endpoint, "C4-01", events)
        controller.finish(1)
        self.assertIn("the map is full", "\n".join(controller.said))
        agent.kill()
        self.await_suspension("map is full")
        locked = [e["entry"] for e in self.floor.entries() if e["fact"] == "round_locked"]
        suspended = [e["entry"] for e in self.floor.entries() if e["fact"] == "link_suspended"]
        self.assertGreater(len(locked), 100)
        self.assertLess(max(locked), min(suspended))
        self.goes_on(events, "--map-size", "256M")

    def test_links_suspend_themselves_before_the_disk_is_full(self):
        disk = self.floor.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk],
                                 check=False, capture_output=True)
        if mounted.returncode != 0:
            print("nothing can be mounted here: skipped")
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        self.addCleanup(self.floor.close)  # first
        shutil.move(self.floor.data, disk / "data")
        self.floor.data = disk / "data"
        events = [event for n in range(400) for event in (lock(f"r{n}"), close(f"r{n}"))]
        controller = self.start("--margin", "4M")
        self.play(controller, events[:200])
        meters = self.floor.link("C4-MEGA")["levels"]
        self.assertEqual({"operating"}, self.suspended())
        (disk / "rubbish").write_bytes(bytes(12 * MEBIBYTE))
        self.await_suspension("disk is full")
        self.assertTrue(controller.is_running())
        self.assertEqual({"suspended"}, self.suspended())
        with open(disk / "more", "wb", buffering=0) as more:  # to the last byte
            try:
                while True:
                    more.write(bytes(4096))
            except OSError:
                pass
        agent = self.floor.start_agent(controller.endpoint, "C4-01", events)
        controller.finish(1)
        self.assertIn("is its disk full?", controller.last_error())
        agent.kill()
        # The next start waits for free space, and continues by itself.
        waiting = Process(self.arguments("--margin", "4M"))
        self.floor.processes.append(waiting)
        waiting.await_line("waiting for room")
        self.assertTrue(waiting.is_running())
        os.unlink(disk / "rubbish")
        os.unlink(disk / "more")
        waiting.await_line("^ready ")
        self.assertEqual({"suspended"}, self.suspended())  # until people resume them
        waiting.stop()
        self.goes_on(events, "--margin", "4M")
        self.assertEqual(meters, self.floor.link("C4-MEGA")["levels"])


if __name__ == "__main__":
    unittest.main()
