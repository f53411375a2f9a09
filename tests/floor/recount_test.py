"""Exports of a real floor: counted again by a program that knows only their columns, read back,
spoiled, interrupted and continued; and every meter explained."""

import csv
import io
import json
import pathlib
import resource
import signal
import subprocess
import sys
import tomllib
import unittest

from floor_process import DEMO, PROGRAMS, ROOT, Floor

UNITS = 100_000_000
# By name in `linkmeter meters --json`: the account, and its sign there.
FIGURES = {"amount": ("meter", 1), "withheld": ("withheld", -1), "pending": ("pending", 1),
           "paid": ("paid", 1), "contributed": ("wagers", -1), "seeded": ("seed_funding", -1),
           "overflowed": ("overflow", 1)}
RESERVE = {"reserve": ("reserve", 1), "reserve_contributed": ("wagers", -1),
           "reserve_withheld": ("withheld", -1)}
TABLES = {"C4-01": 11, "RIU-01": 12, "BJ-01": 13}  # with the seed of their hands


def units(dollars):
    whole, part = dollars.lstrip("-").split(".")
    return (-1 if dollars.startswith("-") else 1) * (int(whole) * UNITS + int(part.ljust(8, "0")))


def with_room_for(bytes_max):
    """In a child before it starts: a file that would grow larger is an error, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_max, bytes_max))


class Recount(unittest.TestCase):
    """One floor for all tests: none of them changes its journal."""

    @classmethod
    def setUpClass(cls):
        cls.floor = Floor(DEMO)
        cls.addClassCleanup(cls.floor.close)
        cls.floor.init()
        controller = cls.floor.start_controller()
        agents = [cls.floor.start_agent(controller.endpoint, table,
                                        options=["--deal", seed, "--rounds", 150])
                  for table, seed in TABLES.items()]
        for agent in agents:
            agent.finish(0)
        script = [{"event": "lock", "round": "-1+1", "wagers": [
            {"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]},
            {"event": "void", "round": "-1+1", "reason": "+misdeal, \"twice\""}]
        for name, cards in (("w1", ["9h", "Th", "Jh", "Qh", "Kh"]),  # 100 % of the major
                            ("w2", ["2h", "4c", "6s", "8d", "Th"])):
            script += [{"event": "lock", "round": name, "wagers": script[0]["wagers"]},
                       {"event": "show", "round": name, "hands": [{"seat": 2, "cards": cards}]},
                       {"event": "close", "round": name}]
        agent = cls.floor.start_agent(controller.endpoint, "C4-02", script)
        cls.void_code = agent.wait()
        assert controller.stop() == 0
        cls.meters = cls.floor.meters()

    def out(self, name):
        return self.floor.folder / name

    def export(self, file, *options, code=0):
        result = self.floor.tool("export", "--data", self.floor.data, "--out", file, *options)
        self.assertEqual(code, result.returncode, result.stderr)
        return result.stderr

    def totals(self, file):
        return json.loads(pathlib.Path(f"{file}.totals.json").read_text(encoding="utf-8"))

    def check(self, *files, code=0, data=True):
        result = self.floor.tool("import", "--check", *files,
                                 *(["--data", self.floor.data] if data else []))
        self.assertEqual(code, result.returncode, result.stdout + result.stderr)
        return result.stderr

    def recount(self, *files, code=0):
        run = subprocess.run([sys.executable, ROOT / "tests/recount.py", *map(str, files)],
                             capture_output=True, text=True, check=False)
        self.assertEqual(code, run.returncode, run.stderr)
        return json.loads(run.stdout) if code == 0 else run.stderr

    def test_the_given_file_is_named(self):
        file = self.out("alone.csv")
        self.assertEqual(f"linkmeter: {file}: cannot be read\n", self.check(file, code=1))
        file.write_text("a file without its totals\n", encoding="utf-8")
        self.assertEqual(f"linkmeter: {file}: its totals, {file}.totals.json, cannot be read\n",
                         self.check(file, code=1))

    def test_every_figure_of_the_meters_is_counted_again(self):
        file = self.out("all.csv")
        self.export(file, "--format", "postings")
        counted = self.recount(file)
        entries = [json.loads(line) for line in self.floor.ask("export").splitlines()]
        self.assertEqual(sum(len(entry["postings"]) for entry in entries),
                         sum(day["postings"] for day in counted["days"]))
        figures = 0
        for link in self.meters["links"]:
            levels = counted["closing"].get(link["link"], {})
            for level in link["levels"]:
                for figure, (account, sign) in FIGURES.items():
                    self.assertEqual(units(level[figure]),
                                     sign * levels[level["level"]].get(account, 0),
                                     (link["link"], level["level"], figure))
                    figures += units(level[figure]) != 0
            for figure, (account, sign) in RESERVE.items():
                self.assertEqual(units(link[figure]),
                                 sign * levels.get("reserve", {}).get(account, 0))
        self.assertGreater(figures, 20)
        self.assertEqual(counted["days"][-1]["links"][0]["levels"][0]["closing"],
                         counted["closing"][counted["days"][-1]["links"][0]["link"]][
                             counted["days"][-1]["links"][0]["levels"][0]["level"]])

    def test_two_partial_exports_equal_the_whole(self):
        head = self.meters["entry"]
        whole, first, second = self.out("w.csv"), self.out("a.csv"), self.out("b.csv")
        self.export(whole, "--format", "postings")
        self.export(first, "--format", "postings", "--to", head // 2)
        self.export(second, "--format", "postings", "--from", head // 2 + 1)
        self.assertEqual(self.recount(whole)["closing"], self.recount(first, second)["closing"])
        self.check(whole, first, second)

    def test_entries_are_the_lines_of_the_plain_export(self):
        lines = self.floor.ask("export").splitlines(keepends=True)
        self.assertEqual("".join(lines[4:9]),
                         self.floor.ask("export", "--from", 5, "--to", 9))
        file = self.out("entries.jsonl")
        self.export(file)
        self.assertEqual("".join(lines), file.read_text(encoding="utf-8"))
        self.check(file)
        of_link = self.floor.ask("export", "--link", "RIU-MAIN").splitlines(keepends=True)
        tables = next(link["tables"] for link in tomllib.loads(DEMO)["link"]
                      if link["id"] == "RIU-MAIN")

        def is_about_link(line):
            """The line names the link, or continues a round of a table of the link."""
            entry = json.loads(line)
            goes_on = entry["fact"] in ("hands_shown", "round_closed", "round_voided")
            return '"link":"RIU-MAIN"' in line or (goes_on and entry["table"] in tables)

        self.assertEqual([line for line in lines if is_about_link(line)], of_link)

    def test_a_ledger_balances_every_day(self):
        file = self.out("ledger.csv")
        self.export(file, "--format", "ledger")
        self.check(file)
        with open(file, newline="", encoding="utf-8") as text:
            head, *rows = csv.reader(text, strict=True)
        self.assertEqual(["linkmeter-ledger 1", "day", "link", "level", "account", "debit",
                          "credit", "postings", "currency"], head)
        lines = [row for row in rows if row[0] == "line"]
        days = [row for row in rows if row[0] == "day"]
        self.assertEqual(["total"], [row[0] for row in rows[-1:]])
        self.assertTrue(days)
        for day in days:
            self.assertEqual(day[5], day[6])
            for column in (5, 6, 7):
                self.assertEqual(int(day[column]), sum(int(line[column]) for line in lines
                                                       if line[1] == day[1]))
        for link in self.meters["links"]:
            for level in link["levels"]:
                self.assertEqual(units(level["amount"]), sum(
                    int(line[6]) - int(line[5]) for line in lines
                    if line[2:5] == [link["link"], level["level"], "meter"]))

    def test_a_damaged_export_is_named(self):
        file = self.out("spoiled.csv")
        self.export(file, "--format", "postings")
        good = file.read_bytes()
        rows = good.split(b"\r\n")
        fields = rows[9].split(b",")
        fields[10] = str(int(fields[10]) + 1).encode()
        file.write_bytes(b"\r\n".join([*rows[:9], b",".join(fields), *rows[10:]]))
        self.assertIn("line 10: ", self.check(file, code=1))
        self.assertRegex(self.recount(file, code=1), r"sums to -?1, not to 0")
        self.check(file, code=1, data=False)
        file.write_bytes(b"\r\n".join([*rows[:9], *rows[10:]]))
        self.assertIn("line 10: ", self.check(file, code=1))
        file.write_bytes(good[:-20])
        self.check(file, code=1, data=False)
        file.write_bytes(good)
        self.check(file)
        self.check(file, data=False)

    def test_a_failed_export_leaves_no_file(self):
        for name, form in (("i.csv", "postings"), ("i.jsonl", "entries"), ("l.csv", "ledger")):
            whole, file = self.out("whole" + name), self.out(name)
            self.export(whole, "--format", form)
            limit = whole.stat().st_size * 2 // 3
            stopped = subprocess.run(
                [PROGRAMS / "linkmeter", "export", "--data", self.floor.data, "--out", file,
                 "--format", form], capture_output=True, text=True, check=False,
                preexec_fn=lambda bytes_max=limit: with_room_for(bytes_max))
            self.assertEqual(1, stopped.returncode)
            self.assertIn("cannot be written: File too large", stopped.stderr)
            part = pathlib.Path(f"{file}.part")
            self.assertFalse(file.exists() or part.exists())
            part.write_bytes(b"left by a program that was killed")
            self.export(file, "--format", form)
            self.assertEqual(whole.read_bytes(), file.read_bytes())
            self.assertEqual(self.totals(whole), self.totals(file))
            self.assertFalse(part.exists())
            self.assertIn("--force", self.export(file, "--format", form, code=1))
            self.export(file, "--format", form, "--to", 9, "--force")
            self.check(file)

    def test_exported_texts_are_not_formulas(self):
        self.assertEqual(0, self.void_code)
        file = self.out("texts.csv")
        self.export(file, "--format", "postings")
        text = file.read_bytes().decode()
        self.assertNotIn(",-1+1", text)
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True)
                if row[3] == "round_voided"]
        self.assertIn(["'-1+1", "'+misdeal, \"twice\""], [[row[5], row[14]] for row in rows])
        self.check(file)

    def explained(self, *options):
        told = json.loads(self.floor.ask("explain", "--json", *options))
        since = told["since"]
        parts = [since["kept"], since["seeded"], since["from_reserve"], *told["parts"].values()]
        self.assertEqual(units(told["balance"]), sum(map(units, parts)))
        self.assertEqual(told["balance"], told["sum"])
        return told

    def test_every_meter_is_explained(self):
        entries = [json.loads(line) for line in self.floor.ask("export").splitlines()]
        contributed = 0
        for link in self.meters["links"]:
            levels = [level["level"] for level in link["levels"]]
            for level in [*levels, "reserve"] if levels else []:
                account = "reserve" if level == "reserve" else "meter"
                for at in (len(entries), len(entries) // 3):
                    told = self.explained("--link", link["link"], "--level", level, "--at", at)
                    held, by_table = 0, {}
                    for entry in entries[:at]:
                        for posting in entry["postings"]:
                            if (posting["link"], posting["level"]) != (link["link"], level):
                                continue
                            amount = units(posting["amount"])
                            held += amount if posting["account"] == account else 0
                            if posting["account"] == "wagers" and \
                                    entry["entry"] > told["since"]["entry"]:
                                by_table[entry["table"]] = by_table.get(entry["table"], 0) - amount
                    self.assertEqual(held, units(told["balance"]))
                    shares = {}
                    for day in told["days"]:
                        for table in day["tables"]:
                            shares[table["table"]] = (shares.get(table["table"], 0) +
                                                      units(table["contributed"]))
                    self.assertEqual(by_table, shares)
                    contributed += sum(map(abs, shares.values()))
                    if told["since"]["kind"] == "award":
                        self.assertTrue(told["earlier_awards"][0]["whole"])
        self.assertGreater(contributed, 0)
        self.assertIn("  = ", self.floor.ask("explain", "--link", "C4-MEGA", "--level", "mega"))

    def test_every_payout_is_explained(self):
        claims = [claim for claim in self.floor.claims() if claim["level"]]
        self.assertTrue(claims)
        for claim in claims[:20]:
            told = self.explained("--claim", claim["claim"], "--rounds")
            without = self.explained("--claim", claim["claim"])
            for day in told["days"]:
                for table in day["tables"]:
                    self.assertEqual(units(table["contributed"]), sum(
                        units(one["contributed"]) for one in table.pop("rounds")))
            for cost in (told, without):  # days that are explained from readings cost less
                del cost["cost"]
                for day in cost["days"]:
                    del day["by"]
            self.assertEqual(told, without)
            self.assertEqual((claim["link"], claim["level"]), (told["link"], told["level"]))
            self.assertLessEqual(units(claim["amount"]), units(told["balance"]))

    def test_an_unknown_claim_or_meter_is_reported(self):
        for options, words in ((["--link", "NONE"], "there is no link NONE"),
                               (["--link", "C4-MEGA"], "no level main; it has"),
                               (["--link", "C4-MEGA", "--level", "mega", "--at", 10 ** 9],
                                "the journal ends with entry"),
                               (["--claim", 10 ** 9], "there is no claim")):
            result = self.floor.tool("explain", "--data", self.floor.data, *options)
            self.assertEqual((1, ""), (result.returncode, result.stdout))
            self.assertIn(words, result.stderr)
        self.assertEqual(2, self.floor.tool("explain", "--data", self.floor.data).returncode)
        for options, words in (((["--from", 10 ** 9]), "the journal ends with entry"),
                               (["--from", 7, "--to", 3], "is after entry 3"),
                               (["--link", "NONE"], "there is no link NONE"),
                               (["--day", "2026-01-01"], "gaming day")):
            result = self.floor.tool("export", "--data", self.floor.data, *options)
            self.assertEqual((1, ""), (result.returncode, result.stdout))
            self.assertIn(words, result.stderr)
        for options in (["--day", "yesterday"], ["--format", "xml"], ["--from", 0], ["--force"]):
            self.assertEqual(2, self.floor.tool("export", "--data", self.floor.data,
                                                *options).returncode)
        self.assertEqual(1, self.floor.tool("import", "--check", self.out("none")).returncode)


if __name__ == "__main__":
    unittest.main()
