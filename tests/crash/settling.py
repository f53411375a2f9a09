"""People who go on working while controllers die: a floorperson validates claims, a cashier pays
them, two managers suspend and resume a link at which nobody plays.

A person who was told that a request is done must find it in the journal. A person without an
answer asks again.
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

import people_test

IDLE_LINK = "PG-MAIN"
PAUSE_S = 0.05
PATIENCE_S = 3  # the tool itself waits longer for a controller that has taken its request
STAFF = (("F-1", "table_games", "floorperson"), ("PS-1", "table_games", "poker_shift_supervisor"),
         ("C-1", "finance", "cashier"))


class Staff(people_test.People):
    """The people of a floor that another test has made and started; it has no tests of its own."""

    def __init__(self, floor):
        super().__init__("work")
        self.floor, self.secrets = floor, []
        self.paid = set()  # claims whose payment was confirmed to the cashier
        self.suspended = 0
        self.acts, self.unheard = 0, 0
        self.refusals = set()  # of requests that were made once, and of repeated ones
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.work_or_tell, daemon=True)
        self.trouble = None  # the error that ended the work early

    def come(self):
        for badge, department, role in STAFF:
            self.add(badge, department, role)
            self.floor.own_pin(badge)
        for badge in people_test.MANAGERS:
            self.floor.own_pin(badge)
        self.thread.start()

    def leave(self):
        self.is_over.set()
        self.thread.join()
        if self.trouble:
            raise self.trouble

    def work_or_tell(self):
        try:
            self.work()
        except Exception as trouble:  # whatever it is, the test must not go on without people
            self.trouble = trouble

    def work(self):
        while not self.is_over.wait(PAUSE_S):
            raised = [claim for claim in self.floor.claims()
                      if claim["state"] == "raised" and claim["claim"] not in self.paid]
            if raised:
                self.settle(raised[0])
            if self.acts % 8 >= 6:
                self.suspend_and_resume()

    def try_it(self, by, *arguments):
        """The answer; None: no answer, or a refusal. The request is repeated until there is an
        answer."""
        for tries in itertools.count():
            self.unheard += tries > 0
            if self.is_over.wait(PAUSE_S):
                return None
            try:
                result = subprocess.run(
                    [self.floor.tool_path(), *arguments, "--data", self.floor.data, "--by", by,
                     "--json"], input=f"{self.floor.pins[by]}\n", capture_output=True, text=True,
                    timeout=PATIENCE_S, check=False)
            except subprocess.TimeoutExpired:
                continue  # the controller died during it
            if result.returncode == 0:
                self.acts += 1
                return json.loads(result.stdout)
            if refusal := re.search(r"refused: (\w+)", result.stderr):
                self.refusals.add((refusal[1], "again" if tries else "once"))
                return None

    def settle(self, claim):
        number = str(claim["claim"])
        by = "PS-1" if claim["table"].startswith("P-") else "F-1"
        self.try_it(by, "claim", "validate", number)
        if self.try_it("C-1", "claim", "pay", number, "--source", "hand_pay"):
            self.paid.add(claim["claim"])

    def suspend_and_resume(self):
        if self.try_it("FM-1", "link", "suspend", IDLE_LINK, "--reason", "sign dark"):
            self.suspended += 1
        told = self.try_it("TGM-1", "link", "resume", IDLE_LINK)
        if told:
            self.try_it("FM-1", "confirm", str(told["proposal"]))
