"""A floor of real processes for a test: a folder of its own, a controller, agents, the tool.

    with Floor(DEMO) as floor:
        floor.init()
        controller = floor.start_controller()
        agent = floor.start_agent(controller.endpoint, "C4-01", script=[{"event": "close", ...}])
        agent.finish(0)

Nothing sleeps: a start is over when its line was read, an end when the process has ended. However
a test ends, its processes end with it: the kernel kills them if the test itself is killed.

The controller adds no entry by itself between two reads of the journal, however slow the machine
is: it signs heads only at the end of a gaming day, unless a test wants more signatures
(Floor.sign_every_s).
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("LINKMETER_PROGRAMS", ROOT / "build" / "bin"))
# The next release's controller and tool, as tests link them (tests/crash/next_release.cc).
NEXT = pathlib.Path(os.environ.get("LINKMETER_BINARY_DIR", PROGRAMS.parent)) / "next" / "bin"
SHARED = pathlib.Path(os.environ.get("LINKMETER_SHARED", ROOT.parent / "shared"))
DEMO = (ROOT / "config" / "demo" / "floor.toml").read_text(encoding="utf-8")

PATIENCE_S = 60  # for work that takes moments: only a hanging program reaches it
FREE_PORT = "tcp://127.0.0.1:*"
FREE_PAGES = "http://127.0.0.1:0"
# Controllers register their data folders for agents of the same user; here not in the user's home.
STATE_HOME = tempfile.TemporaryDirectory(prefix="linkmeter-state-")
os.environ["XDG_STATE_HOME"] = STATE_HOME.name
# Hashing PINs at the product's cost was half the work of these tests (crash/quick_pins.cc). The
# program that makes hashes and the one that checks them must both preload it.
QUICK_PINS = PROGRAMS.parent / "tests" / "libquick_pins.so"
if QUICK_PINS.exists() and not os.environ.get("LINKMETER_SLOW_PINS"):
    os.environ["LD_PRELOAD"] = str(QUICK_PINS)
ENDS_WITH_ITS_PARENT = ["setpriv", "--pdeathsig", "KILL", "--"]


def environment_with(more):
    """The test's environment with additional variables. Preloaded libraries of both are combined.
    """
    more = dict(more or {})
    if "LD_PRELOAD" in more and "LD_PRELOAD" in os.environ:
        more["LD_PRELOAD"] += ":" + os.environ["LD_PRELOAD"]
    return {**os.environ, **more}


class Process:
    """A program under test. Its lines are collected as they arrive, so that no pipe can fill up.
    `within`: a command that executes it, such as nsenter."""

    def __init__(self, arguments, environment=None, within=()):
        self.arguments = [str(argument) for argument in arguments]
        self.child = subprocess.Popen(
            [*ENDS_WITH_ITS_PARENT, *within, *self.arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
            env=environment_with(environment))
        self.pid = self.child.pid
        # Every line of both streams, of standard output, and of standard error; each in the order
        # in which it was read. While the program runs, a line of one stream does not show how much
        # of the other was read: call await_line() for it, or look after the end.
        self.said, self.output, self.errors = [], [], []
        self.news = threading.Condition()
        streams = (self.child.stdout, self.child.stderr)
        # For each stream, the lines that no call has waited for.
        self.unread = [[] for _ in streams]
        self.open_streams = len(streams)
        self.readers = [threading.Thread(target=self._read, args=of_stream, daemon=True)
                        for of_stream in zip(streams, (self.output, self.errors), self.unread)]
        for reader in self.readers:
            reader.start()

    def _read(self, stream, lines, unread):
        for line in stream:
            with self.news:
                for heard in (self.said, lines, unread):
                    heard.append(line.rstrip("\n"))
                self.news.notify_all()
        with self.news:
            self.open_streams -= 1
            self.news.notify_all()

    def await_line(self, pattern):
        """The match of the first line from here on that matches the pattern. Lines before it in
        its stream count as read. Lines of the other stream do not, because the order between two
        streams is not known."""
        until = time.monotonic() + PATIENCE_S
        looked_at = [0 for _ in self.unread]
        with self.news:
            while True:
                for at, unread in enumerate(self.unread):
                    for number in range(looked_at[at], len(unread)):
                        if match := re.search(pattern, unread[number]):
                            del unread[:number + 1]
                            return match
                    looked_at[at] = len(unread)
                if self.open_streams == 0:
                    raise AssertionError(f"ended without saying {pattern!r}: {self.telling()}")
                if not self.news.wait(until - time.monotonic()):
                    raise AssertionError(f"does not say {pattern!r}: {self.telling()}")

    def is_running(self):
        return self.child.poll() is None

    def kill(self):
        """Sends SIGKILL and waits. False if it had ended by itself."""
        was_running = self.is_running()
        if was_running:
            os.kill(self.pid, signal.SIGKILL)
        self.child.wait(PATIENCE_S)
        self._gather()
        return was_running and self.child.returncode == -signal.SIGKILL

    def stop(self):
        """Sends SIGTERM; returns the exit code."""
        if self.is_running():
            self.child.terminate()
        return self.wait()

    def wait(self, timeout_s=PATIENCE_S):
        code = self.child.wait(timeout_s)
        self._gather()
        return code

    def finish(self, code, timeout_s=PATIENCE_S):
        """Waits for its end, and requires this exit code."""
        if (ended := self.wait(timeout_s)) != code:
            raise AssertionError(f"exit code {ended}, not {code}: {self.telling()}")

    def _gather(self):
        for reader in self.readers:
            reader.join(PATIENCE_S)
        self.child.stdout.close()
        self.child.stderr.close()

    def last_error(self):
        """The last line of standard error. REQUIRES: it has ended."""
        if not self.errors:
            raise AssertionError(f"nothing on standard error: {self.telling()}")
        return self.errors[-1]

    def telling(self):
        return " ".join(self.arguments) + "\n" + "\n".join(self.said[-20:])


class Controller(Process):
    def __init__(self, floor_file, data, listen, environment=None, web="none", options=(),
                 within=(), programs=None):
        super().__init__([(programs or PROGRAMS) / "linkmeter-controller", "--floor", floor_file,
                          "--data", data,
                          "--listen", listen, "--feed", FREE_PORT, "--web", web, *options],
                         environment, within)
        self.data = pathlib.Path(data)
        self.endpoint = self.feed = self.entry = None

    def await_ready(self):
        ready = self.await_line(r"^ready (\S+) feed (\S+) entry (\d+)$")
        self.endpoint, self.feed, self.entry = ready[1], ready[2], int(ready[3])
        return self

    def pages(self):
        """The URL of its pages, if it serves any."""
        lines = (self.data / "endpoints").read_text(encoding="utf-8").splitlines()
        return lines[2] if len(lines) > 2 else None


class Agent(Process):
    def __init__(self, endpoint, floor_file, table, data, options=(), environment=None,
                 within=()):
        super().__init__([PROGRAMS / "linkmeter-table-agent", "--floor", floor_file, "--table",
                          table, "--data", data, "--controller", endpoint, *options],
                         environment, within)
        self.table = table


class Floor:
    """A folder with a floor file, a data folder and the agents' folder. It is removed at the end.
    """

    def __init__(self, text=DEMO):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="linkmeter-floor-"))
        self.file = self.folder / "floor.toml"
        self.data = self.folder / "data"
        self.agents = self.folder / "agents"
        self.processes = []
        self.programs = None  # the folder of another release's controller and tool
        self.starts = 0  # of the controller: each has journaled its self-check before it served
        # Between signatures of the journal's head; None: the controller's default.
        self.sign_every_s = 86_400
        self.recovery_codes = []  # as init printed them once
        self.pins = {}  # by badge: as init printed them, or the person's present PIN
        # Badges with a PIN from another person: it is valid only for its own change.
        self.given = set()
        self.write(text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for process in self.processes:
            process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, text, name="floor.toml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def write_script(self, events, name):
        """Events as JSON Lines; a text is written unchanged, so that a line can be wrong."""
        lines = (event if isinstance(event, str) else json.dumps(event) for event in events)
        return self.write("".join(line + "\n" for line in lines), name)

    # --- the tool ---

    def tool_path(self):
        return (self.programs or PROGRAMS) / "linkmeter"

    def tool(self, *arguments, environment=None, said=""):
        """Runs `linkmeter`; `said` is its standard input. The result has returncode, stdout and
        stderr."""
        return subprocess.run([self.tool_path(), *map(str, arguments)], text=True,
                              capture_output=True, input=said, timeout=10 * PATIENCE_S,
                              check=False, env=environment_with(environment))

    def ask(self, *arguments):
        """Runs `linkmeter ... --data DIR`, which must succeed; returns its output."""
        result = self.tool(*arguments, "--data", self.data)
        if result.returncode != 0:
            raise AssertionError(f"linkmeter {arguments}: {result.returncode}: {result.stderr}")
        return result.stdout

    def install(self, programs):
        """Installs another release and seals it: an upgrade or a rollback. None: this release.
        REQUIRES: no controller runs."""
        self.programs = programs
        return self.ask("seal", "--floor", self.file)

    def init(self):
        result = self.tool("init", "--floor", self.file, "--data", self.data)
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        self.pins = dict(re.findall(r"^(\S+): \w+, PIN (\d+)$", result.stdout, re.M))
        self.given = set(self.pins)
        self.recovery_codes = re.findall(r"^recovery code: (\S+)$", result.stdout, re.M)

    def give_pin(self, badge, pin):
        """Records that another person has made this person's PIN."""
        self.pins[badge] = pin
        self.given.add(badge)

    def own_pin(self, badge):
        """The person's PIN. The first call changes it, so that nobody else has made it."""
        if badge in self.given:
            own = f"{len(self.given)}{self.pins[badge]}"
            result = self.tool("person", "pin", "--data", self.data, "--by", badge,
                               said=f"{self.pins[badge]}\n{own}\n")
            if result.returncode != 0:
                raise AssertionError(result.stderr)
            self.pins[badge] = own
            self.given.remove(badge)
        return self.pins[badge]

    def hire(self, badge, role, department="table_games", by="TGM-1"):
        """Adds a person with a PIN of his own. REQUIRES: the controller runs."""
        told = self.done(by, "person", "add", badge, "--name", f"Person {badge}",
                         "--department", department, "--role", role)
        self.done("FM-1" if by == "TGM-1" else "TGM-1", "confirm", told["proposal"])
        self.give_pin(badge, told["pin"])
        self.own_pin(badge)

    def done(self, by, *arguments):
        """Runs the tool for a person, which must succeed; returns its JSON."""
        result = self.tool(*arguments, "--data", self.data, "--by", by, "--json",
                           said=f"{self.own_pin(by)}\n")
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return json.loads(result.stdout)

    def meters(self):
        return json.loads(self.ask("meters", "--json"))

    def claims(self):
        return json.loads(self.ask("claims", "--json"))

    def audit(self):
        return json.loads(self.ask("audit", "--json"))

    def entries(self):
        return [json.loads(line) for line in self.ask("export").splitlines()]

    def table_entries(self):
        return [entry for entry in self.entries() if "table" in entry]

    def link(self, name):
        return next(link for link in self.meters()["links"] if link["link"] == name)

    # --- processes ---

    def start_controller(self, *arguments, **more):
        """A controller that is ready. One that restarts may listen where the killed one did.
        `web`: where it serves pages, for example FREE_PAGES."""
        return self.begin_controller(*arguments, **more).await_ready()

    def begin_controller(self, listen=FREE_PORT, environment=None, web="none", options=(),
                         within=()):
        if self.sign_every_s is not None and "--sign-every" not in options:
            options = ("--sign-every", self.sign_every_s, *options)
        controller = Controller(self.file, self.data, listen, environment, web, options, within,
                                self.programs)
        self.processes.append(controller)
        self.starts += 1
        return controller

    def run_controller(self, file=None, data=None):
        """A controller that must end before it is ready."""
        controller = Controller(file or self.file, data or self.data, FREE_PORT,
                                programs=self.programs)
        self.processes.append(controller)
        controller.wait()
        return controller

    def credentials(self, table):
        """The credentials file that init made for a table."""
        return self.data / "credentials" / f"{table}.credentials"

    def start_agent(self, endpoint, table, script=None, options=(), environment=None, within=()):
        """An agent; `script` is a file or a list of events."""
        if isinstance(script, list):
            script = self.write_script(script, f"{table}.jsonl")
        play = [] if script is None else ["--script", script]
        agent = Agent(endpoint, self.file, table, self.agents, [*play, *options], environment,
                      within)
        self.processes.append(agent)
        return agent
