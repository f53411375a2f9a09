"""Judges the journals of nodes, as `linkmeter export` writes them, against a history that
history_judge.py has read. The journals are read together, a line of each at a time."""

import bisect
import re

import history_lines

AMOUNT = re.compile(r"(-?)(\d{1,20})\.(\d{2}|\d{8})")
CENT = 1_000_000  # in 10^-8 dollar


class NodeJournal:
    def __init__(self, history, node):
        self.history, self.find, self.node = history, history.find, node
        self.last = self.line = 0
        self.messages = {name: table.before for name, table in history.tables.items()}
        self.marks = {}  # the entry of each
        self.writers = []  # (first entry, epoch, node)
        self.wagers = self.cents = 0  # of the locks with amounts
        self.gained = 0

    def where(self):
        return f"node {self.node}, entry {self.last}"

    def malformed(self, why):
        self.find("format", f"node {self.node}, line {self.line} of the journal: {why}")

    def take(self, entry):
        """`entry`: the object of the next line; an exception: why it is none."""
        self.line += 1
        try:
            if isinstance(entry, history_lines.Malformed):
                raise entry
            if not history_lines.count(entry["entry"]) or not history_lines.sha256(entry["hash"]):
                raise history_lines.Malformed("no entry with its number and hash")
            if entry["entry"] != self.last + 1:
                self.find("entry_gap", f"node {self.node}, line {self.line} of the journal: entry "
                          f"{entry['entry']} follows entry {self.last}")
            self.last = entry["entry"]
            self.take_entry(entry)
        except history_lines.Malformed as no:
            self.malformed(no)
        except (KeyError, TypeError, ValueError, AttributeError) as no:
            self.malformed(f"not as linkmeter export writes it: {type(no).__name__} {no}")

    def take_entry(self, entry):
        if self.last in self.history.hashes:
            self.history.same_hash(self.last, entry["hash"], self.where())
        sums = {}
        for posting in entry["postings"]:
            sums[posting["link"]] = sums.get(posting["link"], 0) + units(posting["amount"])
        if any(sums.values()):
            self.find("balance", f"{self.where()}: the postings of a link sum to "
                      f"{next(filter(None, sums.values()))}")
        if entry.get("fact") == "writer_changed":
            self.take_writer(entry["epoch"], entry["node"])
        if "message" in entry and entry["table"] in self.messages:
            self.take_message(entry)
        self.take_act(entry)

    def take_writer(self, number, node):
        if self.writers and number <= self.writers[-1][1]:
            self.find("epochs", f"{self.where()}: epoch {number} follows epoch "
                      f"{self.writers[-1][1]}")
        epoch = self.history.epochs.get(number)
        if epoch is not None and epoch.node != node:
            self.find("epochs", f"{self.where()}: node {node} is the writer of epoch {number}; by "
                      f"line {epoch.line} it is node {epoch.node}")
        self.writers.append((self.last, number, node))

    def take_message(self, entry):
        name, number = entry["table"], entry["message"]
        table, last = self.history.tables[name], self.messages[name]
        words = f"message {number} of {name}"
        if not history_lines.count(number):
            raise history_lines.Malformed(f"{number!r:.80} is no message number")
        if number <= table.before:
            return  # before the history
        if number <= last:
            self.find("counted_twice", f"{self.where()}: {words} is there before")
            return
        if number > last + 1:
            if not self.lose(name, last + 1, number - 1):
                self.find("message_gap", f"{self.where()}: {words} follows message {last}")
        self.messages[name] = number
        message = table.messages.get(number)
        if message is None:
            self.find("unsent", f"{self.where()}: {words}")
        elif message.entry is None:
            tries = [one for one in message.tries if one.sha256 == entry["digest"]]
            if not tries:
                self.find("refused_entry", f"{self.where()}: {words}; line {message.line} and all "
                          "its repeats were refused, or had other bytes")
            else:
                self.history.after_bound(tries[0], self.last, self.where())
                self.take_wagers(entry, tries[0].wagers, words)
        else:
            self.take_acknowledged(entry, message, words)

    def take_acknowledged(self, entry, message, words):
        answer = (self.last, entry.get("refusal", "none"), entry["digest"])
        if answer != (message.entry, message.refusal, message.sha256):
            self.find("other_entry", f"{self.where()}: {words}, refusal {answer[1]}, SHA-256 "
                      f"{answer[2]}; line {message.ack_line} said entry {message.entry}, refusal "
                      f"{message.refusal}, of SHA-256 {message.sha256}")
        self.take_wagers(entry, message.wagers, words)

    def lose(self, name, low, high):
        """Messages from `low` to `high` are not in the journal. Whether one was acknowledged."""
        lost = [(number, message) for number, message in self.history.tables[name].messages.items()
                if low <= number <= high and message.entry is not None]
        for number, message in lost:
            self.find("lost", f"node {self.node}: message {number} of {name} was acknowledged as "
                      f"entry {message.entry} in line {message.ack_line}, and is not in the "
                      "journal")
        return bool(lost)

    def take_act(self, entry):
        """What the history knows of people's commands."""
        text = entry.get("note", entry.get("reason"))
        command = self.history.commands.get(self.last)
        known = self.history.marks.get(text) if isinstance(text, str) else None
        if known is not None:
            operation, outcome = known
            if text in self.marks:
                self.find("counted_twice", f"{self.where()}: {operation} is there before, as "
                          f"entry {self.marks[text]}")
            elif outcome == "refused":
                self.find("refused_entry", f"{self.where()}: {operation} was refused")
            elif outcome == "ok" and command is None:
                self.find("other_entry", f"{self.where()}: {operation} was acknowledged with "
                          "another entry")
            self.history.after_bound(operation, self.last, self.where())
            self.marks[text] = self.last
        if command is not None:
            operation, refusal = command
            is_there = ("message" not in entry
                        and operation.person in (entry.get("by"), entry.get("badge")))
            if refusal == "none" and operation.mark is not None:
                is_there = is_there and text == operation.mark
            if not is_there or entry.get("refusal", "none") != refusal:
                self.find("lost", f"{self.where()}: {operation} was acknowledged with this entry, "
                          "which is another one")

    def take_wagers(self, entry, wagers, words):
        """The lock's wagers, link by link, and what each level gains from them by its rate."""
        if wagers is None or "refusal" in entry:
            return
        entered, gained = {}, {}
        for wager in entry["wagers"]:
            entered.setdefault(wager["link"], []).append(units(wager["amount"]))
        for posting in entry["postings"]:
            if posting["account"] == "wagers":
                key = (posting["link"], posting["level"])
                gained[key] = gained.get(key, 0) - units(posting["amount"])
        sent = {link: sorted(CENT * one for one in cents) for link, cents in wagers.items()
                if cents}
        if sent != {link: sorted(amounts) for link, amounts in entered.items()}:
            self.find("money", f"{self.where()}: {words} has the wagers {entered}, in 10^-8 "
                      f"dollar; sent were {sent}")
        rates = self.history.start.get("rates")
        if rates is not None:
            due = {(link, level): sum(cents) * ppm for link, cents in wagers.items()
                   for level, ppm in rates.get(link, {}).items()}
            due = {key: amount for key, amount in due.items() if amount}
            if due != {key: amount for key, amount in gained.items() if amount}:
                self.find("money", f"{self.where()}: by {words} the levels gain {gained}, in "
                          f"10^-8 dollar; by their rates it is {due}")
        self.wagers += sum(map(len, entered.values()))
        self.cents += sum(map(sum, entered.values())) // CENT
        self.gained += sum(gained.values())

    def finish(self):
        for name, table in self.history.tables.items():
            self.lose(name, self.messages[name] + 1, table.acknowledged)
            self.look_at_answering_nodes(name, table)
        entry, line = self.history.told
        if entry > self.last:
            self.find("lost", f"node {self.node}: line {line} told of entry {entry}, and the "
                      f"journal ends with entry {self.last}")

    def look_at_answering_nodes(self, name, table):
        """A node that acknowledges an entry is the writer that made it, or a later one."""
        begins = [entry for entry, _, _ in self.writers]
        for number, message in table.messages.items():
            if message.entry is not None:
                since = bisect.bisect(begins, message.entry) - 1
                if since >= 0 and all(node != message.node for _, _, node in self.writers[since:]):
                    self.find("epochs", f"line {message.ack_line}: node {message.node} "
                              f"acknowledges message {number} of {name}, entry {message.entry}; "
                              f"by node {self.node} it was not the writer from there on")

    def summary(self):
        return (f"node {self.node}: {self.last} entries of {len(self.writers)} writers, "
                f"{self.wagers} wagers of {dollars(self.cents * CENT)}, of which the levels "
                f"gained {dollars(self.gained)}")


def units(text):
    """An amount in 10^-8 dollar."""
    match = AMOUNT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r:.80} is no amount")
    amount = int(match[2]) * 100 * CENT + int(match[3].ljust(8, "0"))
    return -amount if match[1] else amount


def dollars(amount):
    sign, (whole, part) = "-" if amount < 0 else "", divmod(abs(amount), 100 * CENT)
    return f"{sign}${whole:,}.{part:08}"


def judge_journals(history, journals):
    """`journals`: by node, an iterable of the export's lines. A summary, a line for each node."""
    nodes = [(NodeJournal(history, node), iter(lines)) for node, lines in journals.items()]
    differing = set()
    while True:
        read = [(node, raw) for node, lines in nodes if (raw := next(lines, None)) is not None]
        if not read:
            break
        values = {}  # equal lines are read once
        for node, raw in read:
            if raw not in values:
                values[raw] = object_or_reason(raw)
            node.take(values[raw])
            compare(read[0], (node, raw), values, differing)
    for node, _ in nodes:
        node.finish()
    return [node.summary() for node, _ in nodes]


def object_or_reason(raw):
    try:
        return history_lines.json_object(raw)
    except history_lines.Malformed as no:
        return no


def compare(one, other, values, differing):
    """The first difference of each node from the first one. `differing`: the nodes that have
    one."""
    (reference, expected), (node, raw) = one, other
    if raw == expected or node.node in differing:
        return
    differing.add(node.node)
    hashes = [value.get("hash") if isinstance(value, dict) else None
              for value in (values[expected], values[raw])]
    what = "hash" if hashes[0] != hashes[1] else "bytes"
    node.find("equal", f"line {node.line} of the journals: the {what} of nodes {reference.node} "
              f"and {node.node} differ")
