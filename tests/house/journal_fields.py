"""Compares the fields of the schemas that journals are written with to journal_fields.txt.

A journal must stay readable for ever: every recorded field keeps its number, name and type. A new
field must be recorded too, or a later change of it would go unnoticed:

    python3 tests/house/journal_fields.py      adds the new fields to journal_fields.txt
"""

import pathlib
import re
import sys

# Journals hold the messages of both. A message may move from one to the other: its file and package
# are not in the bytes.
SCHEMAS = ("proto/acts.proto", "proto/journal.proto")
SNAPSHOT = "tests/house/journal_fields.txt"
REMARK = "# message number name type: see journal_fields.py. Lines are added, never changed.\n"


def read_fields(proto):
    """Lines "message number name type" of every message; a oneof belongs to its message.

    A type stands without its package.
    """
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", proto, flags=re.S)
    token = re.compile(
        r"(?P<kind>message|enum|oneof)\s+(?P<open>\w+)\s*\{|(?P<close>\})"
        r"|(?P<type>(?:repeated\s+|optional\s+)?(?:map\s*<[^>]*>|[\w.]+))\s+(?P<name>\w+)\s*=\s*"
        r"(?P<number>\d+)\s*[;\[]|(?P<value>\w+)\s*=\s*(?P<value_number>-?\d+)\s*[;\[]")
    lines, around = [], []
    for match in token.finditer(text):
        if match["open"]:
            around.append((match["kind"], match["open"]))
        elif match["close"]:
            if around:
                around.pop()
        elif around:
            owner = ".".join(name for kind, name in around if kind != "oneof")
            if match["name"]:
                kind = re.sub(r"\s+", "_", re.sub(r"\w+\.", "", match["type"]))
                lines.append(f"{owner} {match['number']} {match['name']} {kind}")
            else:
                lines.append(f"{owner} {match['value_number']} {match['value']} value")
    return lines


def read_snapshot(snapshot):
    return [line for line in snapshot.splitlines() if line and not line.startswith("#")]


def complaints(files):
    """`files`: texts by path."""
    now = [line for schema in SCHEMAS for line in read_fields(files.get(schema, ""))]
    then = read_snapshot(files.get(SNAPSHOT, ""))
    for line in then:
        if line not in now:
            yield f"{' or '.join(SCHEMAS)}: this recorded field changed or is missing: {line}"
    for line in now:
        if line not in then:
            yield (f"{SNAPSHOT}: does not have: {line} "
                   "(python3 tests/house/journal_fields.py adds it)")


def add_new_fields(root):
    path = root / SNAPSHOT
    snapshot = path.read_text(encoding="utf-8") if path.exists() else REMARK
    now = [line for schema in SCHEMAS
           for line in read_fields((root / schema).read_text(encoding="utf-8"))]
    then = read_snapshot(snapshot)
    missing = [line for line in then if line not in now]
    if missing:
        sys.exit("these recorded fields changed or are missing:\n" + "\n".join(missing))
    new = [line for line in now if line not in then]
    path.write_text(snapshot + "".join(line + "\n" for line in new), encoding="utf-8")


if __name__ == "__main__":
    add_new_fields(pathlib.Path(__file__).resolve().parents[2])
