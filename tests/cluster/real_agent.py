"""A real agent deals rounds while nodes fail; at the end the journal must have what its outbox had.
"""

import json
import subprocess

import nodes

DEAL_EVERY_MS = 40


class RealAgent:
    def __init__(self, house, table, seed):
        self.house, self.table = house, table
        first, *others = (house.endpoints[name] for name in house.names)
        self.nodes = [word for endpoint in others for word in ("--controller", endpoint)]
        self.agent = house.floor.start_agent(
            first, table, options=["--deal", seed, "--pace", DEAL_EVERY_MS, *self.nodes])

    @property
    def failure(self):
        """As of the other clients: why it ended; None: it runs."""
        if self.agent.is_running():
            return None
        return AssertionError(f"the agent ended: {self.agent.telling()}")

    def count(self, words):
        return sum(words in line for line in list(self.agent.said))

    def finish(self):
        """Ends the play; then one more round, which ends when everything is acknowledged."""
        self.agent.stop()
        stored = self._witness()[3]
        last = [{"event": "lock", "round": "last",
                 "wagers": [{"seat": 1, "wager": "crazy-4/five-card", "amount": "5.00"}]},
                {"event": "close", "round": "last"}]
        self.house.start_agent(self.table, last).wait()
        _, _, acknowledged, self.messages = self._witness()
        if acknowledged != self.messages or self.messages < stored + 2:
            raise AssertionError(f"{self.table}: {acknowledged} of {self.messages} messages are "
                                 f"acknowledged; {stored} were stored before the last round")

    def judge(self, journal):
        """Each message that the outbox held is one entry, in order; its last head is an entry."""
        entry, digest, _, _ = self._witness()
        numbers, entries = [], 0
        for line in journal:
            entries += 1
            one = json.loads(line)
            if entries == entry and one["hash"] != digest:
                raise AssertionError(f"entry {entry} is {one['hash']}; {self.table} saw {digest}")
            if one.get("table") == self.table and "message" in one:
                numbers.append(one["message"])
        if entries < entry or numbers != list(range(1, self.messages + 1)):
            raise AssertionError(f"{self.table}: {self.messages} messages up to entry {entry}; the "
                                 f"journal has {len(numbers)} in {entries} entries")

    def _witness(self):
        """(entry, its hash, acknowledged, stored) of the outbox. REQUIRES: no agent runs."""
        outbox = self.house.floor.agents / f"{self.table}.outbox"
        told = subprocess.run([nodes.PROGRAMS / "outbox_witness", outbox, self.table],
                              capture_output=True, text=True, check=True).stdout
        entry, digest, acknowledged, stored = told.split()
        return int(entry), digest, int(acknowledged), int(stored)
