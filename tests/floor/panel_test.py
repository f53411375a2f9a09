"""The dealer's panel of a real agent, over HTTP: from the sign-in to the close of a round."""

import http.client
import json
import pathlib
import time
import unittest
import urllib.parse

from floor_process import DEMO, PATIENCE_S, Floor

TABLE = "C4-01"
WAGER = "crazy-4/five-card"
FLUSH = ["9h", "Th", "Jh", "Qh", "Kh"]  # a straight flush: the major meter, a claim


class Browser:
    """One browser at a panel: its cookie, its token, and the ids of its actions."""

    def __init__(self, url):
        self.at = urllib.parse.urlsplit(url)
        self.cookie = self.token = None
        self.touches = 0

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(self.at.hostname, self.at.port, timeout=PATIENCE_S)
        sent = {"Content-Type": "application/json"} if body is not None else {}
        if self.cookie:
            sent["Cookie"] = self.cookie
        if self.token and method == "POST":
            sent["X-Linkmeter-Token"] = self.token
        sent.update(headers or {})
        data = body if isinstance(body, (str, type(None))) else json.dumps(body)
        connection.request(method, path, data, sent)
        answer = connection.getresponse()
        text = answer.read()
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        connection.close()
        is_json = answer.getheader("Content-Type", "").startswith("application/json")
        return answer.status, json.loads(text) if is_json else text, answer

    def sign_in(self, badge, pin):
        status, body, _ = self.ask("POST", "/api/sign-in", {"badge": badge, "pin": pin})
        if status == 200:
            self.token = body["token"]
        return status, body

    def picture(self):
        status, picture, _ = self.ask("GET", "/api/panel")
        assert status == 200, picture
        return picture

    def await_mode(self, *modes):
        deadline = time.monotonic() + PATIENCE_S
        while (picture := self.picture())["mode"] not in modes:
            assert time.monotonic() < deadline, picture
            time.sleep(0.01)  # until the action is answered
        return picture

    def touch(self, do, signature=None, touch_id=None, **more):
        """Returns "" if done, otherwise the name of the reason."""
        self.touches += 1
        picture = self.picture()
        touch = {"do": do, "id": touch_id or f"t{self.touches}", **more}
        if do not in ("open_bets", "call_floor"):
            touch.setdefault("round", picture["round"])
        status, body, _ = self.ask("POST", "/api/touch", {**(signature or {}), "touch": touch})
        return "" if status == 200 else body["error"]


class PanelFloor(unittest.TestCase):
    """A real table with a panel, its dealer and its floorperson."""

    def setUp(self):
        self.floor = Floor(DEMO)
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.controller = self.floor.start_controller()
        self.dealer, self.floorperson = "D-1", "F-1"
        self.floor.hire(self.dealer, "dealer")
        self.floor.hire(self.floorperson, "floorperson")
        self.pins = {badge: self.floor.own_pin(badge)
                     for badge in (self.dealer, self.floorperson)}
        self.start_agent()

    def tool(self, by, *arguments):
        result = self.floor.tool(*arguments, "--data", self.floor.data, "--by", by, "--json",
                                 said=f"{self.floor.own_pin(by)}\n")
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(result.stdout)

    def start_agent(self, *options):
        self.agent = self.floor.start_agent(self.controller.endpoint, TABLE,
                                            options=("--panel", "http://127.0.0.1:0", *options))
        self.url = self.agent.await_line(r"panel at (\S+)")[1]
        self.agent.await_line("connected to")
        self.browser = Browser(self.url)

    def sign_in(self):
        status, person = self.browser.sign_in(self.dealer, self.pins[self.dealer])
        self.assertEqual(200, status, person)
        self.browser.await_mode("idle", "round")
        return person

    def open_round(self, seats, chips=None):
        touch = self.browser.touch
        self.assertEqual("", touch("open_bets"))
        for seat in seats:
            self.assertEqual("", touch("place", seat=seat, wager=WAGER, amount="5.00"))
        self.assertEqual("", touch("close_bets"))
        self.assertEqual("", touch("count", chips=len(seats) if chips is None else chips))

    def await_picture(self, is_there):
        began = time.monotonic()
        while not is_there(picture := self.browser.picture()):
            self.assertLess(time.monotonic() - began, PATIENCE_S, picture)
        return picture

    # The first award is a claim, and the controller has reported its state.
    def await_claim(self, state):
        return self.await_picture(
            lambda told: told["awards"] and told["awards"][0]["claim_state"] == state)

    def await_fact(self, fact):
        began = time.monotonic()
        while self.facts()[-1]["fact"] != fact:
            self.assertLess(time.monotonic() - began, PATIENCE_S, self.facts()[-1])

    def facts(self):
        return [entry for entry in self.floor.entries() if entry.get("table") == TABLE]


class Panel(PanelFloor):
    def test_a_round_with_a_win_one_voided_and_one_counted_wrong(self):
        self.assertEqual(self.url, pathlib.Path(self.floor.agents, f"{TABLE}.panel")
                         .read_text(encoding="utf-8").strip())
        person = self.sign_in()
        self.assertIn("run_rounds", person["rights"])
        browser = self.browser
        # A win.
        self.open_round([2, 5])
        picture = browser.await_mode("round")
        self.assertEqual([5, 2], picture["order"])
        self.assertEqual("accepted", picture["seats"][1]["wagers"][0]["light"])
        self.assertEqual("card_already_shown",
                         browser.touch("show", hands=[{"seat": 5, "cards": ["9h"] * 5}]))
        began = time.monotonic()
        self.assertEqual("", browser.touch("show", hands=[{"seat": 5, "cards": FLUSH}]))
        while not (picture := browser.picture())["awards"]:
            self.assertLess(time.monotonic() - began, PATIENCE_S)
        print(f"from the touch to the award in the picture: {time.monotonic() - began:.3f} s")
        claim = next(award for award in picture["awards"] if award["kind"] == "line")
        self.assertEqual(["after_validation", ["table_inventory", "game_account"], "major"],
                         [claim["pay"], claim["not_from"], claim["level"]])
        [envy] = picture["envy"]
        self.assertEqual([5, [2]], [envy["holder"], [one["seat"] for one in envy["to"]]])
        # The straight flush has a claim: its Envy is owed until that claim is validated.
        self.assertEqual([("owed", claim["claim"])],
                         [(one["state"], one["claim"]) for one in envy["to"]])
        # A doubled tap is one action.
        for _ in range(2):
            self.assertEqual("", browser.touch("show", touch_id="twice", hands=[
                {"seat": 2, "cards": ["2c", "4d", "6s", "8c", "Kd"]}]))
        self.assertEqual("", browser.touch("close"))
        browser.await_mode("idle")
        # A round that is voided.
        self.open_round([1])
        browser.await_mode("round")
        self.assertEqual("", browser.touch("void", reason="misdeal"))
        browser.await_mode("idle")
        # A round with a wrong count; only a floorperson can resolve it.
        self.open_round([1, 3], chips=3)
        picture = browser.await_mode("blocked")
        self.assertEqual([3, 2], [picture["count"]["chips"], picture["count"]["expected"]])
        wagers = [{"seat": 1, "wager": WAGER, "amount": "5.00"}]
        for badge, pin, why in ((self.dealer, self.pins[self.dealer], "right_missing"),
                                (self.floorperson, "00000000", "pin_wrong"),
                                (self.floorperson, self.pins[self.floorperson], "")):
            self.assertEqual(why, browser.touch("resolve", {"badge": badge, "pin": pin},
                                                wagers=wagers))
        browser.await_mode("round")
        self.assertEqual("", browser.touch("close"))
        browser.await_mode("idle")
        facts = self.facts()
        self.assertEqual(
            ["round_locked", "hands_shown", "hands_shown", "round_closed", "round_locked",
             "round_voided", "count_differed", "count_resolved", "round_closed"],
            [entry["fact"] for entry in facts])
        by = {entry["fact"]: entry["by"] for entry in facts}
        self.assertEqual(self.floorperson, by.pop("count_resolved"))
        self.assertEqual({self.dealer}, set(by.values()))
        self.assertTrue(self.floor.audit()["clean"])
        # A person who loses his role is signed out at the panel; other people stay.
        other = Browser(self.url)
        self.assertEqual(200, other.sign_in(self.floorperson, self.pins[self.floorperson])[0])
        told = self.tool("TGM-1", "person", "roles", self.floorperson, "--role", "dealer")
        self.tool("FM-1", "confirm", told["proposal"])
        began = time.monotonic()
        while other.ask("GET", "/api/me")[0] == 200:
            self.assertLess(time.monotonic() - began, PATIENCE_S)
        self.assertEqual("", browser.touch("call_floor", calls=True))
        # The PINs went to the controller, and are stored and printed nowhere.
        for process in (self.agent, self.controller):
            process.stop()  # then every line is read
        for pin in self.pins.values():
            self.assertNotIn(pin, "\n".join(self.agent.said + self.controller.said))

    def test_a_void_with_a_pending_claim_is_signed_by_a_floorperson(self):
        self.sign_in()
        browser = self.browser
        self.open_round([2, 5])
        browser.await_mode("round")
        self.assertEqual("", browser.touch("show", hands=[{"seat": 5, "cards": FLUSH}]))
        self.await_claim("raised")
        # The controller refuses it for a dealer; the round goes on.
        self.assertEqual("", browser.touch("void", reason="misdeal"))
        self.await_fact("message_refused")
        self.assertEqual("right_missing", self.facts()[-1]["refusal"])
        browser.await_mode("round")
        for badge, pin, why in ((self.dealer, self.pins[self.dealer], "right_missing"),
                                (self.floorperson, "00000000", "pin_wrong"),
                                (self.floorperson, "", "body_malformed"),
                                (self.floorperson, self.pins[self.floorperson], "")):
            self.assertEqual(why, browser.touch("void", {"badge": badge, "pin": pin},
                                                reason="misdeal"))
        browser.await_mode("idle")
        entry = self.facts()[-1]
        self.assertEqual(("round_voided", self.floorperson, [1]),
                         (entry["fact"], entry["by"], entry["rejected"]))
        self.assertTrue(self.floor.audit()["clean"])

    def test_a_round_continues_exactly_after_a_restart(self):
        self.sign_in()
        self.open_round([2, 5])
        self.browser.await_mode("round")
        self.assertEqual("", self.browser.touch("show", hands=[{"seat": 5, "cards": FLUSH}]))
        before = self.await_claim("raised")
        self.assertTrue(self.agent.kill())
        self.start_agent()
        self.assertEqual(401, self.browser.ask("GET", "/api/panel")[0])  # sign in again
        self.sign_in()
        after = self.await_claim("raised")
        for key in ("round", "seats", "order", "awards", "envy", "dealer"):
            self.assertEqual(before[key], after[key], key)

    def test_a_hand_corrected_by_the_floor_is_owed_as_corrected(self):
        self.sign_in()
        self.open_round([2, 5])
        shown = self.browser.await_mode("round")
        nines = ["9c", "9d", "9h", "Jh", "Kh"]  # three of a kind: a claim
        self.assertEqual("", self.browser.touch("show", hands=[{"seat": 5, "cards": nines}]))
        self.await_claim("raised")
        self.tool(self.floorperson, "claim", "reject", "1", "--reason", "hand_misread")
        cards = ["2d", "5c", "9h", "Jh", "Kh"]  # no line
        self.tool(self.floorperson, "round", "correct", TABLE, shown["round"], "5",
                  "--cards", " ".join(cards), "--reason", "misread_card")
        told = self.await_picture(lambda told: told["seats"][4]["correction"])
        self.assertEqual(["corrected", cards, ["rejected"]], [
            told["seats"][4]["correction"]["state"], told["seats"][4]["hand"]["cards"],
            [award["claim_state"] for award in told["awards"]]])
        self.assertEqual("card_already_shown", self.browser.touch(
            "show", hands=[{"seat": 2, "cards": ["5c", "3h", "4h", "6h", "7h"]}]))
        # The card that was misread is free: seat 2 has it.
        self.assertEqual("", self.browser.touch(
            "show", hands=[{"seat": 2, "cards": ["9c", "3d", "4h", "6h", "7h"]}]))
        told = self.await_picture(lambda told: (told["seats"][1]["hand"] or {}).get("state")
                                  == "settled")
        self.assertEqual([], told["refused"])
        # Also after a restart of the agent.
        self.assertTrue(self.agent.kill())
        self.start_agent()
        self.sign_in()
        told = self.await_picture(lambda told: told["seats"][4]["correction"])
        self.assertEqual(cards, told["seats"][4]["hand"]["cards"])
        self.assertIn("rejected", told["awards"][0]["words"])

    def test_without_a_controller_nobody_signs_in_and_sessions_stay(self):
        self.sign_in()
        self.assertEqual("", self.browser.touch("open_bets"))
        self.assertTrue(self.controller.kill())
        picture = self.browser.await_mode("locked")
        self.assertEqual("no_controller", picture["may"]["open_bets"]["why"])
        self.assertEqual("no_controller", self.browser.touch("open_bets"))
        other = Browser(self.url)
        status, body = other.sign_in(self.dealer, self.pins[self.dealer])
        self.assertEqual((503, "no_controller"), (status, body["error"]))
        self.assertFalse(other.ask("GET", "/api/table")[1]["linked"])
        self.controller = self.floor.start_controller(self.controller.endpoint)
        self.browser.await_mode("idle")
        self.assertEqual("", self.browser.touch("open_bets"))

    def test_wrong_requests_are_refused_and_change_nothing(self):
        stranger = Browser(self.url)
        for path in ("/api/panel", "/events/panel", "/api/me"):
            self.assertEqual(401, stranger.ask("GET", path)[0], path)
        touch = {"touch": {"do": "open_bets", "id": "x"}}
        self.assertEqual(401, stranger.ask("POST", "/api/touch", touch)[0])
        status, body = stranger.sign_in(self.dealer, "00000000")
        self.assertEqual((401, "pin_wrong"), (status, body["error"]))
        self.sign_in()
        browser = self.browser
        token, browser.token = browser.token, None
        self.assertEqual("token_missing", browser.ask("POST", "/api/touch", touch)[1]["error"])
        browser.token = "0" * len(token)
        self.assertEqual("token_wrong", browser.ask("POST", "/api/touch", touch)[1]["error"])
        browser.token = token
        for headers, status in (({"Origin": "https://elsewhere.example"}, 403),
                                ({"Host": "elsewhere.example"}, 403),
                                ({"Content-Type": "text/plain"}, 415)):
            self.assertEqual(status, browser.ask("POST", "/api/touch", touch, headers)[0], headers)
        for body in ("", "[]", "{}", '{"touch":{"do":"lock","id":"x"}}', "[" * 60_000):
            self.assertEqual(400, browser.ask("POST", "/api/touch", body)[0], body[:40])
        self.assertEqual(413, browser.ask("POST", "/api/touch", "x" * 70_000)[0])
        self.assertEqual(404, browser.ask("POST", "/api/other", {})[0])
        self.assertEqual("idle", browser.picture()["mode"])
        status, page, answer = browser.ask("GET", "/")
        self.assertEqual(200, status)
        self.assertIn(b"panel.js", page)
        self.assertIn("script-src 'self'", answer.getheader("Content-Security-Policy"))
        self.assertEqual(200, browser.ask("POST", "/api/sign-out", {})[0])
        self.assertEqual(401, browser.ask("GET", "/api/panel")[0])
        self.assertEqual([], self.facts())

    def test_a_table_that_plays_by_itself_only_shows(self):
        self.assertEqual(0, self.agent.stop())
        self.agent = self.floor.start_agent(
            self.controller.endpoint, TABLE,
            options=("--deal", "7", "--pace", "50", "--panel", "http://127.0.0.1:0"))
        self.browser = Browser(self.agent.await_line(r"panel at (\S+)")[1])
        self.agent.await_line("connected to")
        status, person = self.browser.sign_in(self.dealer, self.pins[self.dealer])
        self.assertEqual(200, status, person)
        self.assertEqual("read_only", self.browser.touch("close", round="r1"))
        self.assertTrue(self.browser.picture()["only_shows"])
        deadline = time.monotonic() + PATIENCE_S
        while not self.browser.picture()["round"]:
            self.assertLess(time.monotonic(), deadline)

    def test_beyond_loopback_only_tls(self):
        other = self.floor.start_agent(self.controller.endpoint, "C4-02",
                                       options=("--panel", "http://10.0.0.1:0"))
        self.assertEqual(2, other.wait())
        self.assertIn("https", other.telling())

    def test_an_agent_with_the_old_floor_file_locks_with_the_reason(self):
        self.assertEqual(0, self.agent.stop())
        self.floor.file = self.floor.write(DEMO.replace('unit = "5.00"\ntables = ["C4-01"',
                                                        'unit = "1.00"\ntables = ["C4-01"'),
                                           "old.toml")
        old = self.floor.start_agent(self.controller.endpoint, TABLE,
                                     options=("--panel", "http://127.0.0.1:0"))
        browser = Browser(old.await_line(r"panel at (\S+)")[1])
        old.await_line("start it with the one in force")
        table = browser.ask("GET", "/api/table")[1]
        self.assertEqual(("locked", False), (table["mode"], table["linked"]))
        self.assertTrue(old.is_running())


if __name__ == "__main__":
    unittest.main()
