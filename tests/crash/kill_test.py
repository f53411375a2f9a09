"""Controller and agents are killed with SIGKILL at random moments, again and again, as they play.

At the end every message counts exactly once, meters, counts and claims are what the rules make of
the scripts, and whatever an agent ever saw acknowledged stands in the journal. LINKMETER_SEED plays
another game.
"""

import os
import pathlib
import random
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import floor_process
import scripts
from expected_floor import ExpectedFloor, told, told_claims
from floor_process import Floor

SEED = int(os.environ.get("LINKMETER_SEED", "1"))
TABLES = ("C4-01", "C4-02", "C4-03", "RIU-01", "BJ-01", "P-01")
KILLS = 60  # of each side at least a quarter
MESSAGES = 3000  # of each table
MOMENTS_S = (0.0, 0.25)  # between two kills
EVERY, WAIT_MS = 2, 12  # the pace of a script: always something under way, longer than the kills


class KillTest(unittest.TestCase):
    def test_every_message_counts_once_through_kills_of_both_sides(self):
        self.random = random.Random(SEED)
        self.witnessed = set()  # (table, entry, its hash, messages acknowledged) as agents saw it
        self.acknowledged = dict.fromkeys(TABLES, 0)
        self.killed = {"controller": 0, "agent": 0}
        self.played = {table: scripts.Table(table, SEED, MESSAGES) for table in TABLES}
        with Floor() as self.floor:
            self.floor.init()
            self.files = {table: self.floor.write_script(
                list(self.played[table].events(EVERY, WAIT_MS)), f"{table}.jsonl")
                          for table in TABLES}
            self.controller = self.floor.start_controller()
            self.agents = {table: self.start_agent(table) for table in TABLES}
            while sum(self.killed.values()) < KILLS:
                self.kill_one()
            self.finish()
            self.look_at()
        print(f"seed {SEED}: killed {self.killed}, {len(TABLES)} tables of {MESSAGES} messages, "
              f"{len(self.witnessed)} heads witnessed")

    def start_agent(self, table):
        return self.floor.start_agent(self.controller.endpoint, table, self.files[table])

    def kill_one(self):
        time.sleep(self.random.uniform(*MOMENTS_S))  # a random moment is the point of this test
        running = [table for table in TABLES if self.agents[table].is_running()]
        self.assertTrue(running, f"seed {SEED}: the scripts are over after {self.killed}")
        if self.random.random() < 0.5:
            self.assertTrue(self.controller.kill(), self.controller.telling())
            self.killed["controller"] += 1
            if self.random.random() < 0.3:
                self.kill_agent(self.random.choice(running))  # both at once
            self.controller = self.floor.start_controller(listen=self.controller.endpoint)
            self.assertTrue(self.floor.audit()["clean"])
        else:
            self.kill_agent(self.random.choice(running))

    def kill_agent(self, table):
        if self.agents[table].kill():
            self.killed["agent"] += 1
        self.ask_witness(table)
        self.agents[table] = self.start_agent(table)

    def ask_witness(self, table):
        """What a stopped agent's outbox holds: it may only ever grow."""
        outbox = self.floor.agents / f"{table}.outbox"
        answer = subprocess.run([floor_process.PROGRAMS / "outbox_witness", outbox, table],
                                capture_output=True, text=True, check=False)
        if answer.returncode != 0 and not outbox.exists():
            return  # killed before it had made its outbox
        self.assertEqual(0, answer.returncode, answer.stderr)
        entry, head, acknowledged = answer.stdout.split()
        if int(entry) > 0:
            self.witnessed.add((table, int(entry), head, int(acknowledged)))
        self.assertGreaterEqual(int(acknowledged), self.acknowledged[table])
        self.acknowledged[table] = int(acknowledged)

    def finish(self):
        for table, agent in self.agents.items():
            agent.wait(300)  # 1 where a message was refused since its last start
            self.ask_witness(table)
            self.assertEqual(len(self.played[table].played), self.acknowledged[table],
                             agent.telling())
        self.assertGreaterEqual(min(self.killed.values()), KILLS // 4, f"seed {SEED}")
        self.assertTrue(self.controller.kill())
        self.controller = self.floor.start_controller()
        self.assertTrue(self.floor.audit()["clean"])
        self.assertEqual(0, self.controller.stop())

    def look_at(self):
        """The journal gives the order between tables, and nothing else, to the expectation."""
        expected = ExpectedFloor(scripts.line_of)
        said = dict.fromkeys(TABLES, 0)
        entries = self.floor.entries()
        for entry in (entry for entry in entries if "table" in entry):
            table = entry["table"]
            scripted = self.played[table].played[said[table]]
            said[table] += 1
            self.assertEqual(said[table], entry["message"], "a message is missing, or there twice")
            self.assertEqual(scripted.refusal, entry.get("refusal"), (scripted, entry))
            if scripted.refusal is None:
                self.assertEqual(scripted.event["round"], entry["round"])
            expected.play(table, scripted)
        self.assertEqual({table: len(self.played[table].played) for table in TABLES}, said)
        self.assertEqual(expected.meters(), told(self.floor.meters()))
        self.assertEqual(expected.claims, told_claims(self.floor.claims()))
        self.look_at_witnesses(entries)

    def look_at_witnesses(self, entries):
        """What was acknowledged stands in the journal, at or before the head that came with it."""
        said, held = dict.fromkeys(TABLES, 0), {}
        for entry in entries:
            if "table" in entry:
                said[entry["table"]] += 1
            held[entry["entry"]] = entry["hash"], dict(said)
        for table, number, head, acknowledged in self.witnessed:
            self.assertEqual(head, held[number][0], f"seed {SEED}: entry {number}")
            self.assertLessEqual(acknowledged, held[number][1][table], f"seed {SEED}: {table}")
        self.assertGreater(len(self.witnessed), KILLS // 4)


if __name__ == "__main__":
    unittest.main()
