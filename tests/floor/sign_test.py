"""A sign on a serial line, driven by a real program from a real controller's feed."""

import json
import os
import pty
import re
import select
import socket
import time
import unittest

from floor_process import PATIENCE_S, PROGRAMS, Floor, Process

LINK = "C4-MEGA"


class Sign:
    """The other end of the line: the sign shows the last page that it received."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.bytes = b""

    def await_page(self, pattern):
        """Waits until the sign receives a text that matches the pattern; returns that text."""
        ends = time.monotonic() + PATIENCE_S
        while True:
            whole, _, rest = self.bytes.rpartition(b"\r\n")
            for page in re.findall(rb"<ID07><PA>([^\r]*)\r\n<ID07><RPA>", whole + b"\r\n"):
                if re.search(pattern, page.decode("ascii")):
                    self.bytes = rest
                    return page.decode("ascii")
            if not select.select([self.descriptor], [], [], ends - time.monotonic())[0]:
                raise AssertionError(f"never {pattern!r}; last: {self.bytes[-300:]}")
            self.bytes += os.read(self.descriptor, 4096)


class SignTest(unittest.TestCase):
    def setUp(self):
        self.floor = Floor()
        self.addCleanup(self.floor.close)
        self.floor.init()
        self.controller = self.floor.start_controller(f"ipc://{self.floor.folder}/in")

    def drive(self, port, *options):
        driver = Process([PROGRAMS / "linkmeter", "sign", "--data", self.floor.data, "--link", LINK,
                          "--number", "7", "--name", "BAR-1", "--port", port, *options])
        self.floor.processes.append(driver)
        return driver

    def record(self):
        return json.loads(self.floor.ask("signs", "--json"))[0]

    def play(self, events):
        self.floor.start_agent(self.controller.endpoint, "C4-01", events).finish(0)

    def test_a_sign_on_a_serial_line(self):
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        self.addCleanup(os.close, theirs)
        sign = Sign(ours)
        driver = self.drive(f"serial:{os.ttyname(theirs)}:9600")
        sign.await_page(r"^MEGA \$50,000\.00  MAJOR \$5,000\.00  MINOR \$1,250\.00$")

        wager = {"wager": "crazy-4/five-card", "amount": "5.00"}
        self.play([{"event": "lock", "round": "r1", "wagers": [{"seat": 2, **wager}]},
                   {"event": "show", "round": "r1",
                    "hands": [{"seat": 2, "cards": ["9h", "Th", "Jh", "Qh", "Kh"]}]}])
        # $5 at 9, 7 and 3 %: 45, 35 and 15 cents; the straight flush takes the major.
        sign.await_page(r"^WINNER TABLE C4-01 \$5,000\.35 PENDING  MEGA \$50,000\.45  "
                        r"MAJOR \$5,000\.00  MINOR \$1,250\.15$")
        record = self.record()
        self.assertEqual((record["sign"], record["link"], record["state"]), ("BAR-1", LINK, "ok"))
        self.assertLess(record["age_ms"], 10_000)

        pin = self.floor.own_pin("TGM-1")
        self.floor.tool("link", "suspend", LINK, "--reason", "reader broken", "--data",
                        self.floor.data, "--by", "TGM-1", said=pin + "\n")
        sign.await_page(rf"^{LINK} SUSPENDED$")

        self.controller.kill()
        sign.await_page(rf"^{LINK} NOT AVAILABLE$")
        self.floor.start_controller(self.controller.endpoint)
        self.assertEqual(driver.stop(), 0, driver.telling())
        sign.await_page(r"^NOT AVAILABLE$")

    def test_a_sign_that_is_unplugged_and_comes_back(self):
        path = self.floor.folder / "sign"
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        driver = self.drive(f"unix:{path}")
        driver.await_line(r"sign BAR-1: unix:\S+ cannot be opened")
        server.bind(str(path))
        server.listen()
        for _ in range(2):
            line, _ = server.accept()
            Sign(line.fileno()).await_page(r"^MEGA \$50,000\.00")
            line.close()
        driver.kill()

    def test_malformed_sign_options_are_refused(self):
        path = f"unix:{self.floor.folder}/sign"
        for options, why in [
                (["--port", "tcp:10.0.0.1:80"], "on this machine only"),
                (["--port", path, "--name", "../x"], "not a name for a sign"),
                (["--port", path, "--driver", "neon"], "neon"),
                (["--port", path, "--number", "100"], "100")]:
            with self.subTest(why):
                result = self.floor.tool("sign", "--data", self.floor.data, "--link", LINK,
                                         *options)
                self.assertIn(result.returncode, (1, 2), result.stderr)
                self.assertIn(why, result.stderr)
        result = self.floor.tool("sign", "--data", self.floor.data, "--link", "C4-NONE", "--port",
                                 path)
        self.assertEqual(result.returncode, 1)
        self.assertIn("no such link", result.stderr)
        result = self.floor.tool("sign", "--link", LINK, "--port", path)
        self.assertEqual(result.returncode, 1)
        self.assertIn("no feed: give --data DIR", result.stderr)


if __name__ == "__main__":
    unittest.main()
