"""A house for the pages: links, tables, people, claims and slips, in the shapes of the API.

It has no rules of money. It has the rules for acts on a claim as far as pages see them: who may
sign, in which order, and which refusals there are.
"""

import datetime
import secrets
import time

from mock_fund import FUND
from mock_refusals import Refused

MAXIMUM_AGE_MS = 3000
RIGHTS = {
    "floorperson": ["validate_claims", "resolve_counts", "suspend_links", "issue_slips",
                    "correct_hands", "freeze_tables"],
    "table_games_manager": ["validate_claims", "suspend_links", "alter", "issue_slips",
                            "countersign_claims", "freeze_tables"],
    "poker_shift_supervisor": ["verify_bad_beats", "post_notices", "issue_slips"],
    "cashier": ["pay_claims"],
    "accountant": ["read_accounts"],
    "auditor": ["read_accounts"],
    "dealer": ["run_rounds"],
}


def moment(at=None):
    at = time.time() if at is None else at
    return (datetime.datetime.fromtimestamp(at, datetime.timezone.utc)
            .strftime("%Y-%m-%dT%H:%M:%S.%fZ"))


def dollars(cents):
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def level(name, seed, more, line, pays="100%", limit=None):
    return {"level": name, "cents": seed + more, "seed": seed, "limit": limit,
            "lines": [{"line": line, "pays": pays}] if line else []}


def paytable(lines, bonuses=(), envy=(), limit=None, covers_meter=False):
    return {"paytable": [{"line": line, "pays": pays} for line, pays in lines],
            "bonuses": [{"bonus": bonus, "pays": pays, "first_cards": cards}
                        for bonus, pays, cards in bonuses],
            "envy": [{"line": line, "by_wager": [{"wager": wager, "or_more": or_more,
                                                  "amount": amount}]}
                     for line, wager, or_more, amount in envy],
            "payout_limit": limit, "payout_limit_covers_meter": covers_meter}


NO_PAYTABLE = paytable([])
PAYTABLES = {
    "C4-MEGA": paytable(
        [("royal_flush", "100% of mega"), ("straight_flush", "100% of major"),
         ("four_of_a_kind", "100% of minor"), ("full_house", "50 for 1"), ("flush", "40 for 1"),
         ("straight", "30 for 1"), ("three_of_a_kind", "10 for 1")],
        envy=[("royal_flush", "5.00", False, "5000.00")]),
    "PG-FORTUNE": paytable(
        [("seven_card_straight_flush_no_joker", "8000 to 1"), ("five_aces", "400 to 1")],
        envy=[("five_aces", "5.00", True, "250.00")], limit="50000.00"),
}


class House:
    """The true state. A change needs the lock of the floor, and is then published."""

    def __init__(self):
        self.entry = 800
        self.nodes = None  # what a node of a cluster adds to the event of its nodes
        self.nodes_age_s = 0  # how old that event is
        self.people = {}
        for badge, name, role in (("F-1", "Ann Flores", "floorperson"),
                                  ("F-2", "Bob Ito", "floorperson"),
                                  ("TGM-1", "Tess Grant", "table_games_manager"),
                                  ("PS-1", "Paul Sand", "poker_shift_supervisor"),
                                  ("C-1", "Cy Cash", "cashier"), ("A-1", "Ada Count", "accountant"),
                                  ("AU-1", "Otto Audit", "auditor"), ("D-1", "Dee Lair", "dealer")):
            self.people[badge] = {"badge": badge, "name": name, "roles": [role],
                                  "rights": RIGHTS[role], "pin": "8642", "failures": 0}
        self.rounds, self.pots = {}, {}
        self.links, self.tables, self.claims, self.slips = {}, {}, [], []
        self.signs = [{"sign": "BAR-1", "link": "C4-MEGA", "state": "ok", "sent_at": moment(),
                       "age_ms": 40, "error": None}]
        self.sessions = {}
        self.slips_stored = True
        self.loses_answers = False  # acts are done, but their answers are lost
        self.add_link("C4-MEGA", "Crazy 4 Poker", "Five-Card Progressive Payout Wager",
                      "crazy-4/five-card", "5.00", [
            level("mega", 5000000, 918645, "royal_flush"),
            level("major", 500000, 231970, "straight_flush"),
            level("minor", 125000, 17430, "four_of_a_kind")], ["C4-01", "C4-02", "C4-03", "C4-04"])
        self.add_link("BJ-RUN", "Blackjack", "Hit and Run Progressive Wager",
                      "blackjack/hit-and-run", "1.00", [
            level("main", 100000, 4217, "seven_cards", limit="5500.00")], ["BJ-01"])
        self.add_link("POKER-ROOM", "Poker", "Bad Beat payout", "poker/bad-beat", None, [
            level("main", 50000, 2267545, None)], ["P-01", "P-02", "P-03"])
        self.add_link("PG-FORTUNE", "Pai Gow Poker", "Fortune Bonus Wager",
                      "pai-gow-poker/fortune-bonus", None, [], ["PG-01"])

    def add_link(self, link, game, progressive, wager, unit, levels, tables):
        self.links[link] = {
            "link": link, "game": game, "progressive": progressive, "wager": wager, "unit": unit,
            "levels": levels, "tables": tables, "status": "operating", "reason": None,
            "pending_adjustment": False, "last_award": None, "awards": [],
            "notices": ["Payouts over $1,199.99 are verified by a floorperson"]}
        for table in tables:
            number = 1041 + len(self.tables)
            self.tables[table] = {"table": table, "asset": f"T-{number}", "state": "linked",
                                  "since": moment(), "blocked_rounds": [], "frozen": None}

    # --- what is published ---

    def sign(self, link):
        told = self.links[link]
        for award in told["awards"]:
            award["since_ms"] = int((time.time() - award["at"]) * 1000)
        return {
            "link": link, "house": "Demo Casino", "game": told["game"],
            "progressive": told["progressive"], "wager": told["wager"], "unit": told["unit"],
            "minimum": "1.00" if link == "PG-FORTUNE" else None,
            "maximum": "25.00" if link == "PG-FORTUNE" else None,
            "sequence": self.entry, "as_of": moment(), "age_ms": 2,
            "maximum_age_ms": MAXIMUM_AGE_MS,
            "status": told["status"], "reason": told["reason"],
            "pending_adjustment": told["pending_adjustment"],
            "collecting": told.get("collecting", True), "went_to": told.get("went_to"),
            "discontinued": told.get("discontinued", False),
            "fund": FUND if link == "POKER-ROOM" else None, **PAYTABLES.get(link, NO_PAYTABLE),
            "levels": [{"level": one["level"], "amount": dollars(one["cents"]),
                        "limit": one["limit"], "lines": one["lines"]} for one in told["levels"]],
            "tables": [{key: value for key, value in self.tables[table].items()
                        if key not in ("blocked_rounds", "frozen")} for table in told["tables"]],
            "last_award": told["last_award"], "awards": told["awards"],
            "notices": told["notices"],
            **{key: told[key] for key in ("node", "writer", "lag_seconds") if key in told}}

    def floor(self):
        open_ones = [c for c in self.claims if c["state"] in ("raised", "validated")]
        settled = [c for c in self.claims if c["state"] in ("paid", "rejected")]
        keys = ("link", "status", "reason", "pending_adjustment")
        return {
            "sequence": self.entry, "as_of": moment(), "age_ms": 3,
            "maximum_age_ms": MAXIMUM_AGE_MS, "claims": [self.summary(c) for c in open_ones],
            "recent": [self.summary(c) for c in settled[::-1][:20]],
            "links": [{key: link[key] for key in keys} for link in self.links.values()],
            "tables": list(self.tables.values()), "signs": self.signs}

    def summary(self, claim):
        keys = ("claim", "link", "table", "asset", "seat", "line", "level", "amount", "state",
                "raised_at")
        told = {key: claim[key] for key in keys}
        told.update(age_ms=int((time.time() - claim["at"]) * 1000), needs=self.needs(claim),
                    flags=[flag["flag"] for flag in claim["flags"]])
        told["slip"] = next((s["slip"] for s in claim["slips"] if s["state"] == "issued"), None)
        return told

    def needs(self, claim):
        if claim["state"] == "raised":
            return "validation"
        if claim["state"] != "validated":
            return None
        if claim["second_signature"] and len(claim["signatures"]) < 2:
            return "second_signature"
        is_issued = any(slip["state"] == "issued" for slip in claim["slips"])
        return "payment" if is_issued else "slip"

    def told(self, claim):
        whole = {key: value for key, value in claim.items() if key != "at"}
        return dict(whole, needs=self.needs(claim))

    def slip(self, number):
        slip = next((slip for slip in self.slips if slip["slip"] == number), None)
        if slip is None:
            raise Refused("slip_unknown")
        claim = next(claim for claim in self.claims if slip in claim["slips"])
        link = self.links[claim["link"]]
        copy = None if self.slips_stored else {"error": "copy_not_stored",
                                               "message": "slip 1: its copy is being made"}
        voided = []
        if slip["state"] == "void":
            why = ", ".join(filter(None, (slip["void_reason"], slip["void_note"])))
            voided = [f"VOID: not to be paid. Reason: {why}.",
                      "Made void by F-1 Ann Flores, 2026-03-01 09:10:11 EST.",
                      f"VOID copy; the slip as it was issued is stored with SHA-256 {'9f' * 32}."]
        return dict(slip, house="Demo Casino", game=link["game"], progressive=link["progressive"],
                    digest="9f" * 32, claim=self.told(claim), void=voided, copy=copy,
                    paid_at=None, paid_by=None,
                    parts=["ORIGINAL \u00b7 cage", "DUPLICATE \u00b7 accounting"],
                    document=self.document(slip, claim) if self.slips_stored else None)

    def document(self, slip, claim):
        """The text of its stored copy."""
        facts = {"Claim": str(claim["claim"]), "Raised": "2026-03-01 09:05:01 EST",
                 "Link": claim["link"], "Wager": "Five-Card Progressive Payout Wager, $5.00",
                 "Line": "straight flush (\u00a7 657a.12(d))", "Level": "major, the whole meter",
                 "Table": f"{claim['table']}, seat {claim['seat']}",
                 "Asset number": claim["asset"], "Round": claim["round"],
                 "Paid from": "hand pay at the cage"}
        rows = lambda facts: [{"label": label, "value": value} for label, value in facts.items()]
        arithmetic = ["The meter of major stood at $7,319.70140000 at this hand's turn; all of it "
                      "in whole cents is $7,319.70."]
        if claim["share"]:
            seats = ", ".join(f"seat {one['seat']} ${one['amount']}"
                              for one in claim["share"]["seats"])
            arithmetic.append(f"Shared by {len(claim['share']['seats'])} in whole cents: {seats}.")
        return {"house": "Demo Casino", "number": f"{slip['slip']:06d}",
                "issued_at": "2026-03-01 09:05:09 EST", "amount": "$7,319.70",
                "facts": rows(facts), "cards": claim["cards"], "arithmetic": arithmetic,
                "tax": "Reportable, Form W-2G: at least $2,000.00, and at least 300 times the "
                       "wager (thresholds since 2026-01-01).", "is_taxable": True,
                "signed_by": rows({"Validated by": "F-2 Bob Ito, 2026-03-01 09:05:05 EST",
                                   "Issued by": "F-2 Bob Ito, 2026-03-01 09:05:09 EST"}),
                "to_be_signed": ["Floorperson", "Cashier or dealer", "Patron"],
                "evidence": "Journal: slip issued with entry 803, claim 1 raised with entry 801, "
                            "configuration of entry 1."}

    # --- wins ---

    def raise_claim(self, link="C4-MEGA", table="C4-01", seat=2, level="major",
                    line="straight_flush", **other):
        self.entry += 1
        levels = self.links[link]["levels"]
        fixed = {"level": None, "cents": 5000, "seed": 0}
        told = next((one for one in levels if one["level"] == level), fixed)
        before, told["cents"] = told["cents"], told["seed"]
        number = len(self.claims) + 1
        claim = {
            "claim": number, "entry": self.entry, "at": time.time(), "link": link, "table": table,
            "asset": self.tables[table]["asset"], "round": f"r{number}", "seat": seat,
            "line": line, "on": None, "level": level, "amount": dollars(before),
            "state": "raised", "source": None, "raised_at": moment(), "sent_at": moment(),
            "cards": ["9h", "Th", "Jh", "Qh", "Kh"], "folded": False,
            "dealer": ["2c", "7d", "8s", "Js", "Ad"], "board": [], "keyed_line": None,
            "level_before": dollars(before),
            "how": {"opened": dollars(told["seed"]), "opened_by": "seed", "partial_awards": "0.00",
                    "contributions": dollars(before - told["seed"])},
            "section": "§ 657a.12(d)", "verified_by": "floorperson",
            "sources": ["game_account", "hand_pay"], "not_from": ["table_inventory"],
            "cards_stay": "winners",
            "second_signature": ({"roles": ["table_games_manager"], "from": "1200.00"}
                                 if before >= 120000 else None),
            "signatures": [], "flags": [], "near": [], "slips": [], "taxable": before >= 200000,
            "share": None, "limit": None, "corrects": None, "reject_reason": None,
            "reject_note": None}
        claim.update(other)
        self.claims.append(claim)
        self.publish_award(claim, dollars(told["cents"]))
        return claim

    def publish_award(self, claim, new_amount):
        keys = ("claim", "table", "asset", "seat", "line", "level", "amount", "state", "raised_at")
        award = {key: claim[key] for key in keys}
        award.update(share=None, seats=[], new_amount=new_amount, at=claim["at"])
        if claim["share"]:
            award.update(amount=claim["share"]["call_amount"], share=claim["amount"],
                         seats=claim["share"]["seats"])
        told = self.links[claim["link"]]
        if claim["level"]:
            told["awards"] = [award, *told["awards"]][:8]
            told["last_award"] = award
        elif not told["awards"]:
            told["last_award"] = award

    # --- people and their acts ---

    def check_pin(self, badge, pin):
        person = self.people.get(badge)
        if person is None:
            raise Refused("person_unknown", badge=badge)
        if person["failures"] >= 5:
            raise Refused("person_locked", badge=badge)
        if pin != person["pin"]:
            person["failures"] += 1
            raise Refused("pin_wrong")
        person["failures"] = 0
        return person

    def sign_in(self, badge, pin):
        person = self.check_pin(badge, pin)
        cookie, token = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.sessions[cookie] = {"badge": badge, "name": person["name"], "roles": person["roles"],
                                 "rights": person["rights"], "token": token, "idle_s": 600,
                                 "pin_to_be_changed": person.get("pin_is_given", False)}
        return cookie, self.sessions[cookie]

    def find(self, number):
        claim = next((claim for claim in self.claims if claim["claim"] == number), None)
        if claim is None:
            raise Refused("claim_unknown", claim=number)
        return claim

    def act(self, number, act, person, asked):
        """Does one signed act on a claim. Returns its description."""
        claim, badge = self.find(number), person["badge"]
        right = {"pay": "pay_claims", "slip": "issue_slips",
                 "countersign": "countersign_claims"}.get(act, "validate_claims")
        if claim["verified_by"] == "poker_shift_supervisor" and right == "validate_claims":
            right = "verify_bad_beats"
        if right not in person["rights"]:
            raise Refused("right_missing", badge=badge)
        words = {"claim": number, "state": claim["state"], "badge": badge}
        said = getattr(self, f"do_{act}")(claim, person, asked, words)
        self.entry += 1
        for award in self.links[claim["link"]]["awards"]:
            if award["claim"] == number:
                award["state"] = claim["state"]
        return said

    def signed(self, claim, said, person):
        claim["signatures"].append({"as": said, "badge": person["badge"], "name": person["name"],
                                    "at": moment()})

    def do_validate(self, claim, person, asked, words):
        if claim["state"] != "raised":
            raise Refused("claim_not_raised", **words)
        claim["state"] = "validated"
        self.signed(claim, "validated", person)
        return f"claim {claim['claim']} is validated"

    def do_reject(self, claim, person, asked, words):
        if claim["state"] not in ("raised", "validated"):
            raise Refused("claim_settled", **words)
        claim.update(state="rejected", reject_reason=asked["reason"],
                     reject_note=asked.get("note") or None)
        self.signed(claim, "rejected", person)
        return f"claim {claim['claim']} is rejected"

    def do_countersign(self, claim, person, asked, words):
        if claim["state"] != "validated":
            raise Refused("claim_not_validated", **words)
        if claim["signatures"][0]["badge"] == person["badge"]:
            raise Refused("same_person", **words)
        self.signed(claim, "countersigned", person)
        return f"claim {claim['claim']} is countersigned"

    def do_slip(self, claim, person, asked, words):
        if claim["state"] != "validated":
            raise Refused("claim_not_validated", **words)
        if self.needs(claim) != "slip":
            raise Refused("second_signature_missing" if self.needs(claim) == "second_signature"
                          else "slip_open", **words)
        if any(one["badge"] == person["badge"] for one in claim["signatures"]):
            raise Refused("same_person", **words)
        if asked["source"] in claim["not_from"]:
            raise Refused("source_not_allowed")
        slip = {"slip": len(self.slips) + 1, "state": "issued", "source": asked["source"],
                "issued_at": moment(), "issued_by": person["badge"], "void_reason": None,
                "void_note": None}
        self.slips.append(slip)
        claim["slips"].append(slip)
        return f"slip {slip['slip']} is made"

    def do_pay(self, claim, person, asked, words):
        slip = next((s for s in claim["slips"] if s["slip"] == asked["slip"]), None)
        if slip is None:
            raise Refused("slip_unknown")
        if slip["state"] != "issued":
            raise Refused("slip_void" if slip["state"] == "void" else "slip_used")
        slip["state"] = "paid"
        claim.update(state="paid", source=slip["source"])
        self.signed(claim, "paid", person)
        return f"claim {claim['claim']} is paid"

    def void_slip(self, number, person, asked):
        self.slip(number)
        slip = self.slips[number - 1]
        if slip["state"] != "issued":
            raise Refused("slip_void" if slip["state"] == "void" else "slip_used")
        slip.update(state="void", void_reason=asked["reason"], void_note=asked.get("note") or None)
        return f"slip {number} is void"

    def on_link(self, name, act, person, asked):
        link = self.links[name]
        if act == "suspend":
            if "suspend_links" not in person["rights"]:
                raise Refused("right_missing", badge=person["badge"])
            if link["status"] == "suspended":
                raise Refused("link_suspended_already")
            link.update(status="suspended", reason=asked["note"])
            return f"{name} is suspended"
        if "post_notices" not in person["rights"]:
            raise Refused("right_missing", badge=person["badge"])
        link["pending_adjustment"] = asked["posted"]
        return f"the notice is {'posted' if asked['posted'] else 'taken down'}"

    def on_table(self, name, person, asked):
        """Freezes a table."""
        if "freeze_tables" not in person["rights"]:
            raise Refused("right_missing", badge=person["badge"])
        if self.tables[name]["frozen"] is not None:
            raise Refused("table_frozen_already")
        self.freeze(name, asked["note"], person["badge"])
        return f"table {name} is frozen"

    def freeze(self, table, why, by):
        self.tables[table].update(state="frozen", frozen={"why": why, "by": by})

    def show_hand(self, table, name, seat, cards):
        self.entry += 1
        shown = {"seat": seat, "cards": cards, "folded": False, "entry": self.entry, "claims": []}
        opened = {"round": name, "blocked": False, "dealer_shown": True, "dealer": None,
                  "hands": [shown]}
        self.rounds.setdefault(table, []).insert(0, opened)
        return shown

    def show_dealer(self, table, name, cards, board, magic):
        self.entry += 1
        opened = next(one for one in self.rounds[table] if one["round"] == name)
        opened["dealer"] = {"cards": cards, "board": board, "magic": magic, "lucky": None,
                            "entry": self.entry, "claims": []}

    def play_pot(self, table, name, hands, board):
        """`hands`: the cards by seat; no cards mean a fold."""
        self.entry += 1
        told = [{"seat": seat, "cards": cards, "folded": not cards}
                for seat, cards in hands.items()]
        self.pots.setdefault(table, []).insert(0, {
            "pot": name, "amount": "42.00", "board": board, "showdown": True, "hands": told,
            "entry": self.entry, "claims": []})

    def correct(self, table, name, person, asked):
        if "correct_hands" not in person["rights"]:
            raise Refused("right_missing", badge=person["badge"])
        opened = next(one for one in self.rounds[table] if one["round"] == name)
        shown = next(one for one in opened["hands"] if one["seat"] == asked["seat"])
        if shown["claims"]:
            raise Refused("claim_exists")
        if asked.get("no_hand"):
            opened["hands"].remove(shown)
            return f"seat {shown['seat']} has no hand; the dealer may show it again"
        cards = asked["cards"].split()
        if (cards, asked["folded"]) == (shown["cards"], shown["folded"]):
            raise Refused("cards_unchanged")
        corrects = {key: shown[key] for key in ("entry", "seat", "cards", "folded")}
        corrects.update(by=person["badge"], reason=asked["reason"], note=asked["note"])
        claim = self.raise_claim(table=table, seat=asked["seat"], cards=cards, round=name,
                                 corrects=corrects)
        shown.update(cards=cards, folded=asked["folded"], entry=self.entry,
                     claims=[claim["claim"]])
        return f"the hand of seat {asked['seat']} is corrected, claim {claim['claim']} is raised"

    def correct_dealer(self, table, name, person, asked):
        if "correct_hands" not in person["rights"]:
            raise Refused("right_missing", badge=person["badge"])
        dealer = next(one for one in self.rounds[table] if one["round"] == name)["dealer"]
        part, = {"cards", "board", "magic"} & set(asked)
        said = asked[part] if part == "magic" else asked[part].split()
        if dealer[part] == said:
            raise Refused("cards_unchanged")
        self.entry += 1
        dealer.update({part: said, "entry": self.entry})
        return f"the dealer's side of round {name} at {table} is corrected"

    def correct_pot(self, table, name, person, asked):
        if "correct_hands" not in person["rights"]:
            raise Refused("right_missing", badge=person["badge"])
        pot = next(one for one in self.pots[table] if one["pot"] == name)
        for said in asked.get("hands", []):
            pot["hands"] = [one for one in pot["hands"] if one["seat"] != said["seat"]]
            if not said.get("not_dealt_in"):
                pot["hands"].append({"seat": said["seat"], "cards": said["cards"].split(),
                                     "folded": said["folded"]})
        if "board" in asked:
            pot["board"] = asked["board"].split()
        self.entry += 1
        pot["entry"] = self.entry
        return f"pot {name} at {table} is corrected"

    def accounting(self):
        return {"entry": self.entry, "links": [
            {"link": link["link"], "wager": link["wager"], "paytable": "C", "unit": link["unit"],
             "status": link["status"], "reserve": "0.00000000",
             "levels": [{"level": one["level"], "amount": dollars(one["cents"]) + "140000",
                         "withheld": "0.00000000", "pending": "0.00000000", "paid": "0.00000000",
                         "contributed": dollars(one["cents"] // 9) + "140000",
                         "seeded": dollars(one["seed"]) + "000000", "hits": 0}
                        for one in link["levels"]],
             "tables": [{"table": table, "rounds": 41, "wagers": 120, "handle": "600.00"}
                        for table in link["tables"]]} for link in self.links.values()]}
