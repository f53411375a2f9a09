"""A bad network between two machines, simulated on this one: two network namespaces with a TUN
device each, and between them a forwarder that loses, delays, repeats and reorders packets as
configured, or drops all packets, in one direction or both. The kernel's real TCP runs through it.
Needs root."""

import collections
import fcntl
import heapq
import os
import pathlib
import random
import selectors
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

from floor_process import ENDS_WITH_ITS_PARENT

ADDRESSES = ("10.99.0.1", "10.99.0.2")  # in their own namespaces
PACKET_BYTES_MAX = 1 << 16
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000

# Shares of packets, and seconds; `carries`: from the first machine, from the second one.
Weather = collections.namedtuple("Weather", "lost doubled overtaken delay carries",
                                 defaults=(0.0, 0.0, 0.0, (0.0, 0.0), (True, True)))
OVERTAKEN_S = 0.03


def what_is_missing():
    """Why a bad wire is not possible here; None: it is possible."""
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    if not os.path.exists("/dev/net/tun"):
        return "there is no /dev/net/tun"
    made = subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False)
    return None if made.returncode == 0 else "network namespaces cannot be made here"


class BadWire:
    def __init__(self, seed):
        self.random = random.Random(f"wire {seed}")
        self.weather = Weather()
        self.counts = collections.Counter()
        self.lock = threading.Lock()
        self.waiting = []  # (when to forward it, its number, the target device, the packet)
        self.is_over = False
        # A namespace exists as long as a process is in it.
        self.holders = [subprocess.Popen([*ENDS_WITH_ITS_PARENT, "unshare", "--net", "sh", "-c",
                                          "echo; exec sleep infinity"],
                                         stdout=subprocess.PIPE) for _ in ADDRESSES]
        for holder in self.holders:
            holder.stdout.readline()  # it is in its namespace
        self.devices = [self._connect(at) for at in range(len(ADDRESSES))]
        self.thread = threading.Thread(target=self._forward, daemon=True)
        self.thread.start()

    def within(self, machine):
        """The command that starts a program on a machine, 0 or 1."""
        return ["nsenter", f"--net=/proc/{self.holders[machine].pid}/ns/net", "--"]

    def become(self, weather):
        """Sets the weather. Packets in transit in a direction that is now cut are lost."""
        with self.lock:
            self.weather = weather
            self.waiting = [one for one in self.waiting if weather.carries[1 - one[2]]]
            heapq.heapify(self.waiting)

    def close(self):
        self.is_over = True
        self.thread.join()
        for device in self.devices:
            os.close(device)  # the device is removed, too
        for holder in self.holders:
            holder.kill()
            holder.wait()
            holder.stdout.close()

    def _connect(self, machine):
        name = f"lm{os.getpid()}-{machine}"
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
        self._ip("link", "set", name, "netns", str(self.holders[machine].pid))
        for command in (("link", "set", "lo", "up"), ("link", "set", name, "up"),
                        ("address", "add", f"{ADDRESSES[machine]}/24", "dev", name)):
            self._ip(*command, within=self.within(machine))
        return device

    @staticmethod
    def _ip(*command, within=()):
        subprocess.run([*within, "ip", *command], check=True, capture_output=True)

    # --- packets ---

    def _forward(self):
        selector = selectors.DefaultSelector()
        for machine, device in enumerate(self.devices):
            selector.register(device, selectors.EVENT_READ, machine)
        while not self.is_over:
            for key, _ in selector.select(self._send_on()):
                self._take(key.data)
        selector.close()

    def _take(self, machine):
        """All packets that the machine has sent."""
        while True:
            try:
                packet = os.read(self.devices[machine], PACKET_BYTES_MAX)
            except BlockingIOError:
                return
            with self.lock:
                self._treat(machine, packet)

    def _treat(self, machine, packet):
        weather = self.weather
        if not weather.carries[machine]:
            self.counts["cut off"] += 1
            return
        if self.random.random() < weather.lost:
            self.counts["lost"] += 1
            return
        copies = 1 + (self.random.random() < weather.doubled)
        self.counts["doubled"] += copies - 1
        for _ in range(copies):
            due = time.monotonic() + self.random.uniform(*weather.delay)
            if self.random.random() < weather.overtaken:
                self.counts["overtaken"] += 1
                due += OVERTAKEN_S
            self.counts["carried"] += 1
            heapq.heappush(self.waiting, (due, self.counts["carried"], 1 - machine, packet))

    def _send_on(self):
        """Forwards the due packets. Returns the seconds until the next one is due, limited to one
        polling interval."""
        while True:
            with self.lock:
                now = time.monotonic()
                if not self.waiting or self.waiting[0][0] > now:
                    return min(0.02, self.waiting[0][0] - now) if self.waiting else 0.02
                _, _, machine, packet = heapq.heappop(self.waiting)
            try:
                os.write(self.devices[machine], packet)
            except OSError:
                self.counts["not taken"] += 1  # the device's queue is full: lost, as on a wire
