"""The three etcd members of the demo and of tests: they start, lose and regain members and their
quorum, accept only certificates of the cluster, and never outlive who started them.

The tests that use the program read the ids of the members' processes from /proc, and wait for an
end with a pidfd: it becomes readable when the process has ended.
"""

import base64
import http.client
import os
import pathlib
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "config" / "demo"))
from etcd_members import EtcdFailure, EtcdMembers  # noqa: E402

PROGRAM = ROOT / "config" / "demo" / "etcd_members.py"
PATIENCE_S = 90  # only a hanging program reaches it


def base64_of(text):
    return base64.b64encode(text.encode()).decode()


def put(members, index, key, value):
    """Whether the member says that the cluster has committed it."""
    status, _ = members.ask(index, "/v3/kv/put",
                            {"key": base64_of(key), "value": base64_of(value)}, seconds=30)
    return status == 200


def get(members, index, key):
    """A linearizable read: the cluster's value, and not only this member's."""
    status, answer = members.ask(index, "/v3/kv/range", {"key": base64_of(key)}, seconds=30)
    if status != 200:
        raise AssertionError(answer)
    return [base64.b64decode(found["value"]).decode() for found in answer.get("kvs", [])]


def children_of(pid):
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if int(words[1]) == pid:
            found.append(int(stat.parent.name))
    return sorted(found)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="linkmeter-etcd-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, **how):
        members = EtcdMembers(self.folder, **how).start()
        self.addCleanup(members.close)
        return members


class Members(Case):
    def test_a_killed_member_is_not_missed_and_catches_up(self):
        members = self.start()
        self.assertTrue(put(members, 0, "first", "1"))
        members.kill_member(1)
        self.assertFalse(members.is_running(1))
        self.assertFalse(members.is_healthy(1))
        # Its death may have cost the leader; the others elect one, and then commit.
        members.await_healthy(0, 2)
        self.assertTrue(put(members, 2, "second", "2"))
        members.restart_member(1)
        members.await_healthy(1)
        self.assertEqual([["1"], ["2"]], [get(members, 1, key) for key in ("first", "second")])

    def test_the_quorum_is_lost_and_regained(self):
        members = self.start(plain=True)
        self.assertTrue(put(members, 0, "before", "1"))
        members.kill_member(0)
        members.stop_member(1)
        members.await_healthy(2, healthy=False)
        self.assertTrue(members.is_running(2))
        self.assertFalse(put(members, 2, "during", "2"))
        members.restart_member(0)
        members.await_healthy(0, 2)
        self.assertTrue(put(members, 0, "after", "3"))
        members.restart_member(1)
        members.await_healthy()
        self.assertEqual([["1"], ["3"]], [get(members, 1, key) for key in ("before", "after")])

    def test_a_paused_member_continues_where_it_was(self):
        members = self.start(plain=True)
        members.pause_member(2)
        members.await_healthy(0, 1)
        self.assertTrue(put(members, 0, "meanwhile", "1"))
        self.assertTrue(members.is_running(2))
        members.resume_member(2)
        members.await_healthy()
        self.assertEqual(["1"], get(members, 2, "meanwhile"))

    def test_the_settings_are_those_of_a_house(self):
        """etcd knows each of them, and every write is synced."""
        members = self.start()
        for index in range(3):
            process = members.process_id(index)
            given = pathlib.Path(f"/proc/{process}/environ").read_text(encoding="utf-8")
            for setting in ("ETCD_QUOTA_BACKEND_BYTES=4294967296", "ETCD_PRE_VOTE=true",
                            "ETCD_PEER_CERT_ALLOWED_CN=linkmeter-etcd"):
                self.assertIn("\0" + setting + "\0", "\0" + given)
            self.assertNotIn("UNSAFE", given)
            self.assertNotIn("unsafe", pathlib.Path(f"/proc/{process}/cmdline").read_text())
            log = members.log(index).read_text(encoding="utf-8")
            self.assertNotIn("unrecognized", log)
            self.assertIn('"quota-size-bytes":4294967296', log)

    def test_a_folder_keeps_its_cluster(self):
        members = self.start(plain=True)
        self.assertTrue(put(members, 0, "kept", "1"))
        members.close()
        again = self.start(plain=True)
        self.assertEqual(members.endpoints, again.endpoints)
        self.assertEqual(["1"], get(again, 1, "kept"))
        again.close()
        with self.assertRaisesRegex(EtcdFailure, "holds a cluster of 3 members with http;"):
            EtcdMembers(self.folder).start()

    def test_a_member_that_cannot_start_is_named_and_none_is_left(self):
        members = self.start(plain=True)
        members.close()
        place = urllib.parse.urlsplit(members.endpoint(1))
        with socket.create_server((place.hostname, place.port)):
            with self.assertRaisesRegex(EtcdFailure, "etcd-2 ended; .*address already in use"):
                members.start()
        self.assertFalse(any(members.is_running(index) for index in range(3)))

    def test_a_folder_in_use_is_left_alone(self):
        members = self.start(plain=True)
        with self.assertRaisesRegex(EtcdFailure, f"^{self.folder} is in use by other members$"):
            EtcdMembers(self.folder, plain=True).start()
        self.assertTrue(all(members.is_healthy(index) for index in range(3)))


class Certificates(Case):
    """Who is admitted where, with the certificates of make-certificates."""

    def request(self, port, context):
        """The status of a request that needs no quorum, or the error."""
        connection = http.client.HTTPSConnection(self.host, port, timeout=30, context=context)
        self.addCleanup(connection.close)
        connection.request("GET", "/version")
        return connection.getresponse().status

    def refused(self, port, context):
        with self.assertRaises((ssl.SSLError, ConnectionError, http.client.RemoteDisconnected)):
            self.request(port, context)

    def test_only_nodes_reach_the_client_port_and_only_members_the_peer_port(self):
        members = self.start()
        place = urllib.parse.urlsplit(members.endpoint(0))
        self.host, client = place.hostname, place.port
        given = pathlib.Path(f"/proc/{members.process_id(0)}/environ").read_text(encoding="utf-8")
        peer = int(re.search(r"\0ETCD_LISTEN_PEER_URLS=https://\S+?:(\d+)\0", given)[1])
        ca, *_ = members.node_files("a")
        without = ssl.create_default_context(cafile=ca)
        as_member = ssl.create_default_context(cafile=ca)
        own = members.certificates / "members" / "etcd-2"
        as_member.load_cert_chain(own / "member.pem", own / "member.key")
        with tempfile.TemporaryDirectory(prefix="linkmeter-etcd-") as elsewhere:
            place = pathlib.Path(elsewhere, "other")
            subprocess.run([ROOT / "config/cluster/make-certificates", place, "--node", "a"],
                           check=True, stdout=subprocess.DEVNULL)
            foreign = ssl.create_default_context(cafile=ca)
            foreign.load_cert_chain(place / "nodes/a/node.pem", place / "nodes/a/node.key")
        self.assertEqual(200, self.request(client, members.client_context("b")))
        self.refused(client, without)
        self.refused(client, foreign)
        self.assertEqual(200, self.request(peer, as_member))
        self.refused(peer, members.client_context("b"))
        self.refused(peer, without)
        self.refused(peer, foreign)


class Program(Case):
    def run_program(self, *more, within=(), **how):
        """The program, after it has printed its line; and that line."""
        program = subprocess.Popen(
            [*within, sys.executable, "-B", PROGRAM, "--data", self.folder, "--plain", *more],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)
        self.addCleanup(program.stderr.close)
        self.addCleanup(program.stdout.close)
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        return program, program.stdout.readline()

    def watch(self, *pids):
        """A descriptor for each process, with which await_ends() waits for its end."""
        watched = [os.pidfd_open(pid) for pid in pids]
        for descriptor in watched:
            self.addCleanup(os.close, descriptor)
        return watched

    def await_ends(self, watched):
        for descriptor in watched:
            ready, _, _ = select.select([descriptor], [], [], PATIENCE_S)
            self.assertTrue(ready, "a process is still there")

    def test_it_names_a_member_that_ends_and_ends_with_a_signal(self):
        program, line = self.run_program()
        self.assertRegex(line, r"^http://127\.\d+\.\d+\.\d+:\d+(,http://127\S+:\d+){2}\n$")
        first, *others = children_of(program.pid)
        watched = self.watch(*others)
        os.kill(first, signal.SIGKILL)
        self.assertRegex(program.stderr.readline(),
                         r"^etcd_members: etcd-1 ended; the last line of \S+/etcd-1\.log: ")
        self.assertIsNone(program.poll())
        self.assertEqual(others, children_of(program.pid))
        program.terminate()
        self.assertEqual(0, program.wait(PATIENCE_S))
        self.await_ends(watched)
        self.assertEqual("", program.stdout.read())

    def test_a_killed_program_leaves_no_member(self):
        program, _ = self.run_program()
        members = children_of(program.pid)
        self.assertEqual(3, len(members))
        watched = self.watch(*members)
        os.kill(members[1], signal.SIGSTOP)
        program.kill()
        self.await_ends(watched)

    def test_it_ends_when_its_parent_is_killed(self):
        parent, line = self.run_program(within=("sh", "-c", '"$@" & wait', "sh"))
        self.assertIn("http://", line)
        program, = children_of(parent.pid)
        members = children_of(program)
        self.assertEqual(3, len(members))
        watched = self.watch(program, *members)
        parent.kill()
        self.await_ends(watched)

    def test_the_end_of_the_last_member_is_its_end(self):
        program, _ = self.run_program()
        for member in children_of(program.pid):
            os.kill(member, signal.SIGKILL)
        self.assertEqual(1, program.wait(PATIENCE_S))
        self.assertIn("etcd_members: no member is left\n", program.stderr.read())

    def test_without_etcd_it_names_the_package(self):
        program, line = self.run_program(env={**os.environ, "PATH": "/nowhere"})
        self.assertEqual("", line)
        self.assertEqual("etcd_members: etcd is missing: apt-get install etcd-server\n",
                         program.stderr.read())
        self.assertEqual(1, program.wait(PATIENCE_S))


if __name__ == "__main__":
    unittest.main()
