"""Files of the programs: who may read them, whatever the umask is, and what evidence contains."""

import hashlib
import hmac
import os
import re
import unittest

os.environ["LINKMETER_SLOW_PINS"] = "1"  # the test hashes PINs itself, as the product does

from people_test import People, win

SEAL = re.compile(rb"scrypt(-keyed)?\$(\d+)\$(\d+)\$(\d+)\$([0-9a-f]{32})\$([0-9a-f]{64})")


def texts(folder):
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def opened(seal, secret):
    _, cost, blocks, lanes, salt, found = seal
    made = hashlib.scrypt(secret, salt=bytes.fromhex(salt.decode()), n=1 << int(cost),
                          r=int(blocks), p=int(lanes), maxmem=1 << 28, dklen=32)
    return made.hex().encode() == found


class SecretsTest(People):
    def setUp(self):
        # The widest umask: private files must be private because of the programs, not because of
        # the umask.
        self.addCleanup(os.umask, os.umask(0))
        super().setUp()
        self.add("F-1", "table_games", "floorperson")
        self.key = self.floor.data / "keys" / "pin.key"

    def test_every_file_with_a_secret_is_private_to_its_owner(self):
        self.play(win("r1"))
        backup = self.floor.folder / "backup"
        self.floor.ask("backup", "--to", backup)
        restored = self.floor.folder / "restored"
        result = self.floor.tool("restore", "--from", backup, "--to", restored)
        self.assertEqual(0, result.returncode, result.stderr)
        for top in (self.floor.data, backup, restored):
            self.assertEqual(0o700, top.stat().st_mode & 0o777, top)
            for name in ("keys", "credentials", "journal"):
                self.assertEqual(0o700, (top / name).stat().st_mode & 0o777, top / name)
                for path in (top / name).rglob("*"):
                    self.assertEqual(0, path.stat().st_mode & 0o077, path)
        outbox = self.floor.agents / "C4-01.outbox"
        self.assertEqual(0o700, outbox.stat().st_mode & 0o777)
        for path in outbox.iterdir():
            self.assertEqual(0o600, path.stat().st_mode & 0o777, path)

    def test_published_evidence_contains_no_pin_hash(self):
        self.play(win("r1"))
        self.both("person", "pin", "F-1", environment={"LINKMETER_NEW_PIN": "135724"})
        bundle = self.floor.folder / "evidence"
        self.floor.ask("bundle", "--claim", "1", "--out", bundle)
        given = texts(bundle)
        seals = {match.groups() for match in SEAL.finditer(given)}
        # A thief of the hashes can try every PIN; only with the key does one match.
        self.assertFalse([seal for seal in seals if opened(seal, b"135724")])
        key = self.key.read_text().strip().encode()
        self.assertNotIn(key, given)
        keyed = hmac.digest(key, b"135724", "sha256")
        self.assertTrue([seal for seal in seals if opened(seal, keyed)])

    def test_without_the_pin_key_nothing_starts(self):
        self.assertEqual(0, self.controller.stop())
        self.key.chmod(0o640)
        self.does_not_start("others may read this secret")
        self.key.chmod(0o600)
        whole = self.key.read_text()
        self.key.write_text(whole[1:])
        self.does_not_start("is not a PIN key")
        self.key.unlink()
        self.does_not_start("no PIN can be verified without it")
        self.assertFalse(self.key.exists())
        self.key.touch(0o600)
        self.key.write_text(whole)
        self.controller = self.floor.start_controller()
        self.done("TGM-1", "link", "suspend", "C4-MEGA", "--reason", "sign dark")

    def does_not_start(self, words):
        controller = self.floor.run_controller()
        self.assertEqual(1, controller.wait(), controller.telling())
        self.assertIn(words, "\n".join(controller.said))


if __name__ == "__main__":
    unittest.main()
