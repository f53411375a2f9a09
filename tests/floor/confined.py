"""Runs a program with only the system calls and address families that a unit allows.

  /usr/bin/python3 confined.py UNIT PROGRAM ARGUMENT...

It reads SystemCallFilter= and RestrictAddressFamilies= of the unit as systemd does, line by line,
gets the contents of system-call sets from systemd-analyze, and lets the kernel refuse all other
calls. It needs no service manager. Debian's own Python has the module (python3-seccomp).
"""

import errno
import os
import pathlib
import socket
import subprocess
import sys

import seccomp


def calls_of(name):
    """The system calls of a set ("@system-service"), or the call itself."""
    if not name.startswith("@"):
        return {name}
    said = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True,
                          text=True, check=True).stdout
    words = [line.strip() for line in said.splitlines()[1:]]
    return set().union(*(calls_of(word) for word in words if word and not word.startswith("#")))


def settings(unit, key):
    lines = pathlib.Path(unit).read_text(encoding="utf-8").splitlines()
    return [line.split("=", 1)[1] for line in lines if line.startswith(key + "=")]


def allowed_calls(unit):
    allowed = set()
    for value in settings(unit, "SystemCallFilter"):
        calls = set().union(*(calls_of(word) for word in value.removeprefix("~").split()))
        allowed = allowed - calls if value.startswith("~") else allowed | calls
    return allowed | {"execve"}  # systemd needs it to start the program


def main():
    unit, *command = sys.argv[1:]
    confined = seccomp.SyscallFilter(defaction=seccomp.ERRNO(errno.EPERM))
    for call in sorted(allowed_calls(unit) - {"socket"}):
        try:
            confined.add_rule(seccomp.ALLOW, call)
        except RuntimeError:
            pass  # not a call of this machine
    for family in " ".join(settings(unit, "RestrictAddressFamilies")).split():
        confined.add_rule(seccomp.ALLOW, "socket",
                          seccomp.Arg(0, seccomp.EQ, int(getattr(socket, family))))
    # A sanitized program finds leaks by tracing itself, which no unit allows.
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    confined.load()
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
