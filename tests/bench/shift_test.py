"""Simulates a day's shift in minutes, with every page open, to find what grows.

A real controller, all tables of the demo dealing (most rounds at the two tables where claims are
rare, so that people can settle all claims), people who take each claim from raised to paid over
HTTP, and one Chromium with a window for each page: all signs in turn, one sign, the floor console,
a table's panel, accounting. At every tenth of the way it prints what the controller, an agent and
the browser hold, after the browser has collected its garbage.

    LINKMETER_SHIFT_ROUNDS=200000 LINKMETER_SHIFT_SECONDS=300 python3 tests/bench/shift_test.py

Without these variables it only shows that it runs. These must not grow: the script heap and the
nodes of each page, threads and open files of each process. The controller's memory may grow by the
mapped pages of its journal and by the claims that it remembers.
"""

import os
import pathlib
import sys
import threading
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "floor"), str(TESTS / "browser")]

import importlib.util

from floor_process import FREE_PAGES, PATIENCE_S
from people_test import People

ROUNDS = int(os.environ.get("LINKMETER_SHIFT_ROUNDS", "300"))
SECONDS = int(os.environ.get("LINKMETER_SHIFT_SECONDS", "3"))
MARKS = 10
WATCHED = "C4-04"  # the table whose panel is open
BUSY = {"TCP-01": 0.65, "BJ-01": 0.30}  # shares of all rounds; the others share the rest


def module(folder, name):
    """Two folders have a module with this name."""
    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", TESTS / folder / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


HTTP = module("floor", "browser")
CHROME = module("browser", "browser")


def tables_of(text):
    return [line.split('"')[1] for line in text[text.index("[[table]]"):].splitlines()
            if line.startswith("id = ")]


def held_by(pid):
    """Memory in MB (its own, without mapped files), threads, open files."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    def number(key):
        return int(next(line for line in status.splitlines() if line.startswith(key)).split()[1])
    return (number("RssAnon") / 1000, number("Threads"), len(os.listdir(f"/proc/{pid}/fd")))


class Settlers(threading.Thread):
    """People at the floor console: they take each claim from raised to paid."""

    def __init__(self, test):
        super().__init__(daemon=True)
        self.pins = {badge: test.floor.own_pin(badge) for badge in ("F-1", "PS-1", "C-1")}
        self.url = test.controller.pages()
        self.browsers = {}
        self.paid = 0
        self.seen = set()
        self.wrong = []
        self.begun_anew = 0
        self.is_over = threading.Event()

    def at(self, badge):
        if badge not in self.browsers:
            browser = HTTP.Browser(self.url)
            assert browser.sign_in(badge, self.pins[badge]).status == 200, badge
            self.browsers[badge] = browser
        return self.browsers[badge]

    def act(self, badge, path, **body):
        answer = self.at(badge).post(path, {"pin": self.pins[badge], **body})
        if answer.status == 401:  # an idle person is signed out
            del self.browsers[badge]
            answer = self.at(badge).post(path, {"pin": self.pins[badge], **body})
        if answer.status != 200:
            self.wrong.append((path, answer.json))
        return answer.status == 200

    def settle(self, claim):
        number = claim["claim"]
        by = "PS-1" if claim["verified_by"] == "poker_shift_supervisor" else "F-1"
        if not self.act(by, f"/api/claims/{number}/validate"):
            return
        if not self.act("C-1", f"/api/claims/{number}/slip", source=claim["sources"][0]):
            return
        slip = self.at(by).get(f"/api/claims/{number}").json["slips"][-1]["slip"]
        self.paid += self.act("C-1", f"/api/claims/{number}/pay", slip=slip)

    def pictures(self):
        """The console's events. A reader that settles for too long reads nothing; the server then
        drops the stream, and the reader opens it again, as the page does."""
        while True:
            events = self.at("F-1").events("/events/floor")
            try:
                while told := events.next():
                    yield told
            except ConnectionError:
                self.begun_anew += 1
            finally:
                events.close()

    def settle_raised(self, claims):
        """Settles raised claims; True if there were any. An event may be older than the last
        settlement, so each claim is settled once."""
        raised = [claim["claim"] for claim in claims
                  if claim["state"] == "raised" and claim["claim"] not in self.seen]
        for claim in raised:
            self.seen.add(claim)
            self.settle(self.at("F-1").get(f"/api/claims/{claim}").json)
        return bool(raised)

    def run(self):
        for told in self.pictures():
            self.settle_raised(told["claims"])
            if self.wrong or self.is_over.is_set():
                break
        # The last raised claims may not be in any event that arrived, so they are requested.
        while not self.wrong:
            if not self.settle_raised(self.at("F-1").get("/api/claims").json["claims"]):
                break


class Shift(People):
    # A day's rounds in minutes are more than the pace of a game allows.
    floor_text = People.floor_text.replace("[[table]]\n", "[[table]]\npace = 10000000\n")

    @classmethod
    def setUpClass(cls):
        cls.chrome = CHROME.Browser()
        cls.addClassCleanup(cls.chrome.close)

    def setUp(self):
        super().setUp()
        self.controller.stop()
        self.controller = self.floor.start_controller(web=FREE_PAGES)
        self.url = self.controller.pages()
        for badge, department, role in (("F-1", "table_games", "floorperson"),
                                        ("PS-1", "table_games", "poker_shift_supervisor"),
                                        ("C-1", "finance", "cashier"),
                                        ("A-1", "finance", "accountant")):
            self.add(badge, department, role)
        self.windows = {}

    def open(self, name, url):
        if self.windows:
            self.chrome.driver.switch_to.new_window("window")
        self.chrome.open(url)
        self.windows[name] = self.chrome.driver.current_window_handle

    def sign_in(self, badge):
        self.chrome.write("#sign_in_badge", badge)
        self.chrome.write("#sign_in_pin", self.floor.own_pin(badge))
        self.chrome.click(".sign_in .main")
        self.chrome.wait(lambda: self.chrome.text(".sign_in") is None)

    def open_pages(self, panel):
        self.open("signs", f"{self.url}/signs?turn=3")
        self.open("sign", f"{self.url}/sign/C4-MEGA")
        self.open("floor", f"{self.url}/floor")
        self.sign_in("F-1")
        self.open("panel", panel)
        self.sign_in("F-1")
        # One browser is one person at one address: accounting is opened under another host name.
        self.open("accounting", self.url.replace("127.0.0.1", "localhost") + "/accounting")
        self.sign_in("A-1")

    def pages(self):
        """{page: (script heap in MB, nodes)}"""
        held = {}
        for name, window in self.windows.items():
            self.chrome.driver.switch_to.window(window)
            bytes_held, nodes = self.chrome.run(
                "gc(); gc(); return [performance.memory.usedJSHeapSize,"
                " document.querySelectorAll('*').length]")
            held[name] = (bytes_held / 1e6, nodes)
        return held

    def say(self, share, settlers):
        held = self.pages()
        controller, agent = held_by(self.controller.pid), held_by(self.agents[WATCHED].pid)
        print(f"{share:4.0%} {time.monotonic() - self.began:6.0f} s  paid {settlers.paid:4d}"
              f"  controller {controller[0]:6.1f} MB {controller[1]} threads {controller[2]} files"
              f"  agent {agent[0]:5.1f} MB {agent[1]} threads {agent[2]} files  "
              + "  ".join(f"{name} {heap:.1f} MB {nodes}" for name, (heap, nodes) in held.items()),
              flush=True)
        return {"controller": controller, "agent": agent, **held}

    def test_a_shift_with_every_page_open(self):
        tables = tables_of(self.floor_text)
        self.agents = {
            table: self.floor.start_agent(
                self.controller.endpoint, table,
                options=["--deal", str(seed), "--pace", str(self.pace(table, len(tables))),
                         *(("--panel", "http://127.0.0.1:0") if table == WATCHED else ())])
            for seed, table in enumerate(tables, start=58)}
        settlers = Settlers(self)
        self.began = time.monotonic()
        self.open_pages(self.agents[WATCHED].await_line(r"panel at (\S+)")[1])
        settlers.start()
        marks = []
        while (dealt := self.rounds()) < ROUNDS:
            for table, agent in self.agents.items():
                self.assertTrue(agent.is_running(), f"{table}: {agent.telling()}")
            if dealt * MARKS >= ROUNDS * (len(marks) + 1):
                marks.append(self.say(dealt / ROUNDS, settlers))
            time.sleep(0.2)  # between two checks
        for agent in self.agents.values():
            self.assertEqual(0, agent.stop(), agent.telling())
        settlers.is_over.set()
        settlers.join(10 * PATIENCE_S)
        self.assertFalse(settlers.is_alive(), "claims are still being settled")
        self.assertEqual([], settlers.wrong)
        self.assertTrue(self.floor.audit()["clean"])
        claims = self.floor.claims()
        paid = sum(claim["state"] == "paid" for claim in claims)
        print(f"{self.rounds()} rounds, {len(claims)} claims, {paid} paid, the settlers' stream "
              f"begun anew {settlers.begun_anew} times, {time.monotonic() - self.began:.0f} s, "
              "audit clean")
        self.assertEqual(len(claims), paid)
        self.judge(marks)

    @staticmethod
    def pace(table, tables):
        """Milliseconds between its rounds."""
        share = BUSY.get(table, (1 - sum(BUSY.values())) / (tables - len(BUSY)))
        return int(1000 * SECONDS / (ROUNDS * share))

    def rounds(self):
        """Each table's rounds, however many links are played there."""
        by_table = {}
        for link in self.floor.meters()["links"]:
            for table in link["tables"]:
                by_table[table["table"]] = max(by_table.get(table["table"], 0), table["rounds"])
        return sum(by_table.values())

    def judge(self, marks):
        """From the second mark to the last: nodes, threads and files do not grow, and heaps grow
        by a megabyte at most."""
        if len(marks) < 4:
            return
        first, last = marks[1], marks[-1]
        for process in ("controller", "agent"):
            self.assertLessEqual(last[process][1], first[process][1] + 1, f"threads of {process}")
            self.assertLessEqual(last[process][2], first[process][2] + 8, f"files of {process}")
        for page in self.windows:
            self.assertLess(last[page][0] - first[page][0], 1.0, f"heap of {page}")


if __name__ == "__main__":
    unittest.main()
