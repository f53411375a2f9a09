"""A floor without a controller: serves the pages, the API and the streams of a House over HTTP.

Tests use only this interface of a floor: url, raise_claim(), settle(), suspend(),
lose_table(), grow(), change(), cut(), mend(), stop(), start(), close(). Run alone, it serves a
floor with growing meters: python3 tests/browser/mock_floor.py
"""

import http.server
import json
import pathlib
import random
import re
import socket
import sys
import threading
import time
import urllib.parse

from mock_accounting import Accounts
from mock_fund import DISTRIBUTION, do_fund
from mock_house import House, moment
from mock_refusals import Refused

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGES_OF_CONTROLLER = TOP / "controller/web/pages"
PLACES = [PAGES_OF_CONTROLLER, TOP / "proto/http/pages",
          *(PAGES_OF_CONTROLLER / part
            for part in ("accounting", "floor", "nodes", "paper", "sign"))]
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
          "connect-src 'self'; font-src 'self'; form-action 'none'; frame-ancestors 'none'; "
          "base-uri 'none'")
PAGES = [(r"/sign/[^/]+", "sign.html"), (r"/rules/[^/]+", "rules.html"),
         (r"/distribution/[0-9]+", "distribution.html"), (r"/signs", "signs.html"),
         (r"/floor", "floor.html"), (r"/nodes", "nodes.html"),
         (r"/accounting", "accounting.html"), (r"/slips/\d+", "slip.html")]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, type_="application/json", more=()):
        data = json.dumps(body).encode() if type_ == "application/json" else body
        self.send_response(status)
        for name, value in (("Content-Type", type_), ("Content-Length", str(len(data))),
                            ("Content-Security-Policy", POLICY), ("Cache-Control", "no-store"),
                            ("X-Content-Type-Options", "nosniff"), *more):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, name, message):
        self.answer(status, {"error": name, "message": message})

    def session(self):
        cookie = re.search(r"\blinkmeter=([\w-]+)", self.headers.get("Cookie", ""))
        return self.server.house.sessions.get(cookie[1] if cookie else "")

    def do_GET(self):
        self.server.floor.wait_for_network()
        asked = urllib.parse.urlsplit(self.path)
        path, query = urllib.parse.unquote(asked.path), urllib.parse.parse_qs(asked.query)
        for pattern, page in PAGES:
            if re.fullmatch(pattern, path):
                return self.file(page)
        if re.fullmatch(r"/\w+\.(css|js|html)", path):
            return self.file(path[1:])
        with self.server.floor.lock:
            self.read(path, query)
        if path.startswith("/events/") and not self.close_connection:
            self.stream.ended.wait()
            self.close_connection = True

    def file(self, name):
        for place in PLACES:
            if re.fullmatch(r"\w+\.\w+", name) and (place / name).is_file():
                return self.answer(200, (place / name).read_bytes(), TYPES[(place / name).suffix])
        self.refuse(404, "not_found", "There is no such page.")

    def read(self, path, query):
        house, session = self.server.house, self.session()
        if path == "/api/meters":
            links = [house.sign(link) for link in house.links]
            told = {"entry": house.entry, "as_of": moment(), "links": links,
                    "maximum_age_ms": 3000, "house": "Demo Casino"}
            of_node = {"node": house.nodes["node"]} if house.nodes else {}
            return self.answer(200, told | of_node)
        if path == "/events/nodes":
            if house.nodes is None:
                return self.refuse(404, "not_a_node", "This controller is not a node.")
            return self.begin_stream(["nodes"])
        if path == "/events/signs":
            links = query.get("link", list(house.links))
            if any(link not in house.links for link in links):
                return self.refuse(404, "link_unknown", "There is no such link.")
            return self.begin_stream(links)
        if session is None:
            return self.refuse(401, "not_signed_in", "Nobody is signed in.")
        if path == "/api/me":
            return self.answer(200, session)
        if path == "/api/accounting":
            if "read_accounts" not in session["rights"]:
                return self.refuse(403, "right_missing", f"{session['badge']} has no right to the "
                                   "accounts: accountants, finance managers and auditors have.")
            return self.answer(200, house.accounting())
        try:
            told = house.accounts.read(path, query, session)
        except Refused as refused:
            return self.answer(refused.status, refused.body)
        if told is not None:
            return self.answer(200, told)
        if session["roles"] in (["dealer"], ["accountant"]):
            return self.refuse(403, "right_missing", f"{session['badge']} has no right to claims.")
        if path == "/api/claims":
            return self.answer(200, {"claims": [house.summary(one) for one in house.claims]})
        if path == "/events/floor":
            return self.begin_stream(["floor"])
        rounds = re.fullmatch(r"/api/tables/([^/]+)/rounds", path)
        if rounds:
            return self.answer(200, {"table": rounds[1],
                                     "rounds": house.rounds.get(rounds[1], []),
                                     "pots": house.pots.get(rounds[1], [])})
        if re.fullmatch(r"/api/claims/\d+/distribution", path):
            return self.answer(200, DISTRIBUTION)
        try:
            claim = re.fullmatch(r"/api/claims/(\d+)", path)
            if claim:
                return self.answer(200, house.told(house.find(int(claim[1]))))
            slip = re.fullmatch(r"/api/slips/(\d+)", path)
            if slip:
                return self.answer(200, house.slip(int(slip[1])))
        except Refused as refused:
            return self.answer(refused.status, refused.body)
        return self.refuse(404, "not_found", "There is no such page.")

    def begin_stream(self, topics):
        self.send_response(200)
        for name, value in (("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                            ("Content-Security-Policy", POLICY)):
            self.send_header(name, value)
        self.end_headers()
        self.stream = Stream(self.connection, topics)
        self.server.floor.streams.append(self.stream)
        for topic in topics:
            self.stream.write(*self.server.floor.event(topic))

    def do_POST(self):
        self.server.floor.wait_for_network()
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.server.floor.lock:
            path, asked = urllib.parse.unquote(self.path), json.loads(body)
            self.server.floor.posted.append((path, asked))
            try:
                self.do(path, asked)
            except Refused as refused:
                self.answer(refused.status, refused.body)
            self.server.floor.publish_all()

    def do(self, path, asked):
        house, session = self.server.house, self.session()
        if path == "/api/sign-in":
            cookie, told = house.sign_in(asked["badge"], asked["pin"])
            kept = f"linkmeter={cookie}; HttpOnly; SameSite=Strict; Path=/"
            return self.answer(200, told, more=[("Set-Cookie", kept)])
        if session is None:
            return self.refuse(401, "not_signed_in", "Nobody is signed in.")
        if self.headers.get("X-Linkmeter-Token") != session["token"]:
            return self.refuse(403, "token_wrong", "The token is not this session's.")
        if path == "/api/sign-out":
            house.sessions = {k: v for k, v in house.sessions.items() if v is not session}
            return self.answer(200, {})
        if path == "/api/pin":
            person = house.check_pin(session["badge"], asked["pin"])
            person.update(pin=asked["new_pin"], pin_is_given=False)
            session["pin_to_be_changed"] = False
            return self.answer(200, {"entry": house.entry, "text": "the PIN is changed"})
        hand = re.fullmatch(r"/api/tables/([^/]+)/(rounds|pots)/(.+)/(correct|correct_dealer)",
                            path)
        if hand:
            person = house.check_pin(asked.get("badge", session["badge"]), asked.get("pin"))
            correct = {("rounds", "correct"): house.correct, ("pots", "correct"): house.correct_pot,
                       ("rounds", "correct_dealer"): house.correct_dealer}[hand[2], hand[4]]
            said = correct(hand[1], hand[3], person, asked)
            return self.answer(200, {"entry": house.entry, "text": said, "claim": None})
        if re.fullmatch(r"/api/(days|links)/[^/]+/(transfer|display)", path):
            person = house.check_pin(asked.get("badge", session["badge"]), asked.get("pin"))
            said = do_fund(house, path, person, asked)
            return self.answer(200, {"entry": house.accounts.entry, "text": said})
        if re.fullmatch(r"/api/(days/.*|readings)", path):
            person = house.check_pin(asked.get("badge", session["badge"]), asked.get("pin"))
            said = house.accounts.do(path, person, asked)
            return self.answer(200, {"entry": house.accounts.entry, "text": said})
        place, number, act = re.fullmatch(r"/api/(\w+)/([^/]+)/(\w+)", path).groups()
        person = house.check_pin(asked.get("badge", session["badge"]), asked.get("pin"))
        if place == "claims":
            said = house.act(int(number), act, person, asked)
            told = house.told(house.find(int(number)))
            if house.loses_answers:
                return self.refuse(503, "outcome_unknown",
                                   "it is not known yet whether this was done: look before you "
                                   "try again")
            return self.answer(200, {"entry": house.entry, "text": said, "claim": told})
        if place == "slips":
            said = house.void_slip(int(number), person, asked)
        elif place == "tables":
            said = house.on_table(number, person, asked)
        else:
            said = house.on_link(number, act, person, asked)
        return self.answer(200, {"entry": house.entry, "text": said})


class Stream:
    def __init__(self, connection, topics):
        self.connection, self.topics = connection, topics
        self.ended = threading.Event()
        connection.settimeout(5)

    def write(self, name, data):
        try:
            self.connection.sendall(f"event: {name}\ndata: {data}\n\n".encode())
        except OSError:
            self.ended.set()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def get_request(self):
        connection, address = super().get_request()
        self.floor.connections.append(connection)
        return connection, address

    def handle_error(self, *_):
        pass  # a browser closed the connection


class MockFloor:
    def __init__(self):
        self.house = House()
        self.house.accounts = Accounts(self.house)
        self.lock = threading.RLock()
        self.streams, self.connections = [], []
        self.posted = []  # requests of pages: (path, body)
        self.held_back = set()  # topics without events for now
        self.network = threading.Event()
        self.network.set()
        self.is_over = threading.Event()
        self.port, self.server = 0, None
        self.start()
        threading.Thread(target=self.beat, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.server = Server(("127.0.0.1", self.port), Handler)
        self.server.floor, self.server.house = self, self.house
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        """Ends the controller and every connection. People are signed out."""
        self.server.shutdown()
        self.server.server_close()
        with self.lock:
            for stream in self.streams:
                stream.ended.set()
            for connection in self.connections:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            self.streams, self.connections, self.house.sessions = [], [], {}

    def close(self):
        self.is_over.set()
        self.network.set()
        self.stop()

    def cut(self):
        """Cuts the network: connections stay open, and nothing arrives."""
        self.network.clear()

    def mend(self):
        self.network.set()

    def wait_for_network(self):
        self.network.wait()

    def event(self, topic):
        if topic == "floor":
            return "floor", json.dumps(self.house.floor())
        if topic == "nodes":
            old_s = self.house.nodes_age_s
            told = {"entry": self.house.entry, "as_of": moment(time.time() - old_s),
                    "age_ms": 1000 * old_s, "maximum_age_ms": 3000, "house": "Demo Casino"}
            return "nodes", json.dumps(told | self.house.nodes)
        return "meter", json.dumps(self.house.sign(topic))

    def publish(self, *topics):
        if not self.network.is_set():
            return
        with self.lock:
            for topic in set(topics) - self.held_back:
                event = self.event(topic)
                for stream in self.streams:
                    if topic in stream.topics:
                        stream.write(*event)
            self.streams = [stream for stream in self.streams if not stream.ended.is_set()]

    def publish_all(self):
        nodes = [] if self.house.nodes is None else ["nodes"]
        self.publish("floor", *nodes, *self.house.links)

    def beat(self):
        while not self.is_over.wait(0.5):
            self.publish_all()

    # --- what happens on the floor ---

    def raise_claim(self, **claim):
        with self.lock:
            raised = self.house.raise_claim(**claim)
            self.publish_all()
        return raised["claim"]

    def claim(self, number):
        """The claim, as in the answer of GET /api/claims/N."""
        with self.lock:
            return self.house.told(self.house.find(number))

    def session(self, badge):
        """The cookie of a person who signed in with the same browser."""
        with self.lock:
            return self.house.sign_in(badge, self.house.people[badge]["pin"])[0]

    def settle(self, claim, act, badge, **asked):
        """A person acts on the claim at another screen."""
        with self.lock:
            said = self.house.act(claim, act, self.house.people[badge], asked)
            self.publish_all()
        return said

    def grow(self, link="C4-MEGA", cents=None):
        """Adds wagers to the link: the given cents, or a few."""
        with self.lock:
            self.house.entry += 1
            for level in self.house.links[link]["levels"]:
                level["cents"] += cents or random.randrange(35) + 1
            self.publish(link)

    def amounts(self, link="C4-MEGA"):
        """The true amounts now: {"mega": "$50,000.90"}"""
        with self.lock:
            return {level["level"]: f"${level['cents'] // 100:,}.{level['cents'] % 100:02d}"
                    for level in self.house.links[link]["levels"]}

    def change(self, link="C4-MEGA", **changes):
        with self.lock:
            self.house.links[link].update(changes)
            self.publish_all()

    def suspend(self, link="C4-MEGA", reason="surveillance asked for it"):
        self.change(link, status="suspended", reason=reason)

    def lose_table(self, table, state="lost"):
        with self.lock:
            self.house.tables[table].update(state=state, since=moment())
            self.publish_all()


def main():
    floor = MockFloor()
    print(floor.url, "sign in as F-1, TGM-1, C-1 or A-1 with 8642", flush=True)
    while True:
        time.sleep(0.3)
        floor.grow()
        if random.random() < 0.01:
            floor.raise_claim()


if __name__ == "__main__":
    sys.exit(main())
