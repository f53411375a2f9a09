"""Accounting on a real floor: a controller with three gaming days, one of them with differences,
and two people who read, explain, sign and close them at one screen."""

import base64
import datetime
import json
import pathlib
import unittest

from browser import SHOTS
from real_house import RealHouse

from day_end_test import CLOCK_SHIFT, DAY, Shifted, begin, now
from floor_process import FREE_PAGES, FREE_PORT, PATIENCE_S, Agent
from people_test import LINK, win

ROUNDS = 12
STAYS_MS = 600_000  # longer than the test


def rounds(name):
    for number in range(ROUNDS):
        yield {"event": "lock", "round": f"{name}-{number}",
               "wagers": [{"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"},
                          {"seat": 4, "wager": "crazy-4/five-card", "amount": "5.00"}]}
        yield {"event": "close", "round": f"{name}-{number}"}


class RealBooks(Shifted, RealHouse):
    def setUp(self):
        self.open()
        self.secrets = list(self.floor.pins.values())
        self.browser.fresh()
        self.controller = self.start()
        for badge, department, role in (("A-1", "finance", "accountant"),
                                        ("C-1", "finance", "cashier"),
                                        ("F-1", "table_games", "floorperson")):
            # The person who set an accountant's PIN could use it, so another person signs second.
            self.add(badge, department, role, by="TGM-1" if badge == "A-1" else None)
        self.days = [str(self.first + day * DAY) for day in range(3)]

    def clock(self):
        """The shifted clock of the controller and its tables."""
        return {"LD_PRELOAD": str(CLOCK_SHIFT), "LINKMETER_CLOCK_SHIFT": str(self.ruling)}

    def start(self, listen=FREE_PORT):
        controller = self.floor.start_controller(listen, self.clock(), FREE_PAGES)
        self.url = controller.pages()
        return controller

    def start_table(self, table, script):
        path = self.floor.write_script(script, f"{table}.jsonl")
        agent = Agent(self.controller.endpoint, self.floor.file, table, self.floor.agents,
                      ["--script", path], self.clock())
        self.floor.processes.append(agent)
        return agent

    def await_entries(self, fact, count):
        self.browser.wait(lambda: self.facts().count(fact) >= count, f"no {fact}", PATIENCE_S)

    def be_in(self, day):
        """Restarts the controller one hour into the day, so that it sees no jump of its clock."""
        self.controller.stop()
        self.rule(begin(day) + datetime.timedelta(hours=1) - now())
        self.controller = self.start(self.controller.endpoint)

    def live_quietly(self, day):
        """A table plays, is still connected when the day ends, and sends its counters."""
        told, closed = (self.facts().count(fact) for fact in ("counters_told", "round_closed"))
        agent = self.start_table("C4-01", [*rounds(str(day)), {"event": "wait", "ms": STAYS_MS}])
        self.await_entries("round_closed", closed + ROUNDS)
        self.be_in(day + DAY)
        self.await_entries("counters_told", told + 1)
        agent.stop()

    def live(self):
        """The second of three days has differences."""
        self.live_quietly(self.first)
        # This table is offline when the day ends, so its counters are missing. The clock is set.
        self.start_table("C4-02", win("w1")).finish(0)
        self.set_clock(begin(self.first + 2 * DAY) + datetime.timedelta(hours=1) - now())
        self.await_end(self.first + DAY)
        self.done("F-1", "claim", "validate", 1)
        self.done("C-1", "claim", "pay", 1, "--source", "hand_pay")
        self.live_quietly(self.first + 2 * DAY)

    def be_at(self, page):
        """Opens the page, and waits while the report is being made."""
        self.browser.open("about:blank")
        self.browser.open(f"{self.url}/accounting#{page}")
        here = "return document.querySelector('#page').dataset.page"

        def is_there():
            if self.browser.run(here) != page:
                return False
            if "is being made" not in (self.browser.text("#page") or ""):
                return True
            self.browser.run("location.reload()")
            return False
        self.browser.wait(is_there, f"{page} does not come", 30)

    def shoot(self, name):
        """Takes a screenshot of the whole page."""
        if SHOTS:
            pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
            taken = self.browser.cdp("Page.captureScreenshot", format="png",
                                      captureBeyondViewport=True)
            pathlib.Path(SHOTS, f"real_{name}.png").write_bytes(base64.b64decode(taken["data"]))

    def explain(self, item):
        button = f"[data-item='{item}'] button"
        self.browser.click(button)
        self.browser.write("#act_note", f"looked into: {item}")
        self.browser.write("#act .pin", self.floor.own_pin("A-1"))
        self.browser.click("#act .main")
        self.says("#result", "is explained")

    def sign(self, step, badge=None):
        card = f"[data-step='{step}']"
        if badge:
            self.browser.write(f"{card} .other input", badge)
        self.browser.write(f"{card} .pin", self.floor.own_pin(badge or "A-1"))
        self.browser.click(f"{card} .main")

    def sign_and_close(self, day):
        self.be_at(f"day/{day}")
        self.says("[data-step='close']", "The first signature is missing.")
        self.sign("sign")
        self.says("#result", f"{day} is signed")
        self.sign("close", "FM-1")
        self.says("#result", f"{day} is closed")
        self.says(".day_head .chip", "closed")

    def items(self):
        return self.browser.run("return [...document.querySelectorAll('.item')]"
                                ".map((item) => item.dataset.item)")

    def test_three_days_are_read_explained_signed_and_closed(self):
        self.live()
        first, bad, quiet = self.days
        self.floor.own_pin("FM-1")
        self.browser.size(1440, 900)
        self.sign_in("A-1", self.url + "/accounting")
        self.says(".verdict", "3 days not closed")
        self.says("#page", f"{self.first + 3 * DAY}")
        self.shoot("days")
        self.read_the_first_day(first)
        self.sign_and_close(first)
        self.read_the_bad_day(bad)
        self.sign_and_close(bad)
        self.be_at(f"day/{quiet}")
        self.says(".verdict", "Everything is zero")
        self.assertEqual([], self.items())
        self.shoot("quiet")
        self.sign_and_close(quiet)
        self.shoot("closed")
        self.look_at_links_and_amounts(quiet)
        days = json.loads(self.floor.ask("days", "--json"))["days"]
        self.assertEqual([(day, "closed", "A-1", "FM-1") for day in reversed(self.days)],
                         [(day["day"], day["state"], day["signed_by"], day["closed_by"])
                          for day in days])
        self.assertTrue(self.floor.audit()["clean"])

    def read_the_first_day(self, day):
        """There is no earlier day; the opening amounts are the seeds."""
        self.be_at(f"day/{day}")
        self.says(".verdict", "Everything is zero")
        self.says(".day_head", "the first day, on which the floor opened")
        self.says(".balance", "Seeded")
        text = self.browser.text("#page")
        for odd in ("null", "undefined", "NaN", "Invalid"):
            self.assertNotIn(odd, text)
        self.assertNotIn("Previous day", text)
        self.shoot("first")

    def read_the_bad_day(self, day):
        self.be_at(f"day/{day}")
        found = self.items()
        kinds = {item.split("/")[0] for item in found}
        self.assertEqual({"claim", "clock", "counters_missing"}, kinds, found)
        self.assertIn("counters_missing/C4-02", found)
        self.says(".verdict", f"{len(found)} items open")
        self.shoot("bad")
        for item in found:
            self.explain(item)
        self.says(".verdict", "Nothing is open")
        self.says("[data-item='claim/1']", "Looked into: claim/1")
        self.says("[data-item='claim/1']", "Straight flush, raised")
        self.says("#page", "sent nothing")
        self.shoot("explained")

    def look_at_links_and_amounts(self, day):
        self.be_at(f"links/{LINK}/major/30")
        points = "return document.querySelectorAll(arguments[0]).length"
        self.browser.wait(lambda: self.browser.run(points, ".history > svg .close") > 0)
        self.assertEqual(self.browser.run(points, ".history > svg .close"),
                         self.browser.run(points, "tbody tr"))
        self.assertEqual(1, self.browser.run(points, ".history > svg .award"))
        self.shoot("link")
        self.be_at(f"day/{day}")
        self.browser.click(".balance .explained")
        self.says("#explain", "it adds up")
        self.assertNotIn("too much or too little", self.browser.text("#explain"))
        self.browser.shot("real_explain")


if __name__ == "__main__":
    unittest.main()
