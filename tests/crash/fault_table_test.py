"""The fault table: each fault in real processes, what must happen, and what happened.

Tables play while one fault is caused; afterwards every message must be counted exactly once, to
10^-8 dollar (played_floor.py). Prints the table. With LINKMETER_LONG=1, faults last as long as
they may (a cable is out for ten minutes); otherwise the long ones are shortened.
"""

import datetime
import errno
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import floor_process
from cable import Cable
from floor_process import NEXT, Floor
from played_floor import PlayedFloor

IS_LONG = os.environ.get("LINKMETER_LONG") == "1"
SEED = int(os.environ.get("LINKMETER_SEED", "1"))
LINKED = ("C4-01", "C4-02")
MESSAGES, EVERY, WAIT_MS = 240, 2, 25  # about three seconds of play
LOST_AFTER_S = 2.0
PAUSE_MS = 400  # before the next heartbeat: a table that misses an answer sends a Hello first
HOUR_S = 3600
PRELOADED = pathlib.Path(os.environ.get("LINKMETER_BINARY_DIR",
                                        floor_process.PROGRAMS.parent)) / "tests"


def credentials(floor, table):
    return ["--credentials", floor.data / "credentials" / f"{table}.credentials"]


def seconds(duration):
    return f"{duration:.1f} s" if duration < 100 else f"{duration / 60:.0f} min"


class FaultTable(unittest.TestCase):
    rows = []

    @classmethod
    def tearDownClass(cls):
        for fault, must, was in cls.rows:
            print(f"{fault}\n    must: {must}\n    was:  {was}")

    def row(self, fault, must, was):
        type(self).rows.append((fault, must, was))

    def game(self, tables=LINKED, messages=MESSAGES):
        return PlayedFloor(self, tables, SEED, messages, EVERY, WAIT_MS)

    def play_on_cable(self, game, table="C4-01"):
        """One table's cable can be pulled; the other table has its own cable."""
        cable = Cable(game.controller.endpoint)
        self.addCleanup(cable.close)
        agent = game.floor.start_agent(cable.endpoint, table, game.files[table],
                                       credentials(game.floor, table))
        game.agents[table] = agent
        for other in game.tables:
            if other != table:
                game.start_agent(other)
        return cable, agent

    def await_messages(self, floor, table, count):
        """Waits until the journal has `count` messages of the table."""
        until = time.monotonic() + floor_process.PATIENCE_S
        while self.said(floor, table) < count:
            self.assertLess(time.monotonic(), until, f"{table} says no more")
            time.sleep(0.02)

    @staticmethod
    def said(floor, table):
        return sum(entry.get("table") == table and "message" in entry for entry in floor.entries())

    def state_of(self, floor, table):
        tables = json.loads(floor.ask("tables", "--json"))["tables"]
        return next(one["state"] for one in tables if one["table"] == table)

    # --- the cable ---

    def cable_out(self, for_s):
        with self.game() as game:
            cable, agent = self.play_on_cable(game)
            self.await_messages(game.floor, "C4-01", 20)
            pulled = time.monotonic()
            cable.pull()
            reaction = None
            if for_s > LOST_AFTER_S:
                agent.await_line("progressive locked")
                reaction = time.monotonic() - pulled
                said = self.said(game.floor, "C4-01")
                self.await_messages(game.floor, "C4-02", MESSAGES)  # the other one plays to its end
                self.assertEqual("lost", self.state_of(game.floor, "C4-01"))
                self.assertEqual(said, self.said(game.floor, "C4-01"))
            time.sleep(max(0.0, pulled + for_s - time.monotonic()))
            out_s = time.monotonic() - pulled
            plugged = time.monotonic()
            cable.plug()
            if reaction is not None:
                agent.await_line("progressive open")
            back = time.monotonic() - plugged
            game.finish()
            self.assertEqual(0, game.controller.stop())
            game.look_at()
        return out_s, reaction, back

    def test_cable_pulled_for_a_second(self):
        out_s, _, _ = self.cable_out(1.0)
        self.row(f"cable pulled {seconds(out_s)}", "nothing is lost, nothing counted twice",
                 "all messages once, meters exact")

    def test_cable_pulled(self):
        for for_s in (10.0, 600.0) if IS_LONG else (3.0,):
            out_s, reaction, back = self.cable_out(for_s)
            self.row(f"cable pulled {seconds(out_s)}",
                     "the table locks its progressive after 2 s, the other plays on; opens when it "
                     "has caught up",
                     f"locked after {reaction:.2f} s, open {back:.2f} s after the plug, all "
                     "messages once, meters exact")

    # --- the processes ---

    def test_controller_killed(self):
        with self.game() as game:
            game.start_agents()
            self.await_messages(game.floor, "C4-01", 20)
            self.assertTrue(game.controller.kill())
            killed = time.monotonic()
            for agent in game.agents.values():
                agent.await_line("progressive locked")
            reaction = time.monotonic() - killed
            game.restart_controller()
            game.finish()
            self.assertEqual(0, game.controller.stop())
            game.look_at()
        self.row("controller SIGKILL", "every table locks after 2 s; after the restart all goes on",
                 f"locked after {reaction:.2f} s, all messages once, meters exact")

    def test_controller_stopped_for_a_while(self):
        for_s = 30.0 if IS_LONG else 3.0
        with self.game() as game:
            game.start_agents()
            self.await_messages(game.floor, "C4-01", 20)
            os.kill(game.controller.pid, signal.SIGSTOP)
            stopped = time.monotonic()
            for agent in game.agents.values():
                agent.await_line("progressive locked")
            reaction = time.monotonic() - stopped
            time.sleep(max(0.0, stopped + for_s - time.monotonic()))
            os.kill(game.controller.pid, signal.SIGCONT)
            for agent in game.agents.values():
                agent.await_line("progressive open")
            game.finish()
            self.assertEqual(0, game.controller.stop())
            game.look_at()
        self.row(f"controller SIGSTOP {seconds(for_s)}",
                 "every table locks after 2 s although the connection stands",
                 f"locked after {reaction:.2f} s, all messages once, meters exact")

    def test_agent_killed_at_each_step(self):
        """Each message of a round: stored and not sent, sent and not answered, answered."""
        round_ = [
            {"event": "lock", "round": "r1", "chips": 1,
             "wagers": [{"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]},
            {"event": "show", "round": "r1",
             "hands": [{"seat": 2, "cards": ["As", "Ks", "Qs", "Js", "Ts"], "folded": False}]},
            {"event": "close", "round": "r1"}]
        kills = 0
        with Floor() as floor:
            floor.init()
            controller = floor.start_controller()
            cable = Cable(controller.endpoint)
            self.addCleanup(cable.close)
            for number in range(len(round_)):
                for step in ("stored", "unanswered", "answered"):
                    # Each kill has its own round; the messages before it are sent without a fault.
                    name = f"{number}-{step}"
                    events = [{**event, "round": name} for event in round_]
                    self.kill_in_round(floor, cable, events, number, step)
                    kills += 1
            entries = floor.entries()
            self.assertEqual(0, controller.stop())
            rounds = [entry["round"] for entry in entries if entry["fact"] == "round_locked"]
            self.assertEqual(9, len(rounds))
            self.assertEqual(9, len(set(rounds)))
            shown = [entry for entry in entries if entry["fact"] == "hands_shown"]
            self.assertEqual(9, len(shown))
            # Nine royal flushes: $50,000.45, then the reseed and one wager's 45 cents each time.
            amounts = [claim["amount"] for claim in floor.claims()]
            self.assertEqual(["50000.45"] * 9, amounts)
            self.assertTrue(floor.audit()["clean"])
        self.row("agent SIGKILL at each step of a round",
                 "what was stored is delivered once by the next run, the round completes",
                 f"{kills} kills (3 messages x stored, unanswered, answered): 9 rounds, 9 claims, "
                 "meters exact")

    def kill_in_round(self, floor, cable, events, number, step):
        before = [*events[:number]]
        options = credentials(floor, "C4-01")
        script = floor.write_script([*before, {"event": "wait", "ms": PAUSE_MS}, *events[number:],
                                     {"event": "wait", "ms": 2 * PAUSE_MS}],
                                    f"{events[0]['round']}.jsonl")
        count = self.said(floor, "C4-01")
        agent = floor.start_agent(cable.endpoint, "C4-01", script, options)
        agent.await_line("connected")
        self.await_messages(floor, "C4-01", count + len(before))
        outbox = floor.agents / "C4-01.outbox" / "data.mdb"
        time.sleep(0.1)  # the answers to earlier messages are stored; the pause is longer
        stored = outbox.stat().st_mtime_ns
        if step == "stored":
            cable.pull()
        elif step == "unanswered":
            cable.deafen()
        until = time.monotonic() + floor_process.PATIENCE_S
        if step == "stored":
            while outbox.stat().st_mtime_ns == stored:
                self.assertLess(time.monotonic(), until)
                time.sleep(0.01)
            self.assertEqual(count + len(before), self.said(floor, "C4-01"))
        else:
            self.await_messages(floor, "C4-01", count + number + 1)
        self.assertTrue(agent.kill())
        cable.plug()
        again = floor.start_agent(cable.endpoint, "C4-01", script, options)
        again.finish(0)

    def test_two_controllers(self):
        with self.game() as game:
            game.start_agents()
            self.await_messages(game.floor, "C4-01", 20)
            second = game.floor.run_controller()
            self.assertEqual(1, second.child.returncode)
            said = second.last_error()
            game.finish()
            self.assertEqual(0, game.controller.stop())
            game.look_at()
        self.row("two controllers on one folder", "the second ends, the first plays on",
                 f"\"{said.removeprefix('linkmeter-controller: ')}\"; all messages once")

    # --- the clock ---

    @staticmethod
    def rule_by(game, library, variable):
        """Restarts the controller with a preloaded library. Returns a function that controls the
        library."""
        ruling = game.floor.folder / library
        ruling.write_bytes(struct.pack("=q", 0))
        game.controller.stop()
        game.controller = game.floor.start_controller(
            listen=game.controller.endpoint,
            environment={"LD_PRELOAD": str(PRELOADED / f"lib{library}.so"), variable: str(ruling)})

        def rule(number):
            with open(ruling, "r+b") as file:
                file.write(struct.pack("=q", number))

        return rule

    def test_clock_jumps(self):
        for hours in (0.5, -0.5):
            with self.game() as game:
                shift = self.rule_by(game, "clock_shift", "LINKMETER_CLOCK_SHIFT")
                game.start_agents()
                self.await_messages(game.floor, "C4-01", 20)
                shift(int(hours * HOUR_S * 10**9))
                game.finish()
                self.assertEqual(0, game.controller.stop())
                game.look_at()
                entries = game.floor.entries()
                moments = [entry["recorded_at"] for entry in entries]
                self.assertEqual(sorted(moments), moments)
                told = [entry for entry in entries if entry["fact"] == "clock_changed"]
                self.assertEqual(1, len(told), "one jump is one entry")
            self.row(f"controller's clock {hours:+} h", "recorded times never go back, the jump is "
                     "an entry, no meter feels it",
                     f"entry {told[0]['entry']} says so, all messages once, meters exact")

    def test_clock_far_ahead_for_a_moment(self):
        for days in (30, -30):
            with self.game() as game:
                shift = self.rule_by(game, "clock_shift", "LINKMETER_CLOCK_SHIFT")
                game.start_agents()
                self.await_messages(game.floor, "C4-01", 20)
                shift(days * 24 * HOUR_S * 10**9)
                game.controller.await_line("clock in doubt: 30 d ")
                self.assertEqual({"suspended"},
                                 {link["status"] for link in game.floor.meters()["links"]})
                time.sleep(1.0 if not IS_LONG else 60.0)
                shift(0)
                game.controller.await_line("clock trusted again")
                self.assertEqual({"operating"},
                                 {link["status"] for link in game.floor.meters()["links"]})
                for agent in game.agents.values():
                    agent.wait(300)
                self.assertEqual(0, game.controller.stop())
                entries = game.floor.entries()
                self.assertTrue(game.floor.audit()["clean"])
            facts = [entry["fact"] for entry in entries]
            self.assertEqual((1, 1), (facts.count("clock_doubted"), facts.count("clock_returned")))
            self.assertNotIn("day_ended", facts)
            moments = [datetime.datetime.fromisoformat(entry["recorded_at"].replace("Z", "+00:00"))
                       for entry in entries]
            self.assertEqual(sorted(moments), moments)
            self.assertLess((moments[-1] - moments[0]).total_seconds(), HOUR_S)
            self.row(f"controller's clock {days:+} days for a moment", "no entry is dated by it, "
                     "no day ends, every link waits until the clock is back",
                     f"entry {facts.index('clock_doubted') + 1} doubts it, entry "
                     f"{facts.index('clock_returned') + 1} trusts it again")

    # --- the release ---

    def made_rows(self, game):
        """Checks the line that a start on another release's rows prints; returns the seconds that
        it took."""
        took = game.controller.await_line(
            r"^the state is of version \d+, and this release keeps \d+: \d+ rows remade from "
            r"\d+ entries in (\d+\.\d) s; no link is suspended for this$")
        game.controller.await_line("start data=")  # the last line of a start in this stream
        told = [line for line in game.controller.said if "rows remade" in line]
        self.assertEqual(1, len(told), told)
        self.assertEqual({"operating"}, {link["status"] for link in game.floor.meters()["links"]})
        return float(took[1])

    def test_state_rows_of_the_previous_release(self):
        with self.game() as game:
            game.start_agents()
            self.await_messages(game.floor, "C4-01", 20)
            self.assertTrue(game.controller.kill())
            subprocess.run([floor_process.PROGRAMS / "state_version",
                            game.floor.data / "journal"], check=True)
            audit = game.floor.tool("audit", "--data", game.floor.data)
            self.assertEqual(0, audit.returncode, audit.stderr)
            self.assertIn("rebuilds it", audit.stdout)
            game.restart_controller()
            took = self.made_rows(game)
            game.finish()
            self.assertEqual(0, game.controller.stop())
            game.look_at()
        self.row("controller SIGKILL, then a release with other state rows",
                 "the rows are made anew from the journal, nothing is suspended",
                 f"made anew in {took} s, all messages once, meters exact")

    def test_upgrade_and_rollback(self):
        """This release and the next one in turn, each ended by SIGTERM once and by SIGKILL once."""
        took = []
        with self.game(messages=4 * MESSAGES) as game:
            game.start_agents()
            for programs, is_killed in ((NEXT, True), (None, False), (NEXT, False), (None, True)):
                self.await_messages(game.floor, "C4-01", self.said(game.floor, "C4-01") + 20)
                if is_killed:
                    self.assertTrue(game.controller.kill())
                else:
                    self.assertEqual(0, game.controller.stop())
                game.floor.install(programs)
                game.restart_controller()
                took.append(self.made_rows(game))
            game.finish()
            self.assertEqual(0, game.controller.stop())
            entries = game.floor.entries()
            game.look_at()
        starts = [entry["version"] for entry in entries if entry["fact"] == "self_checked"]
        this, following = starts[0], starts[1]
        self.assertNotEqual(this, following)
        self.assertEqual([this, following, this, following, this], starts)
        self.assertNotIn("link_suspended", {entry["fact"] for entry in entries})
        self.row(f"upgrade to {following} and rollback to {this}, twice, by SIGTERM and SIGKILL",
                 "seal and start are enough; nothing is suspended",
                 f"rows made anew in {max(took)} s at most, all messages once, meters exact")

    # --- the disk ---

    def test_disk_fails_under_the_journal(self):
        for fault, number in (("full", errno.ENOSPC), ("read-only", errno.EROFS),
                              ("lost", errno.EIO), ("lost at the sync", -errno.EIO)):
            with self.game() as game:
                rule = self.rule_by(game, "disk_fault", "LINKMETER_DISK_FAULT")
                game.start_agents()
                self.await_messages(game.floor, "C4-01", 20)
                rule(number)
                self.assertEqual(1, game.controller.wait(), game.controller.telling())
                told = game.controller.last_error().removeprefix("linkmeter-controller: ")
                for agent in game.agents.values():
                    agent.await_line("progressive locked")
                game.restart_controller()
                game.finish()
                self.assertEqual(0, game.controller.stop())
                game.look_at()
            self.row(f"disk {fault}", "nothing is acknowledged any more, the controller ends with "
                     "the reason, tables lock; a restart on a well disk goes on",
                     f"\"{told}\"; all messages once, meters exact")

    def test_disk_fails_under_an_outbox(self):
        faults = {"C4-01": ("full", errno.ENOSPC), "C4-02": ("read-only", errno.EROFS),
                  "RIU-01": ("lost", errno.EIO), "BJ-01": ("lost at the sync", -errno.EIO)}
        with self.game((*faults, "P-01")) as game:
            rulings = {table: game.floor.folder / f"{table}.fault" for table in faults}
            for table, ruling in rulings.items():
                ruling.write_bytes(struct.pack("=q", 0))
                game.start_agent(table, environment={
                    "LD_PRELOAD": str(PRELOADED / "libdisk_fault.so"),
                    "LINKMETER_DISK_FAULT": str(ruling)})
            game.start_agent("P-01")
            for table, (fault, number) in faults.items():
                self.await_messages(game.floor, table, 10)
                with open(rulings[table], "r+b") as file:
                    file.write(struct.pack("=q", number))
                agent = game.agents[table]
                self.assertEqual(1, agent.wait(), agent.telling())
                told = agent.last_error().removeprefix("linkmeter-table-agent: ")
                self.row(f"disk {fault} under a table's outbox", "the agent ends with the reason; "
                         "on a well disk it goes on", f"\"{told}\"; all messages once")
                game.start_agent(table)
            game.finish()
            self.assertEqual(0, game.controller.stop())
            game.look_at()

    def test_old_copy_restored(self):
        lock = {"event": "lock", "round": "r1", "wagers": []}
        with Floor() as floor:
            floor.init()
            controller = floor.start_controller()
            for table in ("C4-01", "BJ-01"):
                floor.start_agent(controller.endpoint, table, [lock]).finish(0)
            self.assertEqual(0, controller.stop())
            shutil.copytree(floor.data, floor.folder / "old",
                            ignore=shutil.ignore_patterns("control"))
            controller = floor.start_controller()
            for table in ("C4-01", "BJ-01"):
                floor.start_agent(controller.endpoint, table,
                                  [{"event": "close", "round": "r1"}]).finish(0)
            self.assertEqual(0, controller.stop())
            witness = self.witness(floor, "C4-01")
            self.assertEqual(0, floor.tool("audit", "--data", floor.data, "--witness",
                                           witness).returncode)
            shutil.rmtree(floor.data)
            (floor.folder / "old").rename(floor.data)
            audit = floor.tool("audit", "--data", floor.data, "--witness", witness)
            self.assertEqual(1, audit.returncode, audit.stdout)
            self.assertIn("C4-01", audit.stdout + audit.stderr)
            controller = floor.start_controller()
            again = {"event": "lock", "round": "r2", "wagers": []}
            self.assertEqual(1, floor.start_agent(controller.endpoint, "C4-01", [again]).wait())
            for link in floor.meters()["links"]:
                is_its = "C4-01" in [one["table"] for one in link["tables"]]
                self.assertEqual("suspended" if is_its else "operating", link["status"],
                                 link["link"])
                if is_its:
                    self.assertIn("C4-01", link["reason"])
            self.assertEqual(1, floor.start_agent(controller.endpoint, "BJ-01", [again]).wait())
            links = floor.meters()["links"]
            self.assertEqual({"suspended"}, {link["status"] for link in links})
            self.assertEqual(0, controller.stop())
        self.row("an old copy of the data folder restored",
                 "the first table that saw more suspends its links, the second one every link; an "
                 "audit with its witness fails", f"all {len(links)} links suspended")

    def witness(self, floor, table):
        told = subprocess.run(
            [floor_process.PROGRAMS / "linkmeter-table-agent", "--floor", floor.file, "--table",
             table, "--data", floor.agents, "--print-witness"],
            capture_output=True, text=True, check=True)
        return floor.write(told.stdout, f"{table}.witness")


if __name__ == "__main__":
    unittest.main()
