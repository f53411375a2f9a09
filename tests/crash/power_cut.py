"""Applies a power cut to files: undoes changes in the log of what was not synced
(crash/write_log.h).

Afterwards each sector may hold any of the contents that it had since its last sync, the newest or
an older one, independent of its neighbours; a file that grew may be shorter again. Of the changes
of a folder since its last sync a first part is there and the rest is not, because a file system's
journal keeps them in order. The test's seed decides at random.
"""

import collections
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "floor"))

from floor_process import PROGRAMS

LOST_WRITES = pathlib.Path(os.environ.get("LINKMETER_BINARY_DIR", PROGRAMS.parent), "tests",
                           "liblost_writes.so")
SECTORS = (512, 4096)

Write = collections.namedtuple("Write", "start until size before")
Change = collections.namedtuple("Change", "number kind paths")


def watched(folder, log, step=0, is_synced=True):
    """The environment of a program whose writes under the folder are recorded, and that ends at
    that step as if the power was cut; 0: at none."""
    return {"LD_PRELOAD": str(LOST_WRITES), "LINKMETER_LOST_UNDER": str(folder),
            "LINKMETER_LOST_WRITES": str(log), "LINKMETER_LOST_AT": str(step),
            **({} if is_synced else {"LINKMETER_LOST_NOSYNC": "1"})}


def read_log(path):
    """({file: [Write]}, {folder: [Change]}) that no sync has settled, in order."""
    found = {}
    data = pathlib.Path(path).read_bytes()
    at = 0
    while at < len(data):
        if (end := data.find(b"\n", at)) < 0:
            break  # the program ended within the line, so the call was not made
        kind, number, *words = data[at:end].decode().split(" ")
        at = end + 1
        if kind == "settled":
            found.pop(int(number), None)
            continue
        length = int(words[-1])
        body, at = data[at:at + length], at + length
        if len(body) < length:
            break
        if kind == "write":
            start, until, size = map(int, words[1:4])
            found[int(number)] = words[0], Write(start, until, size, body)
        else:
            paths = [pathlib.Path(line) for line in body.decode().split("\n")]
            found[int(number)] = words[0], Change(int(number), kind, paths)
    writes, changes = collections.defaultdict(list), collections.defaultdict(list)
    for _, (about, one) in sorted(found.items()):
        (writes if isinstance(one, Write) else changes)[about].append(one)
    return writes, changes


class PowerCut:
    """One cut; `lost` counts what it took."""

    def __init__(self, random, folder):
        self.random, self.folder = random, folder
        self.sector = random.choice(SECTORS)
        # The share of sectors that keep their last contents. 0: all have the contents of the last
        # sync.
        self.kept = random.choice((0.0, 1.0, 0.5, random.random()))
        self.size_of = random.choice  # which of the sizes that a file had
        self.lost = collections.Counter()

    def strike(self, log):
        """The program of this log has ended."""
        log = pathlib.Path(log)
        if not log.exists():
            return
        writes, changes = read_log(log)
        kept = log.with_name(log.name + ".kept")
        lost = [change for of_folder in changes.values() for change in self._last_of(of_folder)]
        for change in sorted(lost, reverse=True):
            self._undo(change, kept)
        places = {f"{status.st_dev}:{status.st_ino}": path for path in self.folder.rglob("*")
                  if path.is_file() and (status := path.stat())}
        for file, of_file in writes.items():
            if file in places:
                self._lose_writes(places[file], of_file)
        shutil.rmtree(kept, ignore_errors=True)
        log.unlink()

    def _last_of(self, changes):
        return changes[self.random.choice((0, len(changes), self.random.randint(0, len(changes)))):]

    def _undo(self, change, kept):
        """A change that was not made needs no undo. Nor does one in a folder that is gone, because
        the folder's own removal was not lost."""
        old, path = kept / str(change.number), change.paths[-1]
        if not all(one.parent.is_dir() for one in change.paths):
            return
        self.lost["names"] += 1
        if change.kind == "made":
            self._remove(path)
        elif change.kind == "moved" and not os.path.lexists(change.paths[0]):
            os.rename(path, change.paths[0])
        if change.kind != "made" and old.exists() and not os.path.lexists(path):
            os.link(old, path)
        elif change.kind == "removed" and not os.path.lexists(path):
            path.mkdir()  # a folder has no second name

    @staticmethod
    def _remove(path):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def _lose_writes(self, path, writes):
        older = collections.defaultdict(list)  # sector: its older contents
        for write in writes:
            held = write.before.ljust(write.until - write.start, b"\0")
            for at in range(0, len(held), self.sector):
                older[write.start + at].append(held[at:at + self.sector])
        with open(path, "r+b") as file:
            newest = file.seek(0, os.SEEK_END)
            for at, contents in older.items():
                if at < newest and self.random.random() >= self.kept:
                    self.lost["sectors"] += 1
                    file.seek(at)
                    file.write(contents[0] if self.kept == 0 else self.random.choice(contents))
            # Sectors behind a size that was lost are lost with it; sectors that were written beyond
            # a temporary size are cut off.
            sizes = sorted({write.size for write in writes} | {newest})
            size = min(newest, self.size_of(sizes))
            self.lost["shorter"] += size < newest
            file.truncate(size)
