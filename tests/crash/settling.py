"""People who go on with their work while controllers die under them: a floorperson validates
claims, a cashier pays them, two managers suspend a link that nobody plays at and resume it.

Who was told that it is done must find it in the journal; who was told nothing asks again.
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
PATIENCE_S = 3  # the tool itself waits for longer for a controller that has taken its question
STAFF = (("F-1", "table_games", "floorperson"), ("PS-1", "table_games", "poker_shift_supervisor"),
         ("C-1", "finance", "cashier"))


class Staff(people_test.People):
    """The people of a floor that others have made and started; no test of its own."""

    def __init__(self, floor):
        super().__init__("work")
        self.floor, self.secrets = floor, []
        self.paid = set()  # claims of which the cashier was told
        self.suspended = 0
        self.acts, self.unheard = 0, 0
        self.refusals = set()  # of what was asked once, and of what was asked again
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.work_or_tell, daemon=True)
        self.trouble = None  # what ended the work before its time

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
        """What was told; None: nothing, or a refusal. Repeated until somebody has answered."""
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
                continue  # the controller died over it
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
