"""Counts every balance again from an exported CSV of postings, and from nothing else.

    linkmeter export --data DIR --format postings --out postings.csv
    python3 tests/recount.py postings.csv [more.csv ...]

Prints JSON: for each gaming day, link and level the balance of every account at the day's opening
and closing, and the flows in between, all in whole numbers of 10^-8 dollar:
    {"days": [{"day": "2026-11-21", "entries": [1, 900], "postings": N, "links": [
       {"link": "C4-MEGA", "levels": [{"level": "mega", "opening": {"meter": N, ...},
         "flows": {"meter": {"in": N, "out": N}, ...}, "closing": {...}}]}]}],
     "closing": {"C4-MEGA": {"mega": {"meter": N, ...}}}}

The files are parts of one journal, in its order. If the first part begins after entry 1, openings
count from that part on. The program knows the columns of the file and the sums of double entry. It
imports no program of Linkmeter. If a row cannot be read, an entry does not sum to zero, or days are
not in order, it prints the file and the line and exits with 1.
"""

import csv
import json
import sys

HEAD = ["linkmeter-postings 1", "recorded_at", "day", "fact", "table", "round", "seat", "link",
        "level", "account", "amount", "currency", "claim", "by", "note"]
ACCOUNTS = {"meter", "reserve", "withheld", "pending", "paid", "wagers", "seed_funding",
            "corrections", "transfers", "overflow"}


class Wrong(Exception):
    """A mistake in the input, with file and line."""


def whole_number(text, what):
    number = int(text)
    if str(number) != text:
        raise ValueError(f"{text!r} is no {what}")
    return number


def plain_text(field):
    """The text without the apostrophe that prevents a spreadsheet formula."""
    if len(field) > 1 and field[0] == "'" and field[1] in "=+-@\t\r\n'":
        return field[1:]
    return field


def rows(path):
    """(line, entry, day, link, level, account, amount) of every row."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file, strict=True)
        if next(reader, None) != HEAD:
            raise Wrong(f"{path}:1: not the head of linkmeter-postings 1")
        try:
            for row in reader:
                if len(row) != len(HEAD):
                    raise ValueError(f"{len(row)} fields")
                if row[11] != "USD" or row[9] not in ACCOUNTS:
                    raise ValueError(f"{row[9]!r} in {row[11]!r}")
                yield (reader.line_num, whole_number(row[0], "entry"), row[2], plain_text(row[7]),
                       plain_text(row[8]), row[9], whole_number(row[10], "amount"))
        except (ValueError, csv.Error) as no:
            raise Wrong(f"{path}:{reader.line_num}: {no}") from no


class Recount:
    def __init__(self):
        self.balances = {}  # (link, level) -> account -> amount
        self.days = []
        self.day = None
        self.entry = self.sum = 0
        self.ended = set()

    def take(self, path):
        for line, entry, day, link, level, account, amount in rows(path):
            where = f"{path}:{line}"
            if entry < self.entry:
                raise Wrong(f"{where}: entry {entry} after entry {self.entry}")
            if entry != self.entry:
                self.end_entry(where)
                self.entry = entry
            if self.day is None or self.day["day"] != day:
                self.begin_day(day, where)
            self.sum += amount
            self.post(link, level, account, amount)

    def end_entry(self, where):
        if self.sum != 0:
            raise Wrong(f"{where}: the entry before, {self.entry}, sums to {self.sum}, not to 0")

    def begin_day(self, day, where):
        if day in self.ended or (self.day is not None and day < self.day["day"]):
            raise Wrong(f"{where}: day {day!r} comes back")
        self.end_day()
        self.day = {"day": day, "entries": [self.entry, self.entry], "postings": 0, "flows": {},
                    "opening": {key: dict(held) for key, held in self.balances.items()}}

    def post(self, link, level, account, amount):
        day = self.day
        day["entries"][1] = self.entry
        day["postings"] += 1
        held = self.balances.setdefault((link, level), {})
        held[account] = held.get(account, 0) + amount
        flow = day["flows"].setdefault((link, level), {}).setdefault(account, {"in": 0, "out": 0})
        flow["in" if amount > 0 else "out"] += abs(amount)

    def end_day(self):
        if self.day is None:
            return
        day, links = self.day, {}
        self.ended.add(day["day"])
        for (link, level), held in self.balances.items():
            links.setdefault(link, []).append({
                "level": level, "opening": day["opening"].get((link, level), {}),
                "flows": day["flows"].get((link, level), {}), "closing": dict(held)})
        self.days.append({"day": day["day"], "entries": day["entries"],
                          "postings": day["postings"],
                          "links": [{"link": link, "levels": levels}
                                    for link, levels in links.items()]})

    def told(self):
        self.end_entry("the end")
        self.end_day()
        closing = {}
        for (link, level), held in self.balances.items():
            closing.setdefault(link, {})[level] = held
        return {"days": self.days, "closing": closing}


def main(paths):
    if not paths:
        print("python3 tests/recount.py postings.csv [more.csv ...]", file=sys.stderr)
        return 2
    recount = Recount()
    try:
        for path in paths:
            recount.take(path)
        print(json.dumps(recount.told(), indent=1))
    except (Wrong, OSError) as no:
        print(f"recount: {no}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
