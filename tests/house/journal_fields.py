"""Checks the fields of proto/journal.proto against journal_fields.txt: a journal must stay
readable.

Every field that was listed once keeps its number, name and type. A new field must be listed, too;
otherwise nobody would notice a later change of it:

    python3 tests/house/journal_fields.py      adds the new fields to journal_fields.txt
"""

import pathlib
import re
import sys

REMARK = "# message number name type: see journal_fields.py. Lines are added, never changed.\n"


def read_fields(proto):
    """Lines "message number name type" of every message. A field of a oneof belongs to its
    message."""
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
                kind = re.sub(r"\s+", "_", match["type"])
                lines.append(f"{owner} {match['number']} {match['name']} {kind}")
            else:
                lines.append(f"{owner} {match['value_number']} {match['value']} value")
    return lines


def read_snapshot(snapshot):
    return [line for line in snapshot.splitlines() if line and not line.startswith("#")]


def complaints(proto, snapshot):
    now, then = read_fields(proto), read_snapshot(snapshot)
    for line in then:
        if line not in now:
            yield f"proto/journal.proto: journals hold this field, it may not change or go: {line}"
    for line in now:
        if line not in then:
            yield (f"tests/house/journal_fields.txt: does not have: {line} "
                   "(python3 tests/house/journal_fields.py adds it)")


def add_new_fields(root):
    path = root / "tests/house/journal_fields.txt"
    snapshot = path.read_text(encoding="utf-8") if path.exists() else REMARK
    proto = (root / "proto/journal.proto").read_text(encoding="utf-8")
    now, then = read_fields(proto), read_snapshot(snapshot)
    gone = [line for line in then if line not in now]
    if gone:
        sys.exit("these fields changed or went, and journals hold them:\n" + "\n".join(gone))
    new = [line for line in now if line not in then]
    path.write_text(snapshot + "".join(line + "\n" for line in new), encoding="utf-8")


if __name__ == "__main__":
    add_new_fields(pathlib.Path(__file__).resolve().parents[2])
