"""The judge of a cluster test's history (HISTORY.md). It knows nothing of the product but what
tables and people were told, and what the nodes' journals hold afterwards.

    python3 tests/cluster/history_judge.py FILE [--journal NODE=EXPORT.jsonl ...]

EXPORT.jsonl is the output of `linkmeter export --data DIR` of a node that has followed to the end.
Exit 0: every rule holds, and a summary is printed. Exit 1: the first violations of each rule are
printed, with their lines. Exit 2: wrong usage.

It reads the history once, line by line. The memory grows with the number of messages and heads
(some hundred bytes each), not with the length of the lines or of the journals. No rule searches:
HISTORY.md says why none must.
"""

import argparse
import array
import bisect
import contextlib
import heapq
import sys

import history_lines
import journal_judge

SHOWN = 3  # violations of each rule
# What a repeat of an acknowledged message must not be told: refusals that are about its number.
ABOUT_THE_NUMBER = {"message_number_reused", "message_out_of_order", "pace_exceeded",
                    "message_malformed"}
RULES = {
    "format": "lines that are not as described",
    "time": "times that go back",
    "pairing": "answers to no operation",
    "one_end": "operations that end twice",
    "gap": "a message number is passed over",
    "same_answer": "another answer to the same message",
    "own_entry": "two operations with one entry",
    "real_time": "the order of entries against real time",
    "table_order": "the order of a table's entries against its numbers",
    "room": "no room in the journal for messages that must be there",
    "head_back": "a head goes back",
    "head_covers": "an acknowledgement whose head does not cover its entry",
    "one_hash": "two hashes of one entry",
    "welcome": "a Welcome with a wrong last number",
    "epochs": "two writers at once",
    "entry_gap": "an entry is missing in a journal",
    "equal": "journals differ",
    "lost": "acknowledged, and not in a journal",
    "counted_twice": "twice in a journal",
    "message_gap": "a table's message is missing in a journal",
    "other_entry": "a journal has another entry than was acknowledged",
    "unsent": "a journal has a message that nobody sent",
    "refused_entry": "a journal has what was refused",
    "money": "the journal's wagers differ from those that were sent",
    "balance": "postings that do not sum to zero",
}


OUTCOMES = ("ok", "refused", "unknown")  # the types of events that end an operation


class Findings:
    """The violations of each rule: how many, and the first in words."""

    def __init__(self):
        self.counts, self.first = {}, {}

    def add(self, rule, sentence):
        self.counts[rule] = self.counts.get(rule, 0) + 1
        first = self.first.setdefault(rule, [])
        if len(first) < SHOWN:
            first.append(sentence)

    def told(self):
        for rule in RULES:
            if rule in self.counts:
                yield f"{rule}: {RULES[rule]} ({self.counts[rule]})"
                yield from (f"  {sentence}" for sentence in self.first[rule])
                if self.counts[rule] > SHOWN:
                    yield f"  and {self.counts[rule] - SHOWN} more"


class Operation:
    """An operation without an end. `bound`: the highest entry of which anybody had been told when
    it was invoked, so that its own entry must be higher."""

    __slots__ = ("at", "line", "process", "table", "number", "sha256", "wagers", "person", "mark",
                 "bound", "bound_line")

    def __init__(self, event, at, line, bound):
        self.at, self.line, self.process = at, line, event["process"]
        self.table, self.number = event.get("table"), event.get("message")
        self.sha256, self.wagers = event.get("sha256"), event.get("wagers")
        self.person, self.mark = event.get("person"), event.get("mark")
        self.bound, self.bound_line = bound

    def __str__(self):
        if self.table is None:
            return f"a command of {self.person} (line {self.line})"
        return f"message {self.number} of {self.table} (line {self.line})"


class Message:
    """A numbered message of a table. `tries`: the operations with it that were not refused, as
    long as none is acknowledged."""

    __slots__ = ("line", "tries", "entry", "ack_line", "node", "refusal", "sha256", "wagers")

    def __init__(self, line):
        self.line, self.tries, self.entry = line, [], None


class Table:
    def __init__(self, before):
        self.before = before  # the last number before the history
        self.sent = self.acknowledged = before  # the highest numbers
        self.messages = {}  # by number
        self.head, self.head_line = 0, None


class Epoch:
    def __init__(self, node, line):
        self.node, self.line = node, line
        self.low = self.high = None  # (head, line)

    def take(self, head, line):
        self.low = min(self.low or (head, line), (head, line))
        self.high = max(self.high or (head, line), (head, line))


class HistoryJudge:
    """take() reads a history. What it leaves is for journal_judge.py: tables, commands, hashes."""

    def __init__(self, findings):
        self.find = findings.add
        self.line = 0
        self.start = None
        self.has_ended = False
        self.ns = self.first_ns = 0
        self.open = {}  # Operation by op id
        # Of every operation, in the order of their ids: the id; the line of its end, or 0; and its
        # outcome, as an index of OUTCOMES.
        self.ids, self.ends, self.ended_as = array.array("Q"), array.array("Q"), bytearray()
        self.outcomes = dict.fromkeys(OUTCOMES, 0)
        self.refused_answers = 0
        self.tables = {}
        self.commands = {}  # by entry: (Operation, refusal)
        self.marks = {}  # by mark: [Operation, outcome]
        self.hashes, self.owners = {}, {}  # by entry: (hash, line), line
        self.wagers = {}  # equal ones are kept once
        self.told = (0, 0)  # the highest entry of which anybody was told, and where
        self.epochs, self.writers = {}, []
        self.reads, self.read_count = {}, 0  # by process and node: (head, line)
        self.faults, self.lasting = {}, {}  # counts by kind; lines by kind and target
        self.waiting_since = None  # (ns, line): since then an operation waits
        self.longest_wait = (0, 0, 0)  # ns, from line, to line

    def take(self, lines):
        for self.line, raw in enumerate(lines, 1):
            try:
                event = history_lines.event(raw)
                if (self.start is None) != (event["type"] == "start"):
                    raise history_lines.Malformed("a history has one start: its first line")
                if self.has_ended:
                    raise history_lines.Malformed("a line after the end")
            except history_lines.Malformed as no:
                self.find("format", f"line {self.line}: {no}")
                if self.start is None:
                    return  # without the start, no line can be judged
                continue
            self.take_event(event)
        self.finish()

    def take_event(self, event):
        if event["ns"] < self.ns:
            self.find("time", f"line {self.line}: {event['ns']} comes after {self.ns}")
        self.ns = event["ns"]
        getattr(self, "on_" + event["type"])(event)

    def malformed(self, why):
        self.find("format", f"line {self.line}: {why}")

    # --- operations ---

    def on_start(self, event):
        self.start = event
        self.first_ns = event["ns"]
        self.tables = {name: Table(before) for name, before in event["tables"].items()}

    def on_invoke(self, event):
        if self.ids and event["op"] <= self.ids[-1]:
            return self.malformed(f"op {event['op']} comes after op {self.ids[-1]}")
        operation = Operation(event, len(self.ids), self.line, self.told)
        self.ids.append(event["op"])
        self.ends.append(0)
        self.ended_as.append(0)
        self.open[event["op"]] = operation
        if self.waiting_since is None:
            self.waiting_since = (self.ns, self.line)
        if operation.mark is not None:
            if operation.mark in self.marks:
                return self.malformed(f"the mark {operation.mark!r} was used before")
            self.marks[operation.mark] = [operation, "unknown"]
        if operation.table is None:
            return None
        table = self.tables.get(operation.table)
        if table is None or operation.number <= table.before:
            del self.open[event["op"]]
            return self.malformed(f"by the start, {operation} is not of this history")
        if operation.number > table.sent + 1:
            self.find("gap", f"line {self.line}: {operation.table} sends message "
                      f"{operation.number}, and has not sent {table.sent + 1}")
        table.sent = max(table.sent, operation.number)
        message = table.messages.setdefault(operation.number, Message(self.line))
        if message.entry is None:
            message.tries.append(operation)
        return None

    def ended(self, event):
        """The operation that ends with the event; None, and a finding, if there is none."""
        operation = self.open.pop(event["op"], None)
        if operation is None:
            self.find(*self.wrong_end(event))
            return None
        if operation.process != event["process"]:
            self.malformed(f"op {event['op']} is of {operation.process}, "
                           f"not of {event['process']}")
        outcome = event["type"]
        self.ends[operation.at] = self.line
        self.ended_as[operation.at] = OUTCOMES.index(outcome)
        self.outcomes[outcome] += 1
        if operation.mark is not None:
            self.marks[operation.mark][1] = outcome
        return operation

    def wrong_end(self, event):
        at = bisect.bisect_left(self.ids, event["op"])
        if at == len(self.ids) or self.ids[at] != event["op"] or self.ends[at] == 0:
            return "pairing", f"line {self.line}: {event['type']} of op {event['op']}, which " \
                "was not invoked"
        return "one_end", f"line {self.line}: op {event['op']} is {event['type']}; it was " \
            f"{OUTCOMES[self.ended_as[at]]} in line {self.ends[at]}"

    def on_ok(self, event):
        operation = self.ended(event)
        if operation is None:
            return
        self.end_wait()
        entry, refusal = event["entry"], event["refusal"]
        self.refused_answers += refusal != "none"
        if operation.table is not None:
            self.acknowledge(operation, event)
        else:
            self.place(operation, operation, entry)
            self.commands[entry] = (operation, refusal)
        self.told = max(self.told, (entry, self.line), key=first)
        if "head" in event:
            if event["head"] < entry:
                self.find("head_covers", f"line {self.line}: entry {entry} is acknowledged with "
                          f"head {event['head']}")
            self.hear(event, operation.table)

    def acknowledge(self, operation, event):
        table, entry, refusal = self.tables[operation.table], event["entry"], event["refusal"]
        message = table.messages[operation.number]
        if message.entry is not None:
            answer = (message.entry, message.refusal, message.sha256)
            if answer != (entry, refusal, operation.sha256):
                self.find("same_answer", f"line {self.line}: {operation} has entry {entry}, "
                          f"refusal {refusal}; line {message.ack_line} said entry "
                          f"{message.entry}, refusal {message.refusal}"
                          + (", of other bytes" if message.sha256 != operation.sha256 else ""))
            return
        tries = [one for one in message.tries if one.sha256 == operation.sha256]
        self.place(operation, tries[0], entry)
        table.acknowledged = max(table.acknowledged, operation.number)
        message.entry, message.ack_line, message.refusal = entry, self.line, refusal
        message.sha256, message.node = operation.sha256, sys.intern(event["node"])
        message.wagers = self.wagers.setdefault(repr(operation.wagers), operation.wagers)
        message.tries = None

    def place(self, operation, first_try, entry):
        """The operation has this entry. It was made after the first try, which is not refused."""
        if entry in self.owners:
            self.find("own_entry", f"line {self.line}: entry {entry} is of {operation}, and by "
                      f"line {self.owners[entry]} of another operation")
        self.owners[entry] = self.line
        self.after_bound(first_try, entry, f"line {self.line}")

    def after_bound(self, first_try, entry, where):
        if entry <= first_try.bound:
            self.find("real_time", f"{where}: {first_try} has entry {entry}, but line "
                      f"{first_try.bound_line} told of entry {first_try.bound} before it was "
                      "invoked")

    def on_refused(self, event):
        operation = self.ended(event)
        if operation is None or operation.table is None:
            return
        message = self.tables[operation.table].messages[operation.number]
        if message.entry is None:
            message.tries.remove(operation)
        elif (event["refusal"] in ABOUT_THE_NUMBER and operation.sha256 == message.sha256
              and operation.line > message.ack_line):
            self.find("same_answer", f"line {self.line}: {operation} is refused, "
                      f"{event['refusal']}; line {message.ack_line} said entry {message.entry}")

    def on_unknown(self, event):
        self.ended(event)

    def end_wait(self):
        since, line = self.waiting_since
        self.longest_wait = max(self.longest_wait, (self.ns - since, line, self.line), key=first)
        self.waiting_since = (self.ns, self.line) if self.open else None

    # --- what is told of the journal, beside answers ---

    def hear(self, event, table_name=None):
        """A head that was told: of the event, and to the table if one is named."""
        head = event["head"]
        self.told = max(self.told, (head, self.line), key=first)
        if "hash" in event:
            self.same_hash(head, event["hash"], f"line {self.line}")
        if "epoch" in event:
            self.epoch_of(event).take(head, self.line)
        if table_name is not None:
            table = self.tables[table_name]
            if head < table.head:
                self.find("head_back", f"line {self.line}: {table_name} is told head {head}; "
                          f"line {table.head_line} told it head {table.head}")
            else:
                table.head, table.head_line = head, self.line

    def same_hash(self, entry, digest, where):
        known, line = self.hashes.setdefault(entry, (bytes.fromhex(digest), where))
        if known.hex() != digest:
            self.find("one_hash", f"{where}: entry {entry} has the hash {digest}; by {line} it "
                      f"has {known.hex()}")

    def epoch_of(self, event):
        epoch = self.epochs.setdefault(event["epoch"], Epoch(event["node"], self.line))
        if epoch.node != event["node"]:
            self.find("epochs", f"line {self.line}: node {event['node']} writes in epoch "
                      f"{event['epoch']}; in line {epoch.line} node {epoch.node} did")
        return epoch

    def on_head(self, event):
        table = self.tables.get(event["table"])
        if table is None:
            return self.malformed(f"by the start, {event['table']} is not of this history")
        if not table.acknowledged <= event["last"] <= table.sent:
            self.find("welcome", f"line {self.line}: by the Welcome the last message of "
                      f"{event['table']} is {event['last']}; {table.acknowledged} are "
                      f"acknowledged, and {table.sent} are sent")
        return self.hear(event, event["table"])

    def on_read(self, event):
        self.read_count += 1
        key = (event["process"], event["node"])
        head, line = self.reads.get(key, (0, 0))
        if event["head"] < head:
            self.find("head_back", f"line {self.line}: {event['process']} reads head "
                      f"{event['head']} from node {event['node']}; in line {line} it was {head}")
        else:
            self.reads[key] = (event["head"], self.line)
        self.hear(event)

    def on_writer(self, event):
        if self.writers and event["epoch"] <= self.writers[-1]:
            self.find("epochs", f"line {self.line}: epoch {event['epoch']} begins after epoch "
                      f"{self.writers[-1]}")
        self.writers.append(event["epoch"])
        self.epoch_of(event)

    def on_fault(self, event):
        kind, key = event["fault"], (event["fault"], event["target"])
        if event["edge"] == "end":
            if self.lasting.pop(key, None) is None:
                self.malformed(f"{kind} of {event['target']} ends, and has not begun")
            return
        self.faults[kind] = self.faults.get(kind, 0) + 1
        if event["edge"] == "begin":
            if key in self.lasting:
                self.malformed(f"{kind} of {event['target']} has begun in line "
                               f"{self.lasting[key]} and not ended")
            self.lasting[key] = self.line

    def on_end(self, event):
        self.has_ended = True
        if event["operations"] != len(self.ids):
            self.malformed(f"the end counts {event['operations']} operations; there are "
                           f"{len(self.ids)}")

    # --- after the last line ---

    def finish(self):
        if self.start is None:
            return self.find("format", "line 1: the history is empty")
        if not self.has_ended:
            self.find("format", f"line {self.line + 1}: the history is cut off: it has no end")
        wanted = []  # messages that are in the journal although nobody was told their entries
        for name, table in self.tables.items():
            wanted += self.unanswered(name, table)
        self.look_for_room(wanted)
        highest = None
        for number, epoch in sorted(self.epochs.items()):
            if epoch.low is None:
                continue
            if highest is not None and epoch.low[0] < highest[0]:
                self.find("epochs", f"line {epoch.low[1]}: epoch {number} tells head "
                          f"{epoch.low[0]}; an older epoch told {highest[0]} in line "
                          f"{highest[1]}")
            highest = max(highest or epoch.high, epoch.high)
        return None

    def unanswered(self, name, table):
        """Checks the order of the table's entries. The messages before its last acknowledged one
        that are not acknowledged themselves: (above this entry, below that one, message)."""
        last, entry, between = table.before, 0, []
        for number in sorted(table.messages):
            message = table.messages[number]
            if message.entry is None:
                between.append((number, message))
                continue
            if message.entry <= entry:
                self.find("table_order", f"line {message.ack_line}: message {number} of {name} "
                          f"has entry {message.entry}, message {last} has {entry}")
            else:
                yield from self.between(name, entry, (number, message), between)
            last, entry, between = number, message.entry, []

    def between(self, name, low, after, messages):
        """Their order needs no rule: one that was sent later has no lower bound than one that was
        sent before, so their entries can change places."""
        following, acknowledged = after
        for number, message in messages:
            words = f"message {number} of {name} (line {message.line})"
            if not message.tries:
                self.find("gap", f"line {acknowledged.ack_line}: message {following} of {name} is "
                          f"acknowledged, {words} was refused")
            elif message.tries[0].bound >= acknowledged.entry:
                self.after_bound(message.tries[0], acknowledged.entry,
                                 f"line {acknowledged.ack_line}, before message {following}")
            else:
                low = max(low, message.tries[0].bound)
                yield low, acknowledged.entry, words

    def look_for_room(self, wanted):
        """Every wanted message needs an entry of its own between its two bounds. Entries are given
        from the lowest on, each to the message that must have one soonest. If that fails, no
        other choice is right (Jackson's rule)."""
        wanted.sort()
        waiting, at, entry = [], 0, 0
        while at < len(wanted) or waiting:
            if not waiting:
                entry = max(entry, wanted[at][0] + 1)
            while at < len(wanted) and wanted[at][0] < entry:
                heapq.heappush(waiting, wanted[at][1:])
                at += 1
            if entry in self.owners:
                entry += 1
                continue
            below, message = heapq.heappop(waiting)
            if entry >= below:
                self.find("room", f"{message} was before a message that is acknowledged, and "
                          f"every entry below {below} that it can have is of another operation")
            else:
                entry += 1

    def summary(self):
        """Lines of words."""
        ns, since, until = self.longest_wait
        yield f"{len(self.ids)} operations in {(self.ns - self.first_ns) / 1e9:.1f} s: " \
            f"{self.outcomes['ok']} acknowledged, {self.refused_answers} of them as refusals " \
            f"with an entry; {self.outcomes['refused']} refused without one; " \
            f"{self.outcomes['unknown'] + len(self.open)} unknown"
        yield f"{len(self.tables)} tables, {sum(map(messages_of, self.tables.values()))} " \
            f"messages, {self.read_count} reads of meters"
        yield f"{max(0, len(self.writers) - 1)} failovers; faults: " + (", ".join(
            f"{kind} {count}" for kind, count in sorted(self.faults.items())) or "none")
        yield f"longest time without an acknowledgement: {ns / 1e9:.3f} s, lines {since} to " \
            f"{until}"


def first(pair):
    return pair[0]


def messages_of(table):
    return len(table.messages)


def judge(lines, journals=None):
    """(findings, summary) of a history and of the journals by node; both as iterables of lines of
    bytes."""
    findings = Findings()
    history = HistoryJudge(findings)
    history.take(lines)
    if history.start is None:
        return findings, []
    summary = list(history.summary())
    if journals:
        summary += journal_judge.judge_journals(history, journals)
    return findings, summary


def journal_option(value):
    node, equals, path = value.partition("=")
    if not node or not equals or not path:
        raise argparse.ArgumentTypeError(f"{value!r} is not NODE=FILE")
    return node, path


def main(arguments):
    parser = argparse.ArgumentParser(description="The judge of a cluster test's history.")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--journal", metavar="NODE=FILE", action="append", default=[],
                        type=journal_option, help="a node's journal, as linkmeter export wrote it")
    options = parser.parse_args(arguments)
    if len(dict(options.journal)) != len(options.journal):
        parser.error("a node has one journal")
    try:
        with contextlib.ExitStack() as files:
            opened = {node: files.enter_context(open(path, "rb")) for node, path in
                      (("", options.file), *options.journal)}
            streams = {node: history_lines.lines_of(file) for node, file in opened.items()}
            findings, summary = judge(streams.pop(""), streams)
    except OSError as no:
        parser.error(str(no))
    for line in (*findings.told(), *summary):
        print(line)
    print("the history is NOT right" if findings.counts else "the history is right")
    return 1 if findings.counts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
