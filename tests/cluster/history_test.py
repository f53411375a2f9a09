"""The judge of histories (history_judge.py): it accepts correct random histories, finds one planted
violation of each kind, each the smallest edit of a correct history, and agrees with a full search
for a linearization on small histories."""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import history_judge
import history_lines
import linearization
import planted_histories
from random_history import RandomHistory, lines_of

HERE = pathlib.Path(__file__).resolve().parent
SHORT = 800  # operations
# What a full search decides. The other rules are about single answers, heads and journals.
ORDER = {"gap", "own_entry", "real_time", "table_order", "room"}


def found_in(history, journals=None):
    findings, _ = history_judge.judge(history, journals)
    return findings


class CorrectHistories(unittest.TestCase):
    def test_a_long_one(self):
        history = RandomHistory(seed=1, operations=10_000)
        lines, journal = lines_of(history.events), lines_of(history.journal)
        findings, summary = history_judge.judge(lines, dict.fromkeys(history.nodes, journal))
        self.assertEqual([], list(findings.told()))
        writers = sum(event["type"] == "writer" for event in history.events)
        self.assertRegex("\n".join(summary),
                         rf"(?ms)^100\d\d operations in .*^{writers - 1} failovers")
        self.assertEqual(4 + len(history.nodes), len(summary))

    def test_short_ones(self):
        seen = set()
        for seed in range(40):
            history = RandomHistory(seed, SHORT)
            journal = lines_of(history.journal)
            findings = found_in(lines_of(history.events), dict.fromkeys(history.nodes, journal))
            self.assertEqual([], list(findings.told()), f"seed {seed}")
            seen |= set(traits(history))
        self.assertEqual({"done without an answer", "never done", "repeated after its answer",
                          "refused, then done", "left open", "refused with an entry",
                          "a command without an answer"}, seen)

    def test_a_node_that_follows_need_not_have_more_than_was_told(self):
        history = RandomHistory(seed=3, operations=SHORT)
        told = max(max(event.get("entry", 0), event.get("head", 0)) for event in history.events)
        journal = lines_of(history.journal)
        longer = journal + lines_of([{"entry": len(journal) + 1, "fact": "head_signed",
                                      "postings": [], "hash": "0" * 64}])
        journals = {"a": longer, "b": journal[:told], "c": journal}
        self.assertEqual([], list(found_in(lines_of(history.events), journals).told()))


    def test_what_is_rare(self):
        """A later number that overtook, a number that strangers use again, a new epoch without an
        entry, and a history that begins in the middle of a journal."""
        start = {**BadLines.START, "tables": {"T": 1}}
        send = {key: value for key, value in BadLines.SEND.items() if key not in ("ns", "op")}
        ok = {"type": "ok", "process": "p", "node": "a", "refusal": "none"}
        no = {"type": "refused", "process": "p", "node": "a"}
        events = [start, {"type": "writer", "node": "a", "epoch": 1},
                  {**send, "op": 1, "message": 2}, {**send, "op": 2, "message": 2},
                  {**ok, "op": 2, "epoch": 1, "entry": 3, "head": 3, "hash": "3" * 64},
                  {**no, "op": 1, "refusal": "message_out_of_order"},
                  {**send, "op": 3, "message": 2, "sha256": "f" * 64},
                  {**no, "op": 3, "refusal": "message_number_reused"},
                  {"type": "writer", "node": "b", "epoch": 2},
                  {"type": "head", "process": "p", "table": "T", "node": "b", "epoch": 2,
                   "last": 2, "head": 3, "hash": "3" * 64}, {"type": "end", "operations": 3}]
        of_table = {"fact": "round_closed", "table": "T", "postings": []}
        journal = [{**of_table, "message": 1, "digest": "1" * 64},
                   {"fact": "round_closed", "table": "U", "message": 9, "postings": []},
                   {**of_table, "message": 2, "digest": "0" * 64}]
        journal = [{**entry, "entry": number, "hash": f"{number}" * 64}
                   for number, entry in enumerate(journal, 1)]
        lines = lines_of({**event, "ns": ns} for ns, event in enumerate(events))
        self.assertEqual([], list(found_in(lines, {"a": lines_of(journal)}).told()))


def traits(history):
    """What happened in a random history, so that it is worth judging."""
    of_op = {event["op"]: event for event in history.events if event["type"] == "invoke"}
    ends = {event["op"]: event for event in history.events
            if event["type"] in history_judge.OUTCOMES}
    done = {(entry["table"], entry["message"]) for entry in history.journal if "message" in entry}
    ends_of = {}
    for op, invoked in of_op.items():
        end = ends.get(op)
        if end is None:
            yield "left open"
        elif "person" in invoked:
            if end["type"] == "unknown":
                yield "a command without an answer"
        else:
            ends_of.setdefault((invoked["table"], invoked["message"]), []).append(end["type"])
            if end.get("refusal") == "round_unknown":
                yield "refused with an entry"
    for message, types in ends_of.items():
        if "ok" not in types and "unknown" in types:
            yield "done without an answer" if message in done else "never done"
        if types.count("ok") > 1:
            yield "repeated after its answer"
        if "refused" in types and "ok" in types:
            yield "refused, then done"


def without(rule):
    """The judge without one of its rules."""
    add = history_judge.Findings.add

    def add_others(findings, broken, sentence):
        if broken != rule:
            add(findings, broken, sentence)
    return mock.patch.object(history_judge.Findings, "add", add_others)


class PlantedViolations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = {}
        for plant in planted_histories.PLANTS:
            cls.found[plant] = found_in(*plant.planted())

    def test_each_is_found_by_its_rule_alone(self):
        for plant, findings in self.found.items():
            with self.subTest(plant.name):
                told = "\n".join(findings.told())
                self.assertEqual({plant.rule}, set(findings.counts), told)
                self.assertRegex(told, r"line \d+|entry \d+")

    def test_each_was_correct_before_the_edit(self):
        for plant in planted_histories.PLANTS:
            with self.subTest(plant.name):
                self.assertEqual([], list(found_in(*plant.correct()).told()))

    def test_every_rule_has_one(self):
        self.assertEqual(set(history_judge.RULES),
                         {plant.rule for plant in planted_histories.PLANTS})

    def test_without_a_rule_exactly_its_violations_are_missed(self):
        for rule in history_judge.RULES:
            with self.subTest(rule), without(rule):
                missed = {plant.name for plant in planted_histories.PLANTS
                          if plant.rule == rule and not found_in(*plant.planted()).counts}
                # Nothing else was found by this rule, so nothing else can be missed.
                others = {plant.name for plant, findings in self.found.items()
                          if not set(findings.counts) - {rule}}
                self.assertEqual({plant.name for plant in planted_histories.PLANTS
                                  if plant.rule == rule}, missed)
                self.assertEqual(others, missed)


class BadLines(unittest.TestCase):
    START = {"ns": 1, "type": "start", "format": history_lines.FORMAT,
             "clock": history_lines.CLOCK, "house": "H", "nodes": ["a"], "tables": {"T": 0}}
    SEND = {"ns": 2, "type": "invoke", "op": 1, "process": "p", "table": "T", "message": 1,
            "kind": "lock", "sha256": "0" * 64}
    END = {"ns": 9, "type": "end", "operations": 0}

    def complains(self, lines, where):
        findings = found_in(lines)
        self.assertEqual({"format"}, set(findings.counts), lines)
        self.assertIn(where, findings.first["format"][0])

    def test_each_is_named_by_its_number(self):
        good = b'{"ns":2,"type":"fault","fault":"sigkill","target":"a","edge":"once"}\n'
        whole = [*lines_of([self.START]), good, *lines_of([self.END])]
        self.assertEqual({}, found_in(whole).counts)
        for bad in (b"\n", b"{\n", b"[]\n", b"null\n", b"7\n", good[:-1], good[:-3] + b"\n",
                    b'\xff\n', b"[" * 100_000 + b"\n", b"1" * 10_000 + b"\n",
                    good.replace(b"2", b"NaN"), good.replace(b"2", b"2.0"),
                    good.replace(b"2", b"true"), good.replace(b"2", b"-1"),
                    good.replace(b"2", b"9223372036854775808"), good.replace(b"2", b'"2"'),
                    good.replace(b'"ns":2,', b""), good.replace(b'"type":"fault",', b""),
                    good.replace(b'"fault",', b'"message",', 1),
                    good.replace(b'"fault",', b"[],", 1),
                    good.replace(b"sigkill", b"SIG KILL"), good.replace(b"once", b"later"),
                    good.replace(b'"target"', b'"victim"'), good.replace(b"once", b"end")):
            self.complains([*lines_of([self.START]), bad, *lines_of([self.END])], "line 2: ")

    def test_operations(self):
        for change in ({"op": 0}, {"message": 0}, {"sha256": "F" * 64}, {"sha256": "0" * 63},
                       {"kind": "bet"}, {"process": ""}, {"table": "U"}, {"wagers": {"L": [0]}},
                       {"wagers": {"L": 5}}, {"wagers": []}, {"person": "F-1"},
                       {"kind": "show", "wagers": {"L": [5]}}):
            bad = {**self.SEND, **change}
            events = [self.START, bad, {**self.END, "operations": int(change == {"table": "U"})}]
            self.complains(lines_of(events), "line 2: ")
        repeated = {**self.SEND, "message": 1}
        self.complains(lines_of([{**self.START, "tables": {"T": 1}}, repeated,
                                 {**self.END, "operations": 1}]), "line 2: by the start")
        command = {"ns": 3, "type": "invoke", "process": "p", "person": "F-1", "command": "pay",
                   "mark": "m"}
        self.complains(lines_of([self.START, {**command, "op": 1}, {**command, "op": 2},
                                 {**self.END, "operations": 2}]),
                       "line 3: the mark 'm' was used before")
        fault = {"ns": 3, "type": "fault", "fault": "sigstop", "target": "a", "edge": "begin"}
        self.complains(lines_of([self.START, fault, fault, self.END]),
                       "line 3: sigstop of a has begun in line 2 and not ended")
        twice = [self.START, self.SEND, self.SEND, {**self.END, "operations": 1}]
        self.complains(lines_of(twice), "line 3: op 1 comes after op 1")
        other = {"ns": 3, "type": "unknown", "op": 1, "process": "q"}
        self.complains(lines_of([self.START, self.SEND, other, {**self.END, "operations": 1}]),
                       "line 3: op 1 is of p, not of q")
        headless = {"ns": 3, "type": "ok", "op": 1, "process": "p", "node": "a", "entry": 2,
                    "refusal": "none", "head": 2}
        self.complains(lines_of([self.START, self.SEND, headless, {**self.END, "operations": 1}]),
                       "line 3: a head needs its number and its hash")

    def test_the_whole(self):
        self.complains([], "line 1: the history is empty")
        self.complains(lines_of([self.END]), "line 1: a history has one start")
        self.complains(lines_of([self.START]), "line 2: the history is cut off")
        self.complains(lines_of([self.START, self.START, self.END]), "line 2: a history has one")
        self.complains(lines_of([self.START, self.END, self.END]), "line 3: a line after the end")
        self.complains(lines_of([self.START, {**self.END, "operations": 1}]),
                       "line 2: the end counts 1 operations; there are 0")
        self.complains(lines_of([{**self.START, "clock": "CLOCK_REALTIME"}, self.END]),
                       "line 1: clock is 'CLOCK_REALTIME', not CLOCK_MONOTONIC")
        self.complains(lines_of([{**self.START, "format": "linkmeter-history 2"}, self.END]),
                       "line 1: format is")

    def test_journals(self):
        history = lines_of([self.START, self.END])
        good = {"entry": 1, "hash": "0" * 64, "postings": []}
        self.assertEqual({}, found_in(history, {"a": lines_of([good])}).counts)
        for bad in (b"{\n", b"{}\n", lines_of([good])[0][:-1],
                    *lines_of([{**good, "hash": "0"}, {**good, "entry": "1"},
                               {**good, "postings": None}, {**good, "postings": [7]},
                               {**good, "postings": [{"link": [], "amount": "1.00"}]},
                               {**good, "postings": [{"link": "L", "amount": "1.0"}]},
                               {**good, "table": "T", "message": "1"},
                               {**good, "table": "T", "message": 1.5, "digest": 1},
                               {**good, "table": [], "message": 1}])):
            found = found_in(history, {"a": [bad]})
            self.assertLessEqual({"format"}, set(found.counts), bad)
            self.assertIn("node a, line 1 of the journal: ", found.first["format"][0])


class Description(unittest.TestCase):
    """HISTORY.md says what the reader of lines checks."""

    TEXT = (HERE / "HISTORY.md").read_text(encoding="utf-8")

    def test_the_example(self):
        example = re.search(r"```json\n(.*?)```", self.TEXT, re.S)[1].encode()
        findings, summary = history_judge.judge(example.splitlines(keepends=True))
        self.assertEqual([], list(findings.told()))
        self.assertEqual(10, len(example.splitlines()))
        self.assertRegex(summary[0], r"^2 operations .* 1 acknowledged.* 1 unknown$")

    def test_the_fields(self):
        described, lines = [], self.TEXT.split("## Example")[0]
        for name, cell in re.findall(r"^\| `(\w+)` \| (`.*?) \|", lines, re.M):
            fields = re.findall(r"`(\w+)`(\??)", cell)
            described.append((name, {field for field, _ in fields},
                              {field for field, lacking in fields if lacking}))
        checked = [("invoke" if name in ("message", "command") else name, set(fields), lacking)
                   for name, (fields, lacking) in history_lines.FIELDS.items()]
        self.assertEqual(checked, described)


class FullSearch(unittest.TestCase):
    def test_the_sweeps_and_a_full_search_agree(self):
        chance = random.Random(5)
        verdicts = {True: 0, False: 0}
        broken = dict.fromkeys(ORDER, 0)
        for _ in range(4_000):
            events = linearization.small_history(chance)
            findings = found_in(lines_of(events))
            self.assertLessEqual(set(findings.counts), ORDER, events)
            is_right = linearization.exists(events)
            self.assertEqual(is_right, not findings.counts,
                             "\n".join([*map(json.dumps, events), *findings.told()]))
            verdicts[is_right] += 1
            for rule in findings.counts:
                broken[rule] += len(findings.counts) == 1
        self.assertGreater(min(verdicts.values()), 500, verdicts)
        self.assertGreater(min(broken.values()), 0, broken)


class CommandLine(unittest.TestCase):
    def judge(self, *arguments):
        return subprocess.run([sys.executable, "-B", HERE / "history_judge.py", *arguments],
                              capture_output=True, text=True, check=False)

    def test_verdicts(self):
        history = RandomHistory(seed=2, operations=SHORT)
        with tempfile.TemporaryDirectory() as folder:
            file, journal, other = (pathlib.Path(folder, name) for name in ("h", "a", "b"))
            file.write_bytes(b"".join(lines_of(history.events)))
            journal.write_bytes(b"".join(lines_of(history.journal)))
            changed = lines_of(history.journal)
            changed[500] = changed[500].replace(b"2026", b"2027")
            other.write_bytes(b"".join(changed))
            right = self.judge(file, "--journal", f"a={journal}", "--journal", f"b={journal}")
            self.assertEqual((0, ""), (right.returncode, right.stderr), right.stdout)
            self.assertIn("the history is right", right.stdout)
            wrong = self.judge(file, "--journal", f"a={journal}", "--journal", f"b={other}")
            self.assertEqual((1, ""), (wrong.returncode, wrong.stderr))
            self.assertIn("line 501 of the journals: the bytes of nodes a and b differ",
                          wrong.stdout)
            self.assertIn("the history is NOT right", wrong.stdout)
            for usage in ([], [file, "--journal", journal], [file, "--journal", "a="],
                          [f"{file}-none"], [folder],
                          [file, "--journal", f"a={journal}", "--journal", f"a={journal}"]):
                said = self.judge(*usage)
                self.assertEqual((2, ""), (said.returncode, said.stdout), said.stderr)


if __name__ == "__main__":
    unittest.main()
