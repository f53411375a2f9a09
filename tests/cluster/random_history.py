"""A correct history of a cluster that never was, and its journal, from a seed: tables with windows,
lost frames, repeats, standbys that refuse, writers that die before or after a commit, people
without an answer. It is written from HISTORY.md alone and shares nothing with the judge."""

import hashlib
import heapq
import json
import random

RATES = {"C4-MEGA": {"mega": 90_000, "major": 70_000, "minor": 30_000},
         "RIU-ONE": {"main": 150_000, "reserve": 20_000}}
MICROSECOND, MILLISECOND = 1_000, 1_000_000
PATIENCE = 50 * MILLISECOND  # of a table or person without an answer
LEASE = 30 * MILLISECOND
WINDOW = 4
FACTS = {"lock": "round_locked", "show": "hands_shown", "close": "round_closed"}
FAULTS = ("sigkill", "sigstop", "partition", "handover")


class Table:
    def __init__(self, name, link):
        self.name, self.link, self.process = name, link, f"table {name}"
        self.messages = []
        self.acknowledged = set()
        self.open = {}  # message number by op
        self.connection = 0
        self.node = None  # that gave the Welcome; None: not yet
        self.frame_at = self.answer_at = 0  # frames of a connection stay in their order
        self.has_left = False


class RandomHistory:
    """`events`: the history's lines as objects. `journal`: the export's, of every node."""

    def __init__(self, seed, operations, failovers=8, tables=4, nodes=("a", "b", "c")):
        self.chance = random.Random(seed)
        self.wanted, self.nodes = operations, nodes
        self.per_failover = max(1, operations // (failovers + 1))
        self.heap, self.sequence, self.now = [], 0, 1_000_000_000
        self.events, self.journal = [], []
        self.ops = 0
        self.open = set()
        self.answers = {}  # by table and number: (entry, refusal)
        self.last = {}  # by table: its last message in the journal
        self.followed = dict.fromkeys(nodes, 0)
        self.writer, self.epoch, self.alive = None, 0, set(nodes)
        self.queue = []
        self.tables = [Table(f"T-{at + 1:02}", sorted(RATES)[at % 2]) for at in range(tables)]
        self.run()

    # --- time ---

    def at(self, when, action, *arguments):
        self.sequence += 1
        heapq.heappush(self.heap, (when, self.sequence, action, arguments))

    def after(self, low, high, action, *arguments):
        self.at(self.now + self.chance.randint(low, high), action, *arguments)

    def run(self):
        self.say("start", format="linkmeter-history 1", clock="CLOCK_MONOTONIC", house="Random",
                 nodes=list(self.nodes), tables={table.name: 0 for table in self.tables},
                 rates=RATES)
        self.append({"fact": "floor_opened"})
        self.become_writer(self.nodes[0])
        for table in self.tables:
            self.connect(table)
        self.after(0, MILLISECOND, self.person)
        self.after(0, MILLISECOND, self.read)
        while self.heap:
            self.now, _, action, arguments = heapq.heappop(self.heap)
            action(*arguments)
        self.say("end", operations=self.ops)

    def say(self, name, **fields):
        self.events.append({"ns": self.now, "type": name, **fields})

    def invoke(self, process, **fields):
        self.ops += 1
        self.open.add(self.ops)
        self.say("invoke", op=self.ops, process=process, **fields)
        if self.ops % self.per_failover == 0 and self.ops < self.wanted:
            self.after(0, MILLISECOND, self.fail)
        return self.ops

    def is_over(self):
        return self.ops >= self.wanted

    # --- the journal ---

    def append(self, entry):
        previous = self.journal[-1]["hash"] if self.journal else ""
        number = len(self.journal) + 1
        entry = {"entry": number, "fact": entry.pop("fact"),
                 "recorded_at": f"2026-11-27T00:00:{number % 60:02}.{number:06}Z",
                 "postings": entry.pop("postings", []), **entry}
        content = previous + json.dumps(entry)
        entry["hash"] = hashlib.sha256(content.encode()).hexdigest()
        self.journal.append(entry)
        if number % 100 == 0:
            self.append({"fact": "head_signed", "head": number, "head_hash": entry["hash"]})
        return number

    def head(self, number=None):
        entry = self.journal[number - 1 if number else -1]
        return {"head": entry["entry"], "hash": entry["hash"]}

    def become_writer(self, node):
        self.writer, self.epoch = node, self.epoch + 1
        entry = self.append({"fact": "writer_changed", "node": node, "epoch": self.epoch})
        self.say("writer", node=node, epoch=self.epoch, entry=entry)

    def fail(self):
        """The writer loses its role. What waits for its commit is lost, or done without answers."""
        kind, node = self.chance.choice(FAULTS), self.writer
        if node is None:
            return
        self.say("fault", fault=kind, target=node, edge="begin")
        if kind == "handover":
            self.commit()
        else:
            self.alive.discard(node)
            self.commit(answers=False, done=self.chance.random() < 0.5)
        self.writer = None
        others = [other for other in self.nodes if other != node and other in self.alive]
        self.after(LEASE // 100 if kind == "handover" else LEASE, 2 * LEASE, self.take_over,
                   self.chance.choice(others), kind, node)

    def take_over(self, node, kind, old):
        self.become_writer(node)
        self.alive.add(old)
        self.say("fault", fault=kind, target=old, edge="end")

    # --- the writer ---

    def receive(self, node, answer, decide):
        """A frame comes to the node. `answer` takes its answer back; `decide` appends entries."""
        if node not in self.alive:
            return
        if node != self.writer:
            answer("refused", refusal="not_the_writer", node=node)
            return
        if not self.queue:
            self.after(100 * MICROSECOND, 500 * MICROSECOND, self.commit)
        self.queue.append((decide, answer))

    def commit(self, answers=True, done=True):
        if self.writer is None:
            return
        queue, self.queue = self.queue, []
        told = [(answer, decide()) for decide, answer in queue] if done else []
        for answer, (name, fields) in told:
            if answers:
                head = self.head() if name == "ok" else {}
                answer(name, node=self.writer, epoch=self.epoch, **head, **fields)

    def decide_message(self, table, message):
        number, last = message["message"], self.last.get(table.name, 0)
        if number <= last:
            entry, refusal = self.answers[table.name, number]
            return "ok", {"entry": entry, "refusal": refusal}
        if number > last + 1:
            return "refused", {"refusal": "message_out_of_order"}
        if self.chance.random() < 0.005:
            return "refused", {"refusal": "pace_exceeded"}
        refusal = "round_unknown" if self.chance.random() < 0.02 else "none"
        entry = {"fact": FACTS[message["kind"]], "table": table.name, "message": number,
                 "digest": message["sha256"]}
        if refusal != "none":
            entry.update(fact="message_refused", refusal=refusal)
        elif message["kind"] == "lock":
            entry.update(self.accrued(message["wagers"]))
        made = self.append(entry)
        self.last[table.name], self.answers[table.name, number] = number, (made, refusal)
        return "ok", {"entry": made, "refusal": refusal}

    def accrued(self, wagers):
        entered, postings = [], []
        for link, amounts in wagers.items():
            entered += [{"seat": seat, "link": link, "amount": f"{cents // 100}.{cents % 100:02}"}
                        for seat, cents in enumerate(amounts, 1)]
            for level, ppm in RATES[link].items():
                units = sum(amounts) * ppm
                text = f"{units // 10**8}.{units % 10**8:08}"
                held = "reserve" if level == "reserve" else "meter"
                postings += [{"link": link, "level": level, "account": account, "amount": amount}
                             for account, amount in (("wagers", f"-{text}"), (held, text))]
        return {"wagers": entered, "postings": postings}

    # --- tables ---

    def connect(self, table):
        """Asks one node after the other, until the writer gives a Welcome."""
        table.connection += 1
        for op in table.open:
            self.end(op, "unknown", process=table.process)
        table.open.clear()
        table.node = None
        if not table.has_left:
            self.after(MILLISECOND, 5 * MILLISECOND, self.welcome, table)

    def welcome(self, table):
        node = self.chance.choice(self.nodes)
        if node != self.writer:
            self.after(MILLISECOND, 5 * MILLISECOND, self.welcome, table)
            return
        table.node = node
        self.say("head", process=table.process, table=table.name, node=node, epoch=self.epoch,
                 last=self.last.get(table.name, 0), **self.head())
        self.send(table)

    def send(self, table):
        if table.node is None:
            return
        if not self.is_over():
            while len(table.messages) - len(table.acknowledged) < WINDOW:
                self.write(table)
            known = self.chance.randint(1, len(table.messages))
            if self.chance.random() < 0.02 and known in table.acknowledged:
                self.send_message(table, known)
        elif table is self.tables[-1]:
            table.has_left = True  # with what is open
            return
        waiting = set(table.open.values())
        first = max(1, len(table.acknowledged) - WINDOW)
        for number in range(first, len(table.messages) + 1):
            if number not in waiting and number not in table.acknowledged:
                self.send_message(table, number)

    def write(self, table):
        number = len(table.messages) + 1
        kind = ("lock", "show", "close")[number % 3 - 1]
        message = {"table": table.name, "message": number, "kind": kind,
                   "sha256": hashlib.sha256(f"{table.name} {number}".encode()).hexdigest()}
        if kind == "lock":
            wagers = self.chance.choices((500, 525), k=self.chance.randint(1, 6))
            message["wagers"] = {table.link: wagers}
        table.messages.append(message)

    def send_message(self, table, number):
        message, connection = table.messages[number - 1], table.connection
        op = self.invoke(table.process, **message)
        table.open[op] = number

        def answer(name, **fields):
            late = self.chance.randint(50 * MICROSECOND, MILLISECOND)
            table.answer_at = max(table.answer_at + 1, self.now + late)
            if self.chance.random() > 0.01:
                self.at(table.answer_at, self.hear, table, connection, op, name, fields)

        late = self.chance.randint(50 * MICROSECOND, MILLISECOND)
        table.frame_at = max(table.frame_at + 1, self.now + late)
        self.after(PATIENCE, PATIENCE, self.lose_patience, table, connection, op)
        if self.chance.random() > 0.01:
            when = table.frame_at if self.chance.random() > 0.002 else self.now + 2 * PATIENCE
            self.at(when, self.receive, table.node, answer,
                    lambda: self.decide_message(table, message))

    def hear(self, table, connection, op, name, fields):
        if connection != table.connection or op not in table.open:
            return
        number = table.open.pop(op)
        self.end(op, name, process=table.process, **fields)
        if name == "ok":
            table.acknowledged.add(number)
        if fields.get("refusal") == "not_the_writer":
            self.connect(table)
        else:
            self.after(0, 200 * MICROSECOND, self.send, table)

    def lose_patience(self, table, connection, op):
        if connection == table.connection and op in table.open and not table.has_left:
            self.connect(table)

    def end(self, op, name, **fields):
        self.open.remove(op)
        self.say(name, op=op, **fields)

    # --- people and signs ---

    def person(self):
        if self.is_over():
            return
        self.after(MILLISECOND, 5 * MILLISECOND, self.person)
        badge = self.chance.choice(("F-1", "C-1"))
        process, mark = f"person {badge}", f"mark {self.ops + 1}"
        op = self.invoke(process, person=badge, command="link suspend", mark=mark)

        def end(name, fields):
            if op in self.open:
                self.end(op, name, process=process, **fields)

        def answer(name, **fields):
            for of_table in ("head", "hash"):
                fields.pop(of_table, None)
            if self.chance.random() > 0.05:
                self.after(50 * MICROSECOND, MILLISECOND, end, name, fields)

        def decide():
            if self.chance.random() < 0.1:
                return "refused", {"refusal": "person_locked"}
            self.append({"fact": "signed_in", "by": badge})
            if self.chance.random() < 0.2:
                entry = self.append({"fact": "act_refused", "refusal": "link_unknown",
                                     "by": badge})
                return "ok", {"entry": entry, "refusal": "link_unknown"}
            entry = self.append({"fact": "link_suspended", "note": mark, "by": badge})
            return "ok", {"entry": entry, "refusal": "none"}

        self.after(50 * MICROSECOND, MILLISECOND, self.receive, self.chance.choice(self.nodes),
                   answer, decide)
        self.after(PATIENCE, PATIENCE, end, "unknown", {})

    def read(self):
        if self.is_over():
            return
        self.after(MILLISECOND, 3 * MILLISECOND, self.read)
        node = self.chance.choice(sorted(self.alive))
        lag = 0 if node == self.writer else self.chance.randint(0, 20)
        self.followed[node] = max(self.followed[node], len(self.journal) - lag, 1)
        head = self.head(self.followed[node])
        self.say("read", process="sign 1", node=node, lag_ms=lag,
                 lag_entries=len(self.journal) - head["head"], **head)


def lines_of(objects):
    """As files hold them."""
    return [json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in objects]
