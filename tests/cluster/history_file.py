"""Writes the history of a cluster test, as HISTORY.md describes it, from several threads."""

import json
import threading
import time

import history_lines


class HistoryFile:
    def __init__(self, path, house, nodes, tables, rates=None):
        """`tables`: the last message number of each; `rates`: as in the line `start`."""
        self.lock = threading.Lock()
        self.operations = 0
        self.file = open(path, "wb")
        known = {} if rates is None else {"rates": rates}
        self.write("start", format=history_lines.FORMAT, clock=history_lines.CLOCK, house=house,
                   nodes=list(nodes), tables=tables, **known)

    def write(self, kind, **fields):
        with self.lock:
            self._write(kind, fields)

    def invoke(self, **fields):
        """The id of a new operation. Its work begins after this call."""
        with self.lock:
            self.operations += 1
            self._write("invoke", {"op": self.operations, **fields})
            return self.operations

    def close(self):
        """Writes the last line. REQUIRES: nobody writes any more."""
        self.write("end", operations=self.operations)
        self.file.close()

    def _write(self, kind, fields):
        # The clock is read within the lock, so that the times never go back.
        event = {"ns": time.monotonic_ns(), "type": kind, **fields}
        self.file.write(json.dumps(event, separators=(",", ":")).encode() + b"\n")
