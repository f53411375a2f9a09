"""Twenty failovers with faults at random, on a house of two nodes over real etcd: the history of
its tables and people, its journals and a real agent's outbox are judged (fault_play.py)."""

import os
import pathlib
import secrets
import tempfile
import unittest

import fault_network

MISSING = fault_network.what_is_missing()
FAILOVERS = 20
OFTEN = 0.85  # the share of faults after which the other node is the writer
SEED = int(os.environ.get("LINKMETER_SEED", secrets.randbelow(1 << 31)))


class FaultsTest(unittest.TestCase):
    def test_twenty_failovers_lose_nothing_and_count_nothing_twice(self):
        if MISSING:
            self.skipTest(MISSING)
        import fault_play  # needs packages that are not needed to skip the test

        with tempfile.TemporaryDirectory(prefix="linkmeter-faults-") as folder:
            logs = pathlib.Path(folder)
            try:
                with fault_play.FaultPlay(logs / "history.jsonl", SEED, logs=logs,
                                          takeover_share=OFTEN) as play:
                    while play.failovers < FAILOVERS:
                        print(f"seed {SEED}: {play.failovers}: {play.fault()}", flush=True)
                    findings, summary = play.judge()
            except BaseException:
                for log in sorted(logs.glob("?.log")):
                    print(f"--- {log.name}\n{log.read_text(encoding='utf-8')}")
                raise
        print("\n".join(summary))
        self.assertFalse(findings.counts, "\n".join(findings.told()))


if __name__ == "__main__":
    if not MISSING:
        fault_network.enter_namespace()
    unittest.main()
