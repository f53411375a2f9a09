"""The tables that people read: meters, claims and watch, with long texts in them."""

import fcntl
import os
import pty
import re
import struct
import termios
import unittest

import floor_process

FIVE = "crazy-4/five-card"


class TextTables(unittest.TestCase):
    def setUp(self):
        self.floor = floor_process.Floor(
            floor_process.DEMO.replace('seed = "5000.00"', 'seed = "87654321.00"', 1)
            .replace("C4-MEGA", "A-LINK-WITH-A-VERY-LONG-NAME"))
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.controller = self.floor.start_controller()

    def play(self, events):
        self.floor.start_agent(self.controller.endpoint, "C4-01", events).finish(0)

    def lock(self, name):
        return {"event": "lock", "round": name,
                "wagers": [{"seat": 2, "wager": FIVE, "amount": "5.00"}]}

    def win(self, name):
        hand = {"seat": 2, "cards": ["9h", "Th", "Jh", "Qh", "Kh"]}
        return [self.lock(name), {"event": "show", "round": name, "hands": [hand]},
                {"event": "close", "round": name}]

    def test_columns_are_as_wide_as_their_contents(self):
        self.play(self.win("r1") + self.win("a-round-with-a-name-of-36-letters-x"))
        links = self.floor.ask("meters").split("\n\n")[1].splitlines()
        ends = {line.index(".") for line in links
                if "$" in line and "fixed" not in line}
        self.assertEqual(1, len(ends), "\n".join(links))
        self.assertIn("$87,654,321.00", "\n".join(links))
        *claims, order = self.floor.ask("claims").splitlines()
        self.assertEqual(3, len(claims))
        # The two wins of one level are close in time, so the output says which came first.
        self.assertRegex(order, r"\Aclaim 1 and claim 2 within 2 s: the journal's order decides: "
                                r"entry \d+ before entry \d+\Z")
        self.assertEqual(1, len(set(map(len, claims))), "\n".join(claims))  # flush right
        self.assertIn("$5,000.35", claims[1])
        self.assertEqual(1, len({line.index("C4-01") for line in claims[1:]}))

    def test_withheld_amounts_are_shown_if_there_are_any(self):
        self.assertNotIn("withheld", self.floor.ask("meters"))
        self.play([self.lock("r1"), {"event": "void", "round": "r1", "reason": "misdeal"}])
        # 9, 7 and 3 % of the $5 that was returned.
        self.assertRegex(self.floor.ask("meters"), r"\n +withheld +\$0\.95\n")

    def watched(self, rows):
        """The first screen of `linkmeter watch` in a window with this many rows."""
        try:
            child, terminal = pty.fork()
        except OSError as none:
            self.skipTest(f"this machine gives no terminal ({none}): watch is not looked at in one")
        if child == 0:
            program = str(floor_process.PROGRAMS / "linkmeter")
            os.execv("/bin/sh", ["sh", "-c", 'read go; exec "$0" watch --data "$1"', program,
                                 str(self.floor.data)])
        try:
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
            os.write(terminal, b"go\n")
            said = b""
            while said.count(b"\x1b[2J") < 2:
                said += os.read(terminal, 65536)
        finally:
            os.kill(child, 9)
            os.waitpid(child, 0)
            os.close(terminal)
        return re.split(r"\x1b\[2J", said.decode())[1].replace("\x1b[H", "").splitlines()

    def test_watch_fits_the_window(self):
        for number in range(10):
            self.play([event for each in range(number + 1) for event in self.win(f"r{each}")])
        high = self.watched(60)
        self.assertFalse(any("more" in line for line in high))
        self.assertTrue(any(line.startswith("POKER-ROOM") for line in high))
        for rows, has_all_links in ((len(high) - 2, True), (20, False), (10, False)):
            told = self.watched(rows)
            self.assertLess(len(told), rows)
            self.assertTrue(any(re.match(r"\.\.\. \d+ more", line) for line in told), told)
            self.assertEqual(has_all_links, any(line.startswith("POKER-ROOM") for line in told))
            self.assertTrue(any("latest claims (10 in all)" in line for line in told), told)


if __name__ == "__main__":
    unittest.main()
