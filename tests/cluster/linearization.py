"""A full search for a linearization, after Wing and Gong, with memoisation: the sequential model of
HISTORY.md, tried in every order that real time allows. It takes exponential time, so it is for the
small histories that small_history() makes, most of which are a little wrong. history_test.py
compares the sweeps of the judge with it."""

TABLES = ("T", "U")


def small_history(chance):
    """The events of a history with at most seven operations of two tables and one person, and of
    reads: single answers are well-formed, and their entries are about right."""
    events = [{"type": "start", "format": "linkmeter-history 1", "clock": "CLOCK_MONOTONIC",
               "house": "Small", "nodes": ["a"], "tables": dict.fromkeys(TABLES, 0)}]
    sent, acknowledged, waiting = dict.fromkeys(TABLES, 0), set(), {}
    ops, likely = 0, 1
    while ops < 7 or (waiting and chance.random() < 0.8):
        what = chance.random()
        if what < 0.45 and ops < 7:
            table = chance.choice((*TABLES, None))
            tries = [number for number in range(1, sent.get(table, 0) + 1)
                     if (table, number) not in acknowledged | set(waiting.values())]
            ops += 1
            event = {"type": "invoke", "op": ops, "process": f"op {ops}"}
            if table is None:
                events.append({**event, "person": "F-1", "command": "link suspend"})
                waiting[ops] = None, 0
                continue
            number = tries[0] if tries and chance.random() < 0.7 else sent[table] + 1
            sent[table] = max(sent[table], number)
            waiting[ops] = table, number
            events.append({**event, "table": table, "message": number, "kind": "close",
                           "sha256": "0" * 64})
        elif what < 0.95 and waiting:
            op = chance.choice(sorted(waiting))
            event = {"op": op, "process": f"op {op}"}
            kind = chance.choices(("ok", "unknown", "refused"), (6, 2, 1))[0]
            if kind == "ok":
                entry = max(1, likely + chance.choice((-2, -1, 0, 0, 0, 0, 1)))
                likely = max(likely, entry + 1)
                event.update(node="a", entry=entry, refusal="none")
                acknowledged.add(waiting[op])
            elif kind == "refused":
                event.update(node="a", refusal="not_the_writer")
            del waiting[op]
            events.append({"type": kind, **event})
        elif what >= 0.95 and likely > 1:
            events.append({"type": "read", "process": f"read {len(events)}", "node": "a",
                           "head": likely - chance.randint(0, 1), "lag_ms": 0, "lag_entries": 0})
    events.append({"type": "end", "operations": ops})
    return [{"ns": at, **event} for at, event in enumerate(events)]


class Step:
    """An operation of the search. `end`: its answer was there; None: never."""

    def __init__(self, begin, key, end=None, entry=None):
        self.begin, self.key, self.end, self.entry = begin, key, end, entry


def steps_of(events):
    """Each operation that was or may have been done, and each read, which is one without a
    begin. An unknown operation has the entry that another one of its message was told."""
    invoked, steps, entries = {}, [], {}
    for at, event in enumerate(events):
        if event["type"] == "invoke":
            key = (event["table"], event["message"]) if "table" in event else ("", event["op"])
            invoked[event["op"]] = Step(at, key)
        elif event["type"] == "ok":
            step = invoked.pop(event["op"])
            step.end, step.entry = at, event["entry"]
            entries[step.key] = step.entry
            steps.append(step)
        elif event["type"] == "refused":
            del invoked[event["op"]]
        elif event["type"] == "unknown":
            steps.append(invoked.pop(event["op"]))
        elif event["type"] == "read":
            steps.append(Step(-1, None, at, event["head"]))
    steps += invoked.values()
    for step in steps:
        if step.key is not None:
            step.entry = entries.get(step.key)
    return steps


def after(step, state):
    """The state (length of the journal, last message by table, keys done) after the step; None: the
    model does not allow it. Entries of nobody's operation may stand before its entry."""
    length, last, done = state
    if step.key is None:
        return (step.entry, last, done) if step.entry >= length else None
    if step.key in done:
        return state  # a repeat: the same answer
    table, number = step.key
    if table:
        place = TABLES.index(table)
        if number != last[place] + 1:
            return None
        last = (*last[:place], number, *last[place + 1:])
    entry = length + 1 if step.entry is None else step.entry
    return (entry, last, done | {step.key}) if entry > length else None


def exists(events):
    """Whether some order of the operations agrees with real time, the model and every answer."""
    steps = steps_of(events)
    seen = set()

    def search(left, state):
        if all(steps[at].end is None for at in left):
            return True  # what has no answer need not be done
        if (left, state) in seen:
            return False
        seen.add((left, state))
        first_end = min(steps[at].end for at in left if steps[at].end is not None)
        for at in left:
            if steps[at].begin < first_end:
                following = after(steps[at], state)
                if following is not None and search(left - {at}, following):
                    return True
        return False

    return search(frozenset(range(len(steps))), (0, (0, 0), frozenset()))
