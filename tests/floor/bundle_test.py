"""Bundles of evidence: proved in an empty folder with the program alone."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import floor_process
from people_test import People, win


class BundleTest(People):
    def setUp(self):
        super().setUp()
        self.add("F-1", "table_games", "floorperson")
        self.add("C-1", "finance", "cashier")
        self.play(win("r1"))
        self.done("F-1", "validate", 1)
        self.done("C-1", "pay", 1, "--source", "hand_pay")
        # The slip's copy is made beside the turn; it exists once its digest is journaled.
        while not json.loads(self.floor.ask("slips", "--json"))[0]["stored"]:
            pass
        self.folder = self.floor.folder / "evidence"
        self.made = json.loads(self.floor.ask("bundle", "--claim", "1", "--out", self.folder,
                                              "--json"))
        self.away = Path(tempfile.mkdtemp(prefix="linkmeter-away-"))
        self.addCleanup(shutil.rmtree, self.away)
        shutil.copy2(floor_process.PROGRAMS / "linkmeter", self.away / "linkmeter")
        shutil.copytree(self.folder, self.away / "evidence")

    def audit(self, *options, code=0):
        """Runs the program alone, in a folder with nothing else."""
        result = subprocess.run([self.away / "linkmeter", "audit", "--bundle", "evidence",
                                 *options], cwd=self.away, env={"PATH": os.environ["PATH"]},
                                text=True, capture_output=True, check=False, timeout=60)
        self.assertEqual(code, result.returncode, result.stderr)
        return result

    def test_a_claims_bundle_is_verified_alone_with_its_timeline(self):
        told = json.loads(self.audit("--json").stdout)
        self.assertTrue(told["clean"])
        self.assertEqual([], told["missing"])
        story = "\n".join(told["story"])
        for part in ("claim 1 raised at C4-01 seat 2, round r1", "validated by F-1",
                     "slip 1 issued by C-1", "paid by C-1, hand_pay, on slip 1",
                     "slips/000001.pdf is that slip, to the last byte"):
            self.assertIn(part, story)
        # It can be tied to the live journal at any of its entries.
        entries = {entry["entry"]: entry for entry in self.floor.entries()}
        first = self.made["before"]["entry"] + 1
        self.assertEqual("round_locked", entries[first]["fact"])
        for number in (first - 1, first, self.made["last"]["entry"]):
            self.audit("--head", f"{number}:{entries[number]['hash']}")
        other = self.audit("--head", f"{first}:{'0' * 64}", code=1)
        self.assertIn("another history", other.stderr)

    def test_a_missing_or_changed_file_of_a_bundle_is_named(self):
        evidence = self.away / "evidence"
        names = sorted(str(path.relative_to(evidence)) for path in evidence.rglob("*")
                       if path.is_file())
        self.assertIn("slips/000001.pdf", names)
        for name in names:
            path = evidence / name
            whole = path.read_bytes()
            with self.subTest(name):
                for at in (0, len(whole) // 3, len(whole) - 1):
                    changed = bytearray(whole)
                    changed[at] ^= 1
                    path.write_bytes(changed)
                    self.assertIn(name, self.audit(code=1).stderr)
                path.unlink()
                self.assertIn(name, self.audit(code=1).stderr)
                path.write_bytes(whole)
        self.audit()

    def test_json_output_is_one_document_even_without_a_manifest(self):
        manifest = self.away / "evidence" / "manifest.json"
        whole = manifest.read_bytes()
        manifest.unlink()
        for make in (lambda: None, lambda: manifest.write_text("?", encoding="utf-8"),
                     lambda: (manifest.unlink(), os.mkfifo(manifest))):
            make()
            told = json.loads(self.audit("--json", code=1).stdout)
            self.assertEqual([False, None, None],
                             [told[key] for key in ("clean", "claim", "day")])
            self.assertIn("manifest.json", told["wrong"][0])
        manifest.unlink()
        manifest.write_bytes(whole)
        self.audit()

    def test_impossible_bundles_are_refused_with_a_sentence(self):
        for arguments, said in ((("bundle", "--claim", "2", "--out", "x"), "no claim 2"),
                                (("bundle", "--claim", "1", "--out", self.folder), "exists"),
                                (("bundle", "--day", "2020-01-01", "--out", "x"), "not ended")):
            with self.subTest(arguments):
                result = self.floor.tool(*arguments, "--data", self.floor.data)
                self.assertEqual(1, result.returncode, result.stdout)
                self.assertIn(said, result.stderr)
        # No day is closed here, so nothing is archived; an empty archive proves nothing.
        archive = self.floor.folder / "archive"
        self.assertIn("no closed day", self.floor.ask("archive", "--to", archive))
        self.assertEqual(1, self.floor.tool("archive", "--verify", archive).returncode)
        self.assertEqual(1, self.floor.tool("audit", "--archive", archive).returncode)


del People

if __name__ == "__main__":
    unittest.main()
