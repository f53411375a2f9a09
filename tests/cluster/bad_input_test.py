"""Wrong options, folders, certificates and etcd of a node: each is a clear error that names what is
wrong, and changes neither the node's journal nor etcd."""

import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from failover_test import TABLE, rounds
from floor_process import FREE_PORT, Controller, Floor
from nodes import LOST_ROLE, TESTS, House
from etcd_members import EtcdMembers

MAKE_CERTIFICATES = TESTS.parent / "config" / "cluster" / "make-certificates"


def house_keys(members):
    """{key: value} of all houses in etcd, without the nodes that run."""
    first, end = (base64.b64encode(key).decode() for key in (b"/linkmeter/", b"/linkmeter0"))
    _, found = members.ask(0, "/v3/kv/range", {"key": first, "range_end": end})
    values = {base64.b64decode(pair["key"]).decode(): pair["value"] for pair in found["kvs"]}
    return {key: value for key, value in values.items() if "/node/" not in key}


def digest(data):
    return hashlib.sha256((data / "journal" / "data.mdb").read_bytes()).hexdigest()


def begin(floor, data, options):
    node = Controller(floor.file, data, FREE_PORT, options=["--sign-every", "86400", *options])
    floor.processes.append(node)
    return node


class RunningCluster(unittest.TestCase):
    """Node a is the writer, and b is stopped. No test changes that."""

    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.addClassCleanup(cls.house.close)
        cls.house.nodes["b"].await_line("standby writer=a")
        cls.house.nodes["b"].stop()

    def setUp(self):
        self.before = house_keys(self.house.members)

    def tearDown(self):
        self.assertEqual(self.before, house_keys(self.house.members))

    def begin(self, *options, data=None):
        cluster = ["--etcd", self.house.members.endpoints, "--lease", "1"]
        given = [str(option) for option in options]
        return begin(self.house.floor, data or self.house.data("b"),
                     given if "--etcd" in given else [*cluster, *given])

    def copy_of(self, data):
        """A disk image: the same files, without sockets."""
        copy = pathlib.Path(tempfile.mkdtemp(dir=self.house.floor.folder)) / "data"
        shutil.copytree(data, copy, ignore=shutil.ignore_patterns("control"))
        copy.chmod(0o700)
        return copy

    def ends(self, node, code, *words):
        before = digest(node.data)
        node.finish(code)
        for word in words:
            self.assertIn(word, node.last_error())
        self.assertEqual(before, digest(node.data))

    def test_wrong_options(self):
        password = self.house.floor.write("secret\n", "password")
        password.chmod(0o644)
        etcd = self.house.members.endpoints
        for options, code, *words in (
                (["--etcd", "nonsense"], 2, "--etcd", '"nonsense"', "https://HOST:PORT"),
                (["--etcd", "http://10.0.0.1:2379"], 2, "--etcd", '"http://10.0.0.1:2379"'),
                (["--etcd", "https://10.0.0.1"], 2, "--etcd", '"https://10.0.0.1"'),
                (["--etcd", "https://10.0.0.1:99999"], 2, "--etcd", '"https://10.0.0.1:99999"'),
                (["--etcd", "https://*:2379"], 2, "--etcd", '"https://*:2379"'),
                (["--etcd", "https://10.0.0.1:2379"], 1, "--etcd-ca"),
                (["--etcd", etcd, "--etcd-ca", "/nowhere/ca.pem"], 1, "--etcd-ca", "https://"),
                (["--announce", "nonsense"], 2, "--announce", '"nonsense"'),
                (["--announce", "tcp://10.6.0.1"], 2, "--announce", "no port"),
                (["--announce", "tcp://*:6057"], 2, "--announce", '"tcp://*:6057"'),
                (["--announce", "tcp://0.0.0.0:6057"], 2, "--announce", '"tcp://0.0.0.0:6057"'),
                (["--announce", "tcp://[::]:6057"], 2, "--announce", '"tcp://[::]:6057"'),
                (["--node-listen", "nonsense"], 2, "--node-listen", '"nonsense"'),
                (["--lease", "0"], 2, "--lease", '"0"', "from 1 to 60"),
                (["--lease", "-1"], 2, "--lease", '"-1"'),
                (["--lease", "9" * 30], 2, "--lease", "from 1 to 60"),
                (["--node", "a"], 1, str(self.house.data("b")), "it is node b, not a"),
                (["--etcd-certificate", "c"], 2, "--etcd-certificate", "--etcd-key"),
                (["--etcd-user", "u"], 2, "--etcd-user", "--etcd-password-file"),
                (["--etcd-user", "u", "--etcd-password-file", "/nowhere/password"], 1,
                 "/nowhere/password", "No such file"),
                (["--etcd-user", "u", "--etcd-password-file", password], 1, str(password),
                 "chmod 600")):
            with self.subTest(options=options):
                self.ends(self.begin(*options), code, *words)

    def test_a_folder_without_a_name(self):
        data = self.copy_of(self.house.data("b"))
        (data / "node").unlink()
        self.ends(self.begin(data=data), 1, str(data), "no name", "linkmeter name-node")

    def test_a_controller_without_a_cluster(self):
        floor = Floor()
        self.addCleanup(floor.close)
        floor.init()
        floor.start_controller()
        for command in (("nodes",), ("handover", "--to", "b")):
            told = floor.tool(*command, "--data", floor.data)
            self.assertEqual(1, told.returncode)
            self.assertIn("this controller is not a node of a cluster", told.stderr)

    def test_a_node_that_has_written_alone_has_another_journal(self):
        data = self.copy_of(self.house.data("b"))
        (data / "node").unlink()
        alone = Controller(self.house.floor.file, data, FREE_PORT)
        self.house.floor.processes.append(alone)
        alone.await_ready()
        self.assertEqual(0, alone.stop())
        named = self.house.floor.tool("name-node", "--node", "b", "--data", data)
        self.assertEqual(0, named.returncode, named.stderr)
        self.ends(self.begin(data=data), 1, "has entry", "not the same journal")

    def test_another_node_with_the_same_name(self):
        self.house.await_away("a", "b")  # of the test before
        self.house.start("b")
        self.house.await_running("a", "b")
        twin = self.copy_of(self.house.data("b"))
        self.ends(self.begin(data=twin), 1, "another node named b",
                  self.house.nodes["b"].endpoint)
        self.assertTrue(self.house.nodes["b"].is_running())
        self.assertEqual(0, self.house.nodes["b"].stop())

    def test_another_house_finds_no_journal_of_its_own(self):
        floor = Floor()
        self.addCleanup(floor.close)
        floor.init()
        self.assertEqual(
            0, floor.tool("name-node", "--node", "b", "--data", floor.data).returncode)
        before = digest(floor.data)
        node = begin(floor, floor.data, ["--etcd", self.house.members.endpoints])
        prefix = node.await_line(r"etcd holds no journal of this house \((/linkmeter/\w+/)\).*"
                                 "--create-cluster")[1]
        self.assertFalse([key for key in self.before if key.startswith(prefix)])
        self.assertEqual(0, node.stop())
        self.assertEqual(before, digest(floor.data))

    def test_a_backup_that_has_not_followed_does_not_create_a_cluster(self):
        backup = self.house.floor.folder / "backup"
        data = self.house.floor.folder / "restored"
        restored = self.house.floor.tool("restore", "--from", backup, "--to", data, "--node", "b")
        self.assertEqual(0, restored.returncode, restored.stderr)
        for options in (["--create-cluster"], ["--etcd", ""]):
            with self.subTest(options=options):
                node = self.begin(*options, data=data)
                code = 1 if "--create-cluster" in options else 2
                self.ends(node, code, *([str(data), "has not followed"] if code == 1 else []))


class StaleEtcd(unittest.TestCase):
    def setUp(self):
        self.house = House()
        self.addCleanup(self.house.close)
        self.house.nodes["b"].await_line("standby writer=a")

    def test_a_restored_snapshot_of_etcd_has_lost_entries(self):
        members = self.house.members
        old = {key: value for key, value in house_keys(members).items() if key.endswith("/head")}
        self.house.start_agent(TABLE, rounds(1, 5)).finish(0)
        self.house.await_equal_journals()
        for name in ("b", "a"):
            self.assertEqual(0, self.house.nodes[name].stop())
        head, value = old.popitem()
        members.ask(0, "/v3/kv/put", {"key": base64.b64encode(head.encode()).decode(),
                                      "value": value})
        before, stored = digest(self.house.data("b")), house_keys(members)
        node = self.house.begin("b")
        node.finish(1)
        self.assertRegex(node.last_error(),
                         r"this node's journal has entry \d+:\w+, and etcd has \d+:\w+: "
                         "it is not the same journal, or etcd has lost entries")
        self.assertEqual(before, digest(self.house.data("b")))
        self.assertEqual(stored, house_keys(members))

    def test_an_etcd_that_answers_late(self):
        before = self.house.await_equal_journals()
        for index in range(3):
            self.house.members.pause_member(index)
        self.house.nodes["b"].await_line(r"etcd does not answer: etcd at http://\S+: no answer")
        self.house.nodes["a"].finish(LOST_ROLE)
        self.assertIn("its lease in etcd was not renewed in time",
                      self.house.nodes["a"].last_error())
        told = self.house.tool("b", "nodes")
        self.assertEqual(0, told.returncode, told.stderr)
        self.assertIn("etcd does not answer: etcd at http://", told.stdout)
        self.assertEqual(before, self.house.journal("b"))
        for index in range(3):
            self.house.members.resume_member(index)
        self.house.nodes["b"].await_line("etcd answers")
        self.house.await_writer("b")
        self.house.start("a")
        self.house.await_equal_journals()


class OneMember(unittest.TestCase):
    """A named node that has no cluster yet, and one member of etcd."""
    plain = False

    def setUp(self):
        self.floor = Floor()
        self.addCleanup(self.floor.close)
        self.members = EtcdMembers(self.floor.folder / "etcd", plain=self.plain, count=1)
        self.members.start()
        self.addCleanup(self.members.close)
        self.floor.init()
        named = self.floor.tool("name-node", "--node", "a", "--data", self.floor.data)
        self.assertEqual(0, named.returncode, named.stderr)
        self.before = digest(self.floor.data)

    def begin(self, *options):
        return begin(self.floor, self.floor.data,
                     ["--etcd", self.members.endpoints, *map(str, options)])

    def does_not_reach_etcd(self, node, why):
        node.await_line("etcd does not answer: etcd at "
                        f"{re.escape(self.members.endpoints)}: .*{why}")
        self.assertEqual(0, node.stop())
        self.assertEqual(self.before, digest(self.floor.data))


class Certificates(OneMember):
    def test_wrong_certificates(self):
        ca, certificate, key = self.members.node_files("a")
        other = self.floor.folder / "other"
        subprocess.run([MAKE_CERTIFICATES, other, "--node", "a"], check=True, capture_output=True)
        other_ca, other_certificate, other_key = (
            other / "nodes" / "a" / name for name in ("ca.pem", "node.pem", "node.key"))
        readable = self.floor.folder / "readable.key"
        shutil.copy(key, readable)
        readable.chmod(0o644)
        for chosen, words in (
                (("/nowhere/ca.pem", certificate, key), ("/nowhere/ca.pem", "No such file")),
                ((ca, "/nowhere/node.pem", key), ("/nowhere/node.pem", "No such file")),
                ((ca, certificate, "/nowhere/node.key"), ("/nowhere/node.key", "No such file")),
                ((self.floor.file, certificate, key), (self.floor.file, "no certificate")),
                ((ca, certificate, other_key), (other_key, "is not the key of", certificate)),
                ((ca, certificate, readable), (readable, "everybody may read", "chmod 600"))):
            with self.subTest(chosen=chosen):
                node = self.begin(*self.options(*chosen))
                node.finish(1)
                for word in words:
                    self.assertIn(str(word), node.last_error())
                self.assertEqual(self.before, digest(self.floor.data))
        for chosen, why in (
                ((ca, None, None), "it asks for a certificate, and this node has none"),
                ((ca, other_certificate, other_key), "does not accept this node's certificate"),
                ((other_ca, certificate, key), "its certificate is not signed by the CA")):
            with self.subTest(chosen=chosen):
                self.does_not_reach_etcd(self.begin(*self.options(*chosen)), why)

    def options(self, ca, certificate, key):
        own = ["--etcd-certificate", certificate, "--etcd-key", key] if certificate else []
        return ["--etcd-ca", ca, *own]


if __name__ == "__main__":
    unittest.main()
