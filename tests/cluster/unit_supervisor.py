"""systemctl and journalctl for the machines of machines.py, as far as the runbook needs them.

    unit_supervisor.py systemctl start|stop|restart|is-active UNIT
    unit_supervisor.py systemctl enable|disable [--now] UNIT
    unit_supervisor.py systemctl set-environment NAME=VALUE | unset-environment NAME
    unit_supervisor.py systemctl daemon-reload
    unit_supervisor.py journalctl -u UNIT ...

It reads the unit and its drop-ins as systemd does, takes from [Service] the command, the
environment and what happens after an end, and runs the command as root without restrictions. A
start returns at once, or when the service is ready for the first time (Type=notify).
"""

import os
import pathlib
import re
import select
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time

STATE = pathlib.Path(os.environ.get("LINKMETER_MACHINE", "/nowhere"))
UNITS = [pathlib.Path(place) for place in
         ("/etc/systemd/system", "/usr/local/lib/systemd/system", "/lib/systemd/system")]


def settings(unit):
    """{key: values} of [Service]; an empty value removes those before it."""
    paths = [path for place in UNITS if (path := place / f"{unit}.service").exists()]
    if not paths:
        sys.exit(f"Unit {unit}.service not found.")
    found, section = {}, None
    for path in paths[:1] + sorted((UNITS[0] / f"{unit}.service.d").glob("*.conf")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if head := re.fullmatch(r"\[(\w+)\]", line):
                section = head[1]
            elif section == "Service" and re.match(r"\w+=", line):
                key, _, value = line.partition("=")
                found[key] = found.get(key, []) + [value] if value else []
    return found


def of_manager():
    """What set-environment has set."""
    file = STATE / "environment"
    lines = file.read_text().splitlines() if file.exists() else []
    return dict(line.split("=", 1) for line in lines)


def set_of_manager(values):
    (STATE / "environment").write_text("".join(f"{key}={value}\n" for key, value in values.items()))


def environment(unit, found):
    values = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin"} | of_manager()
    for line in found.get("Environment", []):
        values.update(word.split("=", 1) for word in shlex.split(line))
    for name in found.get("EnvironmentFile", []):
        path = pathlib.Path(name.removeprefix("-").replace("%p", unit))
        if path.exists() or not name.startswith("-"):
            values.update(re.findall(r"^(\w+)=(.*)$", path.read_text(encoding="utf-8"), re.M))
    return values


def command(text, values):
    words = []
    for word in shlex.split(text):
        if alone := re.fullmatch(r"\$(\w+)", word):
            words += values.get(alone[1], "").split()
        else:
            word = re.sub(r"\$\{(\w+)\}", lambda match: values.get(match[1], ""), word)
            words.append(word.replace("$$", "$"))
    return words


class Supervisor:
    """Runs the unit's command, again after each end, until SIGTERM. Closes the pipe `started` when
    the unit counts as started."""

    def __init__(self, unit, started):
        self.unit, self.found = unit, settings(unit)
        self.more = {}  # of its environment
        for name in self.found.get("RuntimeDirectory", []):
            (pathlib.Path("/run") / name).mkdir(exist_ok=True)
        if self.found.get("Type") == ["notify"]:
            self.await_ready(str(STATE / f"{unit}.notify"), started)
        else:
            os.close(started)
        self.process = None
        self.is_stopping = False
        signal.signal(signal.SIGTERM, self.stop)
        while self.ran_and_runs_again():
            time.sleep(float(self.found.get("RestartSec", ["0.1s"])[-1].rstrip("s")))

    def await_ready(self, path, started):
        pathlib.Path(path).unlink(missing_ok=True)
        notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notices.bind(path)
        self.more["NOTIFY_SOCKET"] = path

        def read():
            while b"READY=1" not in notices.recv(4096).split(b"\n"):
                continue
            os.close(started)
            while True:
                notices.recv(4096)

        threading.Thread(target=read, daemon=True).start()

    def stop(self, *_):
        self.is_stopping = True
        if self.process is None or self.process.returncode is not None:
            sys.exit(0)  # between two runs
        self.process.terminate()  # the wait for it goes on

    def ran_and_runs_again(self):
        values = environment(self.unit, self.found) | self.more
        self.process = subprocess.Popen(command(self.found["ExecStart"][-1], values), env=values)
        code = self.process.wait()
        if self.is_stopping:
            return False
        good = ["0", *" ".join(self.found.get("SuccessExitStatus", [])).split()]
        ended = {**values, "SERVICE_RESULT": "success" if str(code) in good else "exit-code"}
        for line in self.found.get("ExecStopPost", []):
            subprocess.run(command(line, values), env=ended, check=False)
        restart = self.found.get("Restart", ["no"])[-1]
        return restart == "always" or (restart == "on-abnormal" and code < 0)


def supervisor(unit):
    """A pidfd of the unit's supervisor, or None."""
    try:
        pidfd = os.pidfd_open(int((STATE / f"{unit}.pid").read_text()))
    except (OSError, ValueError):
        return None
    if select.select([pidfd], [], [], 0)[0]:
        return None  # it has ended
    return pidfd


def start(unit):
    if supervisor(unit) is None:
        settings(unit)  # an unknown unit is an error of the caller
        ready, started = os.pipe()
        with open(STATE / f"{unit}.log", "ab") as log:
            child = subprocess.Popen([sys.executable, "-B", __file__, "supervise", unit,
                                      str(started)], stdin=subprocess.DEVNULL, stdout=log,
                                     stderr=log, start_new_session=True, pass_fds=[started])
        (STATE / f"{unit}.pid").write_text(str(child.pid))
        os.close(started)
        os.read(ready, 1)


def stop(unit):
    pidfd = supervisor(unit)
    if pidfd is not None:
        signal.pidfd_send_signal(pidfd, signal.SIGTERM)
        select.select([pidfd], [], [])


def systemctl(words):
    act, *units = [word for word in words if word != "--now"]
    if act == "set-environment":
        set_of_manager(of_manager() | dict(word.split("=", 1) for word in units))
        return 0
    if act == "unset-environment":
        set_of_manager({key: value for key, value in of_manager().items() if key not in units})
        return 0
    for unit in units:
        if act in ("stop", "restart") or (act == "disable" and "--now" in words):
            stop(unit)
        if act in ("start", "restart") or (act == "enable" and "--now" in words):
            start(unit)
        if act == "is-active" and supervisor(unit) is None:
            return 3
    return 0


def main():
    what, *words = sys.argv[1:]
    if what == "supervise":
        Supervisor(words[0], int(words[1]))
    elif what == "systemctl":
        return systemctl(words)
    elif what == "journalctl":
        print((STATE / f"{words[words.index('-u') + 1]}.log").read_text(errors="replace"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
