"""config/cluster/make-certificates: what it makes, that it overwrites nothing, and what it refuses.
"""

import os
import pathlib
import re
import ssl
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKE = ROOT / "config" / "cluster" / "make-certificates"


def shake_hands(server, client, name):
    """A TLS handshake in memory, and the first bytes of the client; raises ssl.SSLError."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [client.wrap_bio(to_client, to_server, server_hostname=name),
            server.wrap_bio(to_server, to_client, server_side=True)]
    while ends:
        for end in list(ends):
            try:
                end.do_handshake()
                ends.remove(end)
            except ssl.SSLWantReadError:
                pass


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="linkmeter-certificates-")
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.folder = self.home / "made"

    def run_it(self, *words, **how):
        return subprocess.run([MAKE, *words], capture_output=True, text=True, check=False,
                              timeout=100, **how)

    def make(self, *words):
        made = self.run_it(self.folder, *words)
        self.assertEqual((0, ""), (made.returncode, made.stderr))
        return made.stdout

    def refused(self, sentence, code, *words, **how):
        """It says so in one line, and makes and changes nothing."""
        before = self.content()
        run = self.run_it(*words, **how)
        self.assertEqual((code, ""), (run.returncode, run.stdout), run.stderr)
        self.assertRegex(run.stderr, rf"\Amake-certificates: {sentence}.*\n\Z")
        self.assertEqual(before, self.content())

    def content(self):
        return {path.relative_to(self.home): path.read_bytes() if path.is_file() else None
                for path in self.home.rglob("*")}

    def fact(self, path, *words):
        return subprocess.run(["openssl", "x509", "-in", self.folder / path, "-noout", *words],
                              capture_output=True, text=True, check=False).stdout


class Made(Case):
    def test_the_files_are_complete_and_private_and_say_where_they_go(self):
        said = self.make("etcd-a,10.6.0.1", "etcd-b,10.6.0.2,etcd-b.house.example", "--node", "a")
        self.assertEqual(
            ["made DIR/ca: keep ca.key here or offline; carry it nowhere",
             "made DIR/members/etcd-a: carry its files to /etc/etcd of etcd-a, owner etcd, "
             "mode 0600",
             "made DIR/members/etcd-b: carry its files to /etc/etcd of etcd-b, owner etcd, "
             "mode 0600",
             "made DIR/nodes/a: carry its files to /etc/linkmeter/etcd of node a, "
             "owner linkmeter, mode 0600"], said.replace(str(self.folder), "DIR").splitlines())
        files = {str(path.relative_to(self.folder)): path.stat().st_mode & 0o777
                 for path in self.folder.rglob("*") if path.is_file()}
        self.assertEqual({0o600}, set(files.values()))
        self.assertEqual(
            ["ca/ca.key", "ca/ca.pem",
             "members/etcd-a/ca.pem", "members/etcd-a/member.key", "members/etcd-a/member.pem",
             "members/etcd-b/ca.pem", "members/etcd-b/member.key", "members/etcd-b/member.pem",
             "nodes/a/ca.pem", "nodes/a/node.key", "nodes/a/node.pem"], sorted(files))

    def test_names_uses_and_times(self):
        self.make("etcd-b,10.6.0.2,fe80::2", "--node", "a")
        member, node = "members/etcd-b/member.pem", "nodes/a/node.pem"
        self.assertIn("DNS:etcd-b, IP Address:10.6.0.2, IP Address:FE80:0:0:0:0:0:0:2, "
                      "DNS:localhost, IP Address:127.0.0.1",
                      self.fact(member, "-ext", "subjectAltName"))
        # etcd compares a client's alternative names with its address, so a node has none.
        self.assertEqual("", self.fact(node, "-ext", "subjectAltName"))
        self.assertEqual("subject=CN = linkmeter-etcd\n", self.fact(member, "-subject"))
        self.assertEqual("subject=CN = a\n", self.fact(node, "-subject"))
        for path, days in ((member, 1826), (node, 1826), ("ca/ca.pem", 2 * 1826)):
            for margin, ends in ((-3600, "will not"), (3600, "will")):
                self.assertEqual(f"Certificate {ends} expire\n", self.fact(
                    path, "-checkend", str(days * 86_400 + margin)))

    def test_a_certificate_serves_its_purpose_only(self):
        self.make("etcd-a,10.6.0.1", "--node", "a")

        def context(side, folder, name):
            made = ssl.create_default_context(side, cafile=self.folder / folder / "ca.pem")
            made.load_cert_chain(self.folder / folder / f"{name}.pem",
                                 self.folder / folder / f"{name}.key")
            made.verify_mode = ssl.CERT_REQUIRED
            return made
        serve, connect = ssl.Purpose.CLIENT_AUTH, ssl.Purpose.SERVER_AUTH
        member = context(serve, "members/etcd-a", "member")
        node = context(connect, "nodes/a", "node")
        for name in ("10.6.0.1", "etcd-a", "127.0.0.1", "localhost"):
            shake_hands(member, node, name)
        shake_hands(member, context(connect, "members/etcd-a", "member"), "etcd-a")
        with self.assertRaises(ssl.SSLError):
            shake_hands(member, node, "10.6.0.2")
        with self.assertRaises(ssl.SSLError):
            shake_hands(context(serve, "nodes/a", "node"), node, "a")

    def test_later_members_and_nodes_are_of_the_same_ca(self):
        self.make("etcd-a,10.6.0.1")
        before = self.content()
        said = self.make("etcd-d,10.6.0.4", "--node", "c")
        self.assertNotIn("made " + str(self.folder / "ca"), said)
        self.assertEqual(before, {path: self.content()[path] for path in before})
        ca = self.folder / "ca/ca.pem"
        for path in ("members/etcd-d", "nodes/c"):
            self.assertEqual(ca.read_bytes(), (self.folder / path / "ca.pem").read_bytes())
        checked = subprocess.run(
            ["openssl", "verify", "-x509_strict", "-CAfile", ca,
             self.folder / "members/etcd-d/member.pem", self.folder / "nodes/c/node.pem"],
            capture_output=True, text=True, check=False)
        self.assertEqual(0, checked.returncode, checked.stderr)

    def test_a_certificate_is_renewed_when_its_folder_was_moved_away(self):
        self.make("etcd-a,10.6.0.1", "--node", "a")
        old = (self.folder / "nodes/a/node.pem").read_bytes()
        (self.folder / "nodes/a").rename(self.folder / "nodes/a.old")
        self.make("--node", "a")
        self.assertNotEqual(old, (self.folder / "nodes/a/node.pem").read_bytes())


class Refused(Case):
    def test_what_is_there_is_not_overwritten(self):
        self.make("etcd-a,10.6.0.1", "--node", "a")
        there = re.escape(str(self.folder))
        self.refused(rf"{there}/members/etcd-a exists; move it away", 1, self.folder, "etcd-b",
                     "etcd-a,10.6.0.9")
        self.refused(rf"{there}/nodes/a exists; move it away", 1, self.folder, "--node", "b",
                     "--node", "a")

    def test_wrong_words(self):
        self.refused("say where", 2)
        self.refused("name an etcd member or a --node", 2, self.folder)
        self.refused("unknown option --nodes", 2, self.folder, "--nodes", "a")
        self.refused("--node needs a value", 2, self.folder, "--node")
        for days in ("0", "-1", "", "1.5", "100000", "abc", "1; true"):
            self.refused("--days takes a number of days, not", 2, self.folder, "etcd-a", "--days",
                         days)
        for host in ("", "a b", "-a,10.6.0.1", "a,", ",a", "a,,b", "a/b", "../a", "a_*", "10.6.0",
                     "10.6.0.256", "a,10.6.0.1.2", "etcd-a\nb", "a;b", "é", "a" * 64, "."):
            self.refused("", 2, self.folder, "etcd-z", host)
        for node in ("", ".", "..", "../a", "a/b", "a b", "-", "a,b", "linkmeter-etcd", "a" * 64,
                     "a\n"):
            self.refused("", 2, self.folder, "--node", node)
        self.refused("members/etcd-a is named twice", 2, self.folder, "etcd-a", "etcd-a,10.6.0.1")
        self.refused("nodes/a is named twice", 2, self.folder, "--node", "a", "--node", "a")

    def test_an_address_that_openssl_does_not_know(self):
        self.make("etcd-a")
        self.refused("openssl could not make members/etcd-b", 1, self.folder,
                     "etcd-b,1:2:3:4:5:6:7:8:9")

    def test_a_ca_that_ends_before_its_certificates(self):
        self.make("--days", "10", "etcd-a")
        self.refused("the CA in .* ends within 1826 days", 1, self.folder, "etcd-b")
        self.make("--days", "15", "etcd-b")

    def test_a_lost_or_foreign_ca(self):
        self.make("etcd-a")
        key = self.folder / "ca" / "ca.key"
        key.rename(self.home / "ca.key")
        self.refused("cannot read .*ca.pem and .*ca.key", 1, self.folder, "etcd-b")
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-out", key], check=True, capture_output=True)
        self.refused("openssl could not make members/etcd-b", 1, self.folder, "etcd-b")
        key.unlink()
        (self.folder / "ca" / "ca.pem").unlink()
        (self.folder / "ca").rmdir()
        self.refused(".* has certificates but no CA", 1,
                     self.folder, "etcd-b")

    def test_a_place_where_nothing_can_be_made(self):
        file = self.home / "file"
        file.write_text("")
        made = self.run_it(file / "made", "etcd-a")
        self.assertEqual(1, made.returncode)
        self.assertIn(f"make-certificates: cannot make the folder {file}/made\n", made.stderr)

    def test_without_openssl(self):
        programs = self.home / "programs"
        programs.mkdir()
        for name in ("bash", "env"):
            (programs / name).symlink_to(f"/usr/bin/{name}")
        self.refused("openssl is missing: apt-get install openssl", 1, self.folder, "etcd-a",
                     env={**os.environ, "PATH": str(programs)})


if __name__ == "__main__":
    unittest.main()
