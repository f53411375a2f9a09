"""Command lines of the programs: invalid options, endpoints and folders.

Exit 2: wrong usage, with one sentence that names the word, option or key; nothing is done.
"""

import re
import unittest

import bad_input_test
import floor_process
from bad_input_test import lock


class Usage(bad_input_test.BadInput):
    """Exit 2, and nothing is done."""

    def test_wrong_usage(self):
        data, file = self.floor.data, self.floor.file
        for arguments in ((), ("frobnicate",), ("init",), ("init", "--floor", file),
                          ("init", "--floor", file, "--data", data, "--frob"),
                          ("meters",), ("meters", "--data", data, "--frob"),
                          ("meters", "--data", data, "extra"), ("audit", "--data")):
            with self.subTest(arguments=arguments):
                result = self.floor.tool(*arguments)
                self.assertEqual(2, result.returncode, result.stderr)
                self.assertTrue(result.stderr)
        for program, arguments in (
                ("linkmeter-controller", ()), ("linkmeter-controller", ("--floor", file)),
                ("linkmeter-controller", ("--floor", file, "--data", data, "--frob")),
                ("linkmeter-table-agent", ()),
                ("linkmeter-table-agent", ("--floor", file, "--table", "C4-01")),
                ("linkmeter-table-agent", ("--floor", file, "--table", "C4-01", "--data", data,
                                           "--script", "s", "--deal", "1")),
                ("linkmeter-table-agent", ("--floor", file, "--table", "C4-01", "--data", data,
                                           "--rounds", "5")),
                ("linkmeter-table-agent", ("--floor", file, "--table", "C4-01", "--data", data,
                                           "--deal", "x"))):
            with self.subTest(program=program, arguments=arguments):
                process = floor_process.Process([floor_process.PROGRAMS / program, *arguments])
                self.floor.processes.append(process)
                process.finish(2)
        self.assertFalse(data.exists())

    def test_an_empty_option_value_is_refused(self):
        data, file = self.floor.data, self.floor.file
        for option, program, *arguments in (
                ("--out", "linkmeter", "export", "--data", data, "--out", ""),
                ("--out", "linkmeter", "export", "--data", data, "--out="),
                ("--link", "linkmeter", "export", "--data", data, "--link", ""),
                ("files", "linkmeter", "import", "", "--check"),
                ("--socket", "linkmeter", "meters", "--socket", ""),
                ("--catalogue", "linkmeter", "init", "--floor", file, "--data", data,
                 "--catalogue", ""),
                ("--archive", "linkmeter", "audit", "--archive", ""),
                ("--key", "linkmeter", "seal", "--floor", file, "--data", data, "--key", ""),
                ("--to", "linkmeter", "backup", "--data", data, "--to", ""),
                ("--out", "linkmeter", "enroll", "--table", "C4-01", "--data", data, "--by", "E-1",
                 "--out", ""),
                ("--metrics", "linkmeter-controller", "--floor", file, "--data", data,
                 "--metrics", ""),
                ("--staff-socket", "linkmeter-controller", "--floor", file, "--data", data,
                 "--staff-socket", ""),
                ("--credentials", "linkmeter-table-agent", "--floor", file, "--table", "C4-01",
                 "--data", data, "--deal", "1", "--credentials", "")):
            with self.subTest(program=program, arguments=arguments):
                process = floor_process.Process([floor_process.PROGRAMS / program, *arguments])
                self.floor.processes.append(process)
                process.finish(2)
                said = process.telling()
                self.assertIn(f"{option}: ", said)
                self.assertRegex(said, "empty|missing")
        self.assertFalse(data.exists())

    def test_the_mistyped_word_is_named(self):
        data, file = self.floor.data, self.floor.file
        for program, arguments, says in (
                ("linkmeter", ("frobnicate",), "unknown command frobnicate"),
                ("linkmeter", ("meters", "--frob"),
                 "unknown argument --frob; see linkmeter meters --help"),
                ("linkmeter", ("claim", "validate", "abc"), 'claim: "abc" is not a whole number'),
                ("linkmeter", ("bundle", "", "-card"), "linkmeter bundle --help"),
                ("linkmeter", ("revoke", "--data", data, "--by", "E-1"), "--table or --viewer"),
                ("linkmeter", ("link", "notice", "POKER-ROOM", "--posted", "--cleared", "--data",
                               data, "--by", "F-1"), "excludes"),
                ("linkmeter", ("slip", "void", "1", "--reason", "no"), "one of misprint, "),
                ("linkmeter-controller", ("--flor", file), "unknown argument --flor"),
                ("linkmeter-controller", ("--data", data), "--floor"),
                ("linkmeter-table-agent", ("--floor", file, "--table", "C4-01", "--data", data),
                 "--script, --deal, --device or --panel")):
            process = floor_process.Process([floor_process.PROGRAMS / program, *arguments])
            self.floor.processes.append(process)
            process.wait()
            self.failed(process, program + ": ", says, code=2)
            self.assertEqual(1, len(process.said), process.said)

    def test_a_fund_without_an_approved_discontinuation(self):
        """§ 553.20(i): the Board must first approve how it would end."""
        self.assertEqual(0, self.floor.tool("check", "--floor", self.floor.file).returncode)
        text = self.floor.file.read_text(encoding="utf-8")
        approved = re.search(r"^discontinuation = .*\n", text, re.MULTILINE)[0]
        file = self.floor.file.with_name("unapproved.toml")
        file.write_text(text.replace(approved, ""), encoding="utf-8")
        data = self.floor.file.with_name("unapproved")
        for command in (("check", "--floor", file), ("init", "--floor", file, "--data", data)):
            with self.subTest(command=command[0]):
                told = self.floor.tool(*command)
                self.assertEqual((1, ""), (told.returncode, told.stdout))
                self.assertRegex(told.stderr, r"unapproved\.toml:\d+: \[\[link\]\] POKER-ROOM: "
                                 r"discontinuation is missing; .* \(§ 553\.20\(i\)\)")
                self.assertEqual(1, told.stderr.count("\n"), told.stderr)
        self.assertFalse(data.exists())

    def test_help_and_version_succeed(self):
        for program in ("linkmeter", "linkmeter-controller", "linkmeter-table-agent"):
            for option, says in (("--help", "--help"), ("--version", program + " 0.")):
                process = floor_process.Process([floor_process.PROGRAMS / program, option])
                self.floor.processes.append(process)
                process.finish(0)
                self.assertIn(says, "\n".join(process.said))

    def test_the_help_lists_all_reasons(self):
        for command in (("correct",), ("transfer",), ("claim", "reject"), ("round", "correct"),
                        ("slip", "void")):
            with self.subTest(command=command):
                told = " ".join(self.floor.tool(*command, "--help").stdout.split())
                reasons = re.search(r"Why: (\w+(?:, \w+)+)", told)[1]
                refused = self.floor.tool(*command, "--reason", "none").stderr
                self.assertIn(f'"none" is not one of {reasons};', refused)

    def test_an_unknown_wager_of_hand(self):
        self.failed(self.floor.tool("hand", "--wager", "keno/ten-spot"), "keno/ten-spot")


class Places(bad_input_test.BadInput):
    """Endpoints and folders that are in use or invalid."""

    def setUp(self):
        super().setUp()
        self.floor.init()

    def listening(self, listen, feed):
        """A controller with these endpoints, which has ended."""
        controller = floor_process.Process(
            [floor_process.PROGRAMS / "linkmeter-controller", "--floor", self.floor.file, "--data",
             self.floor.data, "--listen", listen, "--feed", feed, "--web", "none"])
        self.floor.processes.append(controller)
        controller.wait()
        return controller

    def test_endpoints_in_use_or_malformed(self):
        path = f"ipc://{self.floor.folder}/in"
        first = self.floor.start_controller(listen=path)
        other = self.floor.folder / "other"
        self.floor.tool("init", "--floor", self.floor.file, "--data", other)
        self.floor.data, kept = other, self.floor.data
        free = floor_process.FREE_PORT
        self.failed(self.listening(path, free), path, "in use by another program")
        self.failed(self.listening(free, path), path, "in use by another program")
        self.failed(self.listening(path + "2", path + "2"), path + "2", "an endpoint of its own")
        for wrong in ("tcp://127.0.0.1", "tcp://127.0.0.1:70000", "ipc://", "7001"):
            self.failed(self.listening(wrong, free), "--listen", wrong, code=2)
            self.failed(self.listening(free, wrong), "--feed", wrong, code=2)
        self.floor.data = kept
        self.floor.start_agent(first.endpoint, "C4-01", [lock("r1")]).finish(0)

    def test_an_outbox_folder_that_cannot_be_created(self):
        script = self.floor.write_script([lock("r1")], "s")
        for data, code, word in (("", 2, "--data"), ("/dev/null", 1, "/dev/null is no folder")):
            agent = floor_process.Agent("ipc://nowhere", self.floor.file, "C4-01", data,
                                        ["--script", script])
            self.floor.processes.append(agent)
            agent.wait()
            self.failed(agent, word, code=code)

    def test_a_controller_endpoint_that_cannot_exist(self):
        script = self.floor.write_script([lock("r1")], "s")
        for wrong in ("tcp://*:6057", "tcp://127.0.0.1:*", "127.0.0.1:6057"):
            agent = self.floor.start_agent(wrong, "C4-01", script)
            agent.wait()
            self.failed(agent, "--controller", wrong, code=2)
        for more, word in ((["tcp://a:1", "tcp://a:1"], "twice"),
                           ([f"tcp://a:{port}" for port in range(1, 9)], "at most 8"),
                           (["nowhere"], "nowhere")):
            options = [part for one in more for part in ("--controller", one)]
            agent = self.floor.start_agent("tcp://b:1", "C4-01", script, options=options)
            agent.wait()
            self.failed(agent, "--controller", word, code=2)
        told = floor_process.Process(
            [floor_process.PROGRAMS / "linkmeter-table-agent", "--floor", self.floor.file,
             "--table", "C4-01", "--data", self.floor.agents, "--script", script],
            {"LINKMETER_CONTROLLER": "tcp://nowhere"})
        self.floor.processes.append(told)
        told.wait()
        self.failed(told, "$LINKMETER_CONTROLLER", "tcp://nowhere")


if __name__ == "__main__":
    unittest.main()
