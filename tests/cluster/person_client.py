"""People who give commands while nodes fail, and read what nodes say; all of it in a history
(HISTORY.md).

    people = PersonClient(history, house, "C4-05")
    people.start()
    ...
    people.finish()

They freeze and unfreeze a table that nobody plays at: a freeze by one person, a proposal by the
same one, and its confirmation by another one.
"""

import json

from player import Player

BY, CONFIRMS = "FM-1", "TGM-1"
PAUSE_S = 0.25  # between two commands


class PersonClient(Player):
    def __init__(self, history, house, table):
        super().__init__("people")
        self.history, self.house, self.table = history, house, table
        self.pins = {badge: house.floor.own_pin(badge) for badge in (BY, CONFIRMS)}
        self.at = 0  # in the names of nodes: the one that is asked
        self.marks = 0
        self.counts = {}  # by outcome

    def unfinished(self):
        return "a command has no end"

    def play(self):
        while not self.ends.wait(PAUSE_S):
            self._freeze_and_unfreeze()
            for name in self.house.names:
                self._read(name)

    def _freeze_and_unfreeze(self):
        self.marks += 1
        mark = f"mark {self.marks}"
        self._command(BY, "table freeze", self.table, "--reason", mark, mark=mark)
        proposed = self._command(BY, "table unfreeze", self.table)
        if proposed and proposed["proposal"] is not None:
            self._command(CONFIRMS, "confirm", proposed["proposal"])

    def _command(self, by, command, *arguments, **known):
        """What the tool said, parsed; None: nothing is known of the command, or it is refused."""
        process = f"person {by}"
        op = self.history.invoke(process=process, person=by, command=command, **known)
        node = self.house.names[self.at]
        result = self.house.tool(node, *command.split(), *arguments, "--by", by, "--json",
                                      said=f"{self.pins[by]}\n")
        try:
            told = json.loads(result.stdout)
        except ValueError:  # the node is away, or died meanwhile
            self._end("unknown", op=op, process=process, why=result.stderr.strip()[-200:])
            self.at = (self.at + 1) % len(self.house.names)
            return None
        refusal = told["refusal"] or "none"
        if told["entry"] is not None:
            self._end("ok", op=op, process=process, node=node, entry=told["entry"],
                      refusal=refusal)
            return told
        self._end("refused", op=op, process=process, node=node, refusal=refusal)
        self.at = (self.at + 1) % len(self.house.names)
        return None

    def _end(self, outcome, **fields):
        self.counts[outcome] = self.counts.get(outcome, 0) + 1
        self.history.write(outcome, **fields)

    def _read(self, name):
        """What a node says of itself."""
        result = self.house.tool(name, "nodes", "--json")
        if result.returncode != 0:
            return
        own = next(node for node in json.loads(result.stdout)["nodes"] if node["name"] == name)
        if own["lag_seconds"] is not None:
            self.history.write("read", process="reader", node=name, head=own["entry"],
                               lag_entries=own["lag_entries"],
                               lag_ms=round(1_000 * own["lag_seconds"]))
