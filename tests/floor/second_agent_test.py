"""Two agents with one table's key, each with its own outbox: the first is served."""

import time
import unittest

from floor_process import DEMO, PATIENCE_S, Agent, Floor

TABLE = "C4-01"
SECOND = f"another agent of {TABLE} is connected"
CONNECTED = "connected to"


class TwoAgents(unittest.TestCase):
    floor_text = DEMO

    def setUp(self):
        self.floor = Floor(self.floor_text)
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.controller = self.floor.start_controller()
        self.first = self.start_first()
        self.first.await_line(CONNECTED)
        self.await_rounds(1)
        self.second = self.start_second()
        self.second.await_line(SECOND)

    def start_first(self):
        return self.floor.start_agent(self.controller.endpoint, TABLE,
                                      options=("--deal", "7", "--pace", "200"))

    def start_second(self):
        """On another computer: it has nothing of the first one's outbox."""
        agent = Agent(self.controller.endpoint, self.floor.file, TABLE,
                      self.floor.folder / "second", ["--deal", "8", "--rounds", "2"])
        self.floor.processes.append(agent)
        return agent

    def rounds(self):
        return [entry["round"] for entry in self.floor.table_entries()
                if entry["fact"] == "round_locked"]

    def await_rounds(self, count):
        """Waits until this many more rounds are locked."""
        began, until = time.monotonic(), len(self.rounds()) + count
        while len(self.rounds()) < until:
            self.assertLess(time.monotonic() - began, PATIENCE_S)
            time.sleep(0.05)  # between two checks

    def second_takes_no_part(self):
        """By the journal: a dealt round is named after its seed."""
        self.assertTrue(self.second.is_running())
        self.assertFalse([name for name in self.rounds() if not name.startswith("d7-")])

    def frozen(self):
        return [entry for entry in self.floor.entries() if entry["fact"] == "table_frozen"]


class Patient(TwoAgents):
    """No agent counts as lost here, however slow this machine is."""
    floor_text = DEMO.replace("[house]\n", '[house]\nlost_after = "50s"\n', 1)

    def test_the_first_agent_continues_and_the_second_is_refused(self):
        self.await_rounds(3)
        self.second_takes_no_part()
        self.controller.await_line("refusal=another_agent")
        # The outbox identifies the agent: started again on it, it is the same one.
        self.assertTrue(self.first.kill())
        self.first = self.start_first()
        self.first.await_line(CONNECTED)
        self.await_rounds(1)
        self.second_takes_no_part()
        # The second one does not take over while a controller starts either.
        self.assertTrue(self.controller.kill())
        self.controller = self.floor.start_controller(listen=self.controller.endpoint)
        self.await_rounds(2)
        self.second_takes_no_part()
        # An agent that ends reports it, so the other one need not wait.
        self.assertEqual(0, self.first.stop())
        self.second.await_line("takes over the table after message")
        self.second.finish(0)
        self.assertEqual(1, sum(CONNECTED in line for line in self.second.said))
        self.assertEqual([], self.frozen())
        self.assertTrue(self.floor.audit()["clean"])
        self.assertEqual(0, self.controller.stop())
        self.assertFalse(any(f"table {TABLE} lost" in line for line in self.controller.said))


class Lost(TwoAgents):
    def test_the_second_agent_takes_over_when_the_first_is_lost(self):
        self.assertTrue(self.first.kill())
        self.second.await_line("takes over the table after message")
        self.second.finish(0)
        numbers = [entry["message"] for entry in self.floor.table_entries() if "message" in entry]
        self.assertEqual(list(range(1, len(numbers) + 1)), numbers)
        self.assertEqual([], self.frozen())
        self.assertTrue(self.floor.audit()["clean"])


# The base class has no tests of its own.
del TwoAgents

if __name__ == "__main__":
    unittest.main()
