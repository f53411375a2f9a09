"""A demo floor whose tables play scripts made from a seed, and what must have come of it in the
end, whatever was done to its processes on the way: every message counts exactly once, meters,
counts and claims are what the rules make of the scripts, and whatever an agent ever saw
acknowledged stands in the journal.
"""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import floor_process
import scripts
from expected_floor import ExpectedFloor, told, told_claims
from floor_process import Floor


class PlayedFloor:
    """`every` and `wait_ms` are the pace of the scripts: a pause after every so many messages."""

    def __init__(self, test, tables, seed, messages, every, wait_ms):
        self.test, self.tables, self.seed = test, tables, seed
        self.witnessed = set()  # (table, entry, its hash, messages acknowledged) as agents saw it
        self.acknowledged = dict.fromkeys(tables, 0)
        self.played = {table: scripts.Table(table, seed, messages) for table in tables}
        self.floor = Floor()
        self.floor.init()
        self.files = {table: self.floor.write_script(
            list(self.played[table].events(every, wait_ms)), f"{table}.jsonl") for table in tables}
        self.agents = {}
        self.controller = self.floor.start_controller()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.floor.close()

    def start_agents(self):
        for table in self.tables:
            self.start_agent(table)

    def start_agent(self, table, endpoint=None):
        self.agents[table] = self.floor.start_agent(endpoint or self.controller.endpoint, table,
                                                    self.files[table])
        return self.agents[table]

    def kill_agent(self, table):
        was_killed = self.agents[table].kill()
        self.ask_witness(table)
        return was_killed

    def restart_controller(self):
        self.controller = self.floor.start_controller(listen=self.controller.endpoint)

    def ask_witness(self, table):
        """What a stopped agent's outbox holds: it may only ever grow."""
        outbox = self.floor.agents / f"{table}.outbox"
        answer = subprocess.run([floor_process.PROGRAMS / "outbox_witness", outbox, table],
                                capture_output=True, text=True, check=False)
        if answer.returncode != 0 and not outbox.exists():
            return  # killed before it had made its outbox
        self.test.assertEqual(0, answer.returncode, answer.stderr)
        entry, head, acknowledged = answer.stdout.split()
        if int(entry) > 0:
            self.witnessed.add((table, int(entry), head, int(acknowledged)))
        self.test.assertGreaterEqual(int(acknowledged), self.acknowledged[table])
        self.acknowledged[table] = int(acknowledged)

    def finish(self):
        """All agents play to their end."""
        for table, agent in self.agents.items():
            agent.wait(300)  # 1 where a message was refused since its last start
            self.ask_witness(table)
            self.test.assertEqual(len(self.played[table].played), self.acknowledged[table],
                                  agent.telling())

    def look_at(self):
        """The journal gives the order between tables, and nothing else, to the expectation."""
        expected = ExpectedFloor(scripts.line_of)
        said = dict.fromkeys(self.tables, 0)
        entries = self.floor.entries()
        for entry in entries:
            if "message" not in entry:
                continue  # not a table's
            table = entry["table"]
            scripted = self.played[table].played[said[table]]
            said[table] += 1
            self.test.assertEqual(said[table], entry["message"],
                                  "a message is missing, or there twice")
            self.test.assertEqual(scripted.refusal, entry.get("refusal"), (scripted, entry))
            if scripted.refusal is None:
                self.test.assertEqual(scripted.event["round"], entry["round"])
            expected.play(table, scripted)
        self.test.assertEqual({table: len(self.played[table].played) for table in self.tables},
                              said)
        self.test.assertEqual(expected.meters(), told(self.floor.meters()))
        self.test.assertEqual(expected.claims, told_claims(self.floor.claims()))
        self._look_at_witnesses(entries)
        self.test.assertTrue(self.floor.audit()["clean"])

    def _look_at_witnesses(self, entries):
        """What was acknowledged stands in the journal, at or before the head that came with it."""
        said, held = dict.fromkeys(self.tables, 0), {}
        for entry in entries:
            if "message" in entry:
                said[entry["table"]] += 1
            held[entry["entry"]] = entry["hash"], dict(said)
        for table, number, head, acknowledged in self.witnessed:
            self.test.assertEqual(head, held[number][0], f"seed {self.seed}: entry {number}")
            self.test.assertLessEqual(acknowledged, held[number][1][table],
                                      f"seed {self.seed}: {table}")
