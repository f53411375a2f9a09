"""The judge of every test that causes faults in processes. It knows of a floor only what the
tables were to submit (scripts.py), what agents saw acknowledged, and what the programs export
afterwards.

Every message of every table is in the journal exactly once and in its order, answered by the
rules. Meters, counts and claims are what the rules make of that (expected_floor.py), to 10^-8
dollar. Everything that an agent ever saw acknowledged is in the journal, and so is every payment
of a claim that a person was told of. The audit is clean. A recount of the exported postings by a
program that knows only double entry (recount.py) finds the same balances.
"""

import json
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "floor"))

import recount_test
import scripts
from expected_floor import ExpectedFloor, told, told_claims


class Judge:
    def __init__(self, test, floor, seed):
        self.test, self.floor = test, floor
        self.where = f"seed {seed}"

    def judge(self, played, witnessed, paid=frozenset()):
        """`played`: {table: scripts.Table}; `witnessed`: {(table, entry, hash, acknowledged)}."""
        entries = self.floor.entries()
        expected = self.expect(entries, played)
        for claim in self.paid(paid):
            expected.pay(claim)
        meters = self.floor.meters()
        self.test.assertEqual(expected.meters(), told(meters), self.where)
        self.test.assertEqual(expected.claims, told_claims(self.floor.claims()), self.where)
        self.look_at_witnesses(entries, played, witnessed)
        self.look_at_audit()
        self.count_again(meters)

    def expect(self, entries, played):
        """The expectation takes only the order between tables from the journal."""
        expected = ExpectedFloor(scripts.line_of)
        said = dict.fromkeys(played, 0)
        for entry in entries:
            if "message" not in entry:
                continue  # not a table's
            table = entry["table"]
            scripted = played[table].played[said[table]]
            said[table] += 1
            self.test.assertEqual(said[table], entry["message"],
                                  f"{self.where}: a message is missing, or there twice")
            self.test.assertEqual(scripted.refusal, entry.get("refusal"), (scripted, entry))
            if scripted.refusal is None:
                self.test.assertEqual(scripted.event["round"], entry["round"], self.where)
            expected.play(table, scripted)
        wanted = {table: len(one.played) for table, one in played.items()}
        self.test.assertEqual(wanted, said, self.where)
        return expected

    def paid(self, told_so):
        """The claims that are paid. All claims whose payment was confirmed to a person must be
        among them."""
        paid = {claim["claim"] for claim in self.floor.claims() if claim["state"] == "paid"}
        self.test.assertLessEqual(set(told_so), paid, self.where)
        return paid

    def look_at_witnesses(self, entries, played, witnessed):
        """Acknowledged messages are in the journal, at or before the head that came with the
        acknowledgement."""
        said, held = dict.fromkeys(played, 0), {}
        for entry in entries:
            if "message" in entry:
                said[entry["table"]] += 1
            held[entry["entry"]] = entry["hash"], dict(said)
        for table, number, head, acknowledged in witnessed:
            self.test.assertIn(number, held, f"{self.where}: {table} has seen an entry that is "
                               "not there")
            self.test.assertEqual(head, held[number][0], f"{self.where}: entry {number}")
            self.test.assertLessEqual(acknowledged, held[number][1][table],
                                      f"{self.where}: {table}")

    def look_at_audit(self):
        self.test.assertTrue(self.floor.audit()["clean"], self.where)

    def count_again(self, meters):
        """From the postings alone."""
        postings = self.floor.folder / "postings.csv"
        self.floor.ask("export", "--format", "postings", "--out", postings)
        counted = subprocess.run([sys.executable, "-B", TESTS / "recount.py", postings],
                                 capture_output=True, text=True, check=False)
        for file in self.floor.folder.glob("postings.csv*"):
            file.unlink()
        self.test.assertEqual(0, counted.returncode, counted.stderr)
        closing = json.loads(counted.stdout)["closing"]
        for link in meters["links"]:
            levels = closing.get(link["link"], {})
            for level in link["levels"]:
                self.same(level, recount_test.FIGURES, levels.get(level["level"], {}))
            self.same(link, recount_test.RESERVE, levels.get("reserve", {}))

    def same(self, told_of, figures, counted):
        for figure, (account, sign) in figures.items():
            self.test.assertEqual(recount_test.units(told_of[figure]),
                                  sign * counted.get(account, 0), f"{self.where}: {figure}")
