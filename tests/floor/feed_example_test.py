"""Runs the client in controller/sockets/README.md, exactly as printed there, against a real
controller."""

import json
import re
import sys
import unittest
import urllib.request

from floor_process import FREE_PAGES, ROOT, Floor, Process

PAGE = (ROOT / "controller/sockets/README.md").read_text(encoding="utf-8")


class FeedExample(unittest.TestCase):
    def setUp(self):
        self.floor = Floor()
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.controller = self.floor.start_controller(web=FREE_PAGES)
        example = re.search(r"```python\n(.*?)```", PAGE, re.S)[1]
        self.example = self.floor.write(example, "example.py")

    def test_the_example_shows_the_meters(self):
        client = Process([sys.executable, "-B", self.example, self.controller.pages(), "C4-MEGA"])
        self.floor.processes.append(client)
        client.await_line(r"^C4-MEGA mega \$50000\.00, major \$5000\.00, minor \$1250\.00 \(entry ")
        wager = {"seat": 2, "wager": "crazy-4/five-card", "amount": "5.00"}
        lock = {"event": "lock", "round": "r1", "wagers": [wager]}
        show = {"event": "show", "round": "r1",
                "hands": [{"seat": 2, "cards": ["9h", "Th", "Jh", "Qh", "Kh"]}]}
        self.floor.start_agent(self.controller.endpoint, "C4-01", [lock]).finish(0)
        # Before the hand is shown, because a slow client receives only the last amounts.
        client.await_line(r"^C4-MEGA mega \$50000\.45, major \$5000\.35, minor \$1250\.15 \(entry ")
        self.floor.start_agent(self.controller.endpoint, "C4-01", [lock, show]).finish(0)
        client.await_line(r"^C4-MEGA won: straight_flush at table C4-01 seat 2: major \$5000\.35, "
                          r"now \$5000\.00 \(raised\)$")
        award = next(link for link in self.meters() if link["link"] == "C4-MEGA")["awards"][0]
        self.assertLessEqual(self.keys("| Key of an award |"), set(award))
        self.controller.kill()
        client.await_line(r"^no feed: ")

    def test_the_keys_are_those_of_the_page(self):
        for link in self.meters():
            self.assertLessEqual(self.keys("| Key |"), set(link), link["link"])

    def meters(self):
        with urllib.request.urlopen(self.controller.pages() + "/api/meters") as answer:
            return json.load(answer)["links"]

    def keys(self, head):
        table = PAGE.split(head)[1].split("\n\n")[0]
        first_columns = "\n".join(row.split("|")[1] for row in table.splitlines() if "|" in row[1:])
        return set(re.findall(r"`(\w+)`", first_columns))


if __name__ == "__main__":
    unittest.main()
