"""Runs the console blocks of the documents below, each in an empty folder, and compares the
output.

One bash runs each line "$ command"; the lines after it are its standard output, where "..." stands
for any text. Standard error is not compared. A command that ends in "&" runs in the background;
the test waits for its expected lines.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["LINKMETER_SOURCE_DIR"]
BINARY = os.environ["LINKMETER_BINARY_DIR"]
MARK = "--- the next command ---"
DOCUMENTS = ("README.md", "controller/cli/README.md")


def steps_of(text):
    """[(command, expected output)] of the first console block."""
    block = re.search(r"^```console\n(.*?)^```", text, re.S | re.M).group(1)
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


def matches(expected, said):
    pattern = "\n".join(expected)
    return re.fullmatch(re.escape(pattern).replace(r"\.\.\.", ".*"), said) is not None


def run(steps, folder):
    """The output of each command, run by one bash in `folder`; nothing is left in the user's home.
    """
    state = tempfile.TemporaryDirectory(prefix="lm")
    shell = subprocess.Popen(["bash", "-m"], cwd=folder, text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             start_new_session=True,
                             env={**os.environ, "XDG_STATE_HOME": state.name})
    said = []
    try:
        for command, expected in steps:
            in_background = command.endswith("&")
            shell.stdin.write(command + "\n")
            if not in_background:
                shell.stdin.write(f"echo; echo '{MARK}'\n")
            shell.stdin.flush()
            lines = []
            while True:
                line = shell.stdout.readline()
                if not line or line.rstrip("\n") == MARK:
                    break
                lines.append(line.rstrip("\n"))
                if in_background and len(lines) == len(expected):
                    break
            while lines and not lines[-1]:
                lines.pop()
            said.append("\n".join(lines))
    finally:
        # Background programs of the block end with the shell's jobs.
        shell.stdin.write("kill -9 $(jobs -p) 2>/dev/null; exit\n")
        shell.stdin.close()
        shell.stdout.read()
        shell.wait()
        shell.stdout.close()
        state.cleanup()
    return said


class ReadmeTest(unittest.TestCase):
    def test_the_console_blocks_print_what_the_guides_show(self):
        for document in DOCUMENTS:
            with open(os.path.join(SOURCE, document), encoding="utf-8") as file:
                steps = steps_of(file.read())
            self.assertGreater(len(steps), 8, document)
            with tempfile.TemporaryDirectory(prefix="lm") as folder:
                os.symlink(os.path.join(SOURCE, "config"), os.path.join(folder, "config"))
                os.symlink(BINARY, os.path.join(folder, "build"))
                for (command, expected), said in zip(steps, run(steps, folder)):
                    with self.subTest(document=document, command=command):
                        self.assertTrue(matches(expected, said), f"\nsaid:\n{said}\n{document}:\n" +
                                        "\n".join(expected))
                self.assertEqual(sorted(os.listdir(folder)), ["build", "config"])

    def test_a_wrong_line_of_a_console_block_is_detected(self):
        with tempfile.TemporaryDirectory(prefix="lm") as folder:
            (said,) = run([("echo 2", ["2"])], folder)
        self.assertTrue(matches(["2"], said))
        self.assertFalse(matches(["3"], said))
        self.assertTrue(matches(["clean: ..."], "clean: 4 entries"))
        self.assertFalse(matches(["clean: ..."], "entry 4: bad"))


if __name__ == "__main__":
    sys.exit(unittest.main())
