"""Machines for a runbook: a shell of root on each. A machine has its own address in their common
network, its own loopback, and its own /etc, /root, /run, /usr/local and /var/lib over this
machine's.
"office" is a shell in an empty folder, without an address. Needs root.

Programs that cannot do their work here have stand-ins: systemctl and journalctl are
unit_supervisor.py; scp copies into the machine with that address; apt-get, apt-mark and cmake do
nothing, because this machine has the packages and the programs; everybody is root, so chown does
nothing, and sudo only runs the command. However a test ends, the kernel ends all processes of the
machines.
"""

import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 100
MARK = "--- the next command ---"
STAND_INS = {
    "systemctl": 'exec {python} -B {supervisor} systemctl "$@"',
    "journalctl": 'exec {python} -B {supervisor} journalctl "$@"',
    "apt-get": "exit 0",
    "apt-mark": "exit 0",
    "cmake": "exit 0",
    "chown": "exit 0",
    "sudo": 'shift 2; exec "$@"',
    # scp OPTION FILE... root@ADDRESS:PLACE
    "scp": 'to=${{!#}}; address=${{to#*@}}; pid=$(cat {folder}/pids/"${{address%%:*}}")\n'
           'carried=$(mktemp -d -p {folder}) && cp -rp "${{@:2:$#-2}}" "$carried"\n'
           'nsenter --mount=/proc/"$pid"/ns/mnt cp "$1" "$carried"/* "${{to#*:}}"\n'
           'code=$?; rm -rf "$carried"; exit $code',
}
OWN_FOLDERS = ("etc", "root", "run", "usr/local", "var/lib")


def what_is_missing():
    """Why there can be no machines here; None: there can."""
    if os.geteuid() != 0:
        return "only root may make machines"
    for program in ("etcd", "etcdctl", "ip", "openssl"):
        if shutil.which(program) is None:
            return f"the program {program} is not here"
    tried = subprocess.run(
        ["unshare", "--net", "--mount", "sh", "-ec",
         "mount -t tmpfs none /mnt; mkdir /mnt/u /mnt/w; ip link add hub type bridge\n"
         "mount -t overlay none -o lowerdir=/etc,upperdir=/mnt/u,workdir=/mnt/w /etc"],
        capture_output=True, check=False)
    return None if tried.returncode == 0 else "namespaces, bridges or overlays are not possible"


class Shell:
    """A bash to which commands are given one after the other."""

    def __init__(self, *within, **how):
        self.process = subprocess.Popen([*within, "bash"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)

    def run(self, command):
        """(exit code, output with errors)"""
        self.process.stdin.write(f"{command}\nprintf '\\n%s\\n' \"{MARK} $?\"\n".encode())
        self.process.stdin.flush()
        said, deadline = b"", time.monotonic() + PATIENCE_S
        while not (end := re.search(rb"\n" + MARK.encode() + rb" (\d+)\n\Z", said)):
            ready, _, _ = select.select([self.process.stdout], [], [],
                                        max(0, deadline - time.monotonic()))
            more = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not more:
                raise AssertionError(f"{command}: no end; it said: {said.decode()}")
            said += more
        return int(end[1]), said[:end.start()].decode().strip()

    def check(self, command):
        """The output of a command that must succeed."""
        code, said = self.run(command)
        if code != 0:
            raise AssertionError(f"{command}: exit code {code}: {said}")
        return said

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Machines:
    """`addresses`: of each machine, by name."""

    def __init__(self, addresses):
        self._folder = tempfile.TemporaryDirectory(prefix="linkmeter-machines-")
        self.folder = pathlib.Path(self._folder.name)
        for name in ("bin", "pids", "office"):
            (self.folder / name).mkdir()
        supervisor = pathlib.Path(__file__).with_name("unit_supervisor.py")
        for name, text in STAND_INS.items():
            path = self.folder / "bin" / name
            path.write_text("#!/bin/bash\n" + text.format(
                python=sys.executable, supervisor=supervisor, folder=self.folder) + "\n")
            path.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        # The processes of all machines are in this one's PID namespace and end with it.
        self.hub = Shell("setpriv", "--pdeathsig", "KILL", "--", "unshare", "--pid", "--net",
                         "--kill-child", "--mount-proc", "--propagation", "private")
        self.hub.check("ip link add hub type bridge && ip link set hub up")
        self.shells = {"office": self._shell()}
        self.shells["office"].check(f"cd {self.folder}/office")
        for name, address in addresses.items():
            self.shells[name] = self._machine(name, address)

    def __getitem__(self, name):
        return self.shells[name]

    def close(self):
        for shell in [*self.shells.values(), self.hub]:
            shell.close()
        self._folder.cleanup()

    def _shell(self, *within):
        return Shell("nsenter", "--target", self._first_process(), "--pid", "--mount", "--",
                     *within, env=self.environment)

    def _first_process(self):
        """The hub's bash is the only child of `unshare`, which setpriv has become."""
        unshare = self.hub.process.pid
        return pathlib.Path(f"/proc/{unshare}/task/{unshare}/children").read_text().split()[0]

    def _machine(self, name, address):
        shell = self._shell("unshare", "--net", "--mount")
        own = shell.check("echo $$")
        (self.folder / "pids" / address).write_text(own)
        disk = self.folder / name
        shell.check(f"mkdir {disk} && mount -t tmpfs none {disk}")
        for each in OWN_FOLDERS:
            upper, work = disk / each / "upper", disk / each / "work"
            shell.check(f"mkdir -p {upper} {work} && mount -t overlay none /{each} "
                        f"-o lowerdir=/{each},upperdir={upper},workdir={work}")
        self.hub.check(f"ip link add to-{name} type veth peer name eth0 netns {own}\n"
                       f"ip link set to-{name} master hub up")
        shell.check(f"ip link set lo up && ip address add {address}/24 dev eth0 && "
                    f"ip link set eth0 up && export LINKMETER_MACHINE={disk} && cd /root")
        return shell
