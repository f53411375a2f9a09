"""A table that is frozen or exceeds its pace, and links that are resumed together."""

import json
import unittest

from floor_process import DEMO
from people_test import People

TABLE = "C4-01"


def rounds(first, count):
    return [event for number in range(first, first + count) for event in (
        {"event": "lock", "round": f"r{number}",
         "wagers": [{"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}]},
        {"event": "close", "round": f"r{number}"})]


class Stopped(People):
    def standing(self):
        told = self.floor.tool("tables", "--data", self.floor.data, "--json")
        self.assertEqual(0, told.returncode, told.stderr)
        return {table["table"]: table for table in json.loads(told.stdout)["tables"]}

    def frozen(self, table):
        told = self.standing()[table]
        return told["frozen"], told["frozen_by"]

    def locked(self):
        return [entry["round"] for entry in self.floor.entries()
                if entry["fact"] == "round_locked" and entry["table"] == TABLE]


class Frozen(Stopped):
    def test_one_freezes_a_table_and_two_unfreeze_it(self):
        self.refused("table_not_frozen", "TGM-1", "table", "unfreeze", TABLE)
        self.floor.start_agent(self.controller.endpoint, TABLE, rounds(1, 1)).finish(0)
        self.done("TGM-1", "table", "freeze", TABLE, "--reason", "the seal is broken")
        self.refused("table_frozen_already", "FM-1", "table", "freeze", TABLE, "--reason", "again")
        self.refused("table_unknown", "FM-1", "table", "freeze", "C4-99", "--reason", "again")
        self.assertEqual(("the seal is broken", "TGM-1"), self.frozen(TABLE))
        self.assertEqual((None, None), self.frozen("C4-02"))
        agent = self.floor.start_agent(self.controller.endpoint, TABLE, rounds(1, 2))
        agent.await_line("the table is frozen: the seal is broken")
        self.assertEqual(["r1"], self.locked())
        self.assertTrue(agent.is_running())
        # Another table plays on.
        self.floor.start_agent(self.controller.endpoint, "C4-02", rounds(1, 1)).finish(0)
        self.both("table", "unfreeze", TABLE)
        agent.finish(0)
        self.assertEqual(["r1", "r2"], self.locked())
        self.assertEqual((None, None), self.frozen(TABLE))
        self.assertTrue(self.floor.audit()["clean"])

    def test_links_that_one_cause_suspended_are_resumed_together(self):
        links = [link["link"] for link in self.floor.meters()["links"]]
        for link in links[:2]:
            self.done("TGM-1", "link", "suspend", link, "--reason", f"no clock: {link}")
        self.done("TGM-1", "link", "suspend", links[2], "--reason", "its sign is dark")
        self.refused("link_not_suspended", "TGM-1", "link", "resume", "--all",
                     "--reason", "a flood")
        told = self.both("link", "resume", "--all", "--reason", "no clock")
        for link in links[:2]:
            self.assertIn(link, told["summary"])
        self.assertNotIn(links[2], told["summary"])
        self.assertEqual({links[2]: "suspended"},
                         {link["link"]: link["status"] for link in self.floor.meters()["links"]
                          if link["status"] != "operating"})
        # An export of one link has the beginning and the end of its suspension, and not another
        # link's.
        exported = self.floor.tool("export", "--data", self.floor.data, "--link", links[0])
        told = [json.loads(line) for line in exported.stdout.splitlines()]
        self.assertEqual(
            ["link_suspended", "act_proposed", "act_confirmed"],
            [entry["fact"] for entry in told][-3:])
        exported = self.floor.tool("export", "--data", self.floor.data, "--link", links[2])
        self.assertNotIn("act_confirmed",
                         [json.loads(line)["fact"] for line in exported.stdout.splitlines()])
        for wrong in ((links[0], "--all", "--reason", "x"), (),
                      (links[0], "--reason", "x")):
            self.assertEqual(2, self.ask("TGM-1", "link", "resume", *wrong).returncode, wrong)


class Pace(Stopped):
    floor_text = DEMO.replace(f'id = "{TABLE}"\n', f'id = "{TABLE}"\npace = 1\n', 1)

    def test_a_table_that_plays_faster_than_its_pace_waits_and_loses_nothing(self):
        agent = self.floor.start_agent(self.controller.endpoint, TABLE, rounds(1, 10))
        agent.await_line("more rounds or messages than its pace allows")
        self.assertEqual([f"r{number}" for number in range(1, 9)], self.locked())  # of a shift
        self.assertTrue(agent.is_running())
        self.assertEqual(list(range(1, 17)),
                         [entry["message"] for entry in self.floor.table_entries()])
        self.floor.start_agent(self.controller.endpoint, "C4-02", rounds(1, 10)).finish(0)
        self.assertEqual(0, agent.stop())
        self.assertTrue(self.floor.audit()["clean"])


if __name__ == "__main__":
    unittest.main()
