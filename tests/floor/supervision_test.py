"""Supervision of real processes: which tables are connected, what a table does without its
controller, and what the tables witness."""

import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import time
import unittest

from floor_process import DEMO, ENDS_WITH_ITS_PARENT, FREE_PORT, PATIENCE_S, PROGRAMS, Floor

LOST_AFTER_S = 0.5
FLOOR = DEMO.replace("[house]\n", f'[house]\nlost_after = "{LOST_AFTER_S}s"\n', 1)
LINK = "C4-MEGA"
LOCKED = (rf"progressive locked: no message from the controller for {LOST_AFTER_S} s; "
          "the game itself goes on$")
OPEN = r"progressive open again after (\S+) s$"


def lock(name, seat=2):
    return {"event": "lock", "round": name,
            "wagers": [{"seat": seat, "wager": "crazy-4/five-card", "amount": "5.00"}]}


def show(name, seat=2):
    return {"event": "show", "round": name,
            "hands": [{"seat": seat, "cards": ["2c", "4d", "7s", "Jc", "Kd"]}]}


def close(name):
    return {"event": "close", "round": name}


class Supervision(unittest.TestCase):
    def setUp(self):
        self.floor = Floor(FLOOR)
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.controller = self.floor.start_controller(f"ipc://{self.floor.folder}/in")

    def restart(self):
        self.controller = self.floor.start_controller(self.controller.endpoint)

    def until(self, asked, condition):
        """Polls until the answer meets the condition."""
        ends = time.monotonic() + PATIENCE_S
        while not condition(answer := asked()):
            self.assertLess(time.monotonic(), ends, answer)
        return answer

    def standing(self, table="C4-01"):
        told = json.loads(self.floor.ask("tables", "--json"))
        return next(one for one in told["tables"] if one["table"] == table)

    def wagers(self):
        tables = self.floor.link(LINK)["tables"]
        return next(table["wagers"] for table in tables if table["table"] == "C4-01")

    def rounds(self):
        """The table's facts and their rounds, in the journal's order."""
        return [(entry["fact"], entry["round"]) for entry in self.floor.entries()
                if entry.get("table") == "C4-01"]

    def begin_round(self):
        """An agent in the middle of r1, which is locked and counted; r2 follows. The hands are
        shown after the controller is lost."""
        wait = {"event": "wait", "ms": round(1_000 * (2 * LOST_AFTER_S + 0.3))}
        agent = self.floor.start_agent(self.controller.endpoint, "C4-01", [
            lock("r1"), wait, show("r1"), close("r1"), lock("r2"), show("r2"), close("r2")])
        agent.await_line("connected to ")
        self.until(self.wagers, lambda wagers: wagers == 1)
        return agent

    def check_both_rounds(self, agent):
        agent.finish(0)
        self.assertEqual([("round_locked", "r1"), ("hands_shown", "r1"), ("round_closed", "r1"),
                          ("round_locked", "r2"), ("hands_shown", "r2"), ("round_closed", "r2")],
                         self.rounds())
        levels = {level["level"]: level["contributed"] for level in self.floor.link(LINK)["levels"]}
        # Two $5 wagers at 9, 7 and 3 %, once each.
        self.assertEqual({"mega": "0.90000000", "major": "0.70000000", "minor": "0.30000000"},
                         levels)
        self.assertTrue(self.floor.audit()["clean"])


class Lost(Supervision):
    def test_a_stopped_controller_locks_the_table_until_it_continues(self):
        agent = self.begin_round()
        os.kill(self.controller.pid, signal.SIGSTOP)
        agent.await_line(LOCKED)
        os.kill(self.controller.pid, signal.SIGCONT)
        agent.await_line(OPEN)
        self.check_both_rounds(agent)

    def test_a_killed_controller_locks_the_table_and_its_locked_round_is_delivered_once(self):
        agent = self.begin_round()
        self.assertTrue(self.controller.kill())
        agent.await_line(LOCKED)
        self.restart()
        agent.await_line(OPEN)
        self.check_both_rounds(agent)

    def test_how_soon_a_killed_controller_is_detected(self):
        agent = self.floor.start_agent(self.controller.endpoint, "C4-01",
                                       options=["--deal", "7", "--pace", "20"])
        agent.await_line("connected to ")
        reactions_ms = []
        for _ in range(5):
            self.assertTrue(self.controller.kill())
            killed = time.monotonic()
            agent.await_line(LOCKED)
            reactions_ms.append(1_000 * (time.monotonic() - killed))
            self.restart()
            agent.await_line(OPEN)
        self.assertEqual(0, agent.stop())
        self.assertTrue(self.floor.audit()["clean"])
        # A figure for people; the test does not limit it, because the machine may be slow.
        print(f"from SIGKILL of the controller to the lock, lost_after {1_000 * LOST_AFTER_S:.0f} "
              f"ms: median {statistics.median(reactions_ms):.1f}, least {min(reactions_ms):.1f}, "
              f"most {max(reactions_ms):.1f} ms")

    def test_a_table_that_never_had_a_controller_begins_no_round(self):
        self.controller.kill()
        agent = self.floor.start_agent(self.controller.endpoint, "C4-01", [lock("r1")])
        agent.await_line("no controller at .*, still trying; the progressive is locked$")
        self.assertEqual(0, agent.stop())
        self.assertFalse([line for line in agent.said if "kept for the next run" in line])


class Ready(unittest.TestCase):
    def test_ready_is_printed_when_local_agents_can_find_the_controller(self):
        """The registry cannot be written here, so the attempt prints a line, which must come
        first."""
        with Floor() as floor:
            floor.init()
            home = floor.write("", "no-folder")
            controller = subprocess.Popen(
                [*ENDS_WITH_ITS_PARENT, PROGRAMS / "linkmeter-controller", "--floor", floor.file,
                 "--data", floor.data, "--listen", FREE_PORT, "--feed", FREE_PORT, "--web", "none"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env={**os.environ, "XDG_STATE_HOME": str(home)})
            try:
                said = []
                for line in controller.stdout:
                    said.append(line)
                    if line.startswith("ready "):
                        break
            finally:
                controller.terminate()
                rest = controller.communicate(timeout=PATIENCE_S)[0]
            self.assertTrue(said[-1].startswith("ready "), said)
            told = [line for line in said if "agents on this machine need --credentials" in line]
            self.assertEqual(1, len(told), said + [rest])


class Tables(Supervision):
    def test_linked_lost_and_never_seen(self):
        first = self.standing()
        self.assertEqual(("never_seen", None), (first["state"], first["last_heard"]))
        started = json.loads(self.floor.ask("tables", "--json"))["started_at"]
        self.assertEqual(started, first["since"])

        agent = self.floor.start_agent(self.controller.endpoint, "C4-01",
                                       options=["--deal", "7", "--pace", "50"])
        linked = self.until(self.standing, lambda one: one["state"] == "linked")
        self.assertLess(started, linked["since"])
        self.assertEqual(("crazy-4", [LINK]),
                         (linked["game"], [link["link"] for link in linked["links"]
                                           if link["link"] == LINK]))
        self.controller.await_line(r"table C4-01 linked$")

        self.assertTrue(agent.kill())
        self.controller.await_line(rf"table C4-01 lost: no message for {LOST_AFTER_S}")
        lost = self.until(self.standing, lambda one: one["state"] == "lost")
        self.assertLess(lost["last_heard"], lost["since"])
        self.assertEqual("never_seen", self.standing("BJ-01")["state"])
        self.assertRegex(self.floor.ask("meters"),
                         r"\ntables: 0 linked, 1 LOST \(C4-01 since [0-9:]{8}Z\), \d+ never seen")
        self.assertRegex(self.floor.ask("tables"), r"\nC4-01 +crazy-4 +LOST +\S+Z +\S+Z +.*C4-MEGA")

        again = self.floor.start_agent(self.controller.endpoint, "C4-01",
                                       options=["--deal", "7", "--pace", "50"])
        self.controller.await_line(r"table C4-01 linked again after \S+ s$")
        self.until(self.standing, lambda one: one["state"] == "linked")
        self.assertEqual(0, again.stop())
        # After a restart the journal still knows the table, and when its last message came.
        self.assertTrue(self.controller.kill())
        self.controller = self.floor.start_controller()
        unseen = self.standing()
        said = [one["recorded_at"] for one in self.floor.entries() if one.get("table") == "C4-01"]
        self.assertEqual(("not_seen", said[-1]), (unseen["state"], unseen["last_heard"]))
        self.assertEqual("never_seen", self.standing("BJ-01")["state"])
        self.assertRegex(self.floor.ask("tables"), r"\nC4-01 +crazy-4 +not seen since the start +")

    def test_without_a_controller_there_is_no_table_status(self):
        self.assertEqual(0, self.controller.stop())
        for options in ([], ["--json"]):
            result = self.floor.tool("tables", "--data", self.floor.data, *options)
            self.assertEqual((1, ""), (result.returncode, result.stdout))
            self.assertRegex(result.stderr, r"\Alinkmeter: no controller is running on [^\n]+\n\Z")

    def test_a_suspended_link_is_reported_to_its_tables(self):
        agent = self.floor.start_agent(self.controller.endpoint, "C4-01",
                                       options=["--deal", "7", "--pace", "50"])
        agent.await_line("connected to ")
        result = self.floor.tool("link", "suspend", LINK, "--reason", "a display is dark",
                                 "--data", self.floor.data, "--by", "TGM-1",
                                 said=self.floor.own_pin("TGM-1") + "\n")
        self.assertEqual(0, result.returncode, result.stderr)
        agent.await_line(f"link {LINK} takes no wagers: suspended: .*a display is dark")
        links = {link["link"]: link["status"] for link in self.standing()["links"]}
        self.assertEqual("suspended", links[LINK])
        agent.stop()


class Witness(Supervision):
    def play(self, name, code=0, table="C4-01"):
        agent = self.floor.start_agent(self.controller.endpoint, table, [lock(name), close(name)])
        agent.finish(code)
        return agent

    def test_a_restored_old_copy_suspends_the_links_of_the_table_that_saw_more(self):
        self.play("r1")
        self.assertEqual(0, self.controller.stop())
        backup = self.floor.folder / "backup"
        shutil.copytree(self.floor.data, backup, ignore=shutil.ignore_patterns("control"))
        old_head = self.floor.audit()
        self.restart()
        self.play("r2")
        seen = self.floor.entries()[-1]["entry"]
        self.assertEqual(0, self.controller.stop())

        shutil.rmtree(self.floor.data)
        shutil.copytree(backup, self.floor.data)
        self.restart()
        self.assertEqual(old_head["entries"] + 1, self.controller.entry)  # its self-check
        agent = self.play("r3", code=1)
        sentences = [line for line in agent.said if "lost" in line]
        self.assertEqual(
            ["linkmeter-table-agent: table C4-01: the controller has lost what it acknowledged: "
             f"its journal does not have entry {seen} as this table has seen it"], sentences)
        reason = (f"table C4-01 saw entry {seen}, which this journal does not have: restored from "
                  "an old copy?")
        links = {link["link"]: (link["status"], link["reason"])
                 for link in self.floor.meters()["links"]}
        of_table = {link["link"] for link in self.standing()["links"]}
        self.assertEqual({("suspended", reason)}, {links[link] for link in of_table})
        # One table alone suspends no links of other tables.
        self.assertEqual({("operating", None)},
                         {how for link, how in links.items() if link not in of_table})
        self.controller.await_line(rf'suspended link=\S+ reason="{re.escape(reason)}"')

        entries = len(self.floor.entries())
        self.play("r4", code=1)  # the same again: nothing new is journaled
        self.assertEqual(entries, len(self.floor.entries()))
        other = self.play("r1", code=1, table="C4-02")
        self.assertTrue([line for line in other.said if "link_suspended" in line])
        self.assertTrue(self.floor.audit()["clean"])


if __name__ == "__main__":
    unittest.main()
