"""Runs every rule of house.py on the repository, and on snippets that it must accept or reject.

    python3 tests/house/house_test.py            everything
    python3 tests/house/house_test.py Rules      the repository only
"""

import pathlib
import unittest

import house
import journal_fields
import wager_matrix
from house import Tree

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Rules(unittest.TestCase):
    """The repository keeps every rule."""


def keeps(rule):
    def test(self):
        found = list(rule(REPOSITORY))
        self.assertEqual([], found, "\n" + "\n".join(found))
    return test


REPOSITORY = Tree.read(ROOT)
for each in house.RULES:
    setattr(Rules, f"test_{each.__name__}", keeps(each))


class Checker(unittest.TestCase):
    """Every rule complains about the mistakes that it is for, and about nothing else."""

    checked = set()

    def minds(self, rule, path, text, extra=(), **more):
        """A complaint about the file at `path`; `extra`: further files."""
        Checker.checked.add(rule.__name__)
        found = list(rule(Tree({path: text, **dict(extra)}, **more)))
        self.assertTrue(found, f"{rule.__name__} does not mind {text!r} in {path}")
        self.assertTrue(found[0].startswith(path) or more or path == "README.md", found[0])

    def accepts(self, rule, path, text, **more):
        self.assertEqual([], list(rule(Tree({path: text}, **more))))

    def test_every_rule_is_checked(self):
        for name in sorted(dir(self)):
            if name.startswith("test_") and name != "test_every_rule_is_checked":
                getattr(self, name)()
        self.assertEqual({rule.__name__ for rule in house.RULES}, Checker.checked)

    def test_core_includes(self):
        rule = house.core_includes
        for bad in ("<lmdb.h>", "<zmq.hpp>", "<google/protobuf/message.h>", "<thread>",
                    "<iostream>", "<random>", "<fstream>", "<unistd.h>", '"amount.h"',
                    '"controller/store/journal.h"', '"proto/codec/round_script.h"',
                    '"proto/wire.pb.h"'):
            self.minds(rule, "meters/values/amount.cc", f"#include {bad}\n")
        self.minds(rule, "meters/values/amount.h", "  #  include <thread> // why\n")
        self.accepts(rule, "meters/values/amount.h",
                     '#include <cstdint>\n#include "meters/values/invariant.h"\n')
        self.accepts(rule, "meters/values/amount.h", "// #include <thread>\n")
        self.accepts(rule, "config/reader/floor_file.cc", "#include <fstream>\n")

    def test_core_calls(self):
        rule = house.core_calls
        for bad in ("std::chrono::system_clock::now()", "std::rand()", "std::getenv(\"HOME\")",
                    "steady_clock::now()", "std::time(nullptr)"):
            self.minds(rule, "meters/balances/link_balances.cc", f"auto a = {bad};\n")
        self.accepts(rule, "meters/balances/link_balances.cc",
                     "// not system_clock\nauto now = entry.recorded_at;\n")
        self.accepts(rule, "controller/time/clock.cc", "std::chrono::system_clock::now();\n")

    def test_no_floating_point(self):
        rule = house.no_floating_point
        self.minds(rule, "meters/values/rate.h", "double rate = 0;\n")
        self.minds(rule, "config/reader/floor_file.cc", "auto rate = static_cast<float>(x);\n")
        self.minds(rule, "meters/values/rate.h", "const char* quote = \"//\"; double rate = 0;\n")
        self.minds(rule, "meters/values/rate.h",
                   "int a = 1'000'000; double rate = 0; char c = 'a';\n")
        self.accepts(rule, "meters/values/rate.h",
                     "// never a double\nint doubled = 0; /* float */\n")
        self.accepts(rule, "meters/values/rate.cc", 'const char* text = "double entry";\n')

    def test_no_shared_ownership(self):
        rule = house.no_shared_ownership
        self.minds(rule, "controller/main.cc", "std::shared_ptr<Journal> journal;\n")
        self.minds(rule, "tests/unit/a_test.cc", "auto a = std::make_shared<int>(1);\n")
        self.accepts(rule, "controller/main.cc", "std::unique_ptr<Journal> journal;\n")

    def test_generated_code(self):
        rule = house.generated_code
        bad = '#include "proto/wire.pb.h"\n'
        self.minds(rule, "proto/codec/wire_codec.h", bad)
        self.minds(rule, "proto/codec/wire_codec.h", f'#include "{house.ARENA}"\n')
        self.minds(rule, "proto/codec/wire_codec.h", "#include <google/protobuf/arena.h>\n")
        self.accepts(rule, house.ARENA, "#include <google/protobuf/arena.h>\n")
        self.accepts(rule, "proto/codec/wire_codec.cc", bad)

    def test_library_owners(self):
        rule = house.library_owners
        for path, library in (
                ("controller/sockets/meter_feed.cc", '"proto/wire.pb.h"'),
                ("controller/main.cc", "<google/protobuf/stubs/logging.h>"),
                ("controller/cluster/grpc_etcd.h", "<grpcpp/channel.h>"),
                ("controller/cluster/follower.cc", "<grpc/support/log.h>"),
                ("proto/codec/wire_codec.cc", '"proto/etcd.pb.h"'),
                ("controller/cluster/follower.cc", '"proto/etcd.grpc.pb.h"'),
                ("controller/cluster/grpc_etcd.cc", '"proto/wire.pb.h"'),
                ("controller/turn/controller.cc", "<lmdb.h>"),
                ("table-agent/link/lmdb_outbox.h", "<lmdb.h>"),
                ("controller/store/audit.cc", "<openssl/evp.h>"),
                ("controller/web/http_api.cc", "<microhttpd.h>"),
                ("proto/host/fault.h", "<toml++/toml.h>"),
                ("controller/turn/controller.h", "<zmq.hpp>"),
                ("proto/codec/wire_codec.cc", "<zmq.h>"),
                ("controller/signs/sign_text.cc", "<cairo.h>"),
                ("meters/game/hand.cc", "<gmpxx.h>"),
                ("controller/telemetry/telemetry.cc", "<systemd/sd-daemon.h>"),
                ("controller/view/format.cc", "<date/tz.h>")):
            self.minds(rule, path, f"#include {library}\n")
        for path, library in (
                ("proto/codec/wire_codec.cc", '"proto/wire.pb.h"'),
                ("controller/cluster/grpc_etcd.cc", "<grpcpp/channel.h>"),
                ("controller/cluster/grpc_etcd.cc", '"proto/etcd.grpc.pb.h"'),
                ("controller/store/lmdb_journal.cc", "<lmdb.h>"),
                ("proto/host/sha256.cc", "<openssl/evp.h>"),
                ("proto/http/request_context.h", "<microhttpd.h>"),
                ("tests/journal/lmdb_store.h", "<lmdb.h>")):
            self.accepts(rule, path, f"#include {library}\n")

    def test_layers_hold(self):
        rule = house.layers_hold
        for path, included in (("controller/main.cc", "table-agent/link/uplink.h"),
                               ("table-agent/main.cc", "controller/store/journal.h"),
                               ("proto/codec/round_script.cc", "controller/store/journal.h"),
                               ("meters/values/amount.h", "meters/game/card.h"),
                               ("controller/store/audit.cc", "controller/turn/controller.h"),
                               ("controller/accounting/day/day_book.cc", "controller/web/router.h"),
                               ("table-agent/panel/panel.cc", "table-agent/simulator/prng.h")):
            self.minds(rule, path, f'#include "{included}"\n')
        self.minds(rule, "controller/misc_things/a.cc", "")
        self.accepts(rule, "controller/main.cc", '#include "controller/store/journal.h"\n')
        self.accepts(rule, "meters/rules/apply.cc", '#include "meters/values/amount.h"\n')

    def test_no_cycles(self):
        rule = house.no_cycles
        a, b, c = (f"meters/values/{name}" for name in "abc")
        two = {f"{a}.h": f'#include "{b}.h"\n', f"{b}.cc": f'#include "{a}.h"\n'}
        self.minds(rule, f"{a}.h", "", extra=two)
        self.assertEqual([], list(rule(Tree({f"{a}.h": "", f"{a}.cc": f'#include "{a}.h"\n'}))))
        three = {f"{a}.h": f'#include "{b}.h"\n', f"{b}.h": f'#include "{c}.h"\n'}
        self.assertEqual([], list(rule(Tree(three))))
        three[f"{c}.cc"] = f'#include "{a}.h"\n'
        self.assertEqual(1, len(list(rule(Tree(three)))))

    def test_class_in_one_file(self):
        rule = house.class_in_one_file
        one = "namespace linkmeter {\nvoid Desk::open(int a) {}\n}\n"
        other = "namespace linkmeter {\nint Desk::count() const { return 1; }\n}\n"
        self.minds(rule, "controller/web/a.cc", one, extra={"controller/web/b.cc": other})
        hidden = "namespace linkmeter {\nnamespace {\nint Desk::count() { return 1; }\n}\n}\n"
        for text in (hidden, "int a = Amount::cents(4);\n  return Desk::count();\n"):
            files = {"controller/web/a.cc": one, "controller/web/b.cc": text}
            self.assertEqual([], list(rule(Tree(files))))

    def test_readme_length(self):
        rule = house.readme_length
        self.minds(rule, "README.md", "\n" * 151)
        self.minds(rule, "README.md", "a" * 101 + "\n")
        self.accepts(rule, "README.md", "\n" * 150)

    def test_dead_names(self):
        rule = house.dead_names
        self.minds(rule, "controller/web/a.h", "class WebDesk;\n")
        self.minds(rule, "meters/rules/a.cc", "auto misfit = check();\n")
        self.accepts(rule, "controller/web/a.h", "// WebDesk\nclass Widening; journal::Noted a;\n")

    def test_columns(self):
        rule = house.columns
        self.minds(rule, "meters/balances/link_balances.cc", "/" * 101 + "\n")
        self.minds(rule, "proto/wire.proto", "/" * 101 + "\n")
        self.minds(rule, "meters/balances/link_balances.cc", "\tint a;\n")
        self.minds(rule, "tests/run", "true \n")
        self.accepts(rule, "meters/balances/link_balances.cc", "§" * 100 + "\n")

    def test_left_over_marks(self):
        rule = house.left_over_marks
        for bad in ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"):
            self.minds(rule, "config/demo/floor.toml", f"# {bad}: later\n")
        self.accepts(rule, "meters/balances/link_balances.cc",
                     'auto folder = "/tmp/linkmeter-XXXXXX";\n')

    def test_nouns(self):
        rule = house.nouns
        self.minds(rule, "controller/a.h", "class ClaimManager {\n")
        self.minds(rule, "controller/a.h", "struct WagerUtils;\n")
        self.minds(rule, "controller/claim_handler.cc", "")
        self.minds(rule, "meters/common.h", "")
        self.accepts(rule, "controller/a.h", "class Manage; // no Manager\n")

    def test_using_declarations(self):
        rule = house.using_declarations
        using = "using std::chrono::seconds;\n"
        self.minds(rule, "meters/a.cc", using + "std::chrono::seconds wait; // seconds\n")
        self.accepts(rule, "meters/a.cc", using + "seconds wait{5};\n")

    def test_headers(self):
        rule = house.headers
        self.minds(rule, "meters/a.h", "#pragma once\n// Too late.\n")
        self.minds(rule, "meters/a.h", "// A header.\n#ifndef A\n")
        self.accepts(rule, "meters/a.h", "// A header.\n#pragma once\n")

    def test_file_lengths(self):
        rule = house.file_lengths
        self.minds(rule, "meters/a.cc", "\n" * 801)
        self.minds(rule, "tests/unit/a_test.cc", "\n" * 801)
        self.accepts(rule, "meters/a.cc", "\n" * 800)

    def test_top_level(self):
        rule = house.top_level
        self.minds(rule, "docs", "", top={"docs", "meters"})
        self.accepts(rule, "meters/a.cc", "", top={"meters", ".ci", "LICENSE"})
        self.assertTrue(house.is_passed_over("build-asan"))
        self.assertFalse(house.is_passed_over("builder"))

    def test_run_bits(self):
        rule = house.run_bits
        self.minds(rule, "tests/run", "#!/usr/bin/env bash\n")
        self.minds(rule, "meters/a.cc", "int a;\n", runnable={"meters/a.cc"})
        self.accepts(rule, "tests/run", "#!/usr/bin/env bash\n", runnable={"tests/run"})

    def test_tests_run(self):
        rule, listed = house.tests_run, "tests/CMakeLists.txt"
        found = lambda files: list(rule(Tree(files)))
        for path in ("tests/unit/a_test.cc", "tests/fuzz/a_fuzz.cc", "tests/house/a_test.py"):
            self.minds(rule, path, "")
            name = path.removeprefix("tests/")
            self.assertEqual([], found({path: "", listed: f"tier(unit {name})\n"}))
            self.assertTrue(found({path: "", listed: f"# tier(unit {name})\n"}), "a comment")
        story, runner = "tests/golden/resend.ledger", "tests/golden/golden_test.cc"
        reads_all = 'std::filesystem::directory_iterator; path.extension() == ".ledger"\n'
        self.minds(rule, story, "")
        self.assertTrue(found({story: "", runner: "", listed: "golden/golden_test.cc"}))
        self.assertTrue(found({story: "", runner: reads_all, listed: ""}))
        self.assertEqual([], found({story: "", runner: reads_all, listed: "golden/golden_test.cc"}))
        self.minds(rule, "tests/journal/journal_contract.h", 'TEST_CASE("a") {}\n')

    def test_cases_stay_apart(self):
        rule, path = house.cases_stay_apart, "tests/unit/a_test.cc"
        self.minds(rule, path, 'namespace linkmeter {\nTEST_CASE("a") {}\n}\n')
        self.minds(rule, path, "namespace linkmeter::b_test {\n}\n")
        self.minds(rule, path, "using namespace linkmeter;\n")
        self.accepts(rule, path, "namespace linkmeter::a_test {\n}\n")
        self.accepts(rule, path, "namespace linkmeter::odds::a_test {\n}\n")

    def test_own_macros(self):
        rule, path = house.own_macros, "meters/values/invariant.h"
        for macro in ("CHECK(law) f(law)", "CHECK_EQ(a, b) f(a)", "REQUIRE(a) f(a)", "FAIL() f()"):
            self.minds(rule, path, f"#define {macro}\n")
        self.minds(rule, "tests/support/capture.h", "#  define CAPTURE(value) f(value)\n")
        self.accepts(rule, path, "#define INVARIANT(law) f(law)\n")
        self.accepts(rule, path, "#define CAPTURE_BINDING(value) f(value)\n")
        self.accepts(rule, path, "// #define CHECK(law) f(law)\n")

    def test_one_name_one_type(self):
        rule, path = house.one_name_one_type, "meters/a.h"
        one = "namespace linkmeter {\nstruct Card {\n  int rank;\n};\n}\n"
        for other in ("class Card final {};", "enum class Card : int { a };",
                      "struct Card : Base {};", "template <class T>\nunion Card {};"):
            self.minds(rule, path, one + "namespace linkmeter {\n" + other + "\n}\n")
        for other in ("namespace linkmeter::odds {\nstruct Card {};\n}\n",
                      "namespace linkmeter {\nnamespace {\nstruct Card {};\n}\n}\n",
                      "namespace linkmeter {\nstruct Card::Suit {};\nstruct Card;\n}\n",
                      "namespace linkmeter {\nclass Deck {\n  struct Card {};\n};\n}\n",
                      "namespace linkmeter {\nstruct Card deal() {}\n// struct Card {}\n}\n"):
            self.accepts(rule, path, one + other)
        files = {"meters/a.h": one, "table-agent/b.h": one}
        self.assertEqual(1, len(list(rule(Tree(files)))))

    def test_security_named(self):
        rule, said = house.security_named, house.SECURITY
        test, script = "tests/wire/a_test.cc", "tests/floor/a_test.py"
        files = {test: 'TEST_CASE(\n    "a key "\n    "stays out") {}\n',
                 script: "    def test_a(self):\n"}
        whole = f'`{test}` "a key stays out"; `{script}`\n"test_a"\n'
        found = lambda text: list(rule(Tree({**files, said: text})))
        self.minds(rule, said, whole)
        self.assertEqual([], found(whole))
        self.assertEqual([], list(rule(Tree(files))))
        for bad in (whole.replace("a key", "no key"), whole.replace("test_a\"", "test_b\""),
                    whole.replace("test_a\"", "test\""), whole + "`controller/none.cc`\n",
                    f"`{test}`\n", whole + f'`{test}` "a key stays out" "and another"\n'):
            self.assertTrue(found(bad), bad)

    def test_tests_stay_on(self):
        rule = house.tests_stay_on
        self.minds(rule, "tests/unit/a_test.cc", 'TEST_CASE("a" * doctest::skip()) {}\n')
        self.minds(rule, "tests/unit/a_test.cc", "#if 0\n")
        self.minds(rule, "tests/CMakeLists.txt", "set_tests_properties(a DISABLED TRUE)\n")
        self.accepts(rule, "tests/unit/a_test.cc", 'TEST_CASE("a skipped seat") {}\n')

    def test_promises(self):
        rule = house.promises
        good = "# L\n\nPromises:\n\n1. **On disk.** Text,\n   tests/crash/kill_test.cc\n\n## See\n"
        self.minds(rule, "README.md", good)
        there = {"README.md": good, "tests/crash/kill_test.cc": ""}
        self.assertEqual([], list(rule(Tree(there))))
        self.minds(rule, "README.md", "# L\n\nSix promises:\n\n1. **On disk.**\n")
        self.minds(rule, "README.md", "# L\n")
        there["README.md"] = good.replace("\n\n## See", "\n2. **Once.** No test.\n\n## See")
        self.assertEqual(1, len(list(rule(Tree(there)))))
        self.accepts(rule, "meters/a.cc", "")

    def test_document_paths(self):
        rule, path = house.document_paths, "meters/README.md"
        for bad in ("`rules/void_decision.cc`", "`misfit.h`", "`tests/floor/none_test.py`"):
            self.minds(rule, path, f"Voids: {bad}.\n")
        good = "`meters/rules/apply.cc`, `rules/apply.cc`, `apply.cc`, `a/b.txt`, `NAME.md`\n"
        files = {path: good, "meters/rules/apply.cc": ""}
        self.assertEqual([], list(rule(Tree(files))))

    def test_journal_for_ever(self):
        proto = "message A {\n  uint32 a = 1;  // b = 9;\n  oneof c {\n    A d = 2;\n  }\n}\n"
        fields = journal_fields.read_fields(proto)
        self.assertEqual(["A 1 a uint32", "A 2 d A"], fields)
        snapshot = "# a remark\n" + "\n".join(fields) + "\n"
        kept = lambda proto, snapshot: list(house.journal_for_ever(Tree({
            "proto/journal.proto": proto, "tests/house/journal_fields.txt": snapshot})))
        Checker.checked.add("journal_for_ever")
        self.assertEqual([], kept(proto, snapshot))
        self.assertTrue(kept(proto.replace("a = 1", "a = 3"), snapshot), "a new number")
        self.assertTrue(kept(proto.replace("a = 1", "b = 1"), snapshot), "a new name")
        self.assertTrue(kept(proto.replace("uint32", "uint64"), snapshot), "a new type")
        self.assertTrue(kept(proto.replace("  uint32 a = 1;", ""), snapshot), "a lost field")
        self.assertTrue(kept(proto, "A 1 a uint32\n"), "a field that nobody wrote down")
        # A message that moved to the other schema, with its package before its name.
        moved = {"proto/acts.proto": proto,
                 "proto/journal.proto": "message B {\n  acts.A a = 1;\n}\n",
                 "tests/house/journal_fields.txt": snapshot + "B 1 a A\n"}
        self.assertEqual([], list(house.journal_for_ever(Tree(moved))))
        moved["proto/acts.proto"] = proto.replace("a = 1", "a = 3")
        self.assertTrue(list(house.journal_for_ever(Tree(moved))), "a new number there")

    def test_every_wager(self):
        columns, tests = " | ".join(wager_matrix.CLAUSES), " | ".join(["`a`"] * 8)
        row = f"| `g/w` | `a`, `unit/b_test.cc` | {tests} | none 1 |\n"
        readme = f"| Wager | {columns} |\n|---|{'---|' * 10}\n{row}\n1. § 1: no limit.\n"
        there = {"config/catalogue/g.toml": '[[wager]]\nid = "g/w"\n', "tests/README.md": readme,
                 "tests/golden/a.ledger": '"g/w"', "tests/unit/b_test.cc": ""}
        found = lambda **other: list(house.every_wager(Tree(there | other)))
        table = lambda old, new: found(**{"tests/README.md": readme.replace(old, new)})
        Checker.checked.add("every_wager")
        self.assertEqual([], found())
        self.assertTrue(table("| `a` |", "|  |"), "an empty cell")
        self.assertTrue(table("| `a` |", "| yes |"), "a cell that names no test")
        self.assertTrue(table("| `a` |", "| `c` |"), "a test that does not exist")
        self.assertTrue(table("`unit/b_test.cc`", "`unit/c_test.cc`"), "nor this one")
        self.assertTrue(table("| `a` | `a` |", "| `a` |"), "a cell too few")
        self.assertTrue(table(row, ""), "a wager without a row")
        self.assertTrue(table(row, row * 2), "a wager with two rows")
        self.assertTrue(table("g/w", "g/v"), "a row without a wager")
        self.assertTrue(table("Void", "Voids"), "another column")
        self.assertTrue(table("none 1", "none 2"), "a reason that is not there")
        self.assertTrue(table("§ 1: ", ""), "a reason without a section")
        self.assertTrue(table("1. §", "1. § 1\n2. §"), "a reason for nothing")
        self.assertTrue(found(**{"tests/golden/a.ledger": '"g/v"'}), "a ledger of another wager")
        self.assertTrue(found(**{"tests/README.md": "# Tests\n"}), "no table")

    def test_the_repository_was_read(self):
        for path in ("CMakeLists.txt", "meters/values/amount.h", "proto/journal.proto",
                     "tests/run"):
            self.assertIn(path, REPOSITORY.files)


if __name__ == "__main__":
    unittest.main()
