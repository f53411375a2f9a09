"""A table that speaks the wire protocol (proto/wire.proto) and writes what it is told into a
history (HISTORY.md). It plays rounds that win nothing, with several messages open, and follows the
writer from node to node. Its outbox is in memory.

    table = TableClient(history, "C4-01", credentials_file, endpoint, wagers, seed=1)
    table.start()
    ...
    table.finish()

What a table sends after it has left a connection is a new operation: the old one is unknown. So no
answer of an old connection is ever taken for one of the present connection.
"""

import hashlib
import importlib
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

try:
    import zmq
except ModuleNotFoundError:  # Debian's package with another Python
    sys.path.append("/usr/lib/python3/dist-packages")
    import zmq

from player import Player

ROOT = pathlib.Path(__file__).resolve().parents[2]
CENT = 1_000_000  # in 10^-8 dollar
SILENCE_S = 0.4  # without an answer: the table asks another node
HEARTBEAT_S = 1.0
PACE_S = 1.0  # until a message is sent again that came too soon


def wire_messages():
    """The module of proto/wire.proto, which protoc makes in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="linkmeter-wire-") as folder:
        subprocess.run(["protoc", f"--proto_path={ROOT / 'proto'}", f"--python_out={folder}",
                        "wire.proto"], check=True)
        sys.path.insert(0, folder)
        try:
            return importlib.import_module("wire_pb2")
        finally:
            sys.path.remove(folder)


def refusal_names():
    """The names of refusals by number, from the product's list."""
    text = (ROOT / "meters" / "values" / "refusal.h").read_text(encoding="utf-8")
    body = text[text.index("enum class Refusal"):]
    body = body[:body.index("};")]
    return {int(number): name for name, number in re.findall(r"^  (\w+) = (\d+),", body, re.M)}


wire = wire_messages()
REFUSALS = refusal_names()


def read_credentials(path):
    """The fields of a table's credentials file, by name."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines[1:])


class Sent:
    """A numbered message in the outbox. `operation`: the open one; None: there is none."""

    def __init__(self, number, kind, frame, wagers):
        self.number, self.kind, self.frame, self.wagers = number, kind, frame, wagers
        self.sha256 = hashlib.sha256(frame).hexdigest()
        self.operation = None


class TableClient(Player):
    def __init__(self, history, table, credentials, endpoint, wager, link, cents, seed,
                 open_max=8, pause_s=0.0):
        """`endpoint`: of the controller whose key is in the credentials. `wager`, `link`, `cents`:
        what it plays. `pause_s`: between rounds."""
        super().__init__(f"table {table}")
        self.history, self.table, self.link = history, table, link
        self.wager, self.cents = wager, cents
        self.random = random.Random(f"{seed} {table}")
        self.open_max, self.pause_s = open_max, pause_s
        self.credentials = read_credentials(credentials)
        # (name, key, endpoint) of each node; the name of the first is not known yet.
        self.nodes = [("", self.credentials["controller"], endpoint)]
        self.at = 0  # in nodes: whom it asks
        self.outbox, self.numbers, self.rounds = [], 0, 0
        self.round = None  # the open one
        self.next_round_at = 0.0
        self.witness, self.restorations = None, []
        self.question = 0
        self.socket = None
        self.is_welcome = False
        self.acknowledged = 0

    # --- from outside ---

    def unfinished(self):
        return f"{len(self.outbox)} messages without an answer"

    def play(self):
        """Until every message is acknowledged."""
        self.context = zmq.Context()
        self._connect()
        while not self.ends.is_set() or self.outbox or self.round is not None:
            self._step()
        self._leave("the end")
        self.context.term()

    # --- the play ---

    def _step(self):
        now = time.monotonic()
        if self.is_welcome and now >= self.resume_at:
            self._play(now)
            self._send_open()
        if self.socket.poll(20):
            self.heard_at = time.monotonic()
            while self._receive():
                pass
        self._look_at_silence(time.monotonic())

    def _play(self, now):
        while len(self.outbox) < self.open_max:
            if self.round is not None:
                self._put("close", {"round": self.round})
                self.round = None
                self.next_round_at = now + self.pause_s
            elif self.ends.is_set() or now < self.next_round_at:
                return
            else:
                self._lock()

    def _lock(self):
        self.rounds += 1
        self.round = f"r{self.rounds}"
        seats = range(1, 1 + self.random.randint(1, 4))
        wagers = [{"seat": seat, "wager": self.wager, "amount_units": self.cents * CENT}
                  for seat in seats]
        body = {"round": self.round, "wagers": wagers}
        if self.random.random() < 0.5:
            body["chips"] = len(wagers)
        self._put("lock", body, {self.link: [self.cents] * len(wagers)})

    def _put(self, kind, body, wagers=None):
        self.numbers += 1
        message = wire.Message(table=self.table, number=self.numbers,
                               sent_at_us=time.time_ns() // 1_000, **{kind: body})
        frame = wire.FromTable(message=message).SerializeToString()
        self.outbox.append(Sent(self.numbers, kind, frame, wagers))

    def _send_open(self):
        for sent in self.outbox:
            if sent.operation is None:
                known = {} if sent.wagers is None else {"wagers": sent.wagers}
                sent.operation = self.history.invoke(
                    process=self.name, table=self.table, message=sent.number, kind=sent.kind,
                    sha256=sent.sha256, **known)
                self.asked_at = time.monotonic()
                self._send(sent.frame)

    # --- the connection ---

    def _connect(self):
        self.socket = self.context.socket(zmq.DEALER)
        _, key, endpoint = self.nodes[self.at]
        self.socket.curve_serverkey = key.encode()
        self.socket.curve_publickey = self.credentials["public"].encode()
        self.socket.curve_secretkey = self.credentials["secret"].encode()
        self.socket.linger = 0
        self.socket.reconnect_ivl = -1  # a new connection is a new socket
        self.socket.connect(endpoint)
        self.is_welcome = False
        self.resume_at = self.beat_at = 0.0
        self._hello()

    def _hello(self):
        self.question += 1
        self.heard_at = self.asked_at = time.monotonic()
        hello = wire.Hello(table=self.table, question=self.question, agent=f"test-{self.table}",
                           is_new=self.numbers == 0, history=self.restorations)
        if self.witness is not None:
            hello.witness.CopyFrom(self.witness)
        self._send(wire.FromTable(hello=hello).SerializeToString())

    def _send(self, frame):
        try:
            self.socket.send(frame, zmq.DONTWAIT)
        except zmq.Again:
            pass  # the node is gone; silence tells it

    def _leave(self, why):
        """Gives up the operations of this connection."""
        for sent in self.outbox:
            if sent.operation is not None:
                self.history.write("unknown", op=sent.operation, process=self.name, why=why)
                sent.operation = None
        self.socket.close()

    def _ask_other(self, why, at=None):
        self._leave(why)
        self.at = (self.at + 1) % len(self.nodes) if at is None else at
        self._connect()

    def _look_at_silence(self, now):
        waits = not self.is_welcome or any(sent.operation for sent in self.outbox)
        if waits and now - max(self.heard_at, self.asked_at) > SILENCE_S:
            self._ask_other("no answer")
        elif self.is_welcome and now >= self.beat_at:  # its answer may ask for a Hello
            self.beat_at = now + HEARTBEAT_S
            beat = wire.Heartbeat(table=self.table, unacknowledged=len(self.outbox))
            self._send(wire.FromTable(heartbeat=beat).SerializeToString())

    # --- what it is told ---

    def _receive(self):
        """Takes an answer. Whether there may be another one."""
        try:
            frame = self.socket.recv(zmq.DONTWAIT)
        except zmq.Again:
            return False
        told = wire.ToTable.FromString(frame)
        if told.HasField("welcome"):
            return self._take_welcome(told.welcome)
        if told.HasField("acknowledgements"):
            return self._take_acknowledgements(told.acknowledgements)
        if told.heartbeat.wants_hello:
            self._ask_other("the node wants a Hello", self.at)
            return False
        return True

    def _take_welcome(self, welcome):
        if welcome.question != self.question:
            return True
        self._know(welcome.nodes)
        if welcome.refusal:
            if REFUSALS[welcome.refusal] != "not_the_writer":
                raise AssertionError(f"{self.table}: refused: {REFUSALS[welcome.refusal]}")
            places = [at for at, node in enumerate(self.nodes)
                      if at != self.at and node[2] == welcome.writer]
            time.sleep(0.05)  # two standbys may name each other for a moment
            self._ask_other("not the writer", *places[:1])
            return False
        self.restorations = [*self.restorations, *welcome.history[len(self.restorations):]]
        self.witness = welcome.head
        self.history.write("head", process=self.name, table=self.table, node=self._node(),
                           last=welcome.last_number, head=welcome.head.entry,
                           hash=welcome.head.hash.hex())
        self.is_welcome = True
        return True

    def _know(self, nodes):
        """Takes the nodes that a Welcome names. The present one stays the present one, unless it
        has another key now."""
        present = self.nodes[self.at][1]
        names = {node.key: node.name for node in nodes}
        keys = {node.name: node.key for node in nodes}
        endpoints = {key: endpoint for name, key, endpoint in self.nodes
                     if keys.get(name, key) == key}
        # A node whose address is not told now was where it was.
        endpoints |= {node.key: node.endpoint for node in nodes if node.endpoint}
        self.nodes = [(names.get(key, ""), key, endpoint) for key, endpoint in endpoints.items()]
        self.at = list(endpoints).index(present) if present in endpoints else 0

    def _node(self):
        return self.nodes[self.at][0] or "?"

    def _take_acknowledgements(self, told):
        starts_over = False
        for one in told.acknowledgements:
            sent = next((sent for sent in self.outbox if sent.number == one.number), None)
            if sent is None or sent.operation is None:
                raise AssertionError(f"{self.table}: an answer to no message: {one}")
            answer = {"op": sent.operation, "process": self.name, "node": self._node(),
                      "refusal": REFUSALS[one.refusal]}
            sent.operation = None
            if one.entry:
                self.history.write("ok", entry=one.entry, head=told.head.entry,
                                   hash=told.head.hash.hex(), **answer)
                self.witness = told.head
                self.outbox.remove(sent)
                self.acknowledged += 1
                continue
            self.history.write("refused", **answer)
            starts_over = True
            if answer["refusal"] == "pace_exceeded":
                self.resume_at = time.monotonic() + PACE_S
            elif answer["refusal"] not in ("message_out_of_order", "not_the_writer"):
                raise AssertionError(f"{self.table}: message {sent.number}: {answer['refusal']}")
        if starts_over:
            wait = self.resume_at
            self._ask_other("refused", self.at)
            self.resume_at = wait
        return not starts_over
