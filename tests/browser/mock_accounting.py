"""The accounts of the house without a controller: gaming days and their reports, in the shapes of
the API. Amounts are whole units of 10^-8 dollar. The last day went badly; the others are quiet.
"""

import datetime
import hashlib
import json
import random

from mock_listings import Listings
from mock_refusals import Refused
from mock_time import TODAY, begin_of, text_of

DOLLAR = 10 ** 8
CENT = 10 ** 6
RATES = {"C4-MEGA": {"mega": 1013, "major": 310, "minor": 135, "reserve": 250},  # of 10,000
         "BJ-RUN": {"main": 7137}, "POKER-ROOM": {"main": 10000}, "PG-FORTUNE": {}}
UNITS = {"C4-MEGA": 5, "BJ-RUN": 1, "POKER-ROOM": 1, "PG-FORTUNE": 5}


def exact(units):
    sign = "-" if units < 0 else ""
    return f"{sign}{abs(units) // DOLLAR}.{abs(units) % DOLLAR:08d}"


def whole(units):
    return exact(units)[:-6]


def units(text):
    left, _, right = text.lstrip("-").partition(".")
    return (-1 if text.startswith("-") else 1) * int(left + right.ljust(8, "0")[:8])


def digest_of(report):
    return hashlib.sha256(json.dumps(report, separators=(",", ":")).encode()).hexdigest()


class Accounts(Listings):
    def __init__(self, house, days=26):
        self.house, self.random = house, random.Random(7)
        rights = {"A-1": ["take_readings", "reconcile"], "C-1": ["count_money"],
                  "F-1": ["witness_counts"]}
        house.people["FM-1"] = {
            "badge": "FM-1", "name": "Fay Mercer", "roles": ["finance_manager"], "pin": "8642",
            "rights": ["read_accounts", "take_readings", "close_days"], "failures": 0}
        for badge, more in rights.items():
            house.people[badge]["rights"] = [*house.people[badge]["rights"], *more]
        self.meters = {(link, level["level"]): level["seed"] * CENT + 99 * DOLLAR
                       for link, told in house.links.items() for level in told["levels"]}
        self.meters["C4-MEGA", "reserve"] = 311 * DOLLAR
        self.paid_ever, self.days, self.entry = {}, [], 1
        for back in range(days, 0, -1):
            self.end_day(TODAY - datetime.timedelta(days=back))
        for told in self.days[:-2]:
            self.write(told, "sign", "A-1", 40)
            self.write(told, "close", "FM-1", 95)
        self.go_badly(self.days[-1]["report"])

    # --- how days are made ---

    def end_day(self, day):
        begins, ends = begin_of(day), begin_of(day + datetime.timedelta(days=1))
        first, self.entry = self.entry, self.entry + 4100 + self.random.randrange(900)
        hours = int((ends - begins).total_seconds() // 3600)
        report = {
            "report": "linkmeter-day 1", "house": "Demo Casino", "day": str(day),
            "zone": "America/New_York", "begins_at": text_of(begins), "ends_at": text_of(ends),
            "hours": hours, "entries": {"first": first, "last": self.entry,
                                        "head": hashlib.sha256(str(day).encode()).hexdigest()},
            "links": [self.link_day(link, day) for link in self.house.links],
            "claims_pending": [], "counts": [], "counters": [], "events": [], "items": [],
            "readings": [],
            "control": {"postings": 3 * (self.entry - first), "sum": exact(0)}}
        for table in [t for link in report["links"] for t in link["tables"]]:
            report["counters"].append({
                "table": table["table"], "told": 25, "entry": self.entry - 3,
                "at": text_of(ends, -1), "from_message": 1, "up_to_message": table["rounds"] * 4})
        self.days.append({"report": report, "signed": None, "closed": None, "is_ready": True})
        self.entry += 1

    def link_day(self, name, day):
        link, rates = self.house.links[name], RATES[name]
        tables, sums = [], dict.fromkeys(rates, 0)
        for table in link["tables"]:
            wagers = self.random.randrange(180, 420)
            handle = wagers * UNITS[name] * DOLLAR
            given = {level: handle * rate // 10000 for level, rate in rates.items()}
            for level, amount in given.items():
                sums[level] += amount
            paid = self.random.randrange(3) * 50 * DOLLAR
            ever = self.paid_ever[name, table] = self.paid_ever.get((name, table), 0) + paid
            tables.append({
                "table": table, "rounds": wagers // 3, "wagers": wagers, "handle": whole(handle),
                "contributed": {level: exact(amount) for level, amount in given.items()},
                "attendant_paid": whole(paid), "device_paid": "0.00",
                "progressive_paid": whole(paid), "attendant_paid_ever": whole(ever),
                "device_paid_ever": "0.00", "progressive_paid_ever": whole(ever)})
        levels = [self.level_day(name, level, sums[level["level"]], day)
                  for level in link["levels"]]
        return {"link": name, "wager": link["wager"], "suspended": None, "levels": levels,
                "reserve": self.reserve_day(name, sums.get("reserve", 0)), "tables": tables,
                "fixed_awards": {"count": 4 * (name == "PG-FORTUNE"), "amount": "500.00",
                                 "reversed_count": 0, "reversed": "0.00", "claim_count": 0,
                                 "claimed": "0.00"}}

    def level_day(self, name, level, given, day):
        seed, opening = level["seed"] * CENT, self.meters[name, level["level"]]
        is_hit = level["level"] in ("minor", "main") and day.day % 4 == 1
        awarded = (opening + given // 2) // CENT * CENT if is_hit else 0
        told = self.pool_day(name, level["level"], given, seed if is_hit else 0, awarded)
        closing = self.meters[name, level["level"]]
        return {"level": level["level"], **told, "paid": whole(awarded), "hits": int(is_hit),
                "partial_hits": 0, "reseed": whole(seed), "liability": exact(closing - seed),
                "shown": whole(closing)}

    def pool_day(self, name, pool, given, seeded, awarded):
        opening = self.meters.get((name, pool), 0)
        closing = self.meters[name, pool] = opening + given + seeded - awarded
        nothing = ("corrected", "transferred", "from_reserve", "overflowed")
        told = {"opening": exact(opening), "contributed": exact(given), "seeded": exact(seeded)}
        told.update(dict.fromkeys(nothing, exact(0)), awarded=exact(awarded), returned=exact(0),
                    closing=exact(closing))
        told.update(dict.fromkeys(("withheld_opening", "withheld_closing", "pending_opening",
                                   "pending_closing"), exact(0)))
        return told

    def reserve_day(self, name, given):
        told = self.pool_day(name, "reserve", given, 0, 0)
        return {"opening": told["opening"], "contributed": told["contributed"],
                **dict.fromkeys(("overflow", "corrected", "transferred", "to_levels"), exact(0)),
                "closing": told["closing"], "withheld_opening": exact(0),
                "withheld_closing": exact(0), "liability": told["closing"]}

    def go_badly(self, report):
        last, begins = report["entries"]["last"], begin_of(TODAY - datetime.timedelta(days=1))
        mega, major = report["links"][0]["levels"][:2]
        mega.update(corrected="12.50000000", closing=exact(units(mega["closing"]) + 1250 * CENT))
        mega.update(shown=mega["closing"][:-6],
                    liability=exact(units(mega["closing"]) - units(mega["reseed"])))
        award = 731970 * CENT
        held = units(major["opening"]) + units(major["contributed"])
        major.update(opening=exact(units(major["opening"]) + award - held + 4071970 * CENT // 10),
                     awarded=exact(award), seeded=major["reseed"] + "000000", hits=1,
                     pending_closing=exact(award))
        closing = sum(units(major[k]) for k in ("opening", "contributed", "seeded")) - award
        major.update(closing=exact(closing - 75 * CENT), shown=whole(closing - 75 * CENT),
                     liability=exact(closing - 75 * CENT - units(major["reseed"])))
        report["links"][1]["suspended"] = "the state differs from its recount"
        report["claims_pending"] = [{
            "claim": 7, "link": "C4-MEGA", "table": "C4-01",
            "line": "straight_flush", "amount": "7319.70", "raised_at": text_of(begins, 1290),
            "age_s": 9000, "state": "validated"}]
        report["counts"] = [{
            "entry": last + 3, "at": text_of(begins, 1460), "kind": "poker_box",
            "link": "POKER-ROOM", "table": "P-02", "amount": "311.00", "expected": "312.00",
            "counts": True,
            "note": "counted twice", "by": "C-1", "witness": "F-1"}]
        report["events"] = [
            {"kind": "correction", "entry": last - 610,
             "words": "C4-MEGA mega corrected by $12.50: display fault, by TGM-1 and FM-1"},
            {"kind": "suspension", "entry": last - 402,
             "words": "BJ-RUN suspended itself: the state differs from its recount"},
            {"kind": "clock_change", "entry": last - 95, "words": "the clock was set by -0.8 s"}]

        def item(name, difference, words, explained=None, **where):
            kind = name.split("/")[0]
            told = {"item": name, "kind": kind, "link": None, "level": None, "table": None}
            told.update(where, difference=difference, words=words, open=explained is None,
                        explained=explained)
            report["items"].append(told)
        item("balance/C4-MEGA/major", "-0.75000000", "the postings of the day come to more than "
             "the meter moved", link="C4-MEGA", level="major")
        item("counters/C4-02/C4-MEGA", "-2 wagers, -10.00", "the table counted 287 wagers,"
             " the journal 289", link="C4-MEGA", table="C4-02")
        item("sign/BJ-RUN/main", "0.01", "the sign was told more than the meter's whole cents",
             link="BJ-RUN", level="main")
        item("claim/7", "7319.70", "straight flush at C4-01 was not settled when the day ended",
             link="C4-MEGA", table="C4-01")
        item(f"suspended/BJ-RUN/{last - 402}", "", "the link suspended itself: the state differs "
             "from its recount", link="BJ-RUN")
        item("box/POKER-ROOM/P-02", "-1.00", "the box held $311.00, its table contributed $312.00",
             {"note": "a dollar chip was found under the tray", "by": "A-1",
              "at": text_of(begins, 1470), "corrected_by": None}, link="POKER-ROOM", table="P-02")

    # --- answers ---

    def find(self, day):
        for told in self.days:
            if told["report"]["day"] == day:
                return told
        raise Refused("day_not_over" if day >= str(TODAY) else "day_unknown", day=day)

    def record(self, told):
        report = told["report"]
        signed, closed = told["signed"] or {}, told["closed"] or {}
        return {"day": report["day"], "ended": report["entries"]["last"],
                "ends_at": report["ends_at"], "signed_by": signed.get("by"),
                "signed_at": signed.get("at"), "closed_by": closed.get("by"),
                "closed_at": closed.get("at"), "report": signed.get("report"),
                "open_items": (sum(item["open"] for item in report["items"])
                               if told["is_ready"] else None),
                "state": "closed" if closed else "signed" if signed else "open",
                "is_ready": told["is_ready"]}

    def read(self, path, query, session):
        parts = path.split("/")[2:]
        if parts[0] not in ("days", "explain", "journal", "acts", "configurations", "accounts") \
                and parts[2:] != ["history"]:
            return None
        if not {"accountant", "finance_manager", "auditor"} & set(session["roles"]):
            raise Refused("accounts_refused", badge=session["badge"])
        one = {key: values[0] for key, values in query.items()}
        if parts == ["days"]:
            return {"today": {"day": str(TODAY), "begins_at": text_of(begin_of(TODAY)),
                              "ends_at": text_of(begin_of(TODAY), 1440)},
                    "days": [self.record(told) for told in self.days[::-1]]}
        if parts[0] == "days":
            told = self.find(parts[1])
            if not told["is_ready"]:
                raise Refused("report_not_ready")
            return {"report": told["report"], "digest": digest_of(told["report"]),
                    "record": self.record(told)}
        if parts[0] == "links":
            return self.history(parts[1], one["level"], int(one.get("days", 90)))
        return getattr(self, f"read_{parts[0]}")(one)

    def history(self, link, level, days):
        points = []
        for told in self.days[-days:]:
            at = next(one for one in told["report"]["links"] if one["link"] == link)
            pool = next(one for one in at["levels"] if one["level"] == level)
            handle = sum(units(table["handle"]) for table in at["tables"])
            points.append({"day": told["report"]["day"], "handle": whole(handle),
                           **{key: pool[key] for key in ("closing", "awarded", "seeded",
                                                         "contributed", "paid")}})
        return {"points": points}

    def read_explain(self, asked):
        if "claim" in asked:
            asked = {"link": "C4-MEGA", "level": "major"}
        link, name, at = asked["link"], asked["level"], int(asked.get("at") or self.entry)
        days = [t["report"] for t in self.days if t["report"]["entries"]["first"] <= at + 1]
        level = next(lv for lk in days[-1]["links"] if lk["link"] == link
                     for lv in [*lk["levels"], {"level": "reserve", **lk["reserve"]}]
                     if lv["level"] == name)
        is_opening = days[-1]["entries"]["last"] > at
        balance = units(level["opening" if is_opening else "closing"])
        seed, kept = balance * 6 // 10 // CENT * CENT, 123456
        tables = self.house.links[link]["tables"]
        rest, shares = balance - seed - kept - 2 * DOLLAR, []
        for day, part in zip(days[-3:-1], (rest // 2, rest - rest // 2)):
            given = [part // len(tables)] * (len(tables) - 1)
            given.append(part - sum(given))
            shares.append({"day": day["day"], "contributed": exact(part), "change": exact(part),
                           "entries": [day["entries"]["first"], day["entries"]["last"]],
                           "by": "readings", "tables": [
                               {"table": table, "contributed": exact(amount)}
                               for table, amount in zip(tables, given)]})
        parts = dict.fromkeys(("withheld", "overflowed", "seeded", "from_reserve", "awarded",
                               "returned", "transferred"), exact(0))
        since = days[-3]["begins_at"]
        return {"link": link, "level": name, "entry": at, "claim": None, "balance": exact(balance),
                "sum": exact(balance), "since": {
                    "entry": 61, "at": since, "kind": "award", "award": "1500.00000000",
                    "kept": exact(kept), "seeded": exact(seed), "from_reserve": exact(0)},
                "parts": {"contributed": exact(rest), "corrected": exact(2 * DOLLAR), **parts},
                "days": shares, "events": [{"entry": 80, "at": since, "kind": "correction",
                                            "amount": exact(2 * DOLLAR), "claims": []}],
                "earlier_awards": [{"entry": 61, "at": since, "whole": True, "amount": "1500.00",
                                    "stood": "1500.00123456", "left": exact(kept),
                                    "rejected": False, "claims": [3]}],
                "cost": {"entries_read": 9, "days_by_readings": 2}}

    def read_journal(self, asked):
        first, count = int(asked.get("from", 1)), int(asked.get("count", 50))
        kinds = ["round_locked", "hands_shown", "round_closed"]
        entries = []
        for number in range(first, min(first + 3 * count, self.entry + 1)):
            fact = kinds[number % 3]
            if asked.get("fact") in (None, "", fact) and len(entries) < count:
                postings = [{"link": "C4-MEGA", "level": "mega", "account": "meter",
                             "amount": "0.50000000"},
                            {"link": "C4-MEGA", "level": "mega", "account": "wagers",
                             "amount": "-0.50000000"}] if number % 3 == 0 else []
                entries.append({
                    "entry": number, "fact": fact, "table": "C4-01", "round": f"r{number}",
                    "recorded_at": text_of(begin_of(TODAY), number % 1000), "message": number,
                    "postings": postings, "hash": hashlib.sha256(b"%d" % number).hexdigest()})
        return {"head": self.entry, "entries": entries, "facts": ["round_locked", "pot_played"]}

    def read_configurations(self, _):
        at = begin_of(TODAY - datetime.timedelta(days=11))
        return [{"since": 1, "at": text_of(at, -9000), "proposed_by": None, "confirmed_by": None,
                 "changes": []},
                {"since": 61022, "at": text_of(at, 431), "proposed_by": "TGM-1",
                 "confirmed_by": "FM-1",
                 "changes": ["C4-MEGA major rate 3% -> 3.1%", "C4-MEGA minor limit none -> "
                             "6000.00", "chapter crazy-4 is another one than in force"]}]

    # --- acts on a day ---

    def do(self, path, person, asked):
        parts = path.split("/")[2:]
        right = {"sign": "reconcile", "explain": "reconcile", "close": "close_days",
                 "count": "count_money", "readings": "take_readings"}[parts[-1]]
        if right not in person["rights"]:
            raise Refused("right_missing", badge=person["badge"])
        if parts[0] == "readings":
            self.days[-1]["report"]["readings"].append({
                "entry": self.entry, "at": text_of(begin_of(TODAY), 10), "by": person["badge"],
                "note": asked["note"],
                "seen": [dict(one, told=one["amount"]) for one in asked["seen"]]})
            return f"the reading is entry {self.entry}"
        told = self.find(parts[1])
        if told["closed"]:
            raise Refused("day_closed", day=parts[1])
        return getattr(self, f"do_{parts[2]}")(told, person["badge"], asked)

    def do_explain(self, told, badge, asked):
        item = next((i for i in told["report"]["items"] if i["item"] == asked["item"]), None)
        if item is None or item["difference"] != asked["difference"]:
            raise Refused("variance_differs")
        if asked.get("corrected_by") and asked["corrected_by"] > self.entry:
            raise Refused("entry_unknown")
        item.update(open=False, explained={
            "note": asked["note"], "by": badge, "at": text_of(begin_of(TODAY), 30),
            "corrected_by": asked.get("corrected_by")})
        return f"{asked['item']} is explained"

    def do_count(self, told, badge, asked):
        witness = self.house.people.get(asked["witness"])
        if asked["witness"] == badge or not witness or "witness_counts" not in witness["rights"]:
            raise Refused("witness_missing")
        if asked.get("witness_pin") != witness["pin"]:
            raise Refused("witness_not_signed")
        if asked["kind"] == "poker_box" and not asked.get("notice"):
            raise Refused("notice_missing")
        if not asked["table"] and asked["kind"] != "fund_kept":
            raise Refused("count_not_possible")
        self.entry += 1
        told["report"]["counts"].append({
            "entry": self.entry, "at": text_of(begin_of(TODAY), 20), "expected": None, "by": badge,
            **{key: asked[key] for key in ("kind", "link", "table", "amount", "note", "witness")}})
        return f"the count is entry {self.entry}"

    def may_sign(self, told, asked):
        if not told["is_ready"]:
            raise Refused("report_not_ready")
        if asked["report"] != digest_of(told["report"]):
            raise Refused("report_differs")

    def do_sign(self, told, badge, asked):
        self.may_sign(told, asked)
        if any(item["open"] for item in told["report"]["items"]):
            raise Refused("variance_unexplained")
        self.write(told, "sign", badge, 40)
        return f"day {told['report']['day']} is signed"

    def do_close(self, told, badge, asked):
        before = self.days[self.days.index(told) - 1]
        if not before["closed"]:
            raise Refused("day_before_open", day=before["report"]["day"])
        if not told["signed"]:
            raise Refused("day_not_signed")
        self.may_sign(told, asked)
        if told["signed"]["by"] == badge:
            raise Refused("same_hand", badge=badge)
        self.write(told, "close", badge, 95)
        return f"day {told['report']['day']} is closed"

    def write(self, told, act, badge, minutes):
        at = text_of(datetime.datetime.strptime(told["report"]["ends_at"], "%Y-%m-%dT%H:%M:%S.%fZ"),
                     minutes)
        told["signed" if act == "sign" else "closed"] = {
            "by": badge, "at": at, "report": digest_of(told["report"])}
