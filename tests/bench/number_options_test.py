"""Every number on a command line of the test programs must be decimal digits only."""

import os
import pathlib
import re
import subprocess
import unittest

PROGRAMS = pathlib.Path(os.environ["LINKMETER_PROGRAMS"])
WRONG = ("0x10", "0o10", "0b10", "-1", "1.5", "1e3", " 1", "99999999999999999999", "ten")
# Each program, and the minimum number of its options that take a number. linkmeter-peers may be
# missing.
OPTIONS_MIN = {"linkmeter-year": 5, "linkmeter-bench": 7, "linkmeter-soak-load": 6,
               "linkmeter-peers": 3}


def run(program, *words):
    return subprocess.run([PROGRAMS / program, *words], capture_output=True, text=True, check=False,
                          timeout=60)


class NumberOptions(unittest.TestCase):
    def test_each_number_option_takes_decimal_digits_alone(self):
        for program, options_min in OPTIONS_MIN.items():
            if not (PROGRAMS / program).exists():
                self.assertEqual("linkmeter-peers", program)
                continue
            told = run(program, "--help").stdout
            options = re.findall(r"^ +(--[a-z-]+) (?:U?INT|FLOAT|NUMBER)", told, re.M)
            self.assertGreaterEqual(len(options), options_min, told)
            for option in options:
                for wrong in WRONG:
                    with self.subTest(program=program, option=option, wrong=wrong):
                        refused = run(program, f"{option}={wrong}")
                        self.assertEqual(2, refused.returncode, refused.stderr)
                        self.assertIn("is not a whole number", refused.stderr)

    def test_seeds_of_the_simulation_are_decimal_digits_alone(self):
        for wrong in WRONG:
            with self.subTest(wrong=wrong):
                refused = run("linkmeter-simulation", wrong)
                self.assertEqual(2, refused.returncode, refused.stdout)


if __name__ == "__main__":
    unittest.main()
