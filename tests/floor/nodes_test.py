"""Nodes on a real floor: the first one gets its name, another one is made from a backup, and both
keys are enrolled by an engineer and a manager."""

import json
import re
import shutil
import subprocess
import unittest

from floor_process import FREE_PORT, PROGRAMS
from people_test import People


class Nodes(People):
    def setUp(self):
        super().setUp()
        self.backup = self.floor.folder / "backup"
        self.other = self.floor.folder / "b"

        # A node is made from a backup of a house that has nodes.
        self.assertEqual(0, self.controller.stop())
        named = self.name_node("a")
        self.assertEqual(0, named.returncode, named.stderr)
        self.controller = self.floor.start_controller()

    def restore(self, *options, code=0):
        if not self.backup.exists():
            self.floor.ask("backup", "--to", self.backup)
        result = self.floor.tool("restore", "--from", self.backup, "--to", self.other, *options)
        self.assertEqual(code, result.returncode, result.stderr)
        return result

    def name_node(self, name, data=None):
        return self.floor.tool("name-node", "--data", data or self.floor.data, "--node", name)

    def enrolled(self):
        return {(one["kind"], one["name"]): one["key"]
                for one in json.loads(self.floor.ask("enrolments", "--json"))}

    @staticmethod
    def field(file, name):
        return re.search(rf"^{name} (\S{{40}})$", file.read_text(), re.M)[1]

    @staticmethod
    def cluster_key(data):
        return data / "keys" / "cluster.key"

    def own_key(self, data):
        return self.field(data / "keys" / "controller.credentials", "public")

    def test_a_node_is_made_from_a_backup_and_enrolled(self):
        self.add("E-1", "systems", "engineer")
        told = json.loads(self.restore("--node", "b", "--json").stdout)
        key = told["public_key"]
        self.assertEqual("b", told["node"])
        self.assertEqual(key, self.own_key(self.other))
        self.assertNotEqual(key, self.own_key(self.floor.data))
        self.assertFalse((self.other / "restored.json").exists())
        self.assertEqual(0o600, (self.other / "node").stat().st_mode & 0o777)
        for file in (self.other / "keys" / "operator.credentials",
                     self.other / "credentials" / "C4-01.credentials"):
            self.assertEqual(key, self.field(file, "controller"), file)
        # Its other keys are those of the house.
        for name in ("seal.key", "journal.key", "pin.key", "cluster.key"):
            self.assertEqual((self.floor.data / "keys" / name).read_bytes(),
                             (self.other / "keys" / name).read_bytes())
        # Its pages get a key of their own at its start.
        self.assertEqual([], list((self.other / "keys").glob("web.*")))

        self.refused("not_enrolled", "E-1", "revoke", "--node", "b")
        proposed = self.done("E-1", "enroll", "--node", "b", f"--public-key={key}")
        self.assertEqual([], list(self.floor.folder.rglob("b.credentials")))
        self.assertNotIn(("node", "b"), self.enrolled())
        self.done("TGM-1", "confirm", proposed["proposal"])
        self.assertEqual(key, self.enrolled()["node", "b"])
        self.assertIn("enrol", proposed["summary"])
        self.refused("key_taken", "E-1", "enroll", "--node", "c", f"--public-key={key}")
        # The controller's own key is the key of its own node.
        own = self.own_key(self.floor.data)
        proposed = self.done("E-1", "enroll", "--node", "a", f"--public-key={own}")
        self.done("TGM-1", "confirm", proposed["proposal"])
        self.assertEqual(own, self.enrolled()["node", "a"])
        proposed = self.done("E-1", "revoke", "--node", "b")
        self.done("TGM-1", "confirm", proposed["proposal"])
        self.assertNotIn(("node", "b"), self.enrolled())
        self.refused("not_enrolled", "E-1", "revoke", "--node", "b")
        self.assertTrue(self.floor.audit()["clean"])

    def test_a_restored_node_does_not_write_alone(self):
        text = self.restore("--node", "b").stdout
        key = self.own_key(self.other)
        self.assertIn(f"node b: public key {key}\n", text)
        self.assertIn(f"linkmeter enroll --node b --public-key='{key}' --by BADGE", text)
        self.assertNotIn("history accept", text)
        self.assertNotIn(self.field(self.other / "keys" / "controller.credentials", "secret"), text)
        before = self.floor.tool("export", "--data", self.other).stdout
        self.assertEqual(0, self.controller.stop())
        alone = self.floor.run_controller(data=self.other)
        self.assertEqual(1, alone.child.returncode)
        self.assertIn("restored as node b and has not followed the other nodes", alone.last_error())
        self.assertEqual(before, self.floor.tool("export", "--data", self.other).stdout)

    def test_a_restoration_without_a_node_is_as_always(self):
        self.assertIn("history accept", self.restore().stdout)
        self.assertTrue((self.other / "restored.json").exists())
        self.assertFalse((self.other / "node").exists())
        self.assertFalse(self.cluster_key(self.other).exists())  # its history is another one
        self.assertEqual(self.own_key(self.floor.data), self.own_key(self.other))

    def test_the_first_name_makes_the_key_of_the_cluster(self):
        key = self.cluster_key(self.floor.data)
        made = key.read_text()
        self.assertRegex(made, r"\A[0-9a-f]{64}\n\Z")
        self.assertEqual(0o600, key.stat().st_mode & 0o777)
        self.assertEqual(0, self.controller.stop())
        for wrong in (made[:-2] + "\n", "", "x" * 64 + "\n"):
            key.write_text(wrong)
            for refused in (self.name_node("a"), self.started_with_etcd()):
                self.assertEqual(1, refused.returncode)
                self.assertIn(f"{key}: is not a cluster key", refused.stderr)
        key.write_text(made)
        key.chmod(0o640)
        self.assertIn("others may read this secret", self.started_with_etcd().stderr)
        key.chmod(0o600)
        self.assertEqual(0, self.name_node("a").returncode)
        self.assertEqual(made, key.read_text())

    def test_a_node_without_the_key_of_its_cluster_does_not_start_with_etcd(self):
        key = self.cluster_key(self.floor.data)
        self.assertEqual(0, self.controller.stop())
        key.unlink()
        refused = self.started_with_etcd()
        self.assertEqual(1, refused.returncode)
        self.assertIn(f"{key}: is missing", refused.stderr)
        self.assertIn(f"linkmeter name-node --data {self.floor.data} --node NAME", refused.stderr)
        self.assertFalse(key.exists())
        # A backup from before makes no node.
        self.floor.ask("backup", "--to", self.backup)
        refused = self.restore("--node", "b", code=1)
        self.assertIn("it has no keys/cluster.key", refused.stderr)
        self.assertIn("linkmeter name-node", refused.stderr)
        self.assertFalse(self.other.exists())
        self.assertEqual(0, self.name_node("a").returncode)
        self.assertTrue(key.exists())
        # A node that was made from a backup does not make a key of its own.
        shutil.rmtree(self.backup)
        self.restore("--node", "b")
        self.cluster_key(self.other).unlink()
        refused = self.name_node("b", self.other)
        self.assertEqual(1, refused.returncode)
        self.assertIn("is missing", refused.stderr)
        self.assertFalse(self.cluster_key(self.other).exists())

    def started_with_etcd(self):
        """The controller of the first folder, which ends before it reaches etcd."""
        return subprocess.run(
            [PROGRAMS / "linkmeter-controller", "--floor", self.floor.file, "--data",
             self.floor.data, "--etcd", "http://127.0.0.1:1", "--listen", FREE_PORT, "--feed",
             FREE_PORT, "--web", "none"], capture_output=True, text=True, timeout=60)

    def test_the_first_node_gets_its_name_while_it_is_stopped(self):
        (self.floor.data / "node").unlink()
        running = self.name_node("a")
        self.assertEqual(1, running.returncode)
        self.assertFalse((self.floor.data / "node").exists())
        self.assertEqual(0, self.controller.stop())
        own = self.own_key(self.floor.data)
        for _ in range(2):  # the second time it only prints the key
            named = self.name_node("a")
            self.assertEqual(0, named.returncode, named.stderr)
            self.assertIn(f"node a: public key {own}\n", named.stdout)
            self.assertEqual("a\n", (self.floor.data / "node").read_text())
        other = self.name_node("b")
        self.assertEqual(1, other.returncode)
        self.assertIn("it is node a, and keeps its name", other.stderr)
        self.assertEqual("a\n", (self.floor.data / "node").read_text())
        # Without other nodes it works as before, and its own key stays.
        self.controller = self.floor.start_controller()
        self.assertEqual({"operating"}, {link["status"] for link in self.floor.meters()["links"]})
        self.refused("key_not_made", "TGM-1", "keys", "rotate", "controller")
        self.assertEqual(own, self.own_key(self.floor.data))

    def test_a_house_may_begin_with_a_named_node(self):
        data = self.floor.folder / "new"
        made = self.floor.tool("init", "--floor", self.floor.file, "--data", data, "--node", "a")
        self.assertEqual(0, made.returncode, made.stderr)
        self.assertIn(f"node a: enrolled, public key {self.own_key(data)}\n", made.stdout)
        self.assertEqual("a\n", (data / "node").read_text())
        self.assertEqual(0o600, self.cluster_key(data).stat().st_mode & 0o777)
        listed = json.loads(self.floor.tool("enrolments", "--data", data, "--json").stdout)
        self.assertIn({"kind": "node", "name": "a", "key": self.own_key(data)}, listed)
        # A folder of another node cannot take its name.
        stolen = self.name_node("c", data)
        self.assertEqual(1, stolen.returncode)

    def test_wrong_options_are_usage_errors_and_change_nothing(self):
        key = self.own_key(self.floor.data)
        data = ("--data", self.floor.data, "--by", "TGM-1")
        for wrong in (("enroll", "--node", "b", *data),
                      ("enroll", f"--public-key={key}", *data),
                      ("enroll", "--table", "C4-01", f"--public-key={key}", *data),
                      ("enroll", "--node", "b", "--table", "C4-01", f"--public-key={key}", *data),
                      ("enroll", "--node", "b", f"--public-key={key}x", *data),
                      ("enroll", "--node", "b", f"--public-key={key}", "--out", "x", *data),
                      ("enroll", "--node", "b c", f"--public-key={key}", *data),
                      ("revoke", "--node", "b", "--viewer", "b", *data),
                      ("name-node", "--data", self.floor.data),
                      ("name-node", "--data", self.floor.data, "--node", "n" * 65),
                      ("restore", "--from", self.backup, "--to", self.other, "--node", "ä")):
            with self.subTest(wrong=wrong):
                told = self.floor.tool(*wrong)
                self.assertNotEqual(0, told.returncode, told.stdout)
                self.assertEqual("", told.stdout)
        self.assertEqual(["floor_opened", "self_checked"], self.facts()[:2])
        self.assertNotIn("act_proposed", self.facts())
        self.assertFalse(self.other.exists())


if __name__ == "__main__":
    unittest.main()
