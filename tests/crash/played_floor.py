"""A demo floor whose tables play scripts made from a seed, and the result that must follow from
them, whatever happened to its processes (judge.py)."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import floor_process
import scripts
from floor_process import Floor
from judge import Judge


class PlayedFloor:
    """`every` and `wait_ms` are the pace of the scripts: a pause after every so many messages."""

    def __init__(self, test, tables, seed, messages, every, wait_ms):
        self.test, self.tables, self.seed = test, tables, seed
        self.witnessed = set()  # (table, entry, its hash, messages acknowledged) as agents saw it
        self.acknowledged = dict.fromkeys(tables, 0)
        self.stored = dict.fromkeys(tables, 0)  # the last message in each outbox
        self.played = {table: scripts.Table(table, seed, messages) for table in tables}
        self.floor = Floor()
        self.floor.sign_every_s = None  # a crash may come at any step of a signature
        self.floor.init()
        self.files = {table: self.floor.write_script(
            list(self.played[table].events(every, wait_ms)), f"{table}.jsonl") for table in tables}
        self.agents = {}
        self.controller = self.floor.start_controller(**self.surroundings("controller"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.floor.close()

    def surroundings(self, name):
        """How the controller ("controller") or a table's agent is started, beside its options."""
        return {}

    def start_agents(self):
        for table in self.tables:
            self.start_agent(table)

    def start_agent(self, table, endpoint=None, **surroundings):
        self.agents[table] = self.floor.start_agent(
            endpoint or self.controller.endpoint, table, self.files[table],
            **(surroundings or self.surroundings(table)))
        return self.agents[table]

    def kill_agent(self, table):
        was_killed = self.agents[table].kill()
        self.ask_witness(table)
        return was_killed

    def restart_controller(self):
        self.controller = self.floor.start_controller(
            **{**self.surroundings("controller"), "listen": self.controller.endpoint})

    def ask_witness(self, table):
        """What a stopped agent's outbox holds: it may only grow."""
        outbox = self.floor.agents / f"{table}.outbox"
        answer = subprocess.run([floor_process.PROGRAMS / "outbox_witness", outbox, table],
                                capture_output=True, text=True, check=False)
        if answer.returncode != 0 and not outbox.exists():
            return  # killed before it had created its outbox
        self.test.assertEqual(0, answer.returncode, answer.stderr)
        entry, head, acknowledged, stored = answer.stdout.split()
        if int(entry) > 0:
            self.witnessed.add((table, int(entry), head, int(acknowledged)))
        self.test.assertGreaterEqual(int(acknowledged), self.acknowledged[table])
        self.acknowledged[table], self.stored[table] = int(acknowledged), int(stored)

    def finish(self):
        """All agents play to their end."""
        for table, agent in self.agents.items():
            agent.wait(300)  # 1 if a message was refused since its last start
            self.ask_witness(table)
            self.test.assertEqual(len(self.played[table].played), self.acknowledged[table],
                                  agent.telling())

    def look_at(self, paid=frozenset()):
        """`paid`: the claims whose payment was confirmed to people."""
        Judge(self.test, self.floor, self.seed).judge(self.played, self.witnessed, paid)
