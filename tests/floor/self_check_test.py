"""What a controller proves about itself before it operates (L2), and what tables can say about its
past.

Real processes, run from a folder of copied programs, so that bytes in them can be changed.
"""

import hashlib
import json
import os
import shutil
import subprocess
import unittest

import floor_process
from floor_process import Floor

BUILT = floor_process.PROGRAMS
NAMES = ("linkmeter-controller", "linkmeter", "linkmeter-table-agent")


def lock(round_id, seat=2):
    return {"event": "lock", "round": round_id,
            "wagers": [{"seat": seat, "wager": "crazy-4/five-card", "amount": "5.00"}]}


def close(round_id):
    return {"event": "close", "round": round_id}


def void(round_id, reason):
    return {"event": "void", "round": round_id, "reason": reason}


def flip(path, at):
    """Flips one bit of one byte; a second call restores it."""
    bytes_ = bytearray(path.read_bytes())
    bytes_[at] ^= 1
    path.write_bytes(bytes_)


def flip_after(path, mark, count):
    """Flips the byte `count` bytes behind every place where the mark occurs."""
    bytes_ = bytearray(path.read_bytes())
    at = bytes_.find(mark)
    assert at >= 0, mark
    while at >= 0:
        bytes_[at + len(mark) + count] ^= 1
        at = bytes_.find(mark, at + 1)
    path.write_bytes(bytes_)


class SelfCheckTest(unittest.TestCase):
    def setUp(self):
        self.floor = Floor()
        self.addCleanup(self.floor.close)
        self.catalogue = self.floor.folder / "share" / "linkmeter" / "catalogue"
        shutil.copytree(BUILT.parent / "share" / "linkmeter" / "catalogue", self.catalogue)
        self.programs = self.floor.folder / "bin"
        self.programs.mkdir()
        for name in NAMES:
            shutil.copy2(BUILT / name, self.programs / name)
        floor_process.PROGRAMS = self.programs
        self.addCleanup(setattr, floor_process, "PROGRAMS", BUILT)
        self.floor.init()
        self.manifest = self.floor.data / "manifest"
        self.journal_file = self.floor.data / "journal" / "data.mdb"

    def start(self, *options):
        """A controller that is ready."""
        controller = floor_process.Process(self.arguments(*options))
        self.floor.processes.append(controller)
        ready = controller.await_line(r"^ready (\S+) feed (\S+) entry (\d+)$")
        controller.endpoint = ready[1]
        return controller

    def arguments(self, *options):
        return [self.programs / "linkmeter-controller", "--floor", self.floor.file, "--data",
                self.floor.data, "--listen", floor_process.FREE_PORT, "--feed",
                floor_process.FREE_PORT, "--web", "none", *options]

    def does_not_start(self, *words, options=()):
        """It ends with 1 and a sentence with these words, and has served no client."""
        controller = floor_process.Process(self.arguments(*options))
        self.floor.processes.append(controller)
        controller.finish(1)
        said = "\n".join(controller.said)
        self.assertNotIn("ready ", said)
        sentence = [line for line in controller.said if line.startswith("linkmeter-controller:")]
        self.assertEqual(1, len(sentence), said)
        for word in words:
            self.assertIn(str(word), sentence[0])

    def checked(self, *failed):
        """The last entry is a self-check in which exactly these checks failed."""
        last = self.floor.entries()[-1]
        self.assertEqual(("self_checked", not failed), (last["fact"], last["passed"]))
        self.assertEqual(set(failed), {failure["check"] for failure in last["failures"]})
        return last

    def seal(self, *options):
        return self.floor.tool("seal", "--floor", self.floor.file, "--data", self.floor.data,
                               *options)

    def verify(self, *options):
        return self.floor.tool("verify-software", "--data", self.floor.data, *options)

    def play(self, controller, events, table="C4-01"):
        self.floor.start_agent(controller.endpoint, table, events).finish(0)


class Starts(SelfCheckTest):
    def test_every_start_is_an_entry_that_attests_the_previous_one(self):
        for options in ((), ("--quick-check",), ()):
            self.assertEqual(0, self.start(*options).stop())
        entries = self.floor.entries()
        self.assertEqual(["floor_opened"] + 3 * ["self_checked"], [e["fact"] for e in entries])
        for before, entry in zip(entries, entries[1:]):
            self.assertEqual((before["entry"], before["hash"]), (entry["verified"], entry["head"]))
            self.assertEqual(hashlib.sha256(self.manifest.read_bytes()).hexdigest(),
                             entry["manifest"])
        self.assertEqual([False, True, False], [entry["quick"] for entry in entries[1:]])

    def test_a_flipped_byte_in_any_sealed_file_is_named(self):
        files = [self.programs / name for name in NAMES] + sorted(self.catalogue.glob("*.toml"))
        for file in files:
            with self.subTest(file=file.name):
                # The last bytes of a program are section headers, which only debuggers read; those
                # of a chapter may be the end of a comment. It is another file all the same.
                at = file.stat().st_size - 3
                flip(file, at)
                self.does_not_start("software", file, "differs", "linkmeter seal")
                verified = self.verify("--json")
                self.assertEqual(1, verified.returncode)
                wrong = [one["name"] for one in json.loads(verified.stdout)["files"]
                         if one["verdict"] == "differs"]
                self.assertEqual([file.name], wrong)
                flip(file, at)
                self.assertEqual(0, self.verify().returncode)
        self.assertEqual(0, self.start().stop())
        self.checked()

    def test_a_changed_floor_file_is_named(self):
        self.floor.write(floor_process.DEMO + "# a remark\n")
        self.does_not_start("software", self.floor.file, "differs")
        self.checked("software")
        self.floor.write(floor_process.DEMO.replace('seed = "5000.00"', 'seed = "6000.00"', 1))
        self.does_not_start("software", "configuration", self.floor.file, "RIU-MAIN", "seed")
        self.checked("software", "configuration")
        self.floor.write(floor_process.DEMO)
        self.start()

    def test_a_flipped_byte_of_the_manifest_or_its_signature_is_named(self):
        text = self.manifest.read_bytes()
        for at in (3, text.index(b"by init") + 4, text.index(b" program"), len(text) - 2):
            flip(self.manifest, at)
            self.does_not_start("software", self.manifest)
            self.assertEqual(1, self.verify().returncode)
            flip(self.manifest, at)
        self.manifest.unlink()
        self.does_not_start("software", self.manifest, "linkmeter seal")
        self.checked("software")
        self.manifest.write_bytes(text)
        self.start()

    def test_missing_and_unsealed_files_are_named(self):
        agent = self.programs / "linkmeter-table-agent"
        agent.rename(self.floor.folder / "kept")
        self.does_not_start("software", agent, "missing")
        (self.floor.folder / "kept").rename(agent)
        chapter = self.catalogue / "keno.toml"
        shutil.copy(self.catalogue / "poker.toml", chapter)
        self.does_not_start("software", chapter, "never sealed")
        chapter.unlink()
        self.start()

    def test_a_program_replaced_while_it_runs_is_found_on_demand(self):
        controller = self.start()
        self.assertEqual(0, self.verify("--floor", self.floor.file).returncode)
        program = self.programs / "linkmeter-controller"
        other = self.floor.folder / "other"
        shutil.copy2(program, other)
        flip(other, other.stat().st_size - 3)
        other.rename(program)
        self.assertEqual(1, self.verify().returncode)
        self.play(controller, [lock("r1"), close("r1")])
        controller.stop()
        self.does_not_start("software", program)


class Seals(SelfCheckTest):
    def setUp(self):
        super().setUp()
        self.key = self.floor.data / "keys" / "seal.key"
        self.floor.write(floor_process.DEMO + "# a remark\n")

    def test_the_key_and_its_folder_are_private_to_the_owner(self):
        self.assertEqual(0o600, self.key.stat().st_mode & 0o777)
        self.assertEqual(0o700, self.key.parent.stat().st_mode & 0o777)

    def test_a_seal_with_the_right_key_is_accepted_and_lists_the_changes(self):
        before = hashlib.sha256(floor_process.DEMO.encode()).hexdigest()
        sealed = self.seal()
        self.assertEqual(0, sealed.returncode, sealed.stderr)
        after = hashlib.sha256(self.floor.file.read_bytes()).hexdigest()
        self.assertIn(f"changed floor floor.toml {before} -> {after}", sealed.stdout)
        self.assertEqual(1, sealed.stdout.count("changed"))
        self.start()
        self.assertIn("nothing changed", self.seal().stdout)  # beside a running controller

    def test_a_seal_key_kept_elsewhere(self):
        away = self.floor.folder / "stick.key"
        self.key.rename(away)
        self.assertEqual(1, self.seal().returncode)
        self.assertEqual(0, self.seal("--key", away).returncode)
        self.start()

    def test_a_seal_with_another_key_is_refused_and_the_old_seal_stays(self):
        with Floor() as other:
            other.init()
            before = self.manifest.read_bytes()
            sealed = self.seal("--key", other.data / "keys" / "seal.key")
            self.assertEqual(1, sealed.returncode)
            self.assertIn("not the seal key", sealed.stderr)
            self.assertEqual(before, self.manifest.read_bytes())
            # A signature with another house's key is worth nothing here, even for its own floor.
            shutil.copy(other.data / "manifest", self.manifest)
        self.does_not_start("software", self.manifest, "signature")

    def test_a_key_that_others_may_read_is_not_used(self):
        self.key.chmod(0o644)
        sealed = self.seal()
        self.assertEqual(1, sealed.returncode)
        self.assertIn("chmod 600", sealed.stderr)

    def test_only_an_engineer_seals(self):
        for badge, word in (("NOBODY", "nobody has the badge"), ("TGM-1", "no engineer")):
            sealed = self.seal("--by", badge)
            self.assertEqual(1, sealed.returncode)
            self.assertIn(word, sealed.stderr)


class Damage(SelfCheckTest):
    def setUp(self):
        super().setUp()
        controller = self.start()
        self.play(controller, [lock("r1"), void("r1", "a cup of tea"), lock("r2")])
        self.assertEqual(0, controller.stop())

    def test_a_flipped_byte_in_the_journal_is_named_and_nothing_is_written(self):
        flip_after(self.journal_file, b"a cup of", 1)
        before = self.journal_file.read_bytes()
        self.does_not_start("journal", "entry 4")
        self.assertEqual(before, self.journal_file.read_bytes())
        flip_after(self.journal_file, b"a cup of", 1)
        self.start()

    def test_a_long_journal_is_verified_after_the_start(self):
        controller = self.start("--check-first", "3")
        controller.await_line("verified: all entries up to the start are valid")
        self.assertEqual(0, controller.stop())
        start, behind = self.floor.entries()[-2:]
        self.assertEqual([True, False], [start["quick"], behind["quick"]])
        self.assertEqual((start["entry"], start["hash"]), (behind["verified"], behind["head"]))
        self.assertTrue(self.floor.audit()["clean"])

    def test_damage_in_the_trusted_part_ends_the_controller_and_stops_every_start(self):
        flip_after(self.journal_file, b"a cup of", 1)
        believing = ("--check-first", "1")
        controller = self.start(*believing)
        controller.finish(1)
        self.assertIn("entry 4", controller.last_error())
        for options in (believing, ("--quick-check",), ()):
            self.does_not_start("journal", "entry 4", options=options)
        flip_after(self.journal_file, b"a cup of", 1)
        self.start().stop()
        failed, *suspended = self.floor.entries()[6:-1]
        self.assertEqual((False, False), (failed["passed"], failed["quick"]))
        self.assertIn("entry 4", failed["failures"][0]["words"])
        self.assertEqual({"link_suspended"}, {entry["fact"] for entry in suspended})
        self.assertEqual({"suspended"}, {one["status"] for one in self.floor.meters()["links"]
                                         if one["levels"]})

    def test_a_flipped_byte_in_the_state_is_named(self):
        row = b"link/\x00\x00\x00\x0e"  # of the last link
        flip_after(self.journal_file, row, 0)
        self.does_not_start("balances", "state row link is damaged")
        flip_after(self.journal_file, row, 0)
        self.checked("balances")
        self.start()

    def test_a_damaged_state_is_rebuilt_from_a_sound_journal(self):
        self.assertEqual(0, self.start().stop())
        before = self.floor.meters()
        row = b"link/\x00\x00\x00\x0e"
        flip_after(self.journal_file, row, 0)
        self.does_not_start("balances", "linkmeter rebuild")
        told = self.floor.tool("rebuild", "--data", self.floor.data)
        self.assertEqual(0, told.returncode, told.stderr)
        self.assertIn("every link is suspended", told.stdout)
        self.start()
        after = self.floor.meters()
        for was, link in zip(before["links"], after["links"]):
            self.assertEqual(was["levels"], link["levels"])
            self.assertEqual("suspended", link["status"])
            self.assertIn("rebuilt from the journal", link["reason"])
        self.assertTrue(self.floor.audit()["clean"])
        again = self.floor.tool("rebuild", "--data", self.floor.data)
        self.assertEqual(1, again.returncode)
        self.assertIn("in use by another controller", again.stderr)

    def test_a_node_rebuilds_its_state_without_an_entry_of_its_own(self):
        (self.floor.data / "node").write_text("b\nfollows\n")  # as restore --node makes it
        before = self.floor.entries()
        row = b"link/\x00\x00\x00\x0e"
        flip_after(self.journal_file, row, 0)
        told = self.floor.tool("rebuild", "--data", self.floor.data)
        self.assertEqual(0, told.returncode, told.stderr)
        self.assertIn("only the writer appends entries", told.stdout)
        self.assertEqual(before, self.floor.entries())
        self.assertTrue(self.floor.audit()["clean"])
        # A journal that is damaged is fetched anew.
        flip_after(self.journal_file, b"a cup of", 1)
        told = self.floor.tool("rebuild", "--data", self.floor.data)
        self.assertEqual(1, told.returncode)
        self.assertIn("restore --from FOLDER --to DIR --node b", told.stderr)

    def test_nothing_is_rebuilt_from_a_damaged_journal_or_over_a_right_state(self):
        told = self.floor.tool("rebuild", "--data", self.floor.data)
        self.assertEqual(0, told.returncode, told.stderr)
        self.assertIn("nothing to rebuild", told.stdout)
        flip_after(self.journal_file, b"a cup of", 1)
        before = self.journal_file.read_bytes()
        told = self.floor.tool("rebuild", "--data", self.floor.data)
        self.assertEqual(1, told.returncode)
        self.assertIn("entry 4", told.stderr)
        self.assertEqual(before, self.journal_file.read_bytes())

    def test_a_malformed_file_name_does_not_damage_the_journal(self):
        """A failed check repeats the path; the entry must stay readable."""
        folder = os.fsencode(self.floor.folder) + b"/caf\xe9"
        os.mkdir(folder)
        other = folder + b"/floor.toml"
        with open(other, "wb") as file:
            file.write(self.floor.file.read_bytes().replace(b"14%", b"15%", 1))
        arguments = self.arguments()
        arguments[arguments.index("--floor") + 1] = os.fsdecode(other)
        controller = floor_process.Process(arguments)
        self.floor.processes.append(controller)
        self.assertEqual(1, controller.wait())
        self.assertEqual(0, self.start().stop())
        self.assertTrue(self.floor.audit()["clean"])

    def test_a_program_under_another_name_is_never_sealed(self):
        other = self.programs / "linkmeter-controller.old"
        shutil.copy2(self.programs / "linkmeter-controller", other)
        controller = floor_process.Process([other, *self.arguments()[1:]])
        self.floor.processes.append(controller)
        controller.finish(1)
        self.assertIn("linkmeter-controller.old was never sealed", "\n".join(controller.said))

    def test_witness_heads_of_tables_are_compared_with_the_journal(self):
        kept = self.floor.folder / "kept"
        shutil.copytree(self.floor.data, kept,  # the backup of last night
                        ignore=shutil.ignore_patterns("control", "endpoints"))
        controller = self.start()
        self.play(controller, [lock("r1"), void("r1", "a cup of tea"), lock("r2"), close("r2")])
        witnesses = self.floor.folder / "seen"
        with open(witnesses, "w", encoding="utf-8") as file:
            subprocess.run([self.programs / "linkmeter-table-agent", "--table", "C4-01", "--data",
                            self.floor.agents, "--print-witness"], check=True, stdout=file)
        seen = json.loads(witnesses.read_text())
        held = self.floor.tool("audit", "--data", self.floor.data, "--witness", witnesses, "--json")
        self.assertEqual(0, held.returncode, held.stderr)
        said = json.loads(held.stdout)
        self.assertEqual([{**seen, "holds": True, "why": None}], said["witnesses"])
        self.assertEqual("C4-01", seen["table"])
        entry = next(e for e in self.floor.entries() if e["entry"] == seen["entry"])
        self.assertEqual(entry["hash"], seen["hash"])
        controller.stop()

        shutil.rmtree(self.floor.data)
        shutil.copytree(kept, self.floor.data)
        self.assertEqual(0, self.floor.tool("audit", "--data", self.floor.data).returncode)
        cut = self.floor.tool("audit", "--data", self.floor.data, "--witness", witnesses)
        self.assertEqual(1, cut.returncode)
        self.assertIn("cut from its end", cut.stderr)

        controller = self.start()
        self.play(controller, [lock("other"), close("other")], table="C4-02")
        another = self.floor.tool("audit", "--data", self.floor.data, "--witness", witnesses,
                                  "--json")
        self.assertEqual(1, another.returncode)
        self.assertEqual([False], [one["holds"] for one in json.loads(another.stdout)["witnesses"]])
        self.assertIn("another history", another.stderr)

        witnesses.write_text(witnesses.read_text() + "nobody\n")
        wrong = self.floor.tool("audit", "--data", self.floor.data, "--witness", witnesses)
        self.assertEqual(1, wrong.returncode)
        self.assertIn(f"{witnesses}:2:", wrong.stderr)

    def test_an_agent_without_a_stored_head_is_no_witness(self):
        said = subprocess.run([self.programs / "linkmeter-table-agent", "--table", "C4-02",
                               "--data", self.floor.agents, "--print-witness"], check=False,
                              capture_output=True, text=True)
        self.assertEqual((1, ""), (said.returncode, said.stdout))
        self.assertFalse((self.floor.agents / "C4-02.outbox").exists())


if __name__ == "__main__":
    unittest.main()
