"""A network cable between a table and its controller that a test can pull: a TCP relay on
loopback.

A pulled cable loses nothing that is inside it and signals nothing: both ends keep their connection
and receive no more bytes; the kernel accepts new connections, which are never answered. Bytes that
were sent meanwhile arrive when the cable is plugged in again, as with TCP. A deaf cable carries
one direction only: the table's messages arrive, the answers do not.
"""

import selectors
import socket
import threading

BYTES_MAX = 1 << 16


class Cable:
    def __init__(self, endpoint):
        host, port = endpoint.removeprefix("tcp://").rsplit(":", 1)
        self.far = (host, int(port))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        self.selector = selectors.DefaultSelector()
        self.wake, waker = socket.socketpair()
        self.waker = waker
        self.lock = threading.Lock()
        self.state = "plugged"
        self.peers = {}  # socket: (the other one, whether it is the table's side)
        self.is_watched = set()
        self.selector.register(self.wake, selectors.EVENT_READ)
        self.thread = threading.Thread(target=self._relay, daemon=True)
        self.is_over = False
        self.thread.start()

    def pull(self):
        self._become("pulled")

    def deafen(self):
        self._become("deaf")

    def plug(self):
        self._become("plugged")

    def close(self):
        self.is_over = True
        self._become("pulled")
        self.thread.join()
        for one in [self.listener, self.wake, self.waker, *self.peers]:
            one.close()

    def _become(self, state):
        with self.lock:
            self.state = state
        self.waker.send(b"!")

    def _watch(self):
        """Only sockets of directions that the cable carries now are read; other data waits in the
        sockets."""
        with self.lock:
            state = self.state
        wanted = set() if state == "pulled" else {self.listener}
        wanted |= {one for one, (_, is_table) in self.peers.items()
                   if state == "plugged" or (state == "deaf" and is_table)}
        for one in self.is_watched - wanted:
            self.selector.unregister(one)
        for one in wanted - self.is_watched:
            self.selector.register(one, selectors.EVENT_READ)
        self.is_watched = wanted

    def _relay(self):
        while not self.is_over:
            self._watch()
            for key, _ in self.selector.select():
                if key.fileobj is self.wake:
                    self.wake.recv(BYTES_MAX)
                    break  # the cable changed: it is checked before more is carried
                if key.fileobj is self.listener:
                    self._connect()
                elif key.fileobj in self.peers:
                    self._carry(key.fileobj)

    def _connect(self):
        near, _ = self.listener.accept()
        try:
            far = socket.create_connection(self.far)
        except OSError:  # nobody listens there now
            near.close()
            return
        self.peers[near] = (far, True)
        self.peers[far] = (near, False)

    def _carry(self, one):
        other, _ = self.peers[one]
        try:
            taken = one.recv(BYTES_MAX)
            if taken:
                other.sendall(taken)
                return
        except OSError:
            pass
        for end in (one, other):
            if end in self.is_watched:
                self.selector.unregister(end)
                self.is_watched.discard(end)
            del self.peers[end]
            end.close()
