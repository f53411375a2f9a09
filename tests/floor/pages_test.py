"""Pages over HTTP on a real floor: signs for everybody, the floor console for signed-in people."""

import concurrent.futures
import hashlib
import json
import socket
import threading
import time
import unittest

import floor_process
from browser import Browser
from floor_process import FREE_PAGES, PATIENCE_S
from people_test import LINK, People, win
from slips_test import TERMS

PAGES_TERMS = TERMS + 'notices = ["Payouts over $1,199.99 are verified"]\n'


class Pages(People):
    floor_text = floor_process.DEMO.replace("[house]\n", PAGES_TERMS, 1)

    def setUp(self):
        super().setUp()
        self.controller.stop()
        self.controller = self.floor.start_controller(web=FREE_PAGES)
        self.url = self.controller.pages()

    def browser(self, badge=None):
        browser = Browser(self.url)
        if badge is not None:
            self.assertEqual(200, browser.sign_in(badge, self.floor.own_pin(badge)).status)
        return browser

    def events(self, browser, path):
        events = browser.events(path)
        self.addCleanup(events.close)
        return events

    def says_no(self, status, error, answer):
        self.assertEqual((status, error), (answer.status, answer.json["error"]), answer.bytes)
        self.assertTrue(answer.json["message"])


class Signs(Pages):
    def test_a_sign_shows_its_link_from_the_first_wager_to_the_paid_claim(self):
        everybody = self.browser()
        sign = self.events(everybody, f"/events/signs?link={LINK}")
        told = sign.next()
        self.assertEqual((LINK, "Demo Casino", "Crazy 4 Poker", "5.00", "operating", None, False),
                         tuple(told[key] for key in ("link", "house", "game", "unit", "status",
                                                     "last_award", "pending_adjustment")))
        self.assertEqual(["Payouts over $1,199.99 are verified"], told["notices"])
        major = told["levels"][1]
        self.assertEqual(("major", "5000.00", [{"line": "straight_flush", "pays": "100%"}]),
                         (major["level"], major["amount"], major["lines"]))
        self.assertEqual({"never_seen"}, {table["state"] for table in told["tables"]})
        self.assertLess(told["age_ms"], told["maximum_age_ms"])
        self.play(win("r1"))
        won = sign.until(lambda told: told["last_award"])
        award = won["last_award"]
        # $5,000 of seed and 7 % of $5; then the seed again.
        self.assertEqual(("C4-01", "T-1041", 2, "straight_flush", "major", "5000.35", "raised"),
                         tuple(award[key] for key in ("table", "asset", "seat", "line", "level",
                                                      "amount", "state")))
        self.assertEqual(("5000.00", "5000.00"),
                         (award["new_amount"], won["levels"][1]["amount"]))
        self.assertGreater(won["sequence"], told["sequence"])
        self.add("F-1", "table_games", "floorperson")
        self.done("F-1", "validate", 1)
        sign.until(lambda told: told["last_award"]["state"] == "validated")
        meters = everybody.get("/api/meters").json
        self.assertEqual(len(self.floor.meters()["links"]), len(meters["links"]))
        self.assertLess(meters["age_ms"], 3000)

    def test_signs_need_no_sign_in_and_read_nothing_else(self):
        everybody = self.browser()
        for path in ("/signs", f"/sign/{LINK}", f"/rules/{LINK}", "/api/meters", "/floor"):
            self.assertEqual(200, everybody.get(path).status, path)
        self.assertEqual("/signs", everybody.get("/").headers["Location"])
        for path in ("/sign/NONE", "/rules/NONE", "/events/signs?link=NONE", "/nothing", "/api"):
            self.assertEqual(404, everybody.get(path).status, path)
        for path in ("/api/claims", "/api/claims/1", "/api/slips/1", "/slips/1.pdf", "/api/me",
                     "/api/accounting", "/events/floor", "/api/nothing"):
            self.says_no(401, "not_signed_in", everybody.get(path))
        page = everybody.get("/signs")
        again = everybody.get("/signs", {"If-None-Match": page.headers["ETag"]})
        self.assertEqual((304, b""), (again.status, again.bytes))
        self.says_no(401, "not_signed_in", everybody.post("/api/claims/1/validate", {"pin": "1"}))

    def test_a_sign_follows_its_link_into_suspension_and_its_tables_away(self):
        sign = self.events(self.browser(), f"/events/signs?link={LINK}")
        boss = self.browser("TGM-1")
        answer = boss.post(f"/api/links/{LINK}/suspend",
                           {"pin": self.floor.own_pin("TGM-1"), "note": "<script>till 4</script>"})
        self.assertEqual((200, None), (answer.status, answer.json["claim"]), answer.bytes)
        told = sign.until(lambda told: told["status"] == "suspended")
        self.assertEqual("<script>till 4</script>", told["reason"])  # data, never markup


class Console(Pages):
    def setUp(self):
        super().setUp()
        self.add("F-1", "table_games", "floorperson")
        self.add("C-1", "finance", "cashier")
        self.add("TGM-2", "table_games", "table_games_manager", by="FM-1")

    def signs(self, browser, path, badge, other=False, **more):
        body = {"pin": self.floor.own_pin(badge), **({"badge": badge} if other else {}), **more}
        return browser.post(path, body)

    def test_from_the_win_to_the_paid_slip(self):
        floor = self.browser("F-1")
        console = self.events(floor, "/events/floor")
        self.assertEqual([], console.next()["claims"])
        self.play(win("r1"))
        claim, = console.until(lambda told: told["claims"])["claims"]
        self.assertEqual((1, LINK, "C4-01", 2, "straight_flush", "5000.35", "raised", [],
                          "validation", None),
                         tuple(claim[key] for key in ("claim", "link", "table", "seat", "line",
                                                      "amount", "state", "flags", "needs",
                                                      "slip")))
        whole = floor.get("/api/claims/1").json
        self.assertEqual(["9h", "Th", "Jh", "Qh", "Kh"], whole["cards"])
        self.assertEqual({"opened": "5000.00", "opened_by": "seed", "partial_awards": "0.00",
                          "contributions": "0.35"}, whole["how"])
        self.assertEqual({"roles": ["table_games_manager"], "from": "5000.00"},
                         whole["second_signature"])
        self.assertEqual((["hand_pay"], ["table_inventory", "game_account"], True),
                         (whole["sources"], whole["not_from"], whole["taxable"]))
        self.assertEqual(set(self.floor.claims()[0]), set(self.floor.claims()[0]) & set(whole))
        self.assertEqual([whole], floor.get("/api/claims").json["claims"][:0] + [whole])

        claim_path = "/api/claims/1"
        self.says_no(409, "claim_not_validated",
                     self.signs(floor, claim_path + "/slip", "F-1", source="hand_pay"))
        done = self.signs(floor, claim_path + "/validate", "F-1")
        self.assertEqual((200, "claim 1 is validated", "validated"),
                         (done.status, done.json["text"], done.json["claim"]["state"]))
        self.says_no(409, "claim_not_raised", self.signs(floor, claim_path + "/validate", "F-1"))
        self.says_no(403, "right_missing", self.signs(floor, claim_path + "/countersign", "F-1"))
        self.says_no(403, "same_hand",
                     self.signs(floor, claim_path + "/countersign", "TGM-1", other=True))
        # Another person signs at the same screen.
        done = self.signs(floor, claim_path + "/countersign", "TGM-2", other=True)
        self.assertEqual(200, done.status, done.bytes)
        self.says_no(403, "same_person",
                     self.signs(floor, claim_path + "/slip", "F-1", source="hand_pay"))
        done = self.signs(floor, claim_path + "/slip", "C-1", other=True, source="hand_pay")
        self.assertEqual((200, 1), (done.status, done.json["slip"]), done.bytes)
        slip = self.given(floor, "/api/slips/1", lambda got: got.json["document"]).json
        self.assertEqual(("issued", "Demo Casino", 1), (slip["state"], slip["house"],
                                                        slip["claim"]["claim"]))
        self.assertEqual(("000001", "$5,000.35"),
                         (slip["document"]["number"], slip["document"]["amount"]))
        self.says_no(403, "right_missing",
                     self.signs(floor, claim_path + "/pay", "F-1", slip=1))
        done = self.signs(floor, claim_path + "/pay", "C-1", other=True, slip=1)
        self.assertEqual((200, "claim 1 is paid on slip 1: hand pay at the cage"),
                         (done.status, done.json["text"]), done.bytes)
        self.says_no(404, "slip_unknown",
                     self.signs(floor, "/api/slips/7/void", "F-1", reason="misprint", note=""))
        told = console.until(lambda told: not told["claims"])
        self.assertEqual([(1, "paid")], [(one["claim"], one["state"]) for one in told["recent"]])
        # A finished act is refused with its name, and changes no money and no slip.
        before = self.floor.meters()["links"], self.floor.claims()
        self.says_no(409, "claim_not_raised", self.signs(floor, claim_path + "/validate", "F-1"))
        self.says_no(409, "claim_not_validated",
                     self.signs(floor, claim_path + "/pay", "C-1", other=True, slip=1))
        self.says_no(409, "slip_used",
                     self.signs(floor, "/api/slips/1/void", "F-1", reason="misprint", note=""))
        self.assertEqual(before, (self.floor.meters()["links"], self.floor.claims()))
        self.spoils_a_slip(floor)
        self.assertTrue(self.floor.audit()["clean"])

    def test_two_floorpersons_validate_at_the_same_instant(self):
        self.add("F-2", "table_games", "floorperson")
        self.play(win("r1"))
        browsers = {badge: self.browser(badge) for badge in ("F-1", "F-2")}
        for badge in browsers:
            self.floor.own_pin(badge)
        start = threading.Barrier(2)

        def validate(badge):
            start.wait()
            return self.signs(browsers[badge], "/api/claims/1/validate", badge)

        with concurrent.futures.ThreadPoolExecutor() as pool:
            answers = list(pool.map(validate, browsers))
        self.assertEqual([200, 409], sorted(answer.status for answer in answers))
        slower = max(answers, key=lambda answer: answer.status)
        self.assertEqual("claim_not_raised", slower.json["error"])
        validated = [entry for entry in self.floor.entries()
                     if entry["fact"] == "claim_validated"]
        self.assertEqual(1, len(validated))
        # A slip is not paid twice either.
        floor = browsers["F-1"]
        self.sign_until_slip(floor, 1, ("countersign", "slip"))
        done = self.signs(floor, "/api/claims/1/pay", "C-1", other=True, slip=1)
        self.assertEqual(200, done.status, done.bytes)
        self.play(win("r2"))
        self.sign_until_slip(floor, 2, ("validate", "countersign", "slip"))
        before = self.floor.meters()["links"], self.floor.claims()
        self.says_no(409, "slip_used",
                     self.signs(floor, "/api/claims/2/pay", "C-1", other=True, slip=1))
        self.assertEqual(before, (self.floor.meters()["links"], self.floor.claims()))
        self.assertEqual([2, 1], [claim["claim"]
                                  for claim in floor.get("/api/claims").json["claims"]])

    def sign_until_slip(self, floor, claim, acts):
        for act in acts:
            badge = {"countersign": "TGM-2", "slip": "C-1"}.get(act, "F-1")
            more = {"source": "hand_pay"} if act == "slip" else {}
            done = self.signs(floor, f"/api/claims/{claim}/{act}", badge, badge != "F-1", **more)
            self.assertEqual(200, done.status, done.bytes)

    def test_unknown_paths_and_oversized_requests_change_nothing(self):
        floor = self.browser("F-1")
        before = self.floor.entries()
        for path in ("/slips/1.pdf", "/slips/99999.pdf", "/slips/0.pdf", "/api/slips/1"):
            self.says_no(404, "slip_unknown", floor.get(path))
        for path in ("/slips/x.pdf", "/slips/..%2f..%2fcontroller.key.pdf", "/slips/-1.pdf"):
            self.assertEqual(404, floor.get(path).status, path)
        self.says_no(404, "claim_unknown", floor.get("/api/claims/1"))
        for sent, status in (("Content-Length: 1073741824", b"413"),
                             ("Transfer-Encoding: chunked", b"411")):
            with socket.create_connection(floor.place, timeout=PATIENCE_S) as line:
                line.sendall(f"POST /api/claims/1/validate HTTP/1.1\r\nHost: localhost\r\n"
                             f"Cookie: {floor.cookie}\r\nContent-Type: application/json\r\n"
                             f"X-Linkmeter-Token: {floor.token}\r\n{sent}\r\n\r\n".encode())
                # Reads to the end: the server does not wait for the gigabyte.
                told = line.makefile("rb").read()
            self.assertEqual(status, told.split()[1], told)
        self.says_no(403, "right_missing", floor.get("/api/accounting"))
        self.assertEqual(before, self.floor.entries())

    def given(self, floor, path, is_there):
        """A file that is made beside the turn is available a moment later."""
        until = time.monotonic() + 20
        got = floor.get(path)
        while not is_there(got):
            self.assertLess(time.monotonic(), until, got.bytes)
            time.sleep(0.05)
            got = floor.get(path)
        return got

    def spoils_a_slip(self, floor):
        """For a void slip only a copy that says so is delivered, and the first copy is kept."""
        self.play(win("r77"))
        claim = f"/api/claims/{self.floor.claims()[-1]['claim']}"
        self.signs(floor, claim + "/validate", "F-1")
        self.signs(floor, claim + "/countersign", "TGM-2", other=True)
        number = self.signs(floor, claim + "/slip", "C-1", other=True,
                            source="hand_pay").json["slip"]
        told_at = f"/api/slips/{number}"
        slip = self.given(floor, told_at, lambda got: got.json["document"]).json
        first = floor.get(f"/slips/{number}.pdf")
        self.assertEqual((200, slip["digest"]),
                         (first.status, hashlib.sha256(first.bytes).hexdigest()))
        done = self.signs(floor, told_at + "/void", "F-1", reason="misprint", note="torn")
        self.assertEqual(200, done.status, done.bytes)
        copy = self.given(floor, f"/slips/{number}.pdf", lambda got: got.status == 200)
        self.assertIn(b"/Title (Slip %06d, VOID)" % number, copy.bytes)
        self.assertIn("-VOID.pdf", copy.headers["Content-Disposition"])
        self.assertEqual(first.bytes, (self.floor.data / f"slips/{number:06}.pdf").read_bytes())
        told = floor.get(told_at).json
        self.assertEqual(slip["document"], told["document"])
        self.assertEqual("VOID: not to be paid. Reason: misprint, torn.", told["void"][0])
        self.assertIn(slip["digest"], told["void"][2])

    def test_requests_without_session_or_token_or_from_another_origin_do_nothing(self):
        self.play(win("r1"))
        floor = self.browser("F-1")
        before = self.floor.entries()
        body = {"pin": self.floor.own_pin("F-1")}
        path = "/api/claims/1/validate"
        token, cookie = floor.token, floor.cookie
        floor.token = None
        self.says_no(403, "token_missing", floor.post(path, body))
        floor.token = "0" * 64
        self.says_no(403, "token_wrong", floor.post(path, body))
        floor.token, floor.cookie = token, "linkmeter=" + "0" * 64
        self.says_no(401, "not_signed_in", floor.post(path, body))
        floor.cookie = cookie
        for origin in ("http://evil.example", "null", "https://" + self.url[7:]):
            self.says_no(403, "origin_refused", floor.post(path, body, {"Origin": origin}))
        self.says_no(403, "origin_refused", floor.post(path, body, {"Host": "evil.example"}))
        self.says_no(415, "not_json", floor.post(path, body, {"Content-Type": "text/plain"}))
        for wrong in ("", "[]", "{", "\"x\"", b"\xff\xfe", "[" * 60_000):
            self.says_no(400, "body_malformed", floor.post(path, wrong))
        for wrong in ({}, {"pin": 7}, {"pin": ""}, {"pin": ["1"]}):
            self.says_no(400, "pin_missing", floor.post(path, wrong))
        self.says_no(400, "pin_malformed", floor.post(path, {"pin": "1" * 10_000}))
        self.says_no(400, "reason_malformed",
                     floor.post("/api/claims/1/reject", {**body, "reason": "because"}))
        self.assertEqual(before, self.floor.entries())
        for gone in ("/api/claims/x/validate", "/api/claims//validate", "/api/claims/1/burn",
                     "/api/claims/99999999999999999999999/validate", "/api/x", "/api/"):
            self.assertEqual(404, floor.post(gone, body).status, gone)
        self.assertEqual(before, self.floor.entries())
        self.assertEqual(200, floor.post(path, body, {"Origin": self.url}).status)

    def test_the_rights_to_read_pages(self):
        self.add("A-1", "finance", "accountant")
        self.add("AU-1", "oversight", "auditor", by="FM-1")
        self.add("D-1", "table_games", "dealer")
        may = {"F-1": (200, 403), "C-1": (200, 403), "A-1": (403, 200), "AU-1": (200, 200),
               "D-1": (403, 403)}
        for badge, (claims, accounting) in may.items():
            browser = self.browser(badge)
            self.assertEqual((claims, accounting),
                             (browser.get("/api/claims").status,
                              browser.get("/api/accounting").status), badge)
            events = self.events(browser, "/events/floor")
            self.assertEqual(claims, events.status, badge)
        auditor = self.browser("AU-1")
        self.assertEqual(self.floor.meters(), auditor.get("/api/accounting").json)

    def test_five_wrong_pins_lock_and_end_the_sessions(self):
        floor = self.browser("F-1")
        console = self.events(floor, "/events/floor")
        console.next()
        stranger = self.browser()
        for _ in range(5):
            self.says_no(401, "pin_wrong", stranger.sign_in("F-1", "0000"))
        self.says_no(401, "person_locked", stranger.sign_in("F-1", self.floor.own_pin("F-1")))
        self.says_no(401, "not_signed_in", floor.get("/api/me"))
        while console.next() is not None:
            pass  # it ends
        before = self.floor.entries()
        for _ in range(3):
            self.says_no(401, "pin_wrong", stranger.sign_in("NOBODY", "0000"))
        late = stranger.sign_in("NOBODY", "0000")
        self.says_no(429, "too_many_attempts", late)
        self.assertGreater(int(late.headers["Retry-After"]), 0)
        self.assertEqual(before, self.floor.entries())

    def test_trusted_origins_are_known_after_a_restart(self):
        self.browser("F-1")
        self.assertEqual(0, self.controller.stop())
        homes = self.floor.data / "pages.homes"
        self.assertEqual(0o600, homes.stat().st_mode & 0o777)
        self.controller = self.floor.start_controller(web=FREE_PAGES)
        self.url = self.controller.pages()
        before = self.facts().count("sign_in_failed")
        for _ in range(4):
            self.says_no(401, "pin_wrong", self.browser().sign_in("F-1", "0000"))
        self.assertEqual(before + 4, self.facts().count("sign_in_failed"))
        self.browser("F-1")

    def test_wrong_pins_from_untrusted_origins_are_counted_and_journaled(self):
        self.floor.own_pin("C-1")
        for _ in range(3):
            self.says_no(401, "pin_wrong", self.browser().sign_in("C-1", "0000"))
        self.assertNotIn("pins_tried", self.facts())
        self.assertEqual(0, self.controller.stop())
        told = self.floor.entries()[-1]
        self.assertEqual(("pins_tried", [{"badge": "C-1", "count": 3}]),
                         (told["fact"], told["tries"]))

    def test_a_sign_out_and_changed_roles_end_a_session(self):
        floor = self.browser("F-1")
        self.assertEqual(["validate_claims", "resolve_counts"],
                         [right for right in floor.get("/api/me").json["rights"]
                          if right in ("validate_claims", "resolve_counts")])
        self.correct_a_hand(floor)
        self.assertEqual(200, floor.post("/api/sign-out", {}).status)
        self.says_no(401, "not_signed_in", floor.get("/api/me"))
        floor = self.browser("F-1")
        self.both("person", "roles", "F-1", "--role", "dealer")
        self.says_no(401, "not_signed_in", floor.get("/api/me"))

    def test_a_changed_pin_ends_earlier_sessions(self):
        own, other = self.browser("F-1"), self.browser("F-1")
        changed = own.post("/api/pin", {"pin": self.floor.own_pin("F-1"), "new_pin": "24682468"})
        self.assertEqual(200, changed.status, changed.bytes)
        self.floor.pins["F-1"] = "24682468"
        # The session of the person who changed it continues.
        self.assertEqual(200, own.get("/api/me").status)
        self.says_no(401, "not_signed_in", other.get("/api/me"))
        self.floor.give_pin("F-1", self.both("person", "pin", "F-1")["pin"])
        self.says_no(401, "not_signed_in", own.get("/api/me"))

    def correct_a_hand(self, floor):
        lock, show, _ = win("r/2")
        show["hands"][0]["cards"][4] = "2c"
        self.play([lock, show])
        rounds, path = "/api/tables/C4-01/rounds", "/api/tables/C4-01/rounds/r/2/correct"
        told, = floor.get(rounds).json["rounds"]
        old, = told["hands"]
        self.assertEqual(("r/2", 2, ["9h", "Th", "Jh", "Qh", "2c"], []),
                         (told["round"], old["seat"], old["cards"], old["claims"]))
        for path_to_nothing in ("/api/tables/NONE/rounds", "/api/tables/rounds"):
            self.assertEqual(404, floor.get(path_to_nothing).status, path_to_nothing)
        hand = {"seat": 2, "cards": "9h Th Jh Qh Kh", "reason": "misread_card", "note": "camera 4"}
        self.says_no(403, "right_missing", self.signs(floor, path, "TGM-2", other=True, **hand))
        for key, wrong in (("seat", "2"), ("cards", "9h 10h"), ("cards", ["9h", 7]),
                           ("reason", "because"), ("folded", 1)):
            self.says_no(400, key + "_malformed",
                         self.signs(floor, path, "F-1", **{**hand, key: wrong}))
        self.says_no(404, "round_unknown",
                     self.signs(floor, path.replace("r/2", "r9"), "F-1", **hand))
        self.says_no(409, "seat_not_shown", self.signs(floor, path, "F-1", **{**hand, "seat": 3}))
        none = {"no_hand": True, "cards": ""}
        for key, wrong in (("cards", {"cards": ""}), ("cards", {"no_hand": True}),
                           ("no_hand", {"no_hand": 1}), ("folded", {**none, "folded": True})):
            self.says_no(400, key + "_malformed",
                         self.signs(floor, path, "F-1", **{**hand, **wrong}))
        done = self.signs(floor, path, "F-1", **{**hand, **none})
        self.assertEqual(200, done.status, done.bytes)
        self.assertEqual([], floor.get(rounds).json["rounds"][0]["hands"])
        self.says_no(409, "seat_not_shown", self.signs(floor, path, "F-1", **hand))
        self.play([show])
        old, = floor.get(rounds).json["rounds"][0]["hands"]
        done = self.signs(floor, path, "F-1", **hand)
        self.assertEqual((200, None), (done.status, done.json["claim"]), done.bytes)
        self.assertIn("claim 1 is raised", done.json["text"])
        told = floor.get("/api/claims/1").json
        self.assertEqual(["9h", "Th", "Jh", "Qh", "Kh"], told["cards"])
        self.assertEqual({"entry": old["entry"], "seat": 2, "cards": old["cards"], "folded": False,
                          "by": "F-1", "reason": "misread_card", "note": "camera 4"},
                         told["corrects"])
        self.assertTrue(self.floor.audit()["clean"])



class Corrections(Pages):
    """Corrections of the dealer's side of a round, and of a pot, over HTTP."""

    def put_right(self, browser, badge, path, what):
        return browser.post(path, {"pin": self.floor.own_pin(badge), "reason": "misread_card",
                                   "note": "camera 4", **what})

    def claims(self):
        return [(claim["seat"], claim["line"], claim["amount"], claim["state"])
                for claim in self.floor.claims()]

    def is_malformed(self, browser, badge, path, wrong):
        """No part of it reaches the journal."""
        before = self.floor.entries()
        for key, bodies in wrong.items():
            for body in bodies:
                self.says_no(400, f"{key}_malformed", self.put_right(browser, badge, path, body))
        self.assertEqual(before, self.floor.entries())

    def test_the_dealers_hand(self):
        self.add("F-1", "table_games", "floorperson")
        self.add("F-2", "table_games", "floorperson", by="FM-1")
        wager = {"wager": "blackjack/hit-and-run", "amount": "1.00"}
        eight = ["2c", "2d", "2h", "2s", "3c", "3d", "Ah", "9s"]
        self.play([{"event": "lock", "round": "r/1",
                    "wagers": [{"seat": 6, **wager}, {"seat": 5, **wager}]},
                   {"event": "show", "round": "r/1", "hands": [], "dealer": eight}], "BJ-01")
        # Eight cards: $1,000 of seed and 12 % of $2, shared by two.
        self.assertEqual([(6, "eight_or_more_cards", "500.12", "raised"),
                          (5, "eight_or_more_cards", "500.12", "raised")], self.claims())
        floor = self.browser("F-1")
        rounds = "/api/tables/BJ-01/rounds"
        entered = floor.get(rounds).json["rounds"][0]["dealer"]
        self.assertEqual((eight, [], None, None, [1, 2]),
                         tuple(entered[key] for key in
                               ("cards", "board", "magic", "lucky", "claims")))
        path, seven = rounds + "/r/1/correct_dealer", "2c 2d 2h 2s 3c 3d 9s"
        self.is_malformed(floor, "F-1", path, {
            "cards": [{"cards": "2c 10"}, {"cards": 7}, {"cards": ["2c", 7]},
                      {"cards": "2c " * 40}],
            "board": [{"board": "zz"}, {"board": 7}],
            "magic": [{"magic": "zz"}, {"magic": "2c 3c"}, {"magic": 7}],
            "lucky": [{"lucky": -1}, {"lucky": 256}, {"lucky": "3"}, {"lucky": 1.5}],
            "reason": [{"cards": seven, "reason": "because"}]})
        self.says_no(404, "round_unknown", self.put_right(
            floor, "F-1", path.replace("r/1", "r9"), {"cards": seven}))
        self.assertEqual(404, self.put_right(
            floor, "F-1", "/api/tables/BJ-01/pots/r1/correct_dealer", {"cards": seven}).status)
        manager = self.browser("TGM-1")
        self.says_no(403, "right_missing",
                     self.put_right(manager, "TGM-1", path, {"cards": seven}))
        for nothing in ({}, {"cards": " ".join(eight)}):
            self.says_no(409, "cards_unchanged", self.put_right(floor, "F-1", path, nothing))
        done = self.put_right(floor, "F-1", path, {"cards": seven})
        self.assertEqual((200, "the dealer's side of round r/1 at BJ-01 is corrected, claim 1 is "
                          "rejected, claim 2 is rejected, claim 3 is raised, claim 4 is raised"),
                         (done.status, done.json["text"]), done.bytes)
        # § 633a.13(j): seven cards pay 100 for 1; the meter is as before the hit (M11).
        self.assertEqual(
            [(6, "eight_or_more_cards", "500.12", "rejected"),
             (5, "eight_or_more_cards", "500.12", "rejected"),
             (6, "seven_cards", "100.00", "raised"), (5, "seven_cards", "100.00", "raised")],
            self.claims())
        meter, = self.floor.link("BJ-RUN")["levels"]
        self.assertEqual(("1000.24000000", "0.00000000"), (meter["amount"], meter["pending"]))
        entry = self.floor.entries()[-1]
        self.assertEqual(("dealer_corrected", entered["entry"], seven.split(), "F-1",
                          "misread_card", "camera 4"),
                         tuple(entry[key] for key in ("fact", "corrects", "dealer", "by", "reason",
                                                      "note")))
        self.assertEqual(eight, entry["was"]["dealer"])
        self.assertEqual(seven.split(), floor.get(rounds).json["rounds"][0]["dealer"]["cards"])
        # Another person confirms one of them: the cards are unchanged.
        self.done("F-2", "validate", 3)
        self.says_no(409, "claim_exists",
                     self.put_right(floor, "F-1", path, {"cards": " ".join(eight)}))
        self.assertTrue(self.floor.audit()["clean"])

    def test_a_pot(self):
        self.add("F-1", "table_games", "floorperson")
        self.add("PS-1", "table_games", "poker_shift_supervisor")
        self.add("PS-2", "table_games", "poker_shift_supervisor", by="FM-1")
        board = ["7c", "7d", "9h", "9s", "2d"]
        self.play([{"event": "pot", "round": "h/1", "pot": "42.00", "board": board,
                    "showdown": True,
                    "hands": [{"seat": 1, "cards": ["6s", "Kc"]},
                              {"seat": 3, "cards": ["9c", "9d"]},
                              {"seat": 5, "cards": [], "folded": True}]}], "P-01")
        self.assertEqual([], self.claims())
        floor, supervisor = self.browser("F-1"), self.browser("PS-1")
        rounds = "/api/tables/P-01/rounds"
        entered, = floor.get(rounds).json["pots"]
        self.assertEqual(("h/1", board, True, []),
                         tuple(entered[key] for key in ("pot", "board", "showdown", "claims")))
        path = "/api/tables/P-01/pots/h/1/correct"
        right = {"hands": [{"seat": 1, "cards": "7s Kc", "folded": False}]}
        self.is_malformed(floor, "F-1", path, {
            "hands": [{"hands": hands} for hands in (
                7, {}, [7], [{}], [{"cards": "7s Kc"}], [{"seat": 300, "cards": "7s Kc"}],
                [{"seat": "1", "cards": "7s Kc"}], [{"seat": 1, "cards": "10"}],
                [{"seat": 1, "cards": "7s Kc", "folded": 1}],
                [{"seat": 1, "cards": "7s Kc", "not_dealt_in": True}],
                [{"seat": 1, "folded": True, "not_dealt_in": True}],
                right["hands"] * 300)],
            "board": [{"board": 7}, {"board": "7c 7"}],
            "showdown": [{"showdown": 1}, {"showdown": "yes"}],
            "reason": [{**right, "reason": "because"}]})
        self.says_no(404, "pot_unknown",
                     self.put_right(floor, "F-1", path.replace("h/1", "h9"), right))
        self.says_no(409, "cards_unchanged", self.put_right(floor, "F-1", path, {}))
        done = self.put_right(floor, "F-1", path, right)
        self.assertEqual((200, "pot h/1 at P-01 is corrected, claim 1 is raised, claim 2 is "
                          "raised, claim 3 is raised"), (done.status, done.json["text"]),
                         done.bytes)
        # $500 of seed and 80 % of $1: 25 % to the table, 25 % to the winner, 50 % to the loser.
        self.assertEqual([(5, "full_house", "125.20", "raised"),
                          (3, "full_house", "125.20", "raised"),
                          (1, "full_house", "250.40", "raised")], self.claims())
        # Only a supervisor may reject its claims now. The board was right, and the hand was, too.
        wrong = {"hands": [{"seat": 1, "cards": ["6s", "Kc"]}], "board": board, "showdown": True}
        self.says_no(403, "right_missing", self.put_right(floor, "F-1", path, wrong))
        done = self.put_right(supervisor, "PS-1", path, wrong)
        self.assertEqual((200, "pot h/1 at P-01 is corrected, claim 1 is rejected, claim 2 is "
                          "rejected, claim 3 is rejected"), (done.status, done.json["text"]),
                         done.bytes)
        meter, = self.floor.link("POKER-ROOM")["levels"]
        self.assertEqual(("500.80000000", "0.00000000"), (meter["amount"], meter["pending"]))
        done = self.put_right(floor, "F-1", path, right)
        self.assertEqual(200, done.status, done.bytes)
        self.done("PS-2", "validate", 4)
        self.says_no(409, "claim_exists", self.put_right(supervisor, "PS-1", path, wrong))
        self.assertTrue(self.floor.audit()["clean"])


if __name__ == "__main__":
    unittest.main()
