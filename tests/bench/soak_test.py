"""Simulates a month of a house in a short time, to find what grows.

A real controller and many tables on one link (soak_load.cc) play day after day; wins raise claims,
which a floorperson validates and a cashier pays over HTTP; the controller is ended and started
again all the time, by SIGKILL and SIGTERM in turn; each day ends by itself when its clock reaches
it (clock_shift.cc), the tables report their counts, an accountant signs and a finance manager
closes. After each day it prints what the controller holds and how long operations take.

    LINKMETER_SOAK_ROUNDS=5000000 LINKMETER_SOAK_CLAIMS=2000 LINKMETER_SOAK_DAYS=30 \
      LINKMETER_SOAK_RESTARTS=200 LINKMETER_SOAK_TABLES=100 python3 tests/bench/soak_test.py

Without these variables it only shows that it runs. The verdict compares the last third of the days
with the first: threads and open files do not increase; memory grows at most by the remembered
rounds (200 bytes each; 8,192 of a table, then no more) and claims (1,000 bytes each); the journal
grows by the same number of bytes for each round; acknowledgements, reports and starts from the
last check (with 2 microseconds for each remembered round) take at most half as long again, plus a
little for the machine's other work. Every day closes with no open item but the clock that was set;
the audit is clean, and a recount of all postings agrees.
"""

import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "floor"), str(TESTS / "crash")]

from browser import Browser
from day_end_test import DAY, PRELOADED, begin, day_of, moment_of, now
from floor_process import ENDS_WITH_ITS_PARENT, FREE_PAGES, PATIENCE_S, PROGRAMS, Floor
from judge import Judge
import day_end_test
import people_test


def asked(name, without):
    return int(os.environ.get(f"LINKMETER_SOAK_{name}", without))


ROUNDS, CLAIMS, DAYS = asked("ROUNDS", 3000), asked("CLAIMS", 3), asked("DAYS", 2)
RESTARTS, TABLES = asked("RESTARTS", 2), asked("TABLES", 10)
SEED = int(os.environ.get("LINKMETER_SEED", "1"))
OF_TABLE = ROUNDS // TABLES
WINNING = max(1, min(TABLES, -(-CLAIMS // DAYS)))  # of the tables; each about once a day
WIN_EVERY = max(1, OF_TABLE // max(1, -(-CLAIMS // WINNING)))
WAGERS, BET_CENTS = 2, 500
SEEDS = {"mega": 50_000, "major": 5_000, "minor": 1_250}
RATES_PPM = {"mega": 90_000, "major": 70_000, "minor": 30_000}
UNITS_PER_CENT = 10**6
# What may be remembered: a table's last rounds, and each claim.
ROUNDS_REMEMBERED, BYTES_OF_ROUND, BYTES_OF_CLAIM = 8192, 200, 1000
START_S_OF_ROUND = 2e-6  # to read a remembered round
SLACK_MB = 8
# The machine has other work, too.
SLOWER, SLACK = 1.5, {"p50_ms": 2.0, "p99_ms": 10.0, "report_s": 0.1}

FLOOR = """[house]
name = "Soak"
timezone = "America/New_York"
gaming_day_start = "06:00"
[[link]]
id = "C4"
wager = "crazy-4/five-card"
paytable = "C"
unit = "5.00"
tables = [{tables}]
""".format(tables=", ".join(f'"C4-{at + 1}"' for at in range(TABLES))) + "".join(
    f'[[table]]\nid = "C4-{at + 1}"\ngame = "crazy-4"\nseats = 6\npace = 10000000\n'
    f'asset = "T-{at + 1}"\n'
    for at in range(TABLES))


def held_by(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    def number(key):
        return int(next(line for line in status.splitlines() if line.startswith(key)).split()[1])
    return {"memory_mb": number("RssAnon") / 1000, "resident_mb": number("VmRSS") / 1000,
            "threads": number("Threads"), "files": len(os.listdir(f"/proc/{pid}/fd"))}


class Soak(day_end_test.Shifted, people_test.People):
    def setUp(self):
        self.floor = Floor(FLOOR)
        self.floor.sign_every_s = None
        self.addCleanup(self.floor.close)
        self.secrets, self.random = [], random.Random(SEED)
        self.ruling = self.floor.folder / "shift"
        self.rule(day_end_test.datetime.timedelta())
        self.floor.init()
        self.first = day_of(moment_of(self.floor.entries()[0]["recorded_at"]))
        self.controller = self.start()
        for badge, department, role, by in (
                ("A-1", "finance", "accountant", "TGM-1"), ("C-1", "finance", "cashier", "FM-1"),
                ("F-1", "table_games", "floorperson", "TGM-1")):
            self.add(badge, department, role, by)
            self.floor.own_pin(badge)
        self.floor.own_pin("FM-1")
        self.browsers, self.marks = {}, []
        self.killed = self.stopped = self.paid = 0
        self.addCleanup(self.end_load)
        self.load = None

    def clock(self):
        """The clock of the controller and of the tables: a round of another day would be late."""
        return {"LD_PRELOAD": str(PRELOADED / "libclock_shift.so"),
                "LINKMETER_CLOCK_SHIFT": str(self.ruling)}

    def start(self, *options):
        return self.floor.start_controller(
            *([self.controller.endpoint] if hasattr(self, "controller") else []), web=FREE_PAGES,
            options=options, environment=self.clock())

    # --- the load ---

    def begin_load(self, rounds):
        """Tables play up to this many rounds each."""
        self.load = subprocess.Popen(
            [*ENDS_WITH_ITS_PARENT, PROGRAMS / "linkmeter-soak-load", "--endpoint",
             self.controller.endpoint, "--data", self.floor.data, "--tables", str(TABLES),
             "--winning", str(WINNING), "--win-every", str(WIN_EVERY), "--wagers", str(WAGERS),
             "--rounds", str(rounds)], stdout=subprocess.PIPE, text=True,
            env={**os.environ, **self.clock()})

    def end_load(self, code=None):
        """Returns the output. With `code`, waits until the load ends by itself with this exit
        code."""
        if self.load is None:
            return None
        load, self.load = self.load, None
        if code is None:
            load.send_signal(signal.SIGTERM)
        told, _ = load.communicate()
        if code is not None:
            self.assertEqual(code, load.returncode)
        return json.loads(told) if told else None

    def restart(self, is_full):
        """Restarts the controller during play. Returns the seconds until it serves again."""
        time.sleep(self.random.uniform(0.05, 0.3))  # random times are the point of this test
        if self.killed <= self.stopped:
            self.assertTrue(self.controller.kill(), self.controller.telling())
            self.killed += 1
        else:
            self.assertEqual(0, self.controller.stop(), self.controller.telling())
            self.stopped += 1
        self.end_load()
        self.browsers = {}
        began = time.monotonic()
        self.controller = self.start(*([] if is_full else ["--quick-check"]))
        return time.monotonic() - began

    # --- people ---

    def at(self, badge):
        if badge not in self.browsers:
            self.browsers[badge] = Browser(self.controller.pages())
            answer = self.browsers[badge].sign_in(badge, self.floor.pins[badge])
            self.assertEqual(200, answer.status, answer.bytes)
        return self.browsers[badge]

    def act(self, badge, path, **body):
        answer = self.at(badge).post(path, {"pin": self.floor.pins[badge], **body})
        if answer.status == 401:  # an idle person is signed out
            del self.browsers[badge]
            answer = self.at(badge).post(path, {"pin": self.floor.pins[badge], **body})
        self.assertEqual(200, answer.status, (path, answer.bytes))

    def settle(self):
        for claim in self.floor.claims()[self.paid:]:
            self.act("F-1", f"/api/claims/{claim['claim']}/validate")
            self.act("C-1", f"/api/claims/{claim['claim']}/slip", source="hand_pay")
            slip = self.at("F-1").get(f"/api/claims/{claim['claim']}").json["slips"][-1]["slip"]
            self.act("C-1", f"/api/claims/{claim['claim']}/pay", slip=slip)
            self.paid += 1

    def report(self, day):
        until = time.monotonic() + 4 * PATIENCE_S
        while (answer := self.at("A-1").get(f"/api/days/{day}")).status in (404, 409):
            self.assertLess(time.monotonic(), until, answer.bytes)
            time.sleep(0.05)  # until it is made
        self.assertEqual(200, answer.status, answer.bytes)
        return answer.json

    def close(self, date):
        """Closes a day that is over: two people, and no open item but the clock that was set to
        end it."""
        self.set_clock(begin(date + DAY) - now())
        day = str(date)
        self.report(day)
        self.begin_load(self.rounds)  # nothing more to play: the tables report their counts
        self.end_load(0)
        items = {item["item"]: item for item in self.report(day)["report"]["items"]}
        self.assertEqual([], [item for item in items if not item.startswith("clock/")])
        for item, what in items.items():
            self.act("A-1", f"/api/days/{day}/explain", item=item, difference=what["difference"],
                     note="the clock was set to the end of the day")
        began = time.monotonic()
        digest = self.report(day)["digest"]  # made again, with the explanations
        took = time.monotonic() - began
        self.act("A-1", f"/api/days/{day}/sign", report=digest)
        self.act("FM-1", f"/api/days/{day}/close", report=digest)
        self.assertEqual("closed", self.report(day)["record"]["state"])
        return took

    # --- the month ---

    def test_a_month(self):
        began = time.monotonic()
        for number in range(DAYS):
            self.live(number)
        self.assertEqual(0, self.controller.stop())
        self.assertEqual(RESTARTS, self.killed + self.stopped)
        self.prove()
        print(f"{ROUNDS} rounds, {self.paid} claims paid, {DAYS} days closed, {self.killed} kills, "
              f"{self.stopped} ends, {time.monotonic() - began:.0f} s; audit clean, recount agrees")
        self.judge()

    def live(self, number):
        self.rounds = OF_TABLE * number // DAYS
        restarts = RESTARTS * (number + 1) // DAYS - RESTARTS * number // DAYS
        until = OF_TABLE * (number + 1) // DAYS
        full, quick = [], []
        for at in range(restarts):
            self.rounds += (until - self.rounds) // (restarts - at + 1)
            self.begin_load(self.rounds)
            (quick if full else full).append(self.restart(is_full=not full))
        self.rounds = until
        self.begin_load(until)
        told = self.end_load(0)
        self.settle()
        report_s = self.close(self.first + number * DAY)
        self.mark({**held_by(self.controller.pid), "rounds": until * TABLES, "claims": self.paid,
                   "file_mb": (self.floor.data / "journal" / "data.mdb").stat().st_size / 1e6,
                   "p50_ms": told["p50_ms"], "p99_ms": told["p99_ms"],
                   "quick_s": statistics.median(quick or [0.0]), "full_s": max(full or [0.0]),
                   "report_s": report_s, "messages_per_s": told["messages"] / told["seconds"]})

    def mark(self, held):
        self.marks.append(held)
        print(f"day {len(self.marks):2d} " + "  ".join(
            f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}"
            for name, value in held.items()), flush=True)

    def prove(self):
        """Meters from the rates alone; the audit; the postings counted again."""
        meters = self.floor.meters()
        levels = {level["level"]: level for level in meters["links"][0]["levels"]}
        claims = self.floor.claims()
        self.assertEqual({"paid"}, {claim["state"] for claim in claims})
        handle_cents = OF_TABLE * TABLES * WAGERS * BET_CENTS
        for name, level in levels.items():
            won = [claim for claim in claims if claim["level"] == name]
            paid = sum(int(claim["amount"].replace(".", "")) for claim in won) * UNITS_PER_CENT
            seeded = SEEDS[name] * 100 * (1 + len(won)) * UNITS_PER_CENT
            expected = seeded + handle_cents * RATES_PPM[name] - paid
            self.assertEqual(expected, int(level["amount"].replace(".", "")), name)
        rounds = [table["rounds"] for table in meters["links"][0]["tables"]]
        self.assertEqual([OF_TABLE] * TABLES, rounds)
        judge = Judge(self, self.floor, SEED)
        judge.look_at_audit()
        judge.count_again(meters)

    def judge(self):
        """Compares the last third of the days with the first; too few days have no thirds."""
        third = DAYS // 3
        if third == 0:
            return
        first, last = self.marks[:third], self.marks[-third:]
        def mean(marks, name):
            return statistics.mean(mark[name] for mark in marks)
        def grew(name):
            return mean(last, name) - mean(first, name)
        for name in ("threads", "files"):
            self.assertLessEqual(grew(name), 1, name)
        def remembered(marks):
            return TABLES * statistics.mean(min(mark["rounds"] / TABLES, ROUNDS_REMEMBERED)
                                            for mark in marks)
        more = remembered(last) - remembered(first)
        allowed = (more * BYTES_OF_ROUND + grew("claims") * BYTES_OF_CLAIM) / 1e6 + SLACK_MB
        self.assertLess(grew("memory_mb"), allowed, "memory")
        def bytes_of_round(marks):
            return (marks[-1]["file_mb"] - marks[0]["file_mb"]) / (
                marks[-1]["rounds"] - marks[0]["rounds"]) if len(marks) > 1 else 0.0
        self.assertLessEqual(bytes_of_round(last), 1.1 * bytes_of_round(first) + 1e-9, "the file")
        for name, slack in {**SLACK, "quick_s": 0.1 + more * START_S_OF_ROUND}.items():
            self.assertLess(mean(last, name), SLOWER * mean(first, name) + slack, name)


if __name__ == "__main__":
    unittest.main()
