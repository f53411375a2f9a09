"""Tests an upgrade across a state version, and a rollback, with a real journal of a million
entries.

    python3 -B tests/bench/upgrade.py --old ../linkmeter-0.1.0/build/bin [--entries 1000000]

The programs in the folder --old write the journal: a hundred tables play rounds on one link
(soak_load.cc, of the same folder). Then each release in turn is installed in their place, sealed
with `linkmeter seal` and started: this release (build/bin), the next one (build/next/bin,
tests/crash/next_release.cc), and this one again. Without --old this release writes the journal.
Build all of them as releases. No command except `seal` is run between two starts. After each start
the meters must be unchanged to 10^-8 dollar, no link may be suspended, and the tables play on.

It prints one line for each step, and the line about its rows from each start.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import floor_process
from floor_process import ENDS_WITH_ITS_PARENT, NEXT, PROGRAMS, Floor

TABLES = 100
ENTRIES_OF_ROUND = 2  # a lock and a close
MORE_ROUNDS = 10  # of each table, after each start
FLOOR = """[house]
name = "Upgrade"
timezone = "America/New_York"
gaming_day_start = "06:00"
[[link]]
id = "C4"
wager = "crazy-4/five-card"
paytable = "C"
unit = "5.00"
tables = [{tables}]
""".format(tables=", ".join(f'"C4-{at + 1}"' for at in range(TABLES))) + "".join(
    f'[[table]]\nid = "C4-{at + 1}"\ngame = "crazy-4"\nseats = 6\nasset = "T-{at + 1}"\n'
    for at in range(TABLES))
# The load plays faster than any table. Release 0.1.0 has no pace, and refuses the key.
PACED = FLOOR.replace("[[table]]\n", "[[table]]\npace = 10000000\n")


class Upgrade:
    def __init__(self, floor, load):
        self.floor, self.load, self.rounds = floor, load, 0
        self.controller = None

    def version(self):
        return self.floor.tool("--version").stdout.split()[-1]

    def say(self, what, took=None):
        print(f"{self.version():8} {what}" + (f": {took:.1f} s" if took is not None else ""),
              flush=True)

    def start(self):
        began = time.monotonic()
        self.controller = self.floor.begin_controller()
        floor_process.PATIENCE_S, patience = 900, floor_process.PATIENCE_S
        self.controller.await_ready()
        floor_process.PATIENCE_S = patience
        return time.monotonic() - began

    def play(self, rounds):
        """Every table plays this many more rounds."""
        self.rounds += rounds
        told = subprocess.run(
            [*ENDS_WITH_ITS_PARENT, self.load, "--endpoint", self.controller.endpoint, "--data",
             self.floor.data, "--tables", str(TABLES), "--winning", "0", "--window", "32",
             "--rounds", str(self.rounds)], capture_output=True, text=True, check=False)
        if told.returncode != 0:
            raise SystemExit(f"the load ended with {told.returncode}: {told.stderr}")
        return json.loads(told.stdout)

    def amounts(self):
        """The amounts of all meters. No link may be suspended."""
        links = self.floor.meters()["links"]
        suspended = [link["link"] for link in links if link["status"] != "operating"]
        if suspended:
            raise SystemExit(f"suspended: {suspended}")
        return [(link["link"], level["level"], level["amount"])
                for link in links for level in link["levels"]]

    def change_to(self, programs):
        """Stop, install, seal, start."""
        before = self.amounts()
        if self.controller.stop() != 0:
            raise SystemExit(self.controller.telling())
        began = time.monotonic()
        sealed = self.floor.install(programs)
        self.say("seal (" + sealed.strip().splitlines()[-1].split(": ")[-1] + ")",
                 time.monotonic() - began)
        took = self.start()
        self.say(f"start, {self.controller.entry:,} entries, until it serves", took)
        self.controller.await_line("start data=")  # the last line of a start in this stream
        for line in self.controller.said:
            if "rows made anew" in line or line.startswith("self-check balances"):
                self.say(f'  said "{line}"')
        if self.amounts() != before:
            raise SystemExit(f"meters changed: {before} {self.amounts()}")
        self.play(MORE_ROUNDS)
        self.say("no link is suspended, meters as before, tables play on")


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    asked.add_argument("--old", type=pathlib.Path, default=PROGRAMS,
                       help="the folder of the programs that write the journal")
    asked.add_argument("--entries", type=int, default=1_000_000)
    options = asked.parse_args()
    with Floor(PACED if options.old == PROGRAMS else FLOOR) as floor:
        floor.sign_every_s = None
        floor.programs = None if options.old == PROGRAMS else options.old.resolve()
        upgrade = Upgrade(floor, options.old / "linkmeter-soak-load")
        floor.init()
        upgrade.start()
        told = upgrade.play(-(-options.entries // TABLES // ENTRIES_OF_ROUND))
        upgrade.say(f"{told['messages']:,} messages of {TABLES} tables written", told["seconds"])
        releases = [None, NEXT, None] if floor.programs else [NEXT, None]
        for programs in releases:
            upgrade.change_to(programs)
        if upgrade.controller.stop() != 0:
            raise SystemExit(upgrade.controller.telling())
        began = time.monotonic()
        audit = floor.audit()
        if not audit["clean"]:
            raise SystemExit(audit["why"])
        upgrade.say(f"audit of {audit['entries']:,} entries, clean", time.monotonic() - began)


if __name__ == "__main__":
    main()
