"""A backup under load, the loss of the disk, and the restart from the backup: journal, keys,
tables.

DrillTest is the drill of controller/accounting/README.md, "When the disk is lost".
"""

import fcntl
import json
import os
import shutil
import time
import unittest

import floor_process
from day_end_test import DAY, Shifted, begin, now
from people_test import LINK, People, win


def rounds(first, count, seat=2):
    """Rounds of one wager each that win nothing."""
    events = []
    for number in range(first, first + count):
        events += [{"event": "lock", "round": f"r{number}",
                    "wagers": [{"seat": seat, "wager": "crazy-4/five-card", "amount": "5.00"}]},
                   {"event": "close", "round": f"r{number}"}]
    return events


class Backups(People):
    def setUp(self):
        super().setUp()
        self.backup = self.floor.folder / "backup"

    def back_up(self):
        return json.loads(self.floor.ask("backup", "--to", self.backup, "--json"))

    def restore(self, code=0):
        result = self.floor.tool("restore", "--from", self.backup, "--to", self.floor.data)
        self.assertEqual(code, result.returncode, result.stderr)
        return result

    def lose_the_disk(self):
        self.controller.kill()
        shutil.rmtree(self.floor.data)

    def await_entry(self, number):
        deadline = time.monotonic() + floor_process.PATIENCE_S
        while self.floor.meters()["entry"] < number:
            self.assertLess(time.monotonic(), deadline)

    def hand_over(self, table, head):
        return floor_process.subprocess.run(
            [floor_process.PROGRAMS / "linkmeter-table-agent", "--table", table, "--data",
             str(self.floor.agents), "--hand-over-again-after", head],
            text=True, capture_output=True, check=False, timeout=60)

    def reasons(self):
        return {link["reason"] for link in self.floor.meters()["links"]}


class DrillTest(Shifted, Backups):
    def setUp(self):
        self.open()
        self.backup = self.floor.folder / "backup"
        self.archive = self.floor.folder / "archive"
        self.secrets = list(self.floor.pins.values())
        self.controller = self.start()
        self.add("A-1", "finance", "accountant", by="TGM-1")

    def when_ready(self, by, *arguments):
        """The result, as soon as the day's report is made."""
        until = time.monotonic() + floor_process.PATIENCE_S
        while (result := self.ask(by, *arguments)).returncode != 0:
            self.assertRegex(result.stderr, "report_(not_ready|differs)")
            self.assertLess(time.monotonic(), until)

    def report(self, day):
        return json.loads(self.floor.ask("day", day, "--json"))

    def end(self, date):
        self.set_clock(begin(date + DAY) - now())
        self.await_end(date)
        return str(date)

    def explain(self, day, item):
        self.when_ready("A-1", "day", "explain", day, item["item"],
                        f"--difference={item['difference']}", "--note", "the drill")

    def close_first_day(self):
        self.play(rounds(1, 2))
        day = self.end(self.first)
        for item in self.report(day)["items"]:
            self.explain(day, item)
        self.when_ready("A-1", "day", "sign", day)
        self.when_ready("FM-1", "day", "close", day)
        self.floor.ask("archive", "--to", self.archive)
        self.verify_archive()

    def verify_archive(self):
        told = self.floor.tool("archive", "--verify", self.archive, "--json")
        self.assertEqual(0, told.returncode, told.stderr)
        self.assertEqual([True, 1, 0],
                         [json.loads(told.stdout)[key] for key in ("clean", "days", "unsigned")])
        audited = self.floor.tool("audit", "--archive", self.archive, "--data", self.floor.data)
        self.assertEqual(0, audited.returncode, audited.stdout + audited.stderr)

    def await_counters(self, tables):
        """Waits for the counts that each table reports for the last day that ended."""
        until = time.monotonic() + floor_process.PATIENCE_S
        while True:
            entries = self.floor.entries()
            ended = max(at for at, one in enumerate(entries) if one["fact"] == "day_ended")
            told = {one["table"]: one for one in entries[ended:] if one["fact"] == "counters_told"}
            if set(tables) <= set(told):
                return told
            self.assertLess(time.monotonic(), until, set(told))

    def test_a_backup_under_load_is_restored_and_accepted(self):
        self.close_first_day()
        tables = ("C4-01", "C4-02")
        agents = [self.floor.start_agent(self.controller.endpoint, table,
                                         options=("--deal", "7", "--pace", "20"))
                  for table in tables]
        begun = self.floor.meters()["entry"]
        self.await_entry(begun + 100)
        made = self.back_up()
        self.await_entry(made["head"]["entry"] + 50)  # nothing had to stop for it
        again = self.floor.tool("backup", "--data", self.floor.data, "--to", self.backup)
        self.assertEqual(1, again.returncode)
        self.assertIn("exists already", again.stderr)
        names = {str(path.relative_to(self.backup)) for path in self.backup.rglob("*")
                 if path.is_file()}
        self.assertLessEqual({"backup.json", "journal/data.mdb", "manifest", "keys/seal.key",
                              "credentials/C4-01.credentials"}, names)
        self.assertFalse({"endpoints", "control", "journal/lock.mdb", "journal/controller.lock"}
                         & names)
        self.assertEqual(0o700, self.backup.stat().st_mode & 0o777)
        # Later acts of people are lost with the disk; the item below has the paper record of this
        # one.
        self.add("F-1", "table_games", "floorperson")
        self.await_entry(self.floor.meters()["entry"] + 20)
        before = self.floor.entries()
        self.lose_the_disk()

        head = made["head"]
        # Reading the backup leaves it restorable.
        looked = self.floor.tool("audit", "--data", self.backup)
        self.assertEqual(0, looked.returncode, looked.stderr)
        self.assertIn(f"up to entry {head['entry']}, head {head['hash']}", self.restore().stdout)
        # The backup has all entries up to its last one.
        self.assertEqual(before[:head["entry"]], self.floor.entries())
        self.assertTrue(self.floor.audit()["clean"])
        self.restore(1)  # a restore never replaces an existing folder
        self.controller = self.start(listen=self.controller.endpoint)
        for agent in agents:
            agent.await_line("progressive locked: the controller was restored from a backup")
        restored = self.not_accepted_yet(head)
        accepted = self.both("history", "accept", "--note", "the drill")
        self.assertIn(f"up to entry {head['entry']}, {head['hash']}, at ", accepted["summary"])
        for agent in agents:
            agent.await_line(f"ends with entry {head['entry']}, .* messages? .* sent again")
        for agent in agents:
            agent.await_line("progressive open again")
        self.assertEqual({None}, self.reasons())
        self.assertNotIn("F-1", self.floor.ask("person", "list"))
        self.await_entry(self.floor.meters()["entry"] + 50)  # and they go on dealing
        for agent in agents:
            self.assertEqual(0, agent.stop(), agent.telling())
        self.closed_by_what_tables_counted(restored, tables)
        self.assertTrue(self.floor.audit()["clean"])
        self.verify_archive()

    def not_accepted_yet(self, head):
        """No table has connected yet; returns the entry of the restoration."""
        since = self.floor.entries()[head["entry"]:]
        self.assertEqual(["self_checked", "history_restored"], [one["fact"] for one in since])
        told = since[1]
        self.assertEqual((head["entry"], head["hash"]),
                         (told["ended_with"], told["ended_with_hash"]))
        self.assertLess(told["backup_made_at"], told["restored_at"])
        self.assertEqual({f"restored from a backup up to entry {head['entry']}, which "
                          f"two managers have not accepted yet (entry {told['entry']})"},
                         self.reasons())
        self.refused("history_to_be_accepted", "TGM-1", "link", "resume", LINK)
        shown = json.loads(self.floor.ask("history", "show", "--json"))
        self.assertEqual([(told["entry"], None)], [(one["entry"], one["accepted"])
                                                   for one in shown])
        self.assertFalse((self.floor.data / "restored.json").exists())
        return told["entry"]

    def closed_by_what_tables_counted(self, restored, tables):
        day = self.end(self.first + DAY)
        # A table without messages in transit reports it: they play on with pauses.
        paced = ("--deal", "7", "--rounds", "4", "--pace", "700")
        for agent in [self.floor.start_agent(self.controller.endpoint, table, options=paced)
                      for table in tables]:
            agent.finish(0)
        for told in self.await_counters(tables).values():
            self.assertEqual(told["counted"], told["told"])
            self.assertGreater(told["told"][0]["rounds"], 0)
        report = self.report(day)
        items = {item["item"]: item for item in report["items"]}
        self.assertEqual({"restored", "clock"},
                         {item["kind"] for item in report["items"]} - {"claim", "late"})
        name = f"restored/{restored}"
        self.assertTrue(items[name]["open"])
        kinds = [event["kind"] for event in report["events"]]
        self.assertIn("history_restored", kinds)
        self.assertIn("history_accepted", kinds)
        self.explain(day, items[name])
        again = {item["item"]: item["open"] for item in self.report(day)["items"]}
        self.assertFalse(again[name])


class BackupTest(Backups):
    def test_a_table_resends_by_hand_each_message_once(self):
        self.play(rounds(1, 5))
        made = self.back_up()
        self.play([*rounds(6, 4), *win("r99")], "C4-01")
        self.play(rounds(1, 3), "C4-02")
        lost = self.floor.link(LINK)
        self.lose_the_disk()
        self.restore()
        head = f"{made['head']['entry']}:{made['head']['hash']}"
        # Each table learns that history continues from there, whichever agent has its outbox.
        for table, count in (("C4-01", 11), ("C4-02", 6)):
            told = self.hand_over(table, head)
            self.assertEqual(0, told.returncode, told.stderr)
            self.assertIn(f"{count} messages are to be sent again", told.stdout)
        self.controller = self.floor.start_controller()
        self.both("history", "accept")
        self.play([], "C4-01")
        self.play([], "C4-02")
        # One table after the other, in the order in which they played: the meters are as before.
        self.assertEqual(lost, self.floor.link(LINK))
        self.assertEqual(1, len(self.floor.claims()))
        self.assertTrue(self.floor.audit()["clean"])
        self.play([*rounds(100, 2)], "C4-01")

    def test_a_table_resends_by_itself_also_after_a_second_restoration(self):
        self.play(rounds(1, 5))
        for manager in ("TGM-1", "FM-1"):  # PINs from after the backup are lost with it
            self.floor.own_pin(manager)
        self.back_up()
        self.play([*rounds(6, 4), *win("r99")], "C4-01")
        for restored in (1, 2):
            self.lose_the_disk()
            self.restore()
            self.controller = self.floor.start_controller()
            self.both("history", "accept")
            self.play(rounds(100 + restored, 1), "C4-01")
            # Ten rounds before the disk was lost, and one after each restoration.
            table = self.floor.link(LINK)["tables"][0]
            self.assertEqual(("C4-01", 10 + restored, 10 + restored),
                             (table["table"], table["rounds"], table["wagers"]))
            self.assertEqual(1, len(self.floor.claims()))
        self.assertTrue(self.floor.audit()["clean"])

    def test_messages_refused_since_the_backup_are_refused_again(self):
        """Under its number and without effect, whatever the result would be now."""
        def refused():
            return [(entry["message"], entry["refusal"]) for entry in self.floor.table_entries()
                    if entry["fact"] == "message_refused"]
        self.play(rounds(1, 1))
        for manager in ("TGM-1", "FM-1"):
            self.floor.own_pin(manager)
        self.back_up()
        self.play(rounds(2, 1, seat=9)[:1], code=1)
        self.play(rounds(3, 1))
        self.assertEqual([(3, "seat_unknown")], refused())
        self.lose_the_disk()
        self.restore()
        self.controller = self.floor.start_controller()
        self.both("history", "accept")
        self.floor.start_agent(self.controller.endpoint, "C4-01", rounds(4, 1)).wait()
        self.assertEqual([(3, "round_unknown")], refused())
        table = self.floor.link(LINK)["tables"][0]
        self.assertEqual(("C4-01", 3, 3), (table["table"], table["rounds"], table["wagers"]))
        self.assertTrue(self.floor.audit()["clean"])

    def test_files_copied_back_without_the_command_are_detected(self):
        self.play(rounds(1, 2))
        self.controller.stop()
        old = self.floor.folder / "old"
        shutil.copytree(self.floor.data, old, ignore=shutil.ignore_patterns("control"))
        self.controller = self.floor.start_controller()
        self.play(rounds(3, 2))
        self.lose_the_disk()
        shutil.move(old, self.floor.data)
        self.controller = self.floor.start_controller()
        agent = self.floor.start_agent(self.controller.endpoint, "C4-01", rounds(5, 1))
        agent.finish(1)
        why = (f"table C4-01 saw entry {self.seen(agent)}, which this journal does not have: "
               "restored from an old copy?")
        self.assertEqual(why, self.floor.link("C4-MEGA")["reason"])
        self.assertEqual({None, why}, self.reasons())  # of one table only

    def seen(self, agent):
        told = json.loads(floor_process.subprocess.run(
            [floor_process.PROGRAMS / "linkmeter-table-agent", "--table", agent.table, "--data",
             str(self.floor.agents), "--print-witness"],
            text=True, capture_output=True, check=True, timeout=60).stdout)
        return told["entry"]

    def test_resending_by_hand_needs_the_entry_and_the_stored_messages(self):
        self.play(rounds(1, 2))
        for wrong in ("5", "5:abc", "x:" + "0" * 64):
            with self.subTest(wrong):
                self.assertNotEqual(0, self.hand_over("C4-01", wrong).returncode)
        beyond = self.hand_over("C4-01", "99999:" + "0" * 64)
        self.assertEqual(1, beyond.returncode)
        self.assertIn("has not seen entry 99999", beyond.stderr)

    def test_a_backup_with_a_missing_extra_or_changed_file_is_not_restored(self):
        self.play(rounds(1, 2))
        self.back_up()
        self.lose_the_disk()
        for name in ("journal/data.mdb", "manifest", "keys/seal.key", "backup.json"):
            path = self.backup / name
            whole = path.read_bytes()
            with self.subTest(name):
                changed = bytearray(whole)
                changed[len(whole) // 2] ^= 1
                path.write_bytes(changed)
                self.assertIn(name.rsplit("/", maxsplit=1)[-1], self.restore(1).stderr)
                path.unlink()
                self.assertIn(name.rsplit("/", maxsplit=1)[-1], self.restore(1).stderr)
                path.write_bytes(whole)
        listed = (self.backup / "backup.json").read_bytes()
        (self.backup / "backup.json").unlink()
        # Nobody writes to the pipe; opening it must not block.
        os.mkfifo(self.backup / "backup.json")
        self.assertIn("backup.json: cannot read it", self.restore(1).stderr)
        (self.backup / "backup.json").unlink()
        (self.backup / "backup.json").write_bytes(listed)
        (self.backup / "more").write_text("?", encoding="utf-8")
        self.assertIn("more: extra", self.restore(1).stderr)
        self.assertFalse(self.floor.data.exists())
        (self.backup / "more").unlink()
        self.restore()

    def test_nothing_starts_on_a_backup_or_changes_it(self):
        self.play(rounds(1, 2))
        self.back_up()
        programs = floor_process.PROGRAMS
        tool, of_floor = [programs / "linkmeter"], ["--floor", self.floor.file]
        for command in ([programs / "linkmeter-controller", *of_floor], [*tool, "rebuild"],
                        [*tool, "seal", *of_floor],
                        [*tool, "link", "suspend", LINK, "--reason", "x", "--by", "TGM-1"],
                        [*tool, "sign", "--link", LINK, "--port", "tcp:127.0.0.1:9",
                         "--feed", "tcp://127.0.0.1:9"]):
            refused = floor_process.subprocess.run(
                [*command, "--data", self.backup], text=True, capture_output=True, check=False,
                stdin=floor_process.subprocess.DEVNULL, timeout=floor_process.PATIENCE_S)
            self.assertEqual(1, refused.returncode, command)
            self.assertIn(f"is a backup and must not be changed; make a data folder from it "
                          f"with: linkmeter restore --from {self.backup} --to DIR", refused.stderr)
        # It may be read, and is unchanged.
        audited = self.floor.tool("audit", "--data", self.backup)
        self.assertEqual(0, audited.returncode, audited.stderr)
        self.lose_the_disk()
        self.restore()

    def test_leftovers_of_an_interrupted_backup_are_removed_with_a_message(self):
        names = {name: self.backup.with_name(name) for name in
                 ("backup.new-Left12", "backup.new-Held12", "monday.new-Left34")}
        for path in names.values():
            path.mkdir(mode=0o700)
            (path / "seal.key").write_text("secret", encoding="utf-8")
        held = os.open(names["backup.new-Held12"], os.O_RDONLY | os.O_DIRECTORY)
        self.addCleanup(os.close, held)
        fcntl.flock(held, fcntl.LOCK_EX)  # like a backup that is being made
        made = self.floor.tool("backup", "--data", self.floor.data, "--to", self.backup)
        self.assertEqual(0, made.returncode, made.stderr)
        self.assertIn(f"{names['backup.new-Left12']}: left behind by an interrupted program; "
                      "removed", made.stderr)
        self.assertIn(f"{names['monday.new-Left34']}: probably left behind", made.stderr)
        self.assertNotIn("Held12", made.stderr)
        self.assertEqual([False, True, True], [path.exists() for path in names.values()])


# Only the helpers of these classes are used here.
del People, Backups, Shifted

if __name__ == "__main__":
    unittest.main()
