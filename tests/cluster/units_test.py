"""The units of a node and of an etcd member, with the drop-ins of config/cluster."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "config" / "cluster"
NODE = CLUSTER / "linkmeter-controller.service.d" / "cluster.conf"
MEMBER = CLUSTER / "etcd.service.d" / "linkmeter.conf"
UNIT = ROOT / "config" / "systemd" / "linkmeter-controller.service"
ANALYZE = shutil.which("systemd-analyze")
ETCD = pathlib.Path("/lib/systemd/system/etcd.service")


def values(path, key):
    return re.findall(rf"^{key}=(.*)$", path.read_text(encoding="utf-8"), re.M)


class Settings(unittest.TestCase):
    def test_a_node_is_started_as_the_unit_does_and_with_etcd(self):
        alone, = values(UNIT, "ExecStart")
        # The empty one removes the unit's own command.
        empty, command = values(NODE, "ExecStart")
        self.assertEqual("", empty)
        self.assertTrue(command.startswith(alone + " "), command)
        words = command.removeprefix(alone).split()
        self.assertEqual(
            ["--etcd", "${LINKMETER_ETCD}", "--etcd-ca", "/etc/linkmeter/etcd/ca.pem",
             "--etcd-certificate", "/etc/linkmeter/etcd/node.pem",
             "--etcd-key", "/etc/linkmeter/etcd/node.key",
             "--node-listen", "tcp://0.0.0.0:6061", "$LINKMETER_OPTIONS", "$LINKMETER_ONCE"],
            words)
        # Each variable of the command is in the file that the drop-in reads.
        self.assertEqual(["/etc/linkmeter/cluster.env"], values(NODE, "EnvironmentFile"))
        for name in re.findall(r"\$\{?(LINKMETER_\w+)", command):
            if name == "LINKMETER_ONCE":  # set in the manager, for one start
                continue
            self.assertEqual(1, len(values(CLUSTER / "cluster.env", name)), name)

    def test_a_lost_role_is_no_failure_and_delays_nothing_and_a_failure_waits(self):
        self.assertEqual(["3"], values(NODE, "SuccessExitStatus"))
        self.assertEqual(["3"], values(NODE, "RestartForceExitStatus"))
        self.assertEqual(["0"], values(NODE, "RestartSec"))
        words = re.fullmatch(r"/bin/sh -c '(.*)'", values(NODE, "ExecStopPost")[0])[1]
        # systemd reads $$ as a dollar sign.
        script = words.replace("$$", "$").replace("sleep 5", "echo waits")
        for result, said in (("success", ""), ("exit-code", "waits\n"), ("watchdog", "waits\n")):
            run = subprocess.run(["sh", "-c", script], env={"SERVICE_RESULT": result},
                                 capture_output=True, text=True, check=False)
            self.assertEqual((0, said, ""), (run.returncode, run.stdout, run.stderr))

    def test_nothing_of_a_node_waits_for_etcd(self):
        for key in ("Wants", "Requires", "BindsTo", "Requisite"):
            self.assertEqual([], values(NODE, key))
        # A start of Type=notify would wait for a quorum, and what is ordered after it, too.
        self.assertEqual(["exec"], values(MEMBER, "Type"))
        self.assertEqual(["always"], values(MEMBER, "Restart"))
        self.assertEqual(["0"], values(MEMBER, "StartLimitIntervalSec"))


@unittest.skipUnless(ANALYZE and ETCD.exists(), "no systemd-analyze, or no unit of etcd")
class Units(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="linkmeter-units-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for path in (UNIT, ETCD, NODE, MEMBER):
            place = self.folder / path.relative_to(path.parents[path.suffix == ".conf"])
            place.parent.mkdir(exist_ok=True)
            text = path.read_text(encoding="utf-8")
            place.write_text(text.replace("/usr/local/bin/linkmeter-controller", "/bin/true"))

    def analyze(self, *words):
        return subprocess.run([ANALYZE, *map(str, words)], capture_output=True, text=True,
                              timeout=100, check=False)

    def complaints(self):
        units = [self.folder / "linkmeter-controller.service", self.folder / "etcd.service"]
        said = self.analyze("verify", "--man=no", *units)
        # Ignore messages about other units of this machine.
        return [line for line in (said.stdout + said.stderr).splitlines()
                if re.search(r"linkmeter|etcd", line)]

    def test_systemd_accepts_them(self):
        self.assertEqual([], self.complaints())

    def test_an_unknown_word_in_a_drop_in_is_detected(self):
        for path in (NODE, MEMBER):
            place = self.folder / path.parent.name / path.name
            place.write_text(place.read_text().replace("RestartSec=", "RestartSac="))
            self.assertIn("RestartSac", "".join(self.complaints()))

    def test_a_node_is_confined_like_a_single_controller(self):
        if "--offline" not in self.analyze("--help").stdout:
            self.skipTest("this systemd-analyze cannot look at a unit that does not run")
        result = self.analyze("security", "--offline=true", "--threshold=20",
                              self.folder / "linkmeter-controller.service")
        self.assertEqual(0, result.returncode, result.stdout[-400:] + result.stderr)


if __name__ == "__main__":
    unittest.main()
