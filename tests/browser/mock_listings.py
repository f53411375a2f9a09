"""Lists of acts and claims of a house without a controller. Long lists are cut as by the
controller; a test sets the length."""

import datetime
import decimal
import time

from mock_refusals import Refused
from mock_time import TODAY, begin_of, text_of

PENDING = ("raised", "validated")


class Listings:
    acts_page, pending_max, settled_max = 2000, 1000, 200

    def read_acts(self, asked):
        day = asked["day"]
        if day == str(TODAY):  # the day still runs, and has no acts
            return {"acts": []}
        report = next((told["report"] for told in self.days if told["report"]["day"] == day), None)
        if report is None:
            raise Refused("day_unknown", day=day)
        first, at = report["entries"]["first"], begin_of(datetime.date.fromisoformat(day))
        done = [("F-1", "validate", "validated claim 6: four of a kind, $1,424.30", 340),
                ("C-1", "pay", "paid claim 6 on slip 4", 352),
                ("TGM-1", "correct", "proposed: C4-MEGA mega + $12.50, display fault", 610),
                ("FM-1", "confirm", "confirmed proposal 3", 622),
                ("F-1", "suspend", "posted the notice of C4-MEGA", 700)]
        acts = [{"entry": first + 5 * after, "at": text_of(at, after), "badge": badge,
                 "name": self.house.people[badge]["name"], "act": act, "words": words}
                for badge, act, words, after in done]
        left = [act for act in acts if act["entry"] >= int(asked.get("from", 1))]
        told = {"acts": left[:self.acts_page]}
        if len(left) > self.acts_page:
            told["next"] = left[self.acts_page]["entry"]
        return told

    def read_accounts(self, _):
        keys = ("claim", "link", "table", "line", "level", "amount", "state", "raised_at", "entry")
        claims = [{key: claim[key] for key in keys} | {
            "age_s": int(time.time() - claim["at"]) if claim["state"] in PENDING else None}
            for claim in self.house.claims]
        for claim in self.days[-1]["report"]["claims_pending"] if self.days else ():
            claims.append(dict(claim, level="major", entry=self.entry - 700))
        claims.sort(key=lambda claim: claim["raised_at"])
        pending = [claim for claim in claims if claim["state"] in PENDING]
        settled = [claim for claim in claims if claim["state"] not in PENDING][::-1]
        total = sum(decimal.Decimal(claim["amount"]) for claim in pending)
        return {"pending": {"count": len(pending), "sum": f"{total:.2f}"},
                "settled": {"count": len(settled)},
                "claims": [*pending[:self.pending_max], *settled[:self.settled_max]]}
