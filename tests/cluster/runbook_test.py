"""Follows the runbook config/cluster/README.md, command by command, on three machines.

In its console blocks a prompt names the machine: "a#", "b#", "c#", "office$". Lines without a
prompt are output, where "..." stands for any text. A block that the text tells to run on several
machines is written for a, with etcd-a and 10.6.0.1.
"""

import json
import os
import pathlib
import re
import time
import unittest

import machines
from machines import PATIENCE_S, Machines

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNBOOK = ROOT / "config" / "cluster" / "README.md"
PROGRAMS = pathlib.Path(os.environ.get("LINKMETER_PROGRAMS", ROOT / "build" / "bin"))
# What stands in the runbook for what a command printed.
PRINTED = {"KEY": lambda said: re.findall(r"public key (\S{40})", said)[-1],
           "N": lambda said: re.findall(r"(?:proposal|confirm) (\d+)", said)[-1]}
RUNBOOK_S = 600  # a new engineer's limit, without the reading and the typing
ADDRESSES = {"a": "10.6.0.1", "b": "10.6.0.2", "c": "10.6.0.3"}


def steps_of(heading, blocks=slice(None)):
    """[(machine, command, expected output)] of the section's console blocks."""
    text = RUNBOOK.read_text(encoding="utf-8")
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.S | re.M)[1]
    steps = []
    for block in re.findall(r"^```console\n(.*?)^```", section, re.S | re.M)[blocks]:
        for line in block.splitlines():
            if given := re.match(r"(\w+)[#$] (.*)", line):
                steps.append((given[1], given[2], []))
            else:
                steps[-1][2].append(line)
    return steps


def as_on(machine, command):
    """A command for a, changed for another machine."""
    return command.replace("etcd-a", f"etcd-{machine}").replace("10.6.0.1", ADDRESSES[machine])


def shows(said, expected):
    """Whether the output begins with the expected lines."""
    pattern = re.escape("\n".join(expected)).replace(r"\.\.\.", ".*")
    return re.match(pattern, said) is not None


class Runbook(unittest.TestCase):
    """Three machines, and what a person does there."""

    def setUp(self):
        if missing := machines.what_is_missing():
            self.skipTest(missing)
        self.machines = Machines(ADDRESSES)
        self.addCleanup(self.machines.close)
        self.machines["office"].check(f"C={RUNBOOK.parent}")
        for name in ADDRESSES:
            shell = self.machines[name]
            place = "/usr/local/share/linkmeter"
            shell.check(f"mkdir -p {place} && cp -r {RUNBOOK.parent} {place}/cluster")
            first, *others = [command for _, command, _ in steps_of("Conventions")]
            for command in [as_on(name, first), *others]:
                shell.check(command)

    def until(self, machine, command, holds):
        """The command's output, once it is as it should be: a person would try again."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            code, said = self.machines[machine].run(command)
            if code == 0 and holds(said):
                return said
            self.assertLess(time.monotonic(), deadline, f"{command}: {said}")
            time.sleep(0.1)  # before the next try

    def install(self):
        *steps, (machine, health, expected) = steps_of("1. Three etcd members")
        for where, command, _ in steps:
            if where == "office":
                copies = ADDRESSES if command.startswith("scp ") else "a"
                for name in copies:
                    self.machines["office"].check(as_on(name, command))
        for name in ADDRESSES:
            for where, command, _ in steps:
                if where == "a":
                    self.machines[name].check(command)
        pattern = re.escape("\n".join(expected)).replace(r"\.\.\.", ".*")
        self.until(machine, health, lambda said: re.fullmatch(pattern, said))

    def follow(self, heading, known=(), blocks=slice(None)):
        """Runs the section's commands; `known`: {word of the runbook: a function of the output so
        far, which finds what stands for it}. A person types the PIN."""
        said = ""
        for where, command, expected in steps_of(heading, blocks):
            command = re.sub(r"\s+# .*", "", command)
            if known:  # at once: a key may contain such a word
                command = re.sub(rf"\b({'|'.join(known)})\b",
                                 lambda word, said=said: known[word[1]](said), command)
            if by := re.search(r"--by (\S+)$", command):
                command += f" <<<{self.pins[by[1]]}"
            if command.startswith("etcdctl endpoint health"):
                self.until(where, command, lambda said: said.count(" is healthy") == 3)
            elif command.startswith(("etcdctl member", "as_linkmeter nodes", "as_linkmeter hand",
                                     "as_linkmeter cluster leave --data")):
                # Members are refused until they have been connected for five seconds; a node needs
                # seconds until the others know it, or until etcd has been silent for two leases.
                said += self.until(where, command,
                                   lambda said, expected=expected: shows(said, expected)) + "\n"
            elif expected:
                told = self.machines[where].check(command)
                self.assertTrue(shows(told, expected), (command, told))
                said += told + "\n"
            else:
                said += self.machines[where].check(command) + "\n"

    def replace_c(self):
        self.follow("6. Replace a dead etcd member", {
            "ID": lambda said: re.search(r"^(\w+), \w+, etcd-c,", said, re.M)[1]})

    def install_linkmeter(self, name):
        """As the service guide says. The programs stay where they were built."""
        self.machines[name].check(f"""
            mkdir -p /usr/local/bin /usr/local/lib/systemd/system /etc/linkmeter
            ln -s {PROGRAMS}/linkmeter {PROGRAMS}/linkmeter-controller /usr/local/bin/
            cp {ROOT}/config/systemd/*.service /usr/local/lib/systemd/system/
            groupadd --system linkmeter-staff
            install -d -m 0700 /var/lib/linkmeter
            cat >/etc/linkmeter/floor.toml <<'END'\n{self.floor}\nEND""")

    def house_on_a(self):
        """One controller, as a service, with an engineer; everybody has a PIN of his own."""
        demo = (ROOT / "config" / "demo" / "floor.toml").read_text(encoding="utf-8")
        nodes = json.dumps([f"tcp://{ADDRESSES[name]}:6057" for name in ("a", "b")])
        self.floor = demo.replace("[house]\n", f"[house]\ncontroller = {nodes}\n", 1)
        self.install_linkmeter("a")
        a = self.machines["a"]
        made = a.check("as_linkmeter init --floor /etc/linkmeter/floor.toml --data $D")
        a.check("systemctl start linkmeter-controller")
        self.pins = {}

        def own(badge, given):
            self.pins[badge] = f"7{given}"
            a.check(f"as_linkmeter person pin --data $D --by {badge} <<<'{given}\n7{given}'")

        for badge, given in re.findall(r"^(\S+): \w+, PIN (\d+)$", made, re.M):
            if badge in ("TGM-1", "FM-1"):
                own(badge, given)
        told = json.loads(a.check("as_linkmeter person add E-1 --name Engineer --role engineer "
                                  "--department systems --data $D --json --by FM-1 "
                                  f"<<<{self.pins['FM-1']}"))
        a.check(f"as_linkmeter confirm {told['proposal']} --data $D --by TGM-1 "
                f"<<<{self.pins['TGM-1']}")
        own("E-1", told["pin"])

    def nodes(self, asked):
        told = json.loads(self.machines[asked].check("as_linkmeter nodes --data $D --json"))
        return told["writer"], {node["name"]: node["role"] for node in told["nodes"]}

    def await_pair(self, writer, standby):
        self.until(writer, "as_linkmeter nodes --data $D --json", lambda said: (
            writer, "standby") == (json.loads(said)["writer"], {
                node["name"]: node["role"] for node in json.loads(said)["nodes"]}.get(standby)))

    def install_pair(self):
        self.install()
        self.house_on_a()
        self.follow("2. The first node: an existing controller", PRINTED)
        self.install_linkmeter("b")
        self.add_b()

    def add_b(self):
        self.follow("3. Add a node", PRINTED)
        for name in ("a", "b"):
            self.machines[name].check("rm -r /var/lib/linkmeter/for-b")  # as the text says
        self.await_pair("a", "b")

    def lose_b(self):
        """b is another machine from here on."""
        self.machines["b"].check("systemctl disable --now linkmeter-controller")
        self.machines["b"].check("rm -r $D /etc/linkmeter/etcd")

    def audit(self, *names):
        for name in names:
            self.assertTrue(json.loads(self.machines[name].check(
                "as_linkmeter audit --data $D --json"))["clean"])


class RunbookTest(Runbook):
    def test_a_command_that_fails_is_detected_and_machines_are_apart(self):
        a, b = self.machines["a"], self.machines["b"]
        with self.assertRaisesRegex(AssertionError, "^false: exit code 1"):
            a.check("false")
        with self.assertRaisesRegex(AssertionError, "Unit nothing.service not found"):
            a.check("systemctl start nothing")
        a.check("echo of-a >/etc/linkmeter-test")
        self.assertNotEqual(0, b.run("cat /etc/linkmeter-test")[0])
        self.machines["office"].check("echo carried >file; scp -p file root@10.6.0.2:/etc/carried")
        self.assertEqual("carried", b.check("cat /etc/carried"))
        self.assertNotEqual(0, a.run("cat /etc/carried")[0])
        self.assertFalse(pathlib.Path("/etc/linkmeter-test").exists())

    def test_three_members_are_installed_and_a_dead_one_is_replaced(self):
        self.install()
        a, c = self.machines["a"], self.machines["c"]
        a.check("etcdctl put kept 1")
        c.check("systemctl stop etcd && rm -rf /var/lib/etcd/linkmeter")
        # It refuses to begin again with nothing.
        c.check("systemctl start etcd")
        self.until("c", "journalctl -u etcd",
                   lambda said: "has already been bootstrapped" in said)
        self.replace_c()
        self.assertIn("kept\n1", a.check(
            "ETCDCTL_ENDPOINTS=https://10.6.0.3:2379 etcdctl get kept"))
        # Nor does one that has been replaced before.
        c.check("systemctl stop etcd && rm -rf /var/lib/etcd/linkmeter")
        c.check(": >$LINKMETER_MACHINE/etcd.log && systemctl start etcd")
        self.until("c", "journalctl -u etcd", lambda said: "permanently removed" in said)
        self.replace_c()
        # It starts again with its data.
        c.check("systemctl restart etcd")
        self.until("a", "etcdctl endpoint health", lambda said: said.count(" is healthy") == 3)

    def test_the_certificates_are_renewed_while_the_members_run(self):
        self.install()
        date = "openssl x509 -in /etc/etcd/member.pem -noout -serial"
        before = self.machines["a"].check(date)
        self.follow("10. Certificates")
        self.assertNotEqual(before, self.machines["a"].check(date))
        served = ("openssl s_client -connect 10.6.0.1:2379 </dev/null 2>/dev/null | "
                  "openssl x509 -noout -serial")
        self.assertEqual(self.machines["a"].check(date), self.machines["b"].check(served))
        self.until("b", "etcdctl endpoint health", lambda said: said.count(" is healthy") == 3)

    def test_from_three_empty_folders_to_a_pair_that_is_upgraded(self):
        begun = time.monotonic()
        self.install_pair()
        took = time.monotonic() - begun
        print(f"three empty folders to a running pair: {took:.1f} s", flush=True)
        self.assertLess(took, RUNBOOK_S)
        self.follow("4. Check, and hand over on purpose")
        self.await_pair("b", "a")
        self.machines["b"].check("as_linkmeter handover --to a --data $D")
        self.await_pair("a", "b")
        self.follow("7. Upgrade")
        self.await_pair("b", "a")
        self.audit("a", "b")


if __name__ == "__main__":
    unittest.main()
