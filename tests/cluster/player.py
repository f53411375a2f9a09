"""A thread that acts on a house until it is told to finish, and keeps what it failed with."""

import threading


class Player(threading.Thread):
    def __init__(self, name):
        super().__init__(name=name, daemon=True)
        self.failure = None
        self.ends = threading.Event()

    def finish(self, patience_s=60):
        """Ends the play and waits until what was begun has ended. Raises what it failed with."""
        self.ends.set()
        self.join(patience_s)
        if self.failure is not None:
            raise self.failure
        if self.is_alive():
            raise AssertionError(f"{self.name}: {self.unfinished()}")

    def run(self):
        try:
            self.play()
        except Exception as failure:  # finish() raises it
            self.failure = failure
