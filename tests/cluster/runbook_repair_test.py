"""Follows the runbook config/cluster/README.md when a node, the house's keys or two members of etcd
are lost; as runbook_test.py does."""

import re
import unittest

import runbook_test
from runbook_test import ADDRESSES, PRINTED, RUNBOOK, as_on, steps_of


class RunbookRepairTest(runbook_test.Runbook):
    def test_a_dead_node_new_keys_and_two_lost_members(self):
        self.install_pair()
        a, b, c = (self.machines[name] for name in ADDRESSES)
        key = "sha256sum <$D/keys/controller.credentials"
        old_key = b.check(key)
        self.lose_b()
        self.follow("5. Replace a dead node", PRINTED)
        self.add_b()
        self.assertNotEqual(old_key, b.check(key))

        # The refusal says what step 11 does.
        _, refused = a.run("as_linkmeter keys rotate journal --data $D --by TGM-1 "
                           f"<<<{self.pins['TGM-1']}")
        log = a.check("journalctl -u linkmeter-controller")
        advice = re.search(r"the other nodes would not have the new key: .*", log)[0]
        self.assertIn(advice, " ".join(RUNBOOK.read_text(encoding="utf-8").split()), refused)
        secrets = "sha256sum <$D/keys/cluster.key; sha256sum <$D/keys/journal.key"
        old = a.check(secrets).split()
        self.follow("11. Replace the house's keys", PRINTED)
        self.assertFalse(set(old) - {"-"} & set(a.check(secrets).split()))
        self.lose_b()
        self.add_b()
        self.assertEqual(a.check(secrets), b.check(secrets))

        for machine in (b, c):
            machine.check("systemctl stop etcd")
        self.until("a", "journalctl -u linkmeter-controller", lambda said: re.search(
            r"no longer the writer.*etcd does not answer", said, re.S))
        self.follow("8. Loss of quorum", PRINTED, slice(0, 1))
        for name in ADDRESSES:
            for _, command, _ in steps_of("8. Loss of quorum", slice(1, 2)):
                self.machines[name].check(as_on(name, command))
        self.follow("8. Loss of quorum", PRINTED, slice(2, 3))
        self.await_pair("a", "b")
        self.audit("a", "b")


if __name__ == "__main__":
    unittest.main()
