"""One violation of each rule of the judge, and of some rules more: each is the smallest edit of a
correct history or of its journals, as a broken cluster would leave it."""

import copy

from random_history import RandomHistory, lines_of

OPERATIONS = 800
NODES = ("a", "b", "c")
PLANTS = []
SYSTEM = ("head_signed", "signed_in")  # entries that are no operation's
_MADE = {}


class Plant:
    """`prepare` makes another correct history first, in which the edit is possible."""

    def __init__(self, rule, edit, with_journals, prepare):
        self.rule, self.name = rule, edit.__name__
        self.edit, self.with_journals, self.prepare = edit, with_journals, prepare

    def history(self):
        if "history" not in _MADE:
            _MADE["history"] = RandomHistory(seed=11, operations=OPERATIONS, failovers=4)
        history = History(_MADE["history"])
        if self.prepare:
            self.prepare(history)
        return history

    def lines(self, history):
        lines = lines_of(history.events)
        if history.cut is not None:
            lines[history.cut] = lines[history.cut][:-8] + b"\n"
        if not self.with_journals:
            return lines, None
        return lines, {node: lines_of(journal) for node, journal in history.journals.items()}

    def correct(self):
        return self.lines(self.history())

    def planted(self):
        history = self.history()
        self.edit(history)
        return self.lines(history)


def plant(rule, with_journals=True, prepare=None):
    def add(edit):
        PLANTS.append(Plant(rule, edit, with_journals, prepare))
        return edit
    return add


class History:
    """A copy to be edited, with ways to find a place for the edit."""

    def __init__(self, made):
        self.events = copy.deepcopy(made.events)
        journal = copy.deepcopy(made.journal)
        self.journals = {node: list(journal) for node in NODES}
        self.cut = None  # the index of a line that is cut
        self.invoked, self.ended, self.tries = {}, {}, {}
        self.told = [0]  # before each event: the highest entry that was told of
        for at, event in enumerate(self.events):
            if event["type"] == "invoke":
                self.invoked[event["op"]] = at
                self.tries.setdefault((event.get("table"), event.get("message")), []).append(at)
            elif event["type"] in ("ok", "refused", "unknown"):
                self.ended[event["op"]] = at
            highest = 0
            if event["type"] != "writer":
                highest = max(event.get("entry", 0), event.get("head", 0))
            self.told.append(max(self.told[-1], highest))

    @property
    def journal(self):
        return self.journals["a"]

    def each(self, *types):
        return [(at, event) for at, event in enumerate(self.events) if event["type"] in types]

    def answered_once(self):
        """(index, invoke, index, ok) of each message of a table that was sent once and
        acknowledged."""
        for (table, _), tries in self.tries.items():
            invoked = self.events[tries[0]]
            end = self.ended.get(invoked["op"])
            if table and len(tries) == 1 and end and self.events[end]["type"] == "ok":
                yield tries[0], invoked, end, self.events[end]

    def last_of_a_table(self):
        """The same, of a message that is the last of its table, with no Welcome after it."""
        for begin, invoked, end, told in self.answered_once():
            table = invoked["table"]
            if not any(event.get("table") == table and (event["type"] == "head"
                       or event.get("message", 0) > invoked["message"])
                       for event in self.events[begin + 1:]):
                return begin, invoked, end, told
        raise AssertionError("no table ends so; another seed does")

    def acts(self):
        """(index, invoke, index, ok) of acknowledged commands that were not refused."""
        for op, begin in self.invoked.items():
            end = self.ended.get(op)
            if "person" in self.events[begin] and end and self.events[end]["type"] == "ok" \
                    and self.events[end]["refusal"] == "none":
                yield begin, self.events[begin], end, self.events[end]

    def system_entry(self, after=0):
        return next(entry["entry"] for entry in self.journal
                    if entry["fact"] in SYSTEM and entry["entry"] > after)

    def replace(self, number, entry, nodes=NODES):
        """Another entry in that place, in the journals of the nodes."""
        kept = {key: self.journal[number - 1][key] for key in ("entry", "hash")}
        for node in nodes:
            self.journals[node][number - 1] = {**entry, **kept}

    def head(self, number):
        return {"head": number, "hash": self.journal[number - 1]["hash"]}


NOTHING = {"fact": "head_signed", "postings": []}


def small(history, events, entries):
    """A history of its own, of tables T and U, with these events between start and end."""
    start = {**history.events[0], "tables": {"T": 0, "U": 0}}
    operations = sum(event["type"] == "invoke" for event in events)
    events = [start, *events, {"type": "end", "operations": operations}]
    history.events = [{**event, "ns": at} for at, event in enumerate(events)]
    journal = [{"postings": [], **entry, "entry": number, "hash": f"{number:064}"}
               for number, entry in enumerate(entries, 1)]
    history.journals = {node: list(journal) for node in NODES}


def sending(op, table, message):
    return {"type": "invoke", "op": op, "process": f"table {table}", "table": table,
            "message": message, "kind": "close", "sha256": f"{message:064}"}


def ending(op, table, entry):
    """Acknowledged with that entry; 0: unknown."""
    answer = {"type": "ok", "node": "a", "entry": entry, "refusal": "none"}
    return {**(answer if entry else {"type": "unknown"}), "op": op, "process": f"table {table}"}


# --- lines ---


@plant("format")
def a_line_is_cut(history):
    history.cut = history.each("read")[5][0]


@plant("time")
def the_clock_goes_back(history):
    at = len(history.events) // 2
    history.events[at]["ns"] = history.events[at + 1]["ns"] + 1


@plant("pairing")
def an_answer_to_no_operation(history):
    _, _, _, told = next(history.answered_once())
    told["op"] = 10 ** 6


@plant("one_end")
def acknowledged_after_it_was_refused(history):
    at, refused = history.each("refused")[0]
    told = {key: refused[key] for key in ("ns", "op", "process", "node")}
    history.events.insert(at + 1, {**told, "type": "ok", "refusal": "none", "entry": 5})


# --- the answers of a table ---


@plant("gap", with_journals=False)
def a_number_is_passed_over(history):
    _, invoked, _, _ = history.last_of_a_table()
    invoked["message"] += 1


@plant("gap", with_journals=False)
def acknowledged_after_one_that_was_refused(history):
    """The message before is the edited one."""
    single = {(invoked["table"], invoked["message"]): told
              for _, invoked, _, told in history.answered_once()}
    told = next(told for (table, number), told in single.items() if (table, number + 1) in single)
    refuse(told)


@plant("same_answer")
def another_answer_to_a_repeat(history):
    again(history)["refusal"] = "link_suspended"


@plant("same_answer", with_journals=False)
def another_entry_for_a_repeat(history):
    again(history)["entry"] += 1


@plant("same_answer")
def a_repeat_is_out_of_order(history):
    told = again(history)
    refuse(told)
    told["refusal"] = "message_out_of_order"


@plant("same_answer")
def other_bytes_with_the_same_answer(history):
    invoked = history.events[history.invoked[again(history)["op"]]]
    invoked["sha256"] = invoked["sha256"][::-1]


def again(history):
    """The answer to a message that was invoked when it was already acknowledged."""
    for tries in history.tries.values():
        answers = [history.ended.get(history.events[at]["op"]) for at in tries]
        if "table" in history.events[tries[0]] and len(tries) > 1 and answers[0] and answers[-1] \
                and answers[0] < tries[-1] and all(
                    history.events[answers[at]]["type"] == "ok" for at in (0, -1)):
            return history.events[answers[-1]]
    raise AssertionError("no repeat is acknowledged; another seed does")


def refuse(told):
    told.update(type="refused", refusal="pace_exceeded")
    for key in ("entry", "head", "hash"):
        told.pop(key, None)


@plant("welcome")
def a_welcome_forgets_a_message(history):
    acknowledged = {}
    for event in history.events:
        if event["type"] == "head" and 0 < event["last"] == acknowledged.get(event["table"]):
            event["last"] -= 1
            return
        if event["type"] == "ok":
            invoked = history.events[history.invoked[event["op"]]]
            if "table" in invoked:
                acknowledged[invoked["table"]] = max(invoked["message"],
                                                     acknowledged.get(invoked["table"], 0))
    raise AssertionError("no Welcome is exact; another seed does")


@plant("welcome")
def a_welcome_knows_a_message_of_nobody(history):
    history.each("head")[-1][1]["last"] = 10 ** 6


# --- the order of entries ---


@plant("own_entry", with_journals=False)
def two_messages_have_one_entry(history):
    singles = {told["entry"]: (begin, invoked, end, told)
               for begin, invoked, end, told in history.answered_once()}
    for entry, (_, one, end, _) in singles.items():
        begin, other, _, told = singles.get(entry + 1, (end, None, None, None))
        if begin < end and one["table"] != other["table"] and history.told[begin] < entry:
            told["entry"] = entry
            return
    raise AssertionError("no two are at the same time; another seed does")


@plant("real_time", with_journals=False)
def an_entry_is_before_one_that_was_told_before(history):
    _, _, end, told = next(history.acts())
    later = next(later["entry"] for begin, _, _, later in history.answered_once() if begin > end)
    told["entry"] = history.system_entry(after=later)


@plant("real_time")
def a_command_without_an_answer_is_before_what_was_told(history):
    begin, invoked = unanswered_act(history)
    number = history.system_entry(after=history.told[begin] // 2)
    assert number < history.told[begin]
    history.replace(number, {"fact": "link_suspended", "note": invoked["mark"], "by": "F-1",
                             "postings": []})


def a_message_that_was_sent_after_a_read(history):
    """The read told of entry 2. Nobody was told of the message's entry, which is 3."""
    read = {"type": "read", "process": "sign 1", "node": "b", "head": 2, "lag_ms": 0,
            "lag_entries": 0}
    entry = {"fact": "round_closed", "table": "T", "message": 1, "digest": f"{1:064}"}
    small(history, [read, sending(1, "T", 1), ending(1, "T", 0)], [NOTHING, NOTHING, entry])


@plant("real_time", prepare=a_message_that_was_sent_after_a_read)
def a_message_without_an_answer_is_before_what_was_told(history):
    message = history.journal[2]
    history.replace(3, NOTHING)
    history.replace(2, message)


@plant("refused_entry", prepare=a_message_that_was_sent_after_a_read)
def a_message_without_an_answer_has_other_bytes(history):
    history.replace(3, {**history.journal[2], "digest": f"{2:064}"})


@plant("real_time", with_journals=False)
def an_entry_was_a_head_that_was_told_before(history):
    """A read told of it, before the message was sent."""
    begin, _, _, answer = next(history.answered_once())
    read = history.each("read")[0][1]
    entry = history.journal[answer["entry"] - 1]
    history.events.insert(begin, {**read, "process": "sign 2", "ns": history.events[begin]["ns"],
                                  "head": answer["entry"], "hash": entry["hash"]})


def unanswered_act(history):
    """A command without an answer that was not done."""
    marks = {entry.get("note") for entry in history.journal}
    return next((begin, history.events[begin]) for op, begin in history.invoked.items()
                if "mark" in history.events[begin] and history.events[begin]["mark"] not in marks
                and history.events[history.ended[op]]["type"] == "unknown")


@plant("table_order", with_journals=False)
def two_messages_of_a_table_change_places(history):
    singles = {(invoked["table"], invoked["message"]): (begin, end, told)
               for begin, invoked, end, told in history.answered_once()}
    for (table, number), (_, end, told) in singles.items():
        begin, _, following = singles.get((table, number + 1), (end, None, None))
        if begin < end and told["head"] >= following["entry"] \
                and history.told[begin] < told["entry"]:
            told["entry"], following["entry"] = following["entry"], told["entry"]
            return
    raise AssertionError("no two are at the same time; another seed does")


def two_unknown_messages(history):
    """Each of two tables has a message without an answer between two that are acknowledged, as
    entries 5 and 7, and 4 and 9. So one can only be entry 6, and the other one 8."""
    small(history, [sending(1, "T", 1), sending(2, "U", 1), ending(1, "T", 5), ending(2, "U", 4),
                    sending(3, "T", 2), sending(4, "U", 2), sending(5, "T", 3), sending(6, "U", 3),
                    ending(3, "T", 0), ending(4, "U", 0), ending(5, "T", 7), ending(6, "U", 9)], [])


@plant("room", with_journals=False, prepare=two_unknown_messages)
def two_messages_have_room_for_one(history):
    history.events[-2]["entry"] = 8


def an_unknown_message_after_a_read(history):
    """The one of U is between entries 4 and 8, and was sent when a read had told of entry 6: it is
    entry 7. The one of T is between 5 and 10."""
    command = {"op": 3, "process": "person F-1"}
    read = {"type": "read", "process": "sign 1", "node": "b", "head": 6, "lag_ms": 0,
            "lag_entries": 0}
    small(history, [sending(1, "T", 1), sending(2, "U", 1), ending(1, "T", 5), ending(2, "U", 4),
                    {**command, "type": "invoke", "person": "F-1", "command": "claim pay"},
                    sending(4, "T", 2), read, sending(5, "U", 2), sending(6, "T", 3),
                    sending(7, "U", 3), ending(4, "T", 0), ending(5, "U", 0), ending(6, "T", 10),
                    ending(7, "U", 8), {**ending(3, "", 9), **command}], [])


@plant("room", with_journals=False, prepare=an_unknown_message_after_a_read)
def a_message_has_room_only_before_what_was_told(history):
    history.events[-2]["entry"] = 7


# --- heads ---


@plant("head_back")
def a_welcome_tells_an_older_head(history):
    heads = {}  # those that the table was told in the epoch
    for event in history.events:
        if event["type"] == "ok" and "head" in event:
            table = history.events[history.invoked[event["op"]]]["table"]
            heads.setdefault((table, event["epoch"]), []).append(event["head"])
        elif event["type"] == "head":
            told = heads.setdefault((event["table"], event["epoch"]), [])
            if told and told[0] < told[-1]:
                event.update(history.head(told[0]))
                return
    raise AssertionError("no table connects again; another seed does")


@plant("head_back")
def a_node_goes_back(history):
    reads = [event for _, event in history.each("read") if event["node"] == "b"]
    assert reads[0]["head"] < reads[-2]["head"]
    reads[-1].update(history.head(reads[0]["head"]))


@plant("head_covers")
def a_head_does_not_cover_its_entry(history):
    heads, first = {}, {}
    for event in history.events:
        if event["type"] == "writer":
            first[event["epoch"]] = event["entry"]
        if event["type"] == "head":
            heads[event["table"]] = event["head"]
        if event["type"] == "ok" and "head" in event:
            table = history.events[history.invoked[event["op"]]]["table"]
            lower = event["entry"] - 1
            if lower >= max(heads[table], first[event["epoch"]]):
                event.update(history.head(lower))
                return
            heads[table] = event["head"]
    raise AssertionError("every entry is below a head; another seed does")


@plant("one_hash")
def a_head_has_another_hash(history):
    _, read = history.each("read")[7]
    read["hash"] = read["hash"][::-1]


@plant("epochs", with_journals=False)
def two_nodes_write_in_one_epoch(history):
    told = next(history.answered_once())[3]
    told["node"] = next(node for node in NODES if node != told["node"])


@plant("epochs", with_journals=False)
def an_epoch_begins_twice(history):
    at, writer = history.each("writer")[-1]
    history.events.insert(at + 1, writer)


@plant("epochs", with_journals=False)
def an_old_writer_goes_on(history):
    """A head of its epoch is between heads that its successor has told."""
    at, last = history.each("writer")[-1]
    told = [event for event in history.events[at:] if event["type"] == "ok" and "head" in event]
    writer = history.each("writer")[-2][1]
    assert told[0]["epoch"] == last["epoch"]
    told[len(told) // 2].update(node=writer["node"], epoch=writer["epoch"])


@plant("epochs")
def a_standby_acknowledges(history):
    """The answer names no epoch, but the journal tells who wrote."""
    told = [event for _, event in history.each("ok") if "head" in event][-1]
    told["node"] = next(node for node in NODES if node != told["node"])
    del told["epoch"]


def a_writer_without_answers(history):
    small(history, [{"type": "writer", "node": "a", "epoch": 1, "entry": 1}],
          [{"fact": "writer_changed", "node": "a", "epoch": 1}])


@plant("epochs", prepare=a_writer_without_answers)
def the_journal_has_another_writer(history):
    history.replace(1, {**history.journal[0], "node": "b"})


@plant("epochs")
def an_epoch_begins_twice_in_the_journal(history):
    number = history.each("writer")[-1][1]["entry"]
    history.replace(history.system_entry(after=number), history.journal[number - 1])


@plant("one_hash")
def a_head_that_was_told_once_has_another_hash(history):
    """Only the journals know better."""
    counts = {}
    for event in history.events:
        counts[event.get("head")] = counts.get(event.get("head"), 0) + 1
    read = next(event for _, event in history.each("read") if counts[event["head"]] == 1)
    read["hash"] = read["hash"][::-1]


# --- journals ---


@plant("entry_gap")
def an_entry_is_missing(history):
    number = history.system_entry(after=50)
    for journal in history.journals.values():
        del journal[number - 1]


@plant("equal")
def a_byte_differs(history):
    number = len(history.journal) // 2
    entry = history.journal[number - 1]
    history.replace(number, {**entry, "recorded_at": "2027" + entry["recorded_at"][4:]}, ["b"])


@plant("lost")
def an_acknowledged_message_is_lost(history):
    _, _, _, told = next(history.answered_once())
    history.replace(told["entry"], NOTHING)


@plant("lost")
def the_last_acknowledged_message_is_lost(history):
    _, _, _, told = history.last_of_a_table()
    history.replace(told["entry"], NOTHING)


@plant("lost")
def an_acknowledged_command_is_lost(history):
    _, _, _, told = next(history.acts())
    history.replace(told["entry"], NOTHING)


@plant("lost")
def a_node_has_not_all_that_was_told(history):
    del history.journals["c"][max(history.told) - 1:]


@plant("equal")
def a_hash_differs(history):
    """Nobody was told of that entry's hash."""
    told = {event.get("head") for event in history.events}
    number = next(entry["entry"] for entry in history.journal if entry["entry"] not in told)
    entry = history.journal[number - 1]
    history.journals["c"][number - 1] = {**entry, "hash": entry["hash"][::-1]}


@plant("lost")
def a_read_told_of_an_entry_that_no_journal_has(history):
    read = history.each("read")[-1][1]
    history.events.insert(-1, {**read, "ns": history.events[-1]["ns"],
                               "head": len(history.journal) + 1, "hash": "0" * 64})


@plant("lost")
def an_acknowledged_command_is_of_another_person(history):
    entry = next(history.acts())[3]["entry"]
    history.replace(entry, {**history.journal[entry - 1], "by": "F-9"})


@plant("lost")
def an_acknowledged_command_is_another_one(history):
    entry = next(history.acts())[3]["entry"]
    history.replace(entry, {**history.journal[entry - 1], "note": "sign dark"})


@plant("lost")
def an_acknowledged_command_was_refused_otherwise(history):
    entry = refused_act(history)[1]["entry"]
    history.replace(entry, {**history.journal[entry - 1], "refusal": "person_locked"})


@plant("other_entry")
def a_command_was_done_and_answered_with_a_refusal(history):
    invoked, answer = refused_act(history)
    history.replace(history.system_entry(after=answer["entry"]),
                    {**NOTHING, "fact": "link_suspended", "note": invoked["mark"],
                     "by": invoked["person"]})


def refused_act(history):
    """The invoke and the answer of a command whose entry records a refusal."""
    return next((history.events[begin], history.events[history.ended[op]])
                for op, begin in history.invoked.items() if "person" in history.events[begin]
                and history.events[history.ended[op]].get("refusal") == "link_unknown")


@plant("other_entry")
def a_message_has_another_entry_than_was_told(history):
    """The next entry, which is nobody's."""
    answer = next(answer for _, _, _, answer in history.answered_once()
                  if answer["head"] > answer["entry"]
                  and history.journal[answer["entry"]]["fact"] in SYSTEM)
    answer["entry"] += 1


@plant("counted_twice")
def a_message_is_there_twice(history):
    _, _, _, told = next(history.answered_once())
    history.replace(history.system_entry(after=told["entry"]), history.journal[told["entry"] - 1])


@plant("counted_twice")
def a_command_is_there_twice(history):
    _, _, _, told = next(history.acts())
    history.replace(history.system_entry(after=told["entry"]), history.journal[told["entry"] - 1])


def a_message_without_an_answer(history):
    told = next(told for _, invoked, _, told in history.answered_once()
                if invoked["message"] > 1 and invoked["kind"] != "lock")
    entry = told["entry"]
    kept = {key: told[key] for key in ("ns", "op", "process")}
    told.clear()
    told.update(kept, type="unknown")
    history.unanswered = entry


@plant("message_gap", prepare=a_message_without_an_answer)
def a_message_before_an_acknowledged_one_is_missing(history):
    history.replace(history.unanswered, NOTHING)


@plant("other_entry")
def a_message_has_other_bytes(history):
    _, _, _, told = next(history.answered_once())
    entry = history.journal[told["entry"] - 1]
    history.replace(told["entry"], {**entry, "digest": entry["digest"][::-1]})


@plant("other_entry")
def a_message_is_refused_in_the_journal(history):
    told = next(told for _, invoked, _, told in history.answered_once()
                if invoked["kind"] == "close" and told["refusal"] == "none")
    entry = history.journal[told["entry"] - 1]
    history.replace(told["entry"], {**entry, "fact": "message_refused",
                                    "refusal": "round_unknown"})


@plant("unsent")
def a_message_of_nobody(history):
    table = "T-01"
    last = max(entry["message"] for entry in history.journal if entry.get("table") == table)
    extra = {**NOTHING, "entry": len(history.journal) + 1, "hash": "0" * 64, "table": table,
             "message": max(number for name, number in history.tries if name == table) + 1,
             "digest": "0" * 64}
    assert extra["message"] == last + 1
    for journal in history.journals.values():
        journal.append(extra)


@plant("refused_entry")
def a_refused_message_is_done(history):
    refuse(history.last_of_a_table()[3])


@plant("refused_entry")
def a_refused_command_is_done(history):
    begin, invoked = next((begin, history.events[begin]) for op, begin in history.invoked.items()
                          if "mark" in history.events[begin]
                          and history.events[history.ended[op]]["type"] == "refused")
    history.replace(history.system_entry(after=history.told[begin]),
                    {"fact": "link_suspended", "note": invoked["mark"], "by": invoked["person"],
                     "postings": []})


@plant("money")
def a_wager_is_a_cent_more(history):
    lock(history)[0]["wagers"].popitem()[1][0] += 1


@plant("money")
def a_level_gains_too_little(history):
    """Double entry holds."""
    for posting in history.journal[lock(history)[1]["entry"] - 1]["postings"][:2]:
        posting["amount"] = posting["amount"][:-1] + "1"


@plant("balance")
def a_meter_gains_more_than_the_wagers_give(history):
    posting = history.journal[lock(history)[1]["entry"] - 1]["postings"][1]
    posting["amount"] = posting["amount"][:-1] + "1"


@plant("money")
def two_wagers_are_others_of_the_same_sum(history):
    """The levels gain what is due."""
    answer = next(answer for _, invoked, _, answer in history.answered_once()
                  if len(*invoked.get("wagers", {"": []}).values()) > 1
                  and answer["refusal"] == "none")
    wagers = history.journal[answer["entry"] - 1]["wagers"]
    cents = [int(wager["amount"].replace(".", "")) for wager in wagers]
    for wager, amount in zip(wagers, (cents[0] - 1, cents[1] + 1)):
        wager["amount"] = f"{amount // 100}.{amount % 100:02}"


def a_lock_without_an_answer(history):
    entry = {"fact": "round_locked", "table": "T", "message": 1, "digest": f"{1:064}",
             "wagers": [{"seat": 1, "link": "C4-MEGA", "amount": "5.00"}],
             "postings": [{"link": "C4-MEGA", "level": level, "account": account, "amount": amount}
                          for level, gain in (("mega", "0.45"), ("major", "0.35"),
                                              ("minor", "0.15"))
                          for account, amount in (("wagers", f"-{gain}"), ("meter", gain))]}
    lock = {**sending(1, "T", 1), "kind": "lock", "wagers": {"C4-MEGA": [500]}}
    small(history, [lock, ending(1, "T", 0)], [entry])


@plant("money", prepare=a_lock_without_an_answer)
def a_wager_without_an_answer_is_a_cent_more(history):
    history.events[1]["wagers"]["C4-MEGA"][0] += 1


def lock(history):
    """The invoke and the answer of an accepted lock."""
    return next((invoked, told) for _, invoked, _, told in history.answered_once()
                if invoked["kind"] == "lock" and told["refusal"] == "none")
