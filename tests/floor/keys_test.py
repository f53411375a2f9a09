"""The house's own keys on a real floor: the journal is signed, and every key can be replaced."""

import json
import os
import re
import shutil
import subprocess
import time
import unittest

from floor_process import PATIENCE_S, Floor
from people_test import People, win

TOKEN_LIBRARY = "/usr/lib/softhsm/libsofthsm2.so"
ENGINE = "/usr/lib/x86_64-linux-gnu/engines-3/pkcs11.so"
SIGNING = ("--sign-every", "1")


class Keys(People):
    options = SIGNING

    def setUp(self):
        super().setUp()
        self.restart()

    def restart(self, *options, environment=None):
        self.assertEqual(0, self.controller.stop())
        self.controller = self.floor.start_controller(options=[*self.options, *options],
                                                      environment=environment)

    def await_(self, found, what):
        """Polls until the result is found: the controller's own actions take about a second."""
        until = time.monotonic() + PATIENCE_S
        while not (result := found()):
            self.assertLess(time.monotonic(), until, what)
        return result

    def signatures(self, *options):
        result = self.floor.tool("audit", "--data", self.floor.data, "--json", *options)
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(result.stdout)["signatures"]

    def await_signed(self, after=0):
        """A signature of the entry `after` or a later one."""
        return self.await_(lambda: (s := self.signatures())["proved_up_to"] >= after and s,
                           f"entry {after} is not signed")

    def await_quiet(self):
        """The last entry, which is a signature of the one before it."""
        return self.await_(lambda: (e := self.floor.entries()[-1])["fact"] == "head_signed"
                           and e["head"] == e["entry"] - 1 and e["entry"], "no signature")

    def last_entry(self):
        return self.floor.meters()["entry"]

    def key(self, name):
        return self.floor.data / "keys" / name

    def waiting(self):
        return [path.name for path in self.key(".").iterdir() if ".next-" in path.name]

    def rotate(self, kind, *arguments):
        return self.both("keys", "rotate", kind, *arguments)


class JournalKey(Keys):
    def test_heads_are_signed_and_verified_with_the_key_that_init_printed(self):
        self.play(win("r1"))
        last = self.await_quiet()
        proof = self.signatures()
        self.assertEqual(last - 1, proof["proved_up_to"])
        self.assertEqual([1], [key["since"] for key in proof["keys"]])
        told = proof["keys"][0]["sha256"]
        self.assertEqual(proof, self.signatures("--journal-key", told))
        wrong = self.floor.tool("audit", "--data", self.floor.data, "--journal-key", "0" * 64)
        self.assertEqual(1, wrong.returncode)
        self.assertIn(f"the journal's first key is {told}", wrong.stderr)
        # Nothing was entered, so nothing was signed.
        self.assertEqual(last, self.last_entry())

    def test_a_missing_signing_key_stops_nothing_and_later_catches_up(self):
        self.await_signed(1)
        away = self.floor.folder / "away.key"
        self.assertEqual(0, self.controller.stop())
        shutil.move(self.key("journal.key"), away)
        self.controller = self.floor.start_controller(options=self.options)
        self.controller.await_line(r"the journal is not signed: .*journal\.key")
        self.play(win("r1"))
        last = self.last_entry()
        self.assertEqual({"operating"}, {l["status"] for l in self.floor.meters()["links"]})
        self.await_(lambda: "linkmeter_journal_signer_works 0"
                    in (self.floor.data / "metrics.prom").read_text(), "no metric tells it")
        shutil.move(away, self.key("journal.key"))
        self.controller.await_line("the journal is signed again")
        self.await_signed(last)

    def test_a_new_journal_key_is_signed_by_the_previous_one(self):
        self.await_signed(1)
        before = self.key("journal.key").read_text()
        self.rotate("journal")
        self.await_quiet()
        proof = self.signatures()
        self.assertGreater(proof["keys"][1]["signatures"], 0)
        self.assertNotEqual(before, self.key("journal.key").read_text())
        self.assertEqual([True, True], [k["signed_by_the_key_before"] for k in proof["keys"]])
        self.assertEqual([], self.waiting())
        confirmed = [e for e in self.floor.entries() if e["fact"] == "act_confirmed"]
        self.assertIn("signed by the key before", confirmed[-1]["summary"])

    def test_a_crash_between_the_entry_and_the_file(self):
        before = self.key("journal.key").read_bytes()
        self.rotate("journal")
        self.assertEqual(0, self.controller.stop())
        # As after a crash: the entry is there, and the file still has its own name.
        sha256 = json.loads(self.floor.ask("keys", "list", "--json"))["keys"]
        fingerprint = next(k["sha256"] for k in sha256 if k["key"] == "journal")[:16]
        after = self.key("journal.key").read_bytes()
        os.rename(self.key("journal.key"), self.key(f"journal.key.next-{fingerprint}"))
        self.key("journal.key").write_bytes(before)
        self.key("journal.key").chmod(0o600)
        self.controller = self.floor.start_controller(options=self.options)
        self.assertEqual(after, self.key("journal.key").read_bytes())
        self.assertEqual([], self.waiting())
        self.await_signed(self.last_entry() - 1)


@unittest.skipUnless(os.path.exists(TOKEN_LIBRARY) and os.path.exists(ENGINE),
                     "no software token (softhsm2, libengine-pkcs11-openssl)")
class Token(Keys):
    def setUp(self):
        super().setUp()
        tokens = self.floor.folder / "tokens"
        tokens.mkdir()
        config = self.floor.write(f"directories.tokendir = {tokens}\n", "softhsm2.conf")
        self.environment = {"SOFTHSM2_CONF": str(config)}
        self.pin = self.floor.write("4321\n", "token.pin")
        self.pin.chmod(0o600)
        key = self.floor.folder / "token.pem"
        self.run_("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                  "ec_paramgen_curve:P-256", "-out", key)
        self.run_("softhsm2-util", "--init-token", "--free", "--label", "linkmeter",
                  "--so-pin", "8765", "--pin", "4321")
        self.run_("softhsm2-util", "--import", key, "--token", "linkmeter", "--label", "journal",
                  "--id", "01", "--pin", "4321")
        self.signer = (f"pkcs11:token=linkmeter;object=journal?module-path={TOKEN_LIBRARY}"
                       f"&pin-source={self.pin}")
        self.tokens = tokens

    def run_(self, *command):
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                                check=False, env={**os.environ, **self.environment})
        self.assertEqual(0, result.returncode, result.stderr + result.stdout)

    def test_a_token_signs_is_removed_and_comes_back(self):
        self.await_signed(1)
        self.restart("--signer", self.signer, environment=self.environment)
        self.controller.await_line("not signed: the signer's key is not the journal's")
        self.rotate("journal")
        self.await_quiet()
        proof = self.signatures()
        self.assertGreater(proof["keys"][1]["signatures"], 0)
        # The key file is still there, so it proves the token's key.
        self.assertEqual([True, True], [k["signed_by_the_key_before"] for k in proof["keys"]])
        self.assertEqual(0, self.controller.stop())
        gone = self.floor.folder / "gone"
        self.tokens.rename(gone)
        self.tokens.mkdir()
        self.controller = self.floor.start_controller(
            options=[*self.options, "--signer", self.signer], environment=self.environment)
        self.controller.await_line("the journal is not signed: the token")
        self.play(win("r1"))
        last = self.last_entry()
        self.tokens.rmdir()
        gone.rename(self.tokens)
        self.controller.await_line("the journal is signed again")
        self.await_signed(last)

    def test_a_pin_that_others_may_read_is_refused(self):
        self.pin.chmod(0o644)
        self.restart("--signer", self.signer, environment=self.environment)
        self.controller.await_line("not signed: .*token.pin: others may read")


class HouseKeys(Keys):
    options = ()

    def test_the_operator_key_is_replaced(self):
        old = self.key("operator.credentials").read_text()
        self.rotate("operator")
        self.assertNotEqual(old, self.key("operator.credentials").read_text())
        self.done("TGM-1", "link", "suspend", "C4-MEGA", "--reason", "a test")
        # The old one is no longer valid.
        new = self.key("operator.credentials").read_text()
        self.key("operator.credentials").write_text(old)
        result = self.floor.tool("tables", "--data", self.floor.data)
        self.assertEqual(1, result.returncode)
        self.key("operator.credentials").write_text(new)
        self.restart()
        self.both("link", "resume", "C4-MEGA")

    def test_a_new_controller_key_is_in_every_key_file_after_the_next_start(self):
        agent = self.floor.start_agent(self.controller.endpoint, "C4-01", win("r1"))
        agent.finish(0)
        old = self.key("controller.credentials").read_text()
        self.rotate("controller")
        self.assertEqual(old, self.key("controller.credentials").read_text())
        self.play(win("r2"))
        self.restart()
        own = re.search(r"^public (.+)$", self.key("controller.credentials").read_text(), re.M)[1]
        self.assertNotIn(own, old)
        for path in [self.key("operator.credentials"),
                     *(self.floor.data / "credentials").rglob("*.credentials")]:
            self.assertIn(f"controller {own}\n", path.read_text(), path)
            self.assertEqual(0o600, path.stat().st_mode & 0o777, path)
        self.play(win("r3"))
        self.done("TGM-1", "link", "suspend", "C4-MEGA", "--reason", "a test")
        self.assertEqual(0, self.controller.stop())
        self.key("controller.credentials").write_text(old)
        self.key("controller.credentials").chmod(0o600)
        controller = self.floor.run_controller()
        self.assertIn("is not the key in force", "\n".join(controller.said))

    def test_after_a_new_pin_key_everybody_must_change_the_pin(self):
        self.add("F-1", "table_games", "floorperson")
        self.floor.own_pin("F-1")
        old = self.key("pin.key").read_text()
        self.rotate("pin")
        self.assertNotEqual(old, self.key("pin.key").read_text())
        self.refused("pin_to_be_changed", "TGM-1", "link", "suspend", "C4-MEGA", "--reason", "x")
        waiting = json.loads(self.floor.ask("keys", "list", "--json"))["before_pin_key"]
        self.assertEqual(["F-1", "FM-1", "TGM-1"], waiting)
        # Also after a restart; a wrong PIN is wrong with either key.
        self.restart()
        self.refused("pin_wrong", "FM-1", "person", "pin", pin="0000",
                     environment={"LINKMETER_NEW_PIN": "114222"})
        for badge in ("TGM-1", "FM-1"):
            self.floor.given.add(badge)
            self.floor.own_pin(badge)
        self.refused("pins_to_be_changed", "TGM-1", "keys", "rotate", "pin")
        self.both("person", "pin", "F-1", environment={"LINKMETER_NEW_PIN": "947135"})
        self.assertFalse(json.loads(self.floor.ask("keys", "list", "--json"))["before_pin_key"])
        self.restart()
        self.assertFalse(self.key("pin.key.before").exists())
        self.floor.give_pin("F-1", "947135")
        self.floor.own_pin("F-1")
        self.assertTrue(self.floor.audit()["clean"])

    def test_the_seal_key_is_replaced(self):
        self.manifest = self.floor.data / "manifest"
        old = self.key("seal.key").read_bytes()
        old_manifest = self.manifest.read_bytes()
        self.rotate("seal")
        self.assertNotEqual(old, self.key("seal.key").read_bytes())
        self.assertEqual([], self.waiting())
        self.restart()  # the manifest was signed again
        # A crash between the entry and the files: the next start puts both files in place.
        self.assertEqual(0, self.controller.stop())
        keys = json.loads(self.floor.ask("keys", "list", "--json"))["keys"]
        fingerprint = next(k["sha256"] for k in keys if k["key"] == "seal")[:16]
        for path, before in ((self.key("seal.key"), old), (self.manifest, old_manifest)):
            os.rename(path, f"{path}.next-{fingerprint}")
            path.write_bytes(before)
            path.chmod(0o600)
        self.controller = self.floor.start_controller()
        self.assertEqual([], self.waiting())
        self.key("seal.key").write_bytes(old)
        result = self.floor.tool("seal", "--floor", self.floor.file, "--data", self.floor.data)
        self.assertEqual(1, result.returncode)
        self.assertIn("not the seal key that the journal names", result.stderr)
        stick = self.floor.folder / "stick.key"
        self.key("seal.key").unlink()
        result = self.ask("TGM-1", "keys", "rotate", "seal", "--out", stick)
        self.assertIn("--lost", result.stderr)

    def test_one_manager_alone_replaces_nothing(self):
        files = {path.name: path.read_bytes() for path in self.key(".").iterdir()}
        told = self.done("TGM-1", "keys", "rotate", "operator")
        alone = self.ask("TGM-1", "confirm", told["proposal"])
        self.assertEqual(1, alone.returncode)
        self.assertIn("refused: same_department", alone.stderr)
        self.add("F-1", "table_games", "floorperson")
        self.refused("right_missing", "F-1", "keys", "rotate", "pin")
        for name, content in files.items():
            self.assertEqual(content, self.key(name).read_bytes(), name)


class ResumeAll(Keys):
    options = ()

    def test_two_managers_resume_all_links_of_one_cause(self):
        links = [link["link"] for link in self.floor.meters()["links"]]
        for link in links[:3]:
            self.done("TGM-1", "link", "suspend", link, "--reason", "the disk is full")
        told = self.done("TGM-1", "link", "resume", "--all")
        self.assertEqual(f"resume 3 suspended links:\n    {', '.join(links[:3])}: the disk is full",
                         told["summary"])
        self.done("FM-1", "link", "suspend", links[3], "--reason", "sign dark")
        self.done("FM-1", "confirm", told["proposal"])
        status = {link["link"]: link["status"] for link in self.floor.meters()["links"]}
        self.assertEqual({links[3]}, {link for link in status if status[link] != "operating"})
        usage = self.ask("TGM-1", "link", "resume")
        self.assertEqual(2, usage.returncode)


if __name__ == "__main__":
    unittest.main()
