"""Servers of the other engines for a benchmark: each in its own folder, with a socket in it.

They never touch a service of the system, and do not listen on a port. A server ends with the
benchmark, however that ends.
"""

import ctypes
import os
import pathlib
import pwd
import signal
import subprocess
import time

POSTGRES = pathlib.Path("/usr/lib/postgresql/15/bin")
# redis-tools contains the server under another name; the program acts by its own name.
REDIS = pathlib.Path("/usr/bin/redis-check-rdb")
PATIENCE_S = 30
PR_SET_PDEATHSIG = 1


def ends_with_us(number):
    """Called in the child: the kernel signals it when its parent has ended."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, number)


class Server:
    """A process that is stopped by its own id."""

    def __init__(self, words, log, ready, stop_signal, **how):
        self.stop_signal = stop_signal
        with open(log, "ab") as file:
            self.process = subprocess.Popen(words, stdout=file, stderr=file,
                                            preexec_fn=ends_with_us(stop_signal), **how)
        self._await(ready, log)

    def _await(self, ready, log):
        end = time.monotonic() + PATIENCE_S
        while not ready():
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError(f"{self.process.args[0]} is not there: {log.read_text()}")
            time.sleep(0.02)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(self.stop_signal)
            try:
                self.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Postgres(Server):
    """synchronous_commit and fsync have their defaults: on."""

    def __init__(self, folder):
        self.place = folder / "postgres"
        self.place.mkdir()
        data, log = self.place / "data", folder / "postgres.log"
        # It refuses to run as root.
        how = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            how = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.place, user.pw_uid, user.pw_gid)
            folder.chmod(0o711)
        with open(log, "ab") as file:
            subprocess.run([POSTGRES / "initdb", "-D", data, "-U", "bench", "-A", "trust",
                            "-E", "UTF8", "--locale=C", "--no-sync"],
                           check=True, stdout=file, stderr=file, cwd=self.place, **how)
        settings = {"listen_addresses": "", "unix_socket_directories": self.place,
                    "unix_socket_permissions": "0777", "max_connections": 200,
                    "shared_buffers": "256MB", "max_wal_size": "4GB"}
        words = [POSTGRES / "postgres", "-D", data]
        for name, value in settings.items():
            words += ["-c", f"{name}={value}"]
        super().__init__(words, log, self._is_ready, signal.SIGINT, cwd=self.place, **how)

    def _is_ready(self):
        asked = subprocess.run([POSTGRES / "pg_isready", "-q", "-h", self.place], check=False)
        return asked.returncode == 0


class Redis(Server):
    """A log that is synced before every reply, and no snapshots."""

    def __init__(self, folder):
        data, log = folder / "redis", folder / "redis.log"
        data.mkdir()
        self.place = data / "socket"
        words = ["redis-server", "--port", "0", "--unixsocket", self.place, "--dir", data,
                 "--appendonly", "yes", "--appendfsync", "always", "--save", "",
                 "--auto-aof-rewrite-percentage", "0"]
        super().__init__(words, log, self.place.exists, signal.SIGTERM, executable=REDIS)


def versions():
    """The versions of every engine, and of the libraries that Linkmeter uses."""
    def first_line(*words, **how):
        try:
            said = subprocess.run(words, capture_output=True, text=True, check=True, **how)
            return said.stdout.splitlines()[0]
        except (OSError, subprocess.CalledProcessError, IndexError):
            return f"{words[0]}: not here"

    def library(name):
        return name + " " + first_line("pkg-config", "--modversion", name)
    redis = "redis-server: not here"
    if REDIS.exists():
        redis = first_line("redis-server", "--version", executable=REDIS)
        redis = " ".join(redis.split()[:3])
    return [first_line("g++", "--version"), library("libzmq"), library("lmdb"),
            first_line(str(POSTGRES / "postgres"), "--version"), library("sqlite3"), redis]
