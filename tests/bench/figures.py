"""Measurements, round by round, and their Markdown.

A figure is a median with the minimum and the maximum. A ratio is computed within each round, of
runs that were close in time, and then its median is taken, because the machine may drift from
round to round.
"""

import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "build" / "bin"
PATIENCE_S = 120  # for one measurement
# If other programs use more than this share of the machine, the figures measure them, too. The
# kernel's own threads, which write for everybody, count as other programs.
COMPANY_MAX = 0.25
FIGURES = (("wagers_per_s", "wagers/s"), ("p50_ms", "p50 ms"), ("p99_ms", "p99 ms"),
           ("p999_ms", "p99.9 ms"), ("bytes_per_wager", "bytes a wager"),
           ("memory_mb", "memory MB"), ("processor_us", "processor µs a message"),
           ("win_p50_ms", "win p50 ms"), ("win_p99_ms", "win p99 ms"),
           ("audit_entries_per_s", "entries audited a second"), ("restart_ms", "restart ms"),
           ("export_s", "export s"), ("explain_s", "explain s"), ("nanoseconds", "ns each"),
           ("lag_p50_ms", "lag p50 ms"), ("lag_p99_ms", "lag p99 ms"),
           ("lag_longest_ms", "longest lag ms"), ("first_ms", "first answer ms"),
           ("gap_ms", "gap ms"), ("locks", "locks of a table"))


def measured_by(program, *words):
    """The last line of one of our programs. If the program fails, its message ends everything."""
    command = [PROGRAMS / program, *[str(word) for word in words]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{program} {' '.join(map(str, words))}: {done.stderr or done.stdout}")
    return json.loads(done.stdout.splitlines()[-1])


def short(number):
    """Three significant digits: 307,000; 41,200; 0.38."""
    if number == 0:
        return "0"
    if abs(number) >= 1000:
        step = 10 ** max(0, len(str(int(abs(number)))) - 3)
        return f"{round(number / step) * step:,}"
    return f"{number:.0f}" if abs(number) >= 100 else f"{number:.3g}"


def spread(values):
    middle = short(statistics.median(values))
    if len(values) == 1:
        return middle
    return f"{middle} ({short(min(values))}–{short(max(values))})"


class Measured:
    """Series by name, in the order of their first values."""

    def __init__(self):
        self.series = {}

    def add(self, name, figures):
        self.series.setdefault(name, []).append(figures)

    def values(self, name, figure):
        return [one[figure] for one in self.series[name]]

    def median(self, name, figure):
        return statistics.median(self.values(name, figure))

    def ratios(self, name, other, figure):
        return [a / b for a, b in zip(self.values(name, figure), self.values(other, figure))]

    def rounds(self):
        return min(len(values) for values in self.series.values())

    def table(self):
        """Without the columns that nothing has."""
        shown = [(figure, title) for figure, title in FIGURES
                 if any(figure in values[0] for values in self.series.values())]
        yield "| What | " + " | ".join(title for _, title in shown) + " |"
        yield "|---" * (len(shown) + 1) + "|"
        for name in self.series:
            cells = [spread(self.values(name, figure)) if figure in self.series[name][0] else ""
                     for figure, _ in shown]
            yield f"| {name} | " + " | ".join(cells) + " |"


def repeat(one_round, rounds_max, seconds_max):
    """Calls one_round(0), one_round(1), ... as long as the time allows."""
    begin = time.monotonic()
    for number in range(rounds_max):
        round_begin = time.monotonic()
        one_round(number)
        now = time.monotonic()
        print(f"round {number + 1}: {now - round_begin:.0f} s", file=sys.stderr)
        if now - begin + (now - round_begin) > seconds_max:
            break


class Goals:
    """Goals, results, and whether the median meets the goal. If other programs took much of the
    machine, each verdict says so."""

    def __init__(self, is_disturbed):
        self.disturbed = ", disturbed" if is_disturbed else ""
        self.rows = []
        self.missed = 0

    def add(self, what, wanted, values, holds, unit=""):
        is_met = holds(statistics.median(values))
        self.missed += not is_met
        self.rows.append((what, wanted, spread(values) + unit,
                          ("met" if is_met else "**missed**") + self.disturbed))

    def at_least(self, what, bound, values, unit=" ×"):
        self.add(what, f"at least {bound}{unit}", values, lambda seen: seen >= bound, unit)

    def at_most(self, what, bound, values, unit=" ×"):
        self.add(what, f"at most {bound}{unit}", values, lambda seen: seen <= bound, unit)

    def table(self):
        yield "| Goal | Wanted | Seen | |"
        yield "|---|---|---|---|"
        for row in self.rows:
            yield "| " + " | ".join(row) + " |"


def command_line(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def machine(folder):
    """The processor, the system, and where the journals were."""
    models = [line.split(":", 1)[1].strip() for line in
              pathlib.Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2 ** 30
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    disk = command_line("findmnt", "-n", "-o", "FSTYPE", "-T", str(folder))
    return [f"{models[0] if models else platform.machine()}, {os.cpu_count()} processors, "
            f"{memory:.0f} GiB", f"{system}, Linux {platform.release()}",
            f"journals on {disk}"]


class Company:
    """Which other programs were busy on this machine since this object was made."""

    def __init__(self):
        self.before = self._used(), self._own()

    def share(self):
        """The part of the used processor time that other programs used, 0 to 1. The time of a
        child counts once it was waited for."""
        used, own = self._used() - self.before[0], self._own() - self.before[1]
        return max(0.0, 1 - own / used) if used > 0 else 0.0

    @staticmethod
    def _used():
        user, nice, system, _, _, irq, soft, steal = (
            int(word) for word in pathlib.Path("/proc/stat").read_text().split()[1:9])
        return (user + nice + system + irq + soft + steal) / os.sysconf("SC_CLK_TCK")

    @staticmethod
    def _own():
        times = os.times()
        return times.user + times.system + times.children_user + times.children_system
