"""The rules of the repository, as functions: each takes a Tree and yields its complaints.

A complaint names the file, the line if there is one, and what to do. house_test.py runs every rule
on the repository, and on a bad snippet that the rule must find: a rule that cannot complain is
useless.
"""

import os
import pathlib
import re

import journal_fields
import layers
import wager_matrix

ROOMS = ("meters", "proto", "config", "controller", "table-agent")
TOP_LEVEL = {
    "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md",
    "config", "controller", "meters", "proto", "table-agent", "tests",
}
SOURCE_LINES_MAX = 800
COLUMNS_MAX = 100
README_LINES_MAX = 150


class Tree:
    """Files by their path below the root, with their text, and the set of executable files."""

    def __init__(self, files, runnable=(), top=None):
        self.files = dict(files)
        self.runnable = set(runnable)
        self.top = set(top) if top is not None else {path.split("/")[0] for path in self.files}

    @classmethod
    def read(cls, root):
        root = pathlib.Path(root)
        files, runnable = {}, set()
        top = {name for name in os.listdir(root) if not is_passed_over(name)}
        for folder, names, leaves in os.walk(root):
            names[:] = sorted(n for n in names if not is_passed_over(n))
            for leaf in sorted(leaves):
                path = pathlib.Path(folder, leaf)
                if leaf.endswith(".pyc") or not path.is_file():
                    continue
                name = path.relative_to(root).as_posix()
                files[name] = path.read_bytes().decode("utf-8", errors="replace")
                if os.access(path, os.X_OK) and path.stat().st_mode & 0o100:
                    runnable.add(name)
        return cls(files, runnable, top)

    def sources(self, *rooms):
        """(path, text) of the C++ files, of all rooms or of some."""
        for path, text in self.files.items():
            if path.endswith((".h", ".cc")) and (not rooms or path.startswith(tuple(rooms))):
                yield path, text

    def core(self):
        """(path, text) of the C++ files of meters/."""
        yield from self.sources("meters/")


def is_passed_over(name):
    return name == ".git" or name == "__pycache__" or re.fullmatch(r"build(-.*)?", name) is not None


def without_comments(text, strings=True):
    """C++ text without comments, and without strings unless `strings`; the line count is kept."""
    token = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'", re.S)

    def blank(match):
        if not strings and match[0][0] not in "/":
            return match[0]
        return " " + "\n" * match[0].count("\n")

    return token.sub(blank, text)


def numbered(text):
    return enumerate(text.splitlines(), start=1)


def includes(text):
    """(line, included name with its quotes or brackets) of each include."""
    for line, content in numbered(without_comments(text, strings=False)):
        match = re.match(r'\s*#\s*include\s*([<"][^>"]+[>"])', content)
        if match:
            yield line, match[1]


def search(files, pattern, say, strings=True):
    """A complaint for every line of code that matches the pattern."""
    for path, text in files:
        for line, content in numbered(without_comments(text, strings)):
            match = re.search(pattern, content)
            if match:
                yield f"{path}:{line}: {match[0].strip()}: {say}"


# --- what may be used where ---

BANNED_IN_CORE = {
    "atomic", "barrier", "condition_variable", "ctime", "filesystem", "fstream", "future",
    "iostream", "istream", "latch", "mutex", "ostream", "random", "semaphore", "shared_mutex",
    "sstream", "stop_token", "syncstream", "thread",
}


def core_includes(tree):
    for path, text in tree.core():
        for line, what in includes(text):
            name = what[1:-1]
            if what[0] == '"':
                if not re.fullmatch(r"meters/\w+/\w+\.h", name):
                    yield f"{path}:{line}: {what}: the core includes only itself"
            elif not re.fullmatch(r"[a-z_]+", name):
                yield f"{path}:{line}: {what}: the core includes only the standard library"
            elif name in BANNED_IN_CORE:
                yield f"{path}:{line}: {what}: time, chance, threads and files are handed in"


def core_calls(tree):
    yield from search(
        tree.core(),
        r"\b\w*(system|steady|high_resolution|utc|file)_clock\b"
        r"|\bstd::(rand|srand|time|clock|getenv)\b|\b(clock_gettime|gettimeofday|getrandom)\b",
        "the core cannot ask for time, chance or surroundings")


def no_floating_point(tree):
    yield from search(tree.sources("meters/", "proto/", "config/"), r"\b(float|double)\b",
                      "no floating point near money")


def no_shared_ownership(tree):
    yield from search(tree.sources(), r"\b(shared_ptr|make_shared|enable_shared_from_this)\b",
                      "one owner for everything")


# Which folders and files of the product include a library. A path that ends with / is a folder.
LIBRARY_OWNERS = {
    r"(?!proto/etcd\.).*\.pb\.h|google/protobuf/.*": ("proto/codec/",),
    r"grpc(pp)?/.*|proto/etcd\..*": ("controller/cluster/grpc_etcd.cc",),
    r"toml\+\+/.*": ("config/reader/",),
    r"microhttpd\.h": ("proto/http/",),
    r"lmdb\.h": ("controller/store/lmdb_journal.cc", "table-agent/link/lmdb_outbox.cc"),
    r"zmq\.hp*": ("controller/sockets/", "controller/cli/shell/operator_client.cc",
                  "controller/cli/inspect/sign.cc", "controller/signs/feed_reader.h",
                  "controller/main.cc", "controller/event_loop.cc", "controller/event_loop.h",
                  "controller/open_sockets.h", "controller/standby_loop.cc",
                  "table-agent/link/uplink.cc", "proto/host/credentials.cc"),
    r"openssl/.*": ("controller/auth/pin.cc", "controller/cluster/etcd_tls_check.cc",
                    "controller/integrity/token_key.cc", "controller/store/cluster_key.cc",
                    "controller/store/journal_signature.cc", "proto/host/certificate.cc",
                    "proto/host/hmac.cc", "proto/host/sha256.cc",
                    "proto/host/signing_key.cc", "proto/http/sessions.cc"),
    r"cairo.*|ft2build\.h": ("controller/slips/",),
    r"gmpxx?\.h": ("controller/odds/",),
    r"systemd/.*": ("proto/host/systemd_notify.cc",),
    r"date/.*": ("config/reader/timezone.cc", "controller/time/"),
}


def library_owners(tree):
    for path, text in tree.sources(*(room + "/" for room in ROOMS)):
        for line, what in includes(text):
            for library, owners in LIBRARY_OWNERS.items():
                if re.fullmatch(library, what[1:-1]) and not path.startswith(owners):
                    yield f"{path}:{line}: {what}: only {', '.join(owners)} include it"


# Generated types are private to the functions of the codec.
ARENA = "proto/codec/scratch_message.h"


def generated_code(tree):
    for path, text in tree.sources("proto/codec/"):
        for line, what in includes(text):
            is_generated = what.endswith('.pb.h"') or what.startswith("<google/protobuf")
            if path.endswith(".h") and (ARENA in what or is_generated and path != ARENA):
                yield f"{path}:{line}: {what}: only .cc files of the codec include it"


def layers_hold(tree):
    yield from layers.upward(tree, includes)


def no_cycles(tree):
    yield from layers.cycles(tree, includes)


# The state is read in meters/state; how an entry changes it is a rule.
CLASSES_IN_TWO_FILES = {"State": {"meters/state/state.cc", "meters/rules/apply.cc"}}


def class_in_one_file(tree):
    """The members of a class are defined in one .cc: its reader finds all of it there."""
    defined = {}
    member = re.compile(r"^[A-Za-z][\w:<>,*& ]*?\b([A-Z]\w+)::~?\w+\(", re.M)
    for path, text in tree.sources(*(room + "/" for room in ROOMS)):
        if path.endswith(".cc"):
            code = without_comments(text)
            outside = re.sub(r"^namespace \{$.*?^\}$", "", code, flags=re.M | re.S)
            for match in member.finditer(outside):
                defined.setdefault(match[1], set()).add(path)
    for name, paths in sorted(defined.items()):
        if len(paths) > 1 and paths != CLASSES_IN_TWO_FILES.get(name):
            first, *others = sorted(paths)
            yield f"{first}: members of {name} are also defined in {', '.join(others)}"


# --- how it is written ---


def is_code(path):
    return (path.endswith((".h", ".cc", ".proto", ".py", "CMakeLists.txt"))
            or path.rsplit("/", 1)[-1] in ("run", "install-packages"))


def columns(tree):
    for path, text in tree.files.items():
        if is_code(path):
            for line, content in numbered(text):
                if len(content) > COLUMNS_MAX:
                    yield f"{path}:{line}: {len(content)} columns, at most {COLUMNS_MAX}"
                if "\t" in content or content != content.rstrip():
                    yield f"{path}:{line}: a tab, or spaces at the end of the line"


def left_over_marks(tree):
    words = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")
    for path, text in tree.files.items():
        for line, content in numbered(text):
            match = re.search(r"\b(" + "|".join(words) + r")\b", content)
            if match:
                yield f"{path}:{line}: {match[0]}: finish it, or say in a sentence why it is so"


def nouns(tree):
    say = "this says that the noun was not found; what would a clerk of the house call it?"
    # Names of other libraries are not our choice.
    own = r"(?<!google::protobuf::)\b[A-Z]\w*(Manager|Handler|Helper|Utils?)\b"
    yield from search(tree.sources(), own, say)
    for path in tree.files:
        stem = path.rsplit("/", 1)[-1].split(".")[0]
        if re.search(r"(^|_)(manager|handler|helpers?|utils?|common|misc)$", stem):
            yield f"{path}: {say}"


# The same check of clang-tidy would read each file alone, with all of its headers.
def using_declarations(tree):
    for path, text in tree.sources():
        code = without_comments(text, strings=False)
        for line, content in numbered(code):
            match = re.match(r"using [\w:]+::(\w+);", content)
            if match and len(re.findall(rf"\b{match[1]}\b", code)) == \
                    len(re.findall(rf"::{match[1]}\b", code)):
                yield f"{path}:{line}: {match[0]}: nothing here uses it"


def headers(tree):
    for path, text in tree.sources():
        if path.endswith(".h"):
            if not text.startswith("// "):
                yield f"{path}:1: a header starts with a comment: what it is for, and its laws"
            if "#pragma once" not in text.splitlines():
                yield f"{path}: no #pragma once"


# The head of a type definition, before its brace. A member defined outside its class is no type
# definition.
TYPE_HEAD = re.compile(
    r"\b(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(\w+)(?:\s+final)?"
    r"\s*(?::(?!:)[^()]*)?$", re.S)
NAMESPACE_HEAD = re.compile(r"\bnamespace\b\s*([\w:]*)\s*$")


def type_definitions(text):
    """(line, full name) of the types defined in named namespaces, outside any other type."""
    code = re.sub(r"^[ \t]*#[^\n]*", "", without_comments(text), flags=re.M)
    open_braces, start = [], 0  # of each open brace: the namespace's name, or None
    for brace in re.finditer(r"[{};]", code):
        head = code[start:brace.start()].strip()
        start = brace.end()
        if brace[0] == "{":
            namespace, defined = NAMESPACE_HEAD.search(head), TYPE_HEAD.search(head)
            if defined and not namespace and all(open_braces):
                line = code.count("\n", 0, brace.start()) + 1
                yield line, "::".join([*open_braces, defined[1]])
            open_braces.append(namespace[1] if namespace else None)
        elif brace[0] == "}" and open_braces:
            open_braces.pop()


def one_name_one_type(tree):
    """Two types with one name in one program break the one-definition rule, and no linker reports
    it."""
    seen = {}
    for path, text in tree.sources():
        for line, name in type_definitions(text):
            if name in seen:
                yield f"{path}:{line}: {name} is also defined at {seen[name]}: give it its own name"
            seen.setdefault(name, f"{path}:{line}")


def file_lengths(tree):
    for path, text in tree.files.items():
        if path.endswith((".h", ".cc", ".py")):
            length = len(text.splitlines())
            if length > SOURCE_LINES_MAX:
                yield f"{path}: {length} lines, at most {SOURCE_LINES_MAX}: does it hold one noun?"


def readme_length(tree):
    lines = tree.files.get("README.md", "").splitlines()
    if len(lines) > README_LINES_MAX:
        yield f"README.md: {len(lines)} lines, at most {README_LINES_MAX}: it is the first page"
    for line, content in enumerate(lines, start=1):
        if len(content) > COLUMNS_MAX:
            yield f"README.md:{line}: {len(content)} columns, at most {COLUMNS_MAX}"


# Names that were replaced by the field's words (meters/GLOSSARY.md), and these words.
DEAD_NAMES = {
    "AccountDesk": "AccountingWorker", "Belt": "BoundedQueue", "DayDesk": "DayReportWorker",
    "DeviceTalk": "DeviceSession",
    "Draft": "LinkTransaction", "DualAct": "DualControlCommand", "LevelBook": "LevelBalances",
    "LevelPlace": "LevelIndex", "LineNoise": "FaultInjector", "LinkBook": "LinkBalances",
    "LinkPlace": "LinkIndex", "LinkTerms": "LinkConfig", "MeterCall": "JackpotHit",
    "MeterPlace": "PoolRef", "Noted": "FlatSet", "Objection": "Rejection or DealerError",
    "OwnCounts": "LocalCounters", "PanelDoing": "AllowedAction", "PanelScene": "PanelState",
    "PanelSide": "PanelDriver", "PanelTouch": "DealerAction", "PinDesk": "Authenticator",
    "PinTries": "LoginThrottle", "Recount": "BalanceCheck", "RoomMargins": "DiskReserve",
    "RoundKeeping": "RoundMachine", "SlipPress": "SlipPrinter", "StillDesk": "SignImageWorker",
    "TablePlace": "TableIndex", "TableRound": "RoundRecord", "TableTerms": "TableConfig",
    "ToldAward": "AwardNotice", "ToldClaim": "ClaimNotice", "WatchedRound": "RoundObserver",
    "WebDesk": "HttpApi", "WebDoor": "ConnectionLimiter", "WebExchange": "RequestContext",
    "Wide": "Int128", "misfit": "violation",
}


def dead_names(tree):
    dead = re.compile(r"(?<![\w:])(" + "|".join(DEAD_NAMES) + r")(?!\w)")
    for path, text in tree.sources():
        if path.startswith("proto/codec/") and path.endswith(".h"):
            continue  # it declares messages, whose names are contracts
        for line, content in numbered(without_comments(text)):
            match = dead.search(content)
            if match:
                yield f"{path}:{line}: {match[1]}: the word is {DEAD_NAMES[match[1]]}"


# --- which files exist, and which of them run ---


def top_level(tree):
    for name in sorted(tree.top):
        if name not in TOP_LEVEL and not name.startswith("."):
            yield f"{name}: does not belong at the top of the repository"


def run_bits(tree):
    for path, text in tree.files.items():
        if text.startswith("#!") and path not in tree.runnable:
            yield f"{path}: a script without its run bit (chmod +x)"
        if path in tree.runnable and not text.startswith("#!"):
            yield f"{path}: has the run bit, but does not say what runs it (#!)"


def cmake_words(tree):
    """Every file that a CMake list below tests/ names, as a path from the root."""
    named = set()
    for path, text in tree.files.items():
        if path.startswith("tests/") and path.endswith("CMakeLists.txt"):
            folder = path.rsplit("/", 1)[0]
            code = re.sub(r"#[^\n]*", "", text)
            named.update(f"{folder}/{word}" for word in re.findall(r"[\w./-]+\.\w+", code))
    return named


def tests_run(tree):
    named = cmake_words(tree)
    scripts = (".ledger", ".wire")
    for path, text in tree.files.items():
        if not path.startswith("tests/"):
            continue
        if re.search(r"(_test|_fuzz|_bench)\.(cc|py)$", path) and path not in named:
            yield f"{path}: named by no CMakeLists.txt: it does not run"
        if path.endswith(scripts) and not read_by_a_runner(tree, named, path):
            yield f"{path}: no test that runs reads it"
        if path.endswith((".cc", ".h")) and not path.endswith("_test.cc"):
            if re.search(r"^\s*TEST_CASE\(", without_comments(text), re.M):
                yield f"{path}: a TEST_CASE outside a *_test.cc file is not run"


def read_by_a_runner(tree, named, script):
    """Whether a list names the script, or a listed test reads the script's whole folder."""
    if script in named:
        return True
    folder, extension = script.rsplit("/", 1)[0], "." + script.rsplit(".", 1)[-1]
    return any(path.startswith(folder + "/") and path.endswith("_test.cc") and path in named
               and "directory_iterator" in text and f'"{extension}"' in text
               for path, text in tree.files.items())


def cases_stay_apart(tree):
    """Files of test cases form one unit: see linkmeter_tier() in tests/CMakeLists.txt."""
    for path, text in tree.sources("tests/"):
        stem = pathlib.PurePath(path).stem
        if (stem.endswith("_test") and
                not re.search(rf"^namespace linkmeter(::\w+)?::{stem} {{$", text, re.M)):
            yield f"{path}: its cases are not in namespace linkmeter::{stem}"


def own_macros(tree):
    taken = r"^\s*#\s*define\s+((CHECK|REQUIRE|WARN)\w*|INFO|CAPTURE|FAIL)\b"
    yield from search(tree.sources(), taken, "doctest has a macro of this name; ours is INVARIANT")


def tests_stay_on(tree):
    tests = [(path, text) for path, text in tree.sources("tests/")]
    yield from search(tests, r"doctest::(skip|may_fail|should_fail)\b|^\s*#\s*if\s+0\b",
                      "a test is not switched off")
    for path, text in tree.files.items():
        if path.endswith("CMakeLists.txt"):
            for line, content in numbered(re.sub(r"#[^\n]*", "", text)):
                if re.search(r"\bDISABLED\b", content):
                    yield f"{path}:{line}: a test is not switched off"


def promises(tree):
    readme = tree.files.get("README.md")
    if readme is None:
        return
    rooms = "tests|proto|meters|controller|table-agent|config"
    paths = re.findall(rf"(?<![\w/-])((?:{rooms})/[\w./-]*\w)", readme)
    known = set(tree.files) | {str(p) for f in tree.files for p in pathlib.PurePath(f).parents}
    for path in paths:
        if path not in known:
            yield f"README.md: names {path}, which does not exist"
    after = readme[readme.lower().find("promise"):] if "promise" in readme.lower() else ""
    items = re.findall(r"^\d+\. .*(?:\n(?!\d+\. |\n|#).*)*", after.split("\n#")[0], re.M)
    if not items:
        yield "README.md: no list of promises"
    for item in items:
        if not re.search(r"\btests/[\w./-]*\w", item):
            yield f"README.md: no test is named for: {item.splitlines()[0]}"


# `meters/rules/decide.h`, or the end of such a path: `rules/decide.h`, `decide.h`.
DOCUMENT_PATH = re.compile(
    r"`([\w.-]+(?:/[\w.-]+)*\.(?:h|cc)|[\w.-]+(?:/[\w.-]+)+\.(?:py|js|proto|md|service))`")


def document_paths(tree):
    """The files that documents name are there."""
    ends = set()
    for path in tree.files:
        parts = path.split("/")
        ends.update("/".join(parts[start:]) for start in range(len(parts)))
    for path, text in tree.files.items():
        if path.endswith(".md"):
            for line, content in numbered(text):
                for match in DOCUMENT_PATH.finditer(content):
                    if match[1] not in ends:
                        yield f"{path}:{line}: {match[1]}: there is no such file"


SECURITY = "controller/auth/README.md"


def says_case(text, name):
    """Whether the text has a test with that name, in C++ or in Python."""
    named = re.escape(name)
    joined = re.sub(r'"\s*\n\s*"', "", text)
    return re.search(rf'TEST_CASE\(\s*"{named}"|^ *def {named}\(', joined, re.M) is not None


def security_named(tree):
    """In the document, files stand in backquotes; after a test's file its cases stand in quotation
    marks."""
    text = tree.files.get(SECURITY)
    if text is None:
        return
    known = set(tree.files) | {str(p) for f in tree.files for p in pathlib.PurePath(f).parents}
    rooms = "tests|proto|meters|controller|table-agent|config"
    named = re.findall(rf'`((?:{rooms})/[^`\s]+)`((?:[\s,]*"[^"]+")*)', text)
    tested = False
    for path, cases in named:
        if path not in known:
            yield f"{SECURITY}: names {path}, which does not exist"
        for case in re.findall(r'"([^"]+)"', cases):
            tested = True
            if not says_case(tree.files.get(path, ""), " ".join(case.split())):
                yield f"{SECURITY}: {path} has no test \"{case}\""
    if not tested:
        yield f"{SECURITY}: names no test"


def journal_for_ever(tree):
    yield from journal_fields.complaints(tree.files)


def every_wager(tree):
    yield from wager_matrix.complaints(tree.files)


RULES = (
    core_includes, core_calls, no_floating_point, no_shared_ownership, generated_code,
    library_owners, layers_hold, no_cycles, class_in_one_file, columns, left_over_marks, nouns,
    headers, file_lengths, readme_length, dead_names, top_level, run_bits, tests_run,
    cases_stay_apart, own_macros, tests_stay_on, promises, document_paths,
    journal_for_ever, every_wager, security_named, one_name_one_type, using_declarations,
)
