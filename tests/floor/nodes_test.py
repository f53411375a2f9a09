"""Nodes on a real floor: the first one gets its name, another one is made from a backup, and both
keys are enrolled by an engineer and a manager."""

import json
import re
import unittest

from people_test import People


class Nodes(People):
    def setUp(self):
        super().setUp()
        self.backup = self.floor.folder / "backup"
        self.other = self.floor.folder / "b"

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
        for name in ("seal.key", "journal.key", "pin.key"):
            self.assertEqual((self.floor.data / "keys" / name).read_bytes(),
                             (self.other / "keys" / name).read_bytes())

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
        self.assertEqual(0, self.controller.stop())
        self.assertEqual(0, self.name_node("a").returncode)
        self.assertIn("history accept", self.restore().stdout)
        self.assertTrue((self.other / "restored.json").exists())
        self.assertFalse((self.other / "node").exists())
        self.assertEqual(self.own_key(self.floor.data), self.own_key(self.other))

    def test_the_first_node_gets_its_name_while_it_is_stopped(self):
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
        listed = json.loads(self.floor.tool("enrolments", "--data", data, "--json").stdout)
        self.assertIn({"kind": "node", "name": "a", "key": self.own_key(data)}, listed)
        # A folder of another node cannot take its name.
        self.assertEqual(0, self.controller.stop())
        self.assertEqual(0, self.name_node("a").returncode)
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
