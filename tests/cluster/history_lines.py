"""The lines of a cluster test's history: HISTORY.md describes them. event() reads one line and
checks it alone; what lines say together is the matter of history_judge.py."""

import json
import re

LINE_BYTES_MAX = 1 << 24  # an entry that opens a large floor has a long line in an export
NUMBER_MAX = (1 << 63) - 1
FORMAT = "linkmeter-history 1"
CLOCK = "CLOCK_MONOTONIC"
KINDS = {"lock", "resolve", "show", "close", "void", "pot", "void_hand"}
HEX_64 = re.compile(r"[0-9a-f]{64}")
WORD = re.compile(r"[a-z][a-z0-9_]{0,63}")


class Malformed(Exception):
    """A line that is no event; the text says why."""


def number(value):
    """a whole number from 0 on"""
    return type(value) is int and 0 <= value <= NUMBER_MAX


def count(value):
    """a whole number from 1 on"""
    return type(value) is int and 0 < value <= NUMBER_MAX


def text(value):
    """a text of 1 to 200 characters"""
    return type(value) is str and 0 < len(value) <= 200


def word(value):
    """a word of small letters, digits and underscores"""
    return type(value) is str and WORD.fullmatch(value) is not None


def sha256(value):
    """64 small hexadecimal digits"""
    return type(value) is str and HEX_64.fullmatch(value) is not None


def one_of(*words):
    def is_one(value):
        return type(value) is str and value in words
    is_one.__doc__ = " or ".join(words)
    return is_one


def texts(value):
    """a list of texts"""
    return type(value) is list and all(map(text, value))


def map_of(check, what):
    def is_map(value):
        return type(value) is dict and all(text(key) and check(one) for key, one in value.items())
    is_map.__doc__ = what
    return is_map


def cents(value):
    return type(value) is list and all(map(count, value))


numbers_by_name = map_of(number, "an object of whole numbers")
rates = map_of(numbers_by_name, "an object of links, each an object of levels and whole ppm")
wagers = map_of(cents, "an object of links, each a list of whole cents")

ANSWERED = {"op": count, "process": text, "node": text, "epoch": count}
# For each type of event: its fields beside "ns" and "type", and those that it may lack. An invoke
# is a table's or a person's.
FIELDS = {
    "start": ({"format": one_of(FORMAT), "clock": one_of(CLOCK), "house": text, "nodes": texts,
               "tables": numbers_by_name, "rates": rates}, {"rates"}),
    "message": ({"op": count, "process": text, "table": text, "message": count, "sha256": sha256,
                 "kind": one_of(*sorted(KINDS)), "wagers": wagers}, {"wagers"}),
    "command": ({"op": count, "process": text, "person": text, "command": text, "mark": text},
                {"mark"}),
    "ok": ({**ANSWERED, "entry": count, "refusal": word, "head": count, "hash": sha256},
           {"epoch", "head", "hash"}),
    "refused": ({**ANSWERED, "refusal": word}, {"epoch"}),
    "unknown": ({"op": count, "process": text, "why": text}, {"why"}),
    "head": ({"process": text, "table": text, "head": count, "hash": sha256, "last": number,
              "node": text, "epoch": count}, {"epoch"}),
    "read": ({"process": text, "node": text, "head": count, "hash": sha256, "lag_entries": number,
              "lag_ms": number}, {"hash"}),
    "writer": ({"node": text, "epoch": count, "entry": count, "reason": text},
               {"entry", "reason"}),
    "fault": ({"fault": word, "target": text, "edge": one_of("begin", "end", "once")}, set()),
    "end": ({"operations": number}, set()),
}
SHAPES = {name: ({"ns": number, "type": text, **fields}, {"ns", "type", *fields} - lacking)
          for name, (fields, lacking) in FIELDS.items()}


def no_constant(name):
    raise Malformed(f"{name} is no number of JSON")


def json_object(raw):
    """The object of a complete line of JSON Lines. Throws Malformed."""
    if not raw.endswith(b"\n"):
        raise Malformed("the line is cut off, or too long" if raw else "there is no line")
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=no_constant)
    except (ValueError, RecursionError) as no:
        raise Malformed(f"no JSON: {no}") from no
    if type(value) is not dict:
        raise Malformed("no object")
    return value


def event(raw):
    """The event of a line, every field checked. Throws Malformed."""
    one = json_object(raw)
    name = one.get("type")
    if name == "invoke":
        name = "message" if "table" in one else "command"
    elif name in ("message", "command") or type(name) is not str or name not in SHAPES:
        raise Malformed(f"type {name!r:.80} is none of an event")
    fields, needed = SHAPES[name]
    for key, value in one.items():
        check = fields.get(key)
        if check is None:
            raise Malformed(f"the {one['type']} has a field {key!r:.80}, which is not described")
        if not check(value):
            raise Malformed(f"{key} is {value!r:.80}, not {check.__doc__}")
    if not needed <= one.keys():
        raise Malformed(f"the {one['type']} has no {', '.join(sorted(needed - one.keys()))}")
    if name == "ok" and ("head" in one) != ("hash" in one):
        raise Malformed("a head needs its number and its hash")
    if "wagers" in one and one["kind"] != "lock":
        raise Malformed("only a lock has wagers")
    return one


def lines_of(file):
    """The lines of a file that was opened in binary mode; a longer one than LINE_BYTES_MAX is
    returned in parts, none of which but the last is complete."""
    return iter(lambda: file.readline(LINE_BYTES_MAX), b"")
