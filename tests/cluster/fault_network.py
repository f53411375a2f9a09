"""A network of machines on this one, whose connections a test can cut: a network namespace for each
machine, and between them this process's own namespace as the router.

    enter_namespace()
    with FaultNetwork(("etcd-1", "a", "b")) as network:
        subprocess.Popen([*network.within("a"), program])
        network.cut("a", "etcd-1")
        network.heal()

Packets are routed by the kernel. A cut is a routing rule of the router that drops what one machine
sends to another, without an answer, as a broken switch does. FLOOR is the router itself: tables and
the test are there. Needs root.
"""

import os
import subprocess
import sys
import time

FLOOR = "floor"
ENTERED = "LINKMETER_FAULT_NETWORK"
PATIENCE_S = 10


def what_is_missing():
    """Why there can be no such network here; None: there can."""
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    tried = subprocess.run(
        ["unshare", "--net", "sh", "-ec",
         "echo 1 > /proc/sys/net/ipv4/ip_forward; ip link add wire1 type veth peer name wire2\n"
         "ip rule add from 10.77.0.1 to 10.77.0.2 blackhole"],
        capture_output=True, check=False)
    return None if tried.returncode == 0 else "namespaces or routing rules are not possible here"


def enter_namespace():
    """Starts this program again in a network namespace of its own, which ends with it. Ends it with
    a sentence if that is not possible."""
    if ENTERED not in os.environ:
        if missing := what_is_missing():
            sys.exit(f"{sys.argv[0]}: {missing}")
        os.environ[ENTERED] = "1"
        os.execvp("unshare", ["unshare", "--net", sys.executable, "-B", *sys.argv])
    del os.environ[ENTERED]


class FaultNetwork:
    def __init__(self, machines):
        """REQUIRES: enter_namespace() was called."""
        self.addresses = {name: f"10.77.0.{at}" for at, name in enumerate(machines, 1)}
        self.addresses[FLOOR] = "10.77.0.254"
        self.holders = {}
        self.cuts = set()
        ip("link set lo up")
        with open("/proc/sys/net/ipv4/ip_forward", "w", encoding="ascii") as forwarding:
            forwarding.write("1")
        # The rule of local addresses after the cuts, so that the router's own can be cut, too.
        ip("rule add pref 100 lookup local")
        ip("rule delete pref 0")
        for at, name in enumerate(machines, 1):
            self._connect(f"wire{at}", name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for holder in self.holders.values():
            holder.kill()
            holder.wait()

    def within(self, machine):
        """The command that starts a program on a machine."""
        return ["nsenter", f"--net=/proc/{self.holders[machine].pid}/ns/net", "--"]

    def free_port(self, machine):
        return f"tcp://{self.addresses[machine]}:*"

    def cut(self, sender, receiver):
        """Drops what the one sends to the other. Twice is once."""
        if (sender, receiver) not in self.cuts:
            self.cuts.add((sender, receiver))
            ip(f"rule add {self._rule(sender, receiver)}")

    def heal(self):
        """Every machine reaches every other one again."""
        for cut in self.cuts:
            ip(f"rule delete {self._rule(*cut)}")
        self.cuts.clear()

    def _rule(self, sender, receiver):
        return f"from {self.addresses[sender]} to {self.addresses[receiver]} blackhole pref 10"

    def _connect(self, wire, name):
        # A namespace exists as long as a process is in it.
        holder = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "--", "unshare", "--net",
                                   "sleep", "infinity"])
        self.holders[name] = holder
        own = os.readlink("/proc/self/ns/net")
        until = time.monotonic() + PATIENCE_S
        while os.readlink(f"/proc/{holder.pid}/ns/net") == own:
            if holder.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"no network namespace for {name}")
            time.sleep(0.005)  # until unshare has made it
        address, router = self.addresses[name], self.addresses[FLOOR]
        ip(f"link add {wire} type veth peer name eth0 netns {holder.pid}")
        ip(f"address add {router}/32 dev {wire}")
        ip(f"link set {wire} up")
        ip(f"route add {address}/32 dev {wire}")
        for command in ("link set lo up", f"address add {address}/32 dev eth0",
                        "link set eth0 up", f"route add {router}/32 dev eth0",
                        f"route add default via {router} dev eth0"):
            ip(command, self.within(name))


def ip(command, within=()):
    done = subprocess.run([*within, "ip", *command.split()], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise AssertionError(f"ip {command}: {done.stderr.strip()}")
