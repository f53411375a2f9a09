"""Gaming days end in a real controller: while it runs idle, while a table plays, and while it was
down. The test sets the error of its wall clock (clock_shift.cc)."""

import datetime
import itertools
import json
import os
import pathlib
import struct
import time
import unittest
import zoneinfo

from floor_process import DEMO, PATIENCE_S, ROOT, Floor
from people_test import People

PRELOADED = pathlib.Path(os.environ.get("LINKMETER_BINARY_DIR", ROOT / "build")) / "tests"
CLOCK_SHIFT = PRELOADED / "libclock_shift.so"
# The demo floor's timezone; its days begin at 06:00.
NEW_YORK = zoneinfo.ZoneInfo("America/New_York")
HOUR_S = 3600
DAY = datetime.timedelta(days=1)
BEFORE_S = 3  # the clock is set to this time before the end of a day
ROUNDS, ROUND_MS = 60, 100  # a table plays for longer than that


def begin(date):
    """When the gaming day of that date begins."""
    local = datetime.datetime.combine(date, datetime.time(6), NEW_YORK)
    return local.astimezone(datetime.timezone.utc)


def hours(date):
    return (begin(date + DAY) - begin(date)).total_seconds() / HOUR_S


def day_of(moment):
    date = moment.astimezone(NEW_YORK).date()
    return date if moment >= begin(date) else date - DAY


def odd_day(after):
    """The first day that does not have 24 hours."""
    return next(date for date in (after + n * DAY for n in itertools.count(1)) if hours(date) != 24)


def moment_of(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def playing():
    """A table that takes a wager in each round, and waits for the next one."""
    for number in range(ROUNDS):
        yield {"event": "lock", "round": f"r{number}",
               "wagers": [{"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]}
        yield {"event": "close", "round": f"r{number}"}
        yield {"event": "wait", "ms": ROUND_MS}


def now():
    return datetime.datetime.now(datetime.timezone.utc)


class Shifted:
    """A floor whose controller's wall clock the test controls."""

    floor_text = DEMO

    def open(self):
        # The dynamic linker only warns about a missing library.
        self.assertTrue(CLOCK_SHIFT.is_file(), f"{CLOCK_SHIFT} is not built: no clock is wrong")
        self.floor = Floor(self.floor_text)
        self.addCleanup(self.floor.close)
        self.ruling = self.floor.folder / "shift"
        self.shift = datetime.timedelta()
        self.rule(self.shift)
        self.floor.init()
        self.first = day_of(moment_of(self.floor.entries()[0]["recorded_at"]))

    def rule(self, shift):
        """Sets how far the controller's wall clock is ahead."""
        self.shift = shift
        mode = "r+b" if self.ruling.exists() else "wb"
        nanoseconds = shift // datetime.timedelta(microseconds=1) * 1000
        with open(self.ruling, mode) as file:
            file.write(struct.pack("=q", nanoseconds))

    def set_clock(self, shift):
        """Sets the clock while the controller runs, so far away that two managers must confirm it.
        """
        facts = ("clock_doubted", "clock_changed")
        before = len(self.floor.entries())
        self.rule(shift)
        until = time.monotonic() + PATIENCE_S
        while not (told := [entry for entry in self.floor.entries()[before:]
                            if entry["fact"] in facts]):
            self.assertLess(time.monotonic(), until, "nobody sees that the clock was set")
            time.sleep(0.05)
        if told[0]["fact"] == "clock_changed":
            return
        said = self.as_manager("TGM-1", "clock", "confirm", "--json")
        self.as_manager("FM-1", "confirm", json.loads(said)["proposal"])

    def as_manager(self, badge, *words):
        pin = self.floor.own_pin(badge)
        result = self.floor.tool(*words, "--data", self.floor.data, "--by", badge, said=pin + "\n")
        self.assertEqual(0, result.returncode, result.stderr)
        return result.stdout

    def start(self, **more):
        return self.floor.start_controller(
            **more, environment={"LD_PRELOAD": str(CLOCK_SHIFT),
                                 "LINKMETER_CLOCK_SHIFT": str(self.ruling)})

    def ended(self):
        return [entry for entry in self.floor.entries() if entry["fact"] == "day_ended"]

    def await_end(self, date):
        """Waits for the day's end, without any request to the controller."""
        until = time.monotonic() + PATIENCE_S
        while not (ended := self.ended()) or ended[-1]["day"] != str(date):
            self.assertLess(time.monotonic(), until, f"{date} did not end")
            time.sleep(0.1)
        return ended


class DayEndTest(Shifted, unittest.TestCase):
    def setUp(self):
        self.open()

    def held_to_the_calendar(self):
        """Each day ends once, none is left out, each at its time; all money is in the day of its
        time."""
        entries = self.floor.entries()
        day = self.first
        for entry in entries:
            recorded = moment_of(entry["recorded_at"])
            if entry["fact"] == "day_ended":
                self.assertEqual(str(day), entry["day"])
                self.assertEqual(begin(day + DAY), moment_of(entry["ends_at"]))
                self.assertGreaterEqual(recorded, begin(day + DAY))
                day += DAY
            elif entry["postings"]:
                self.assertLess(recorded, begin(day + DAY), entry["entry"])
                self.assertGreaterEqual(recorded, begin(day), entry["entry"])
        self.assertEqual(None, self.floor.audit().get("bad"))
        return entries

    def test_days_end_while_tables_play_and_while_the_controller_is_down(self):
        controller = self.start()
        odd = odd_day(self.first)
        # The clock is set ahead to just before the end of a day of 23 or 25 hours.
        end = begin(odd + DAY)
        self.set_clock(end - now() - datetime.timedelta(minutes=30))
        agent = self.floor.start_agent(controller.endpoint, "C4-01", list(playing()))
        agent.await_line("connected to ")
        self.rule(end - now() - datetime.timedelta(seconds=BEFORE_S))
        ended = self.await_end(odd)
        self.assertEqual((odd - self.first).days + 1, len(ended))
        # The clock change and its confirmation are in the first day that it ended.
        entries = self.floor.entries()
        facts = [entry["fact"] for entry in entries if entry["entry"] < ended[0]["entry"]]
        self.assertEqual((1, "act_confirmed"), (facts.count("clock_doubted"), facts[-1]))
        last, before = moment_of(ended[-1]["ends_at"]), moment_of(ended[-2]["ends_at"])
        self.assertEqual(hours(odd), (last - before).total_seconds() / HOUR_S)
        late = moment_of(ended[-1]["recorded_at"]) - last
        self.assertLess(late.total_seconds(), 30, "it did not wake at the boundary")
        agent.finish(0)
        self.assertEqual(0, controller.stop())
        entries = self.held_to_the_calendar()
        at = next(at for at, entry in enumerate(entries) if entry["entry"] == ended[-1]["entry"])
        for side in (entries[at - 20:at], entries[at:]):
            self.assertTrue(any("table" in entry and entry["postings"] for entry in side))
        told = [entry for entry in entries[at:] if entry["fact"] == "counters_told"]
        self.assertEqual(["C4-01"], [entry["table"] for entry in told])
        self.assertEqual(told[0]["counted"], told[0]["told"])
        self.assertGreater(told[0]["told"][0]["wagers"], 0)
        meters = self.floor.meters()["links"]

        # The controller is down for three nights.
        self.rule(self.shift + 3 * DAY)
        before = len(self.floor.entries())
        controller = self.start()
        self.assertEqual(before + 4, controller.entry, "before anybody is served")
        entries = self.held_to_the_calendar()
        self.assertEqual(["self_checked"] + 3 * ["day_ended"],
                         [entry["fact"] for entry in entries[before:before + 4]])
        reading = {link["link"]: link for link in entries[before + 3]["reading"]}
        for link in meters:
            for level, read in zip(link["levels"], reading[link["link"]]["levels"]):
                self.assertEqual(level["amount"], read["amount"])
                self.assertEqual(None, read["shown"])  # no sign has been updated since the start
        shown = [level["shown"] for link in ended[-1]["reading"] for level in link["levels"]]
        self.assertNotIn(None, shown)
        # An entry is never earlier than its day, also after the days that were missed.
        self.floor.start_agent(controller.endpoint, "C4-01",
                               options=["--deal", "8", "--rounds", "3"]).finish(0)
        self.assertEqual(0, controller.stop())
        self.held_to_the_calendar()


class ClockStepTest(Shifted, unittest.TestCase):
    """`clock_step_max` of the floor file limits the running controller, and its start."""
    floor_text = DEMO.replace("[house]\n", '[house]\nclock_step_max = "10s"\n', 1)
    STEP = datetime.timedelta(minutes=1)  # the default is an hour

    def setUp(self):
        self.open()

    def await_clock_fact(self, before):
        """The first fact about the clock after this many entries."""
        until = time.monotonic() + PATIENCE_S
        while True:
            told = [entry for entry in self.floor.entries()[before:]
                    if entry["fact"].startswith("clock_")]
            if told:
                return told[0]["fact"]
            self.assertLess(time.monotonic(), until, "nobody sees that the clock was set")
            time.sleep(0.05)  # between two checks

    def suspended(self):
        return {link["status"] for link in self.floor.meters()["links"]}

    def test_a_clock_step_beyond_the_bound_is_in_doubt(self):
        controller = self.start()
        for step in (self.STEP, -self.STEP):
            before = len(self.floor.entries())
            self.rule(step)
            self.assertEqual("clock_doubted", self.await_clock_fact(before))
            self.assertEqual({"suspended"}, self.suspended())
            before = len(self.floor.entries())
            self.rule(datetime.timedelta())
            self.assertEqual("clock_returned", self.await_clock_fact(before))
            self.assertEqual({"operating"}, self.suspended())
        self.assertEqual(0, controller.stop())
        # At a start it limits how far the clock may be before the last entry.
        before = len(self.floor.entries())
        self.rule(-self.STEP)
        controller = self.start()
        self.assertEqual("clock_doubted", self.await_clock_fact(before))
        self.assertEqual({"suspended"}, self.suspended())
        self.assertEqual(0, controller.stop())


class SaidOfDaysTest(Shifted, People):
    """The commands of the tool; tests/unit/rules/decide_day_test.cc tests their rules."""

    def setUp(self):
        self.open()
        self.secrets = list(self.floor.pins.values())
        self.controller = self.start()
        for badge, department, role in (("A-1", "finance", "accountant"),
                                        ("C-1", "finance", "cashier"),
                                        ("D-1", "table_games", "dealer"),
                                        ("S-1", "security", "security_officer"),
                                        ("F-1", "table_games", "floorperson")):
            self.add(badge, department, role)
        # A pot that contributes a dollar, and one that is too small.
        self.play([{"event": "pot", "round": f"h{pot}", "pot": pot, "showdown": False,
                    "board": [], "hands": []} for pot in ("25.00", "19.99")], table="P-01")
        self.set_clock(begin(self.first + DAY) - now())
        self.await_end(self.first)

    def test_the_day_of_a_poker_fund(self):
        day, fund = str(self.first), "POKER-ROOM"
        box = ["count", day, "--kind", "poker_box", "--link", fund, "--table", "P-01", "--amount"]
        self.refused("witness_missing", "D-1", *box, "1.00", *self.before("S-1"))
        box += ["1.00", *self.before("F-1")]
        self.refused("notice_missing", "D-1", *box)
        box += ["--notice", "R. Diaz, 06:10"]
        self.refused("recording_missing", "D-1", *box)
        box += ["--recording", "camera 12, 06:12"]
        os.environ["LINKMETER_WITNESS_PIN"] = "1111"
        self.refused("witness_not_signed", "D-1", *box)
        self.before("F-1")
        self.done("D-1", *box)
        counted = self.floor.entries()[-1]
        self.assertEqual(("R. Diaz, 06:10", "camera 12, 06:12", "F-1"),
                         (counted["notice"], counted["recording"], counted["witness"]))
        self.assertEqual({"cage_missing/POKER-ROOM": "1.00",
                          "display_missing/POKER-ROOM": "2 pots"}, self.items(day))
        carried = ["--carried-by", "S-1", "--accounted-by", "F-1"]
        move = ["fund", "move", day, "--link", fund, "--table", "P-01"]
        self.refused("right_missing", "F-1", *move, "--verified", "1.00", *carried)
        self.refused("carrier_missing", "C-1", *move, "--verified", "1.00", "--carried-by", "F-1",
                     "--accounted-by", "F-1")
        self.refused("transfer_not_possible", "C-1", *move, "--table", "C4-01", "--uncounted",
                     *carried)
        for wrong in ([*move, *carried], [*move, "--verified", "1.00", "--uncounted", *carried],
                      [*move, "--verified", "1.005", *carried], ["fund", "move"]):
            self.assertEqual(2, self.ask("C-1", *wrong).returncode, wrong)
        self.done("C-1", *move, "--verified", "0.50", *carried)
        self.assertEqual("-0.50", self.items(day)["cage/POKER-ROOM"])
        told = self.done("C-1", *move, "--verified", "1.00", *carried, "--note", "container 7")
        self.assertEqual({"display_missing/POKER-ROOM": "2 pots"}, self.items(day))
        sheet = self.floor.tool("day", day, "--data", self.floor.data)
        self.assertRegex(sheet.stdout, rf"\n +P-01 +{told['entry']} ")
        self.assertEqual(None, self.floor.audit().get("bad"))

    def before(self, witness):
        """Options of a count; the witness gives his PIN."""
        os.environ["LINKMETER_WITNESS_PIN"] = self.floor.own_pin(witness)
        self.addCleanup(os.environ.pop, "LINKMETER_WITNESS_PIN", None)
        return ["--witness", witness]

    def items(self, day):
        """The items of the fund only; the differences by item."""
        report = self.floor.tool("day", day, "--data", self.floor.data, "--json")
        return {item["item"]: item["difference"] for item in json.loads(report.stdout)["items"]
                if "POKER-ROOM" in item["item"]}

    def test_counts_readings_explanations_and_signatures(self):
        day, running = str(self.first), str(self.first + DAY)
        chips = ["--kind", "chips", "--link", "C4-MEGA", "--table", "C4-01", "--amount", "12.50"]
        told = self.done("C-1", "count", day, *chips, *self.before("F-1"), "--note", "till 4")
        self.assertEqual(f"$12.50 is recorded for {day}", told["text"])
        self.refused("witness_missing", "C-1", "count", day, *chips, *self.before("C-1"))
        self.refused("day_not_over", "C-1", "count", running, *chips, *self.before("F-1"))
        self.refused("right_missing", "A-1", "count", day, *chips, *self.before("F-1"))
        self.done("A-1", "reading", "--seen", "C4-MEGA/mega=50000.00", "--seen", "C4-MEGA/minor=1")
        reading = self.floor.entries()[-1]
        self.assertEqual("reading_taken", reading["fact"])
        self.assertEqual([("mega", "50000.00"), ("minor", "1.00")],
                         [(seen["level"], seen["amount"]) for seen in reading["seen"]])
        none = self.ask("A-1", "reading", "--seen", "NONE/main=1.00")
        self.assertRegex(none.stderr, r"refused: link_unknown: .*: NONE\n\Z")
        another = "0" * 64
        self.refused("report_(not_ready|differs)", "A-1", "day", "sign", day, "--report", another)
        self.refused("(report_not_ready|item_unknown)", "A-1", "day", "explain", day, "no/ITEM",
                     "--difference=-1.00", "--note", "none", "--entry", "1")
        self.refused("day_not_signed", "FM-1", "day", "close", day)
        self.refused("day_not_signed", "FM-1", "day", "close", day, "--report", another)
        self.refused("right_missing", "A-1", "day", "close", day)
        for wrong in (["count", "2026-02-30", *chips, "--witness", "F-1"],
                      ["count", day, *chips[:-1], "12.505", "--witness", "F-1"],
                      ["count", day, "--kind", "coins", *chips[2:], "--witness", "F-1"],
                      ["reading", "--seen", "C4-MEGA=1.00"], ["day", "sign", "yesterday"],
                      ["day", "sign", day, "--report", "12"],
                      ["day", "explain", day, "no/ITEM", "--difference", "1"], ["day", "explain"]):
            self.assertEqual(2, self.ask("A-1", *wrong).returncode, wrong)
        unknown = self.ask("FM-1", "day", "close", running)
        self.assertEqual(1, unknown.returncode)
        self.assertIn(f"{running} is no gaming day that has ended", unknown.stderr)
        self.assertEqual(None, self.floor.audit().get("bad"))


if __name__ == "__main__":
    unittest.main()
