"""Every wrong input from outside gets a clear error or a named refusal, and changes nothing.

Exit 1: refused or failed, with a sentence that names the mistake. Exit 2: wrong usage.
"""

import os
import re
import subprocess
import unittest

import floor_process
from floor_process import Floor

FIVE_CARD = "crazy-4/five-card"


def lock(name, seat=2, amount="5.00", wager=FIVE_CARD):
    return {"event": "lock", "round": name,
            "wagers": [{"seat": seat, "wager": wager, "amount": amount}]}


def close(name):
    return {"event": "close", "round": name}


class BadInput(unittest.TestCase):
    def setUp(self):
        self.floor = Floor()
        self.addCleanup(self.floor.close)

    def picture(self):
        """Everything that a refusal must not change, except the entry number."""
        audit = self.floor.audit()
        self.assertTrue(audit["clean"], audit)
        return self.floor.meters()["links"], self.floor.claims()

    def head(self):
        """The journal's last hash: while it is unchanged, no entry was added and no meter changed.
        """
        audit = self.floor.audit()
        self.assertTrue(audit["clean"], audit)
        return audit["head"]

    def failed_check_is_journaled(self, checks):
        """The last entry says that these checks of a start failed, and no others."""
        last = self.floor.entries()[-1]
        self.assertEqual(("self_checked", False), (last["fact"], last["passed"]))
        self.assertEqual(checks, {failure["check"] for failure in last["failures"]})

    def seal(self):
        self.floor.ask("seal", "--floor", self.floor.file)

    def failed(self, result, *words, code=1):
        """A process or a result of the tool ended with this code and one sentence that contains
        these words."""
        said = result.stderr if isinstance(result, subprocess.CompletedProcess) else \
            "\n".join(result.said)
        ended = result.returncode if isinstance(result, subprocess.CompletedProcess) else \
            result.child.returncode
        self.assertEqual(code, ended, said)
        for word in words:
            self.assertIn(word, said)


class Refusing(BadInput):
    """A refused message uses up its number, is an entry, and changes nothing else."""

    def setUp(self):
        super().setUp()
        self.floor.init()
        self.controller = self.floor.start_controller()

    def refused(self, events, name, accepted, table="C4-01", after=None):
        """Exactly the last of these events is refused, with this name; `accepted` count before it.

        `after` is a lock that the table submits then.
        """
        if accepted:
            self.floor.start_agent(self.controller.endpoint, table, events[:-1]).finish(0)
        before = self.floor.entries()
        agent = self.floor.start_agent(self.controller.endpoint, table, events)
        agent.wait()
        self.failed(agent, f"message {accepted + 1} ({events[-1]['event']}", f" refused: {name} ")
        self.assertEqual(1, sum(" refused: " in line for line in agent.said), agent.telling())
        *others, last = self.floor.entries()
        self.assertEqual(before, others)
        self.assertEqual(("message_refused", name, table, []),
                         (last["fact"], last["refusal"], last["table"], last["postings"]))
        # The process continues, and the table plays on with the next number.
        events = events + [after or lock("after", seat=1)]
        self.floor.start_agent(self.controller.endpoint, table, events).finish(0)
        *others, last_of_all = self.floor.entries()
        self.assertEqual([*before, last], others)
        self.assertEqual("round_locked", last_of_all["fact"])
        self.assertTrue(self.controller.is_running())
        self.assertTrue(self.floor.audit()["clean"])  # and the meters follow from the entries


class RefusedMessages(Refusing):
    def test_seat_9_of_6(self):
        self.refused([lock("r1", seat=9)], "seat_unknown", 0)

    def test_seat_0(self):
        self.refused([lock("r1", seat=0)], "seat_unknown", 0)

    def test_three_dollars_on_a_five_dollar_link(self):
        self.refused([lock("r1", amount="3.00")], "wager_not_a_unit", 0)

    def test_a_wager_after_lock(self):
        self.refused([lock("r1"), lock("r1", seat=3)], "round_id_used", 1)

    def test_a_wager_after_close(self):
        self.refused([lock("r1"), close("r1"), lock("r1", seat=3)], "round_id_used", 2)

    def test_a_wager_that_the_table_does_not_offer(self):
        self.refused([lock("r1", wager="raise-it-up/progressive")], "wager_not_offered", 0)

    def test_a_wager_that_no_chapter_has(self):
        self.refused([lock("r1", wager="keno/ten-spot")], "wager_not_offered", 0)

    def test_one_seat_twice(self):
        twice = lock("r1")
        twice["wagers"] *= 2
        self.refused([twice], "seat_wagered_twice", 0)

    def test_one_bad_wager_refuses_the_good_ones_with_it(self):
        mixed = lock("r1")
        mixed["wagers"] += lock("r1", seat=7)["wagers"]
        self.refused([mixed], "seat_unknown", 0)

    def test_a_show_of_an_unknown_round(self):
        self.refused([{"event": "show", "round": "r9", "hands": []}], "round_unknown", 0)

    def test_a_void_after_close(self):
        void = {"event": "void", "round": "r1", "reason": "misdeal"}
        self.refused([lock("r1"), close("r1"), void], "round_closed", 2)

    def test_a_pot_at_a_table_of_rounds(self):
        pot = {"event": "pot", "round": "h1", "pot": "42.00", "board": [], "showdown": False,
               "hands": []}
        self.refused([pot], "wrong_game", 0)


class Agents(BadInput):
    """An agent that cannot do its task sends nothing."""

    def setUp(self):
        super().setUp()
        self.floor.init()
        self.controller = self.floor.start_controller()
        self.before = self.head()

    def tearDown(self):
        self.assertEqual(self.before, self.head())
        self.assertTrue(self.controller.is_running())

    def fails(self, table, script, *words):
        agent = self.floor.start_agent(self.controller.endpoint, table, script)
        agent.wait()
        self.failed(agent, *words)

    def test_an_unknown_table(self):
        self.fails("C4-77", [lock("r1")], "C4-77", str(self.floor.file))

    def test_a_table_that_only_the_agents_floor_file_has(self):
        text = floor_process.DEMO.replace("C4-04", "C4-99")
        other = self.floor.write(text, "other.toml")
        agent = floor_process.Agent(self.controller.endpoint, other, "C4-99", self.floor.agents,
                                    ["--script", self.floor.write_script([lock("r1")], "s")])
        self.floor.processes.append(agent)
        # There is no key for it, and it may not connect with another table's key.
        agent.await_line(r"no credentials yet: copy the table's file to .*C4-99\.credentials")
        self.assertTrue(agent.kill())
        agent = floor_process.Agent(
            self.controller.endpoint, other, "C4-99", self.floor.agents,
            ["--deal", "1", "--credentials", self.floor.credentials("C4-04")])
        self.floor.processes.append(agent)
        agent.wait()
        self.failed(agent, "is for table C4-04, not for table C4-99")

    def test_a_damaged_script_line(self):
        good = [lock("r1"), close("r1"), lock("r2")]
        for bad, word in (('{"event":"lock","round":"r3","wagers":[', "not JSON"),
                          ('{"event":"deal"}', "deal"),
                          ('{"event":"close"}', "round"),
                          ('{"event":"lock","round":"r3","wagers":[{"seat":1,"wager":"x",'
                           '"amount":"five"}]}', "five"),
                          ('{"event":"pot","round":"h1","pot":"42.001","showdown":false,'
                           '"hands":[]}', "42.001"),
                          ('{"event":"show","round":"r2","hands":[{"seat":1,"cards":["1s"]}]}',
                           "card"),
                          ('{"event":"show","round":"r2","draw":{}}', "draw"),
                          ('{"event":"lock","round":"r3","wagers":[{"seat":1,"wager":"x",'
                           '"amount":"1.00","on":"bank"}]}', '"on"'),
                          ("\x00\xff garbage", "not JSON")):
            with self.subTest(bad=bad):
                script = self.floor.write_script([*good, bad, close("r2")], "bad.jsonl")
                self.fails("C4-01", script, f"{script}:4: ", word)
                # Nothing was created either: the script is read before the outbox.
                self.assertFalse(self.floor.agents.exists())

    def test_a_missing_script(self):
        script = self.floor.folder / "none.jsonl"
        self.fails("C4-01", script, str(script))

    def test_two_agents_on_one_outbox(self):
        waiting = [{"event": "wait", "ms": 600_000}]
        first = self.floor.start_agent(self.controller.endpoint, "C4-01", waiting)
        first.await_line("connected")
        script = self.floor.write_script([lock("r1")], "second.jsonl")
        self.fails("C4-01", script, "another agent", "C4-01")
        self.assertTrue(first.is_running())
        self.assertTrue(first.kill())

    def test_the_outbox_of_another_table(self):
        waiting = [{"event": "wait", "ms": 1}]
        self.floor.start_agent(self.controller.endpoint, "C4-01", waiting).finish(0)
        (self.floor.agents / "C4-01.outbox").rename(self.floor.agents / "C4-02.outbox")
        self.fails("C4-02", [lock("r1")], "C4-01", "C4-02")


class LostReaders(BadInput):
    """The reader of a program's output may go away: `linkmeter-controller 2>&1 | less`, then q."""

    def start_unheard(self, program, *arguments):
        """A program whose output nobody reads after its first line."""
        said, saying = os.pipe()
        with open(said, encoding="utf-8") as heard:
            child = subprocess.Popen([*floor_process.ENDS_WITH_ITS_PARENT,
                                      floor_process.PROGRAMS / program, *map(str, arguments)],
                                     stdin=subprocess.DEVNULL, stdout=saying, stderr=saying)
            os.close(saying)
            self.addCleanup(child.wait)
            self.addCleanup(child.kill)
            lines = iter(heard.readline, "")
            first = next((line for line in lines if re.match("ready |.*: connected", line)), "")
        return child, first

    def test_the_controller_continues_after_bad_input(self):
        self.floor.init()
        controller, ready = self.start_unheard(
            "linkmeter-controller", "--floor", self.floor.file, "--data", self.floor.data,
            "--listen", floor_process.FREE_PORT, "--feed", floor_process.FREE_PORT,
            "--web", "none")
        endpoint = ready.split()[1]
        refused = self.floor.start_agent(endpoint, "C4-01", [lock("r1", seat=9)])
        refused.wait()
        self.failed(refused, "seat_unknown")  # the controller has printed this nowhere
        self.floor.start_agent(endpoint, "C4-02", [lock("r1")]).finish(0)
        self.assertIsNone(controller.poll())
        self.assertEqual(2, len(self.floor.table_entries()))

    def test_the_agent_continues_after_bad_input(self):
        self.floor.init()
        endpoint = self.floor.start_controller().endpoint
        script = self.floor.write_script(
            [{"event": "wait", "ms": 200}, lock("r1", seat=9), lock("r2")], "script")
        agent, _ = self.start_unheard(
            "linkmeter-table-agent", "--floor", self.floor.file, "--table", "C4-01", "--data",
            self.floor.agents, "--controller", endpoint, "--script", script)
        self.assertEqual(1, agent.wait(floor_process.PATIENCE_S))  # it reports the refusal
        self.assertEqual(2, len(self.floor.table_entries()))


class FloorFiles(BadInput):
    """Nothing starts with a doubtful configuration; the sentence names file, line, field, section.
    """

    def refused(self, old, new, *words):
        self.assertIn(old, floor_process.DEMO)
        file = self.floor.write(floor_process.DEMO.replace(old, new, 1))
        line = str(file) + ":"
        self.failed(self.floor.tool("check", "--floor", file), line, *words)
        self.failed(self.floor.tool("init", "--floor", file, "--data", self.floor.data), *words)
        self.assertFalse(self.floor.data.exists())
        self.floor.write(floor_process.DEMO)
        self.floor.init()
        before = self.picture()
        self.floor.write(file.read_text(encoding="utf-8").replace(old, new, 1))
        self.failed(self.floor.run_controller(), line, *words)
        self.assertEqual(before, self.picture())
        self.failed_check_is_journaled({"software", "configuration"})

    def test_a_missing_rate(self):
        self.refused('rates = { main = "14%" }\n', "", "rates", "RIU-MAIN", "§ 669a.12(e)")

    def test_one_rate_of_two_is_missing(self):
        self.refused('rates = { main = "12%", reserve = "3%" }', 'rates = { reserve = "3%" }',
                     "main", "BJ-RUN")

    def test_a_rate_of_101_percent(self):
        self.refused('rates = { main = "14%" }', 'rates = { main = "101%" }', "101%", "RIU-MAIN")

    def test_a_link_with_an_unknown_table(self):
        self.refused('"C4-04"]', '"C4-44"]', "C4-44")

    def test_a_file_that_is_not_toml(self):
        self.refused('[[link]]', '[[link', ":9:")

    def test_a_missing_floor_file(self):
        file = self.floor.folder / "none.toml"
        result = self.floor.tool("init", "--floor", file, "--data", self.floor.data)
        self.failed(result, str(file))
        self.assertFalse(self.floor.data.exists())


class DataFolders(BadInput):
    def test_a_folder_that_is_not_a_data_folder(self):
        empty = self.floor.folder / "empty"
        empty.mkdir()
        stranger = self.floor.folder / "stranger"
        (stranger / "journal").mkdir(parents=True)
        (stranger / "journal" / "data.mdb").write_bytes(b"no journal " * 1000)
        none = self.floor.folder / "none"
        for data in (empty, stranger, none, self.floor.file):
            for command in ("meters", "claims", "export", "audit"):
                with self.subTest(data=data.name, command=command):
                    self.failed(self.floor.tool(command, "--data", data), str(data))
            self.failed(self.floor.run_controller(data=data), str(data))
        self.assertEqual([], list(empty.iterdir()))
        self.assertFalse(none.exists())

    def test_init_into_an_existing_folder(self):
        self.floor.init()
        before = self.head()
        result = self.floor.tool("init", "--floor", self.floor.file, "--data", self.floor.data)
        self.failed(result, str(self.floor.data), "exists")
        self.assertEqual(before, self.head())
        empty = self.floor.folder / "empty"
        empty.mkdir()
        result = self.floor.tool("init", "--floor", self.floor.file, "--data", empty)
        self.failed(result, str(empty), "exists")
        self.assertEqual([], list(empty.iterdir()))

    def test_a_second_controller(self):
        self.floor.init()
        first = self.floor.start_controller()
        before = self.head(), (self.floor.data / "endpoints").read_text()
        self.failed(self.floor.run_controller(), "in use by another controller",
                    str(self.floor.data))
        after = self.head(), (self.floor.data / "endpoints").read_text()
        self.assertEqual(before, after)
        self.assertEqual([first.endpoint, first.feed], before[1].split())
        self.floor.start_agent(first.endpoint, "C4-01", [lock("r1")]).finish(0)

    def test_a_floor_file_that_changed_after_init(self):
        self.floor.init()
        before = self.picture()
        for old, new, words in (
                ('rates = { main = "14%" }', 'rates = { main = "15%" }', ("RIU-MAIN", "rate")),
                ('seed = "5000.00"', 'seed = "6000.00"', ("RIU-MAIN", "seed", "6000.00")),
                ('paytable = "C"', 'paytable = "D"', ("C4-MEGA", "paytable")),
                ('seats = 6', 'seats = 5', ("RIU-01", "seats")),
                ('tables = ["C4-01", ', 'tables = [', ("C4-MEGA", "tables"))):
            with self.subTest(new=new):
                self.assertIn(old, floor_process.DEMO)
                self.floor.write(floor_process.DEMO.replace(old, new, 1))
                self.failed(self.floor.run_controller(), str(self.floor.file), *words)
                self.failed_check_is_journaled({"software", "configuration"})
                # A seal approves the file; it does not change the journal.
                self.seal()
                self.failed(self.floor.run_controller(), str(self.floor.file), *words)
                self.failed_check_is_journaled({"configuration"})
                self.assertEqual(before, self.picture())
        # A comment changes no term, but it makes another file, which must be approved.
        self.floor.write(floor_process.DEMO + "# a remark\n")
        self.failed(self.floor.run_controller(), str(self.floor.file), "differs", "linkmeter seal")
        self.failed_check_is_journaled({"software"})
        self.seal()
        self.floor.start_controller()


if __name__ == "__main__":
    unittest.main()
