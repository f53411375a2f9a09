"""Accounting over HTTP on a real floor: a day ends with an open claim, is explained, signed and
closed by two people, and every query of an accountant about it is answered."""

import hashlib
import time
import unittest

from browser import Browser
from day_end_test import CLOCK_SHIFT, DAY, Shifted, begin, now
from floor_process import FREE_PAGES, PATIENCE_S
from people_test import LINK, People, win


class Accounts(Shifted, People):
    def setUp(self):
        self.open()
        self.secrets = list(self.floor.pins.values())
        self.controller = self.start()
        # The person who makes an accountant's PIN could act as the accountant, so he must not sign
        # after him.
        self.add("A-1", "finance", "accountant", by="TGM-1")
        self.add("F-1", "table_games", "floorperson")
        self.play(win("r1"))  # its agent is gone when the day ends: its counts are missing
        self.url = self.controller.pages()
        self.browsers = {}
        self.while_the_first_day_runs()
        self.set_clock(begin(self.first + DAY) - now())
        self.browsers = {}
        self.await_end(self.first)
        self.day = str(self.first)

    def while_the_first_day_runs(self):
        """Acts of the running day are listed although no day has ended, and not for any other day.
        """
        accountant = self.browser("A-1")
        told = accountant.get("/api/days").json
        self.assertEqual((str(self.first), []), (told["today"]["day"], told["days"]))
        acts = accountant.get(f"/api/acts?day={self.first}")
        self.assertEqual(200, acts.status, acts.bytes)
        self.assertIn(("TGM-1", "act_proposed"),
                      [(one["badge"], one["act"]) for one in acts.json["acts"]])
        for other in (self.first + DAY, self.first - DAY):
            no = accountant.get(f"/api/acts?day={other}")
            self.assertEqual((404, "day_unknown"), (no.status, no.json["error"]))

    def start(self):
        return self.floor.start_controller(
            web=FREE_PAGES, environment={"LD_PRELOAD": str(CLOCK_SHIFT),
                                         "LINKMETER_CLOCK_SHIFT": str(self.ruling)})

    def browser(self, badge):
        """One for each badge: a badge has at most four sessions."""
        if badge in self.browsers:
            return self.browsers[badge]
        browser = self.browsers[badge] = Browser(self.url)
        self.assertEqual(200, browser.sign_in(badge, self.floor.own_pin(badge)).status)
        return browser

    def report(self, browser):
        """The report, as soon as it is made."""
        until = time.monotonic() + PATIENCE_S
        while (answer := browser.get(f"/api/days/{self.day}")).status == 409:
            self.assertEqual("report_not_ready", answer.json["error"])
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)
        self.assertEqual(200, answer.status, answer.bytes)
        return answer.json

    def signs(self, badge, step, digest, day=None):
        return self.browser(badge).post(f"/api/days/{day or self.day}/{step}",
                                        {"report": digest, "pin": self.floor.own_pin(badge)})

    def test_a_day_from_its_end_to_its_second_signature(self):
        accountant = self.browser("A-1")
        told = self.report(accountant)
        sheet = self.floor.tool("day", self.day, "--data", self.floor.data, "--json").stdout
        self.assertEqual(hashlib.sha256(sheet.encode()).hexdigest(), told["digest"])
        items = {item["item"]: item for item in told["report"]["items"]}
        # The day ended because the clock was set: the report names that, too.
        clock, = [name for name in items if name.startswith("clock/")]
        self.assertEqual({"claim/1", "counters_missing/C4-01", clock}, set(items))
        self.assertEqual("open", told["record"]["state"])
        for name in ("counters_missing/C4-01", clock, "claim/1"):
            no = self.signs("A-1", "sign", told["digest"])
            self.assertEqual((409, "claims_pending"), (no.status, no.json["error"]))
            explained = accountant.post(f"/api/days/{self.day}/explain", {
                "item": name, "difference": items[name]["difference"], "note": f"why {name}",
                "pin": self.floor.own_pin("A-1")})
            self.assertEqual(200, explained.status, explained.bytes)
            told = self.report(accountant)
        self.assertEqual({f"why {name}" for name in items},
                         {item["explained"]["note"] for item in told["report"]["items"]})
        no = self.signs("FM-1", "close", told["digest"])
        self.assertEqual((409, "day_not_signed"), (no.status, no.json["error"]))
        self.assertEqual(200, self.signs("A-1", "sign", told["digest"]).status)
        no = self.signs("A-1", "close", told["digest"])
        self.assertEqual((403, "right_missing"), (no.status, no.json["error"]))
        self.assertEqual(200, self.signs("FM-1", "close", told["digest"]).status)
        no = self.signs("FM-1", "close", told["digest"])
        self.assertEqual((409, "day_closed"), (no.status, no.json["error"]))
        for running in (str(self.first + DAY), "9999-12-31"):  # and days in the future
            for no in (accountant.get(f"/api/days/{running}"),
                       self.signs("A-1", "sign", told["digest"], running),
                       self.signs("FM-1", "close", told["digest"], running)):
                self.assertEqual((409, "day_not_over"), (no.status, no.json["error"]))
        # Each was done once, however often it was requested.
        self.assertEqual([1, 1], [self.facts().count(f) for f in ("day_signed", "day_closed")])
        closed = self.report(accountant)
        self.assertEqual(("closed", told["digest"], told["report"]),
                         (closed["record"]["state"], closed["digest"], closed["report"]))
        listed = accountant.get("/api/days").json
        self.assertEqual(str(self.first + DAY), listed["today"]["day"])
        self.assertEqual([("closed", "A-1", "FM-1", 0)],
                         [(day["state"], day["signed_by"], day["closed_by"], day["open_items"])
                          for day in listed["days"]])
        self.assertTrue(self.floor.audit()["clean"])

    def test_what_accounting_pages_show_of_amounts_entries_and_people(self):
        accountant = self.browser("A-1")
        tree = accountant.get(f"/api/explain?link={LINK}&level=major").json
        self.assertEqual(self.level()["amount"], tree["balance"])
        self.assertEqual(tree["balance"], tree["sum"])
        claim = accountant.get("/api/explain?claim=1").json
        self.assertEqual("5000.35000000", claim["balance"])  # seed, and 7 % of $5
        self.assertIn("100% of the meter, which stood at 5000.35000000, in whole cents: 5000.35",
                      claim["payout"]["sentences"])
        points = accountant.get(f"/api/links/{LINK}/history?level=major&days=9").json["points"]
        self.assertEqual([self.day], [point["day"] for point in points])  # since the opening
        self.assertEqual([{"table", "contributed"}],  # no rounds: they were not requested
                         [set(table) for day in claim["days"] for table in day["tables"]])
        told = accountant.get("/api/accounts/claims").json
        self.assertEqual([("raised", "major")],
                         [(one["state"], one["level"]) for one in told["claims"]])
        self.assertEqual(({"count": 1, "sum": told["claims"][0]["amount"]}, {"count": 0}),
                         (told["pending"], told["settled"]))
        page = accountant.get("/api/journal?from=1&count=3").json
        self.assertEqual(([1, 2, 3], 4), ([one["entry"] for one in page["entries"]], page["next"]))
        ended = accountant.get("/api/journal?from=1&fact=day_ended").json
        self.assertEqual([self.day], [one["day"] for one in ended["entries"]])
        acts = accountant.get(f"/api/acts?day={self.day}").json["acts"]
        self.assertIn(("TGM-1", "act_proposed"), [(one["badge"], one["act"]) for one in acts])
        self.acts_in_parts(accountant, acts)
        self.assertEqual([1], [one["since"] for one in accountant.get("/api/configurations").json])
        for path, status in (("/api/explain?link=NONE&level=main", 404),
                             (f"/api/explain?link={LINK}&level=none", 404),
                             (f"/api/explain?link={LINK}&level=major&at=99999999", 404),
                             ("/api/explain?claim=77", 404), ("/api/journal?from=0", 400),
                             ("/api/journal?from=1&count=100000", 400),
                             ("/api/days/2026-02-30", 404), ("/api/days/1999-01-01", 404),
                             ("/api/acts?day=never", 404),
                             (f"/api/acts?day={self.day}&from=0", 400),
                             (f"/api/acts?day={self.day}&count=2001", 400),
                             (f"/api/acts?day={self.day}&from=", 400),
                             (f"/api/acts?day={self.day}&from=0x1", 400),
                             (f"/api/acts?day={self.day}&count=", 400),
                             (f"/api/acts?day={self.day}&count=%2b2", 400),
                             (f"/api/links/{LINK}/history?level=major&days=x", 400)):
            self.assertEqual(status, accountant.get(path).status, path)
        self.the_fund_over_http(accountant)
        floorperson = self.browser("F-1")
        for path in ("/api/days", f"/api/days/{self.day}", "/api/explain?claim=1",
                     "/api/journal?from=1", "/api/configurations", "/api/accounts/claims",
                     f"/api/links/{LINK}/history?level=major", f"/api/acts?day={self.day}"):
            self.assertEqual(403, floorperson.get(path).status, path)
            self.assertEqual(401, Browser(self.url).get(path).status, path)

    def acts_in_parts(self, accountant, acts):
        """Each part begins where the one before ended; together they are all acts of the day."""
        self.assertGreater(len(acts), 4)
        told, start, parts = [], "", 0
        while True:
            part = accountant.get(f"/api/acts?day={self.day}&count=2{start}").json
            told, parts = told + part["acts"], parts + 1
            if "next" not in part:
                break
            self.assertEqual(2, len(part["acts"]))
            start = f"&from={part['next']}"
        self.assertEqual((acts, -(-len(acts) // 2)), (told, parts))
        whole = accountant.get(f"/api/acts?day={self.day}&count={len(acts)}").json
        self.assertEqual({"acts": acts}, whole)  # complete: there is no next part

    def the_fund_over_http(self, accountant):
        """Two PINs for a display; a claim without a fund has no distribution."""
        asked = {"kept": "499.00", "shown": "500.00", "witness": "F-1",
                 "pin": self.floor.own_pin("FM-1")}
        manager = self.browser("FM-1")
        no = manager.post("/api/links/POKER-ROOM/display", asked)
        self.assertEqual((409, "witness_not_signed"), (no.status, no.json["error"]))
        asked["witness_pin"] = self.floor.own_pin("F-1")
        for wrong in ({"kept": None}, {"kept": "1.005"}, {"shown": "x"}):
            no = manager.post("/api/links/POKER-ROOM/display", {**asked, **wrong})
            self.assertEqual(400, no.status, wrong)
        done = manager.post("/api/links/POKER-ROOM/display", asked)
        self.assertEqual(200, done.status, done.bytes)
        self.assertIn("the day's report shows the difference", done.json["text"])
        no = accountant.post(f"/api/days/{self.day}/transfer", {
            "link": "POKER-ROOM", "tables": ["P-01"], "verified": "1.00", "carried_by": "S-1",
            "accounted_by": "F-1", "pin": self.floor.own_pin("A-1")})
        self.assertEqual((403, "right_missing"), (no.status, no.json["error"]))
        links = {link["link"]: link["fund"] for link in accountant.get("/api/meters").json["links"]}
        self.assertEqual({"contribution": "1.00", "minimum_pot": "20.00", "reseed": "0.00",
                          "qualifying": "full_house", "qualifying_hand": "full house",
                          "parts": {"main": "80%", "reserve": "20%"},
                          "split": {"losing_hand": "50%", "winning_hand": "25%", "table": "25%"}},
                         links["POKER-ROOM"])
        self.assertIsNone(links[LINK])
        self.assertEqual(200, accountant.get("/distribution/1").status)
        self.assertEqual(404, accountant.get("/distribution/x").status)
        self.assertEqual(401, Browser(self.url).get("/api/claims/1/distribution").status)
        no = accountant.get("/api/claims/1/distribution")
        self.assertEqual((404, "claim_unknown"), (no.status, no.json["error"]))


if __name__ == "__main__":
    unittest.main()
