#include "meters/edge/certificate.h"

#include <sys/stat.h>

#include <fstream>

#include "meters/edge/fault.h"
#include "tests/support/scoped_directory.h"

#include <doctest/doctest.h>

namespace linkmeter::certificate_test {

TEST_CASE("a certificate comes back from its files, which are the owner's alone") {
  const ScopedDirectory folder;
  CHECK_FALSE(has_certificate(folder.path()));
  const WebCertificate made = make_certificate({"localhost", "127.0.0.1"});
  write_certificate(folder.path(), made);
  CHECK(has_certificate(folder.path()));
  struct stat status {};
  REQUIRE_EQ(::stat((folder.path() / "web.key").c_str(), &status), 0);
  CHECK_EQ(status.st_mode & 0777U, 0600U);
  const WebCertificate read = read_certificate(folder.path());
  CHECK_EQ(read.certificate, made.certificate);
  CHECK_EQ(read.key, made.key);
  CHECK_THROWS_AS(write_certificate(folder.path(), made), Fault);  // nothing is written over
}

TEST_CASE("every certificate is another") {
  const WebCertificate one = make_certificate({"localhost"}),
                       other = make_certificate({"localhost"});
  CHECK_NE(one.key, other.key);
  CHECK_NE(certificate_fingerprint(one), certificate_fingerprint(other));
  CHECK_EQ(certificate_fingerprint(one).size(), 32 * 3 - 1);
  CHECK_EQ(certificate_fingerprint({"none", ""}), "");
  const auto made = make_certificate({"house.example", "10.0.0.1", "floor.house.example", "::1"});
  CHECK((names_of(made) == std::vector<std::string>{"house.example", "floor.house.example"}));
  CHECK(names_of({"none", ""}).empty());
}

TEST_CASE("files that are no certificate with its key are refused by name") {
  const ScopedDirectory folder;
  const auto path = [&folder](const char* name) { return folder.path() / name; };
  write_certificate(folder.path(), make_certificate({"localhost"}));
  const ScopedDirectory other;
  write_certificate(other.path(), make_certificate({"localhost"}));
  std::ofstream(path("junk")) << "junk";
  ::chmod(path("junk").c_str(), 0600);
  std::ofstream(path("huge")) << std::string(300'000, 'x');
  const auto certificate = path("web.certificate"), key = path("web.key");
  CHECK_THROWS_WITH_AS(read_certificate(path("none"), key), doctest::Contains("none: cannot read"),
                       Fault);
  CHECK_THROWS_WITH_AS(read_certificate(path("junk"), key),
                       doctest::Contains("junk: is no certificate"), Fault);
  CHECK_THROWS_WITH_AS(read_certificate(path("huge"), key), doctest::Contains("too large"), Fault);
  CHECK_THROWS_WITH_AS(read_certificate(certificate, path("junk")),
                       doctest::Contains("junk: is no private key"), Fault);
  CHECK_THROWS_WITH_AS(read_certificate(certificate, other.path() / "web.key"),
                       doctest::Contains("is not the key of"), Fault);
  ::chmod(key.c_str(), 0604);
  CHECK_THROWS_WITH_AS(read_certificate(certificate, key), doctest::Contains("everybody"), Fault);
}

TEST_CASE("this machine knows how it may be called") {
  const auto hosts = own_hosts();
  for (const char* host : {"localhost", "127.0.0.1", "::1"}) {
    CHECK_EQ(std::count(hosts.begin(), hosts.end(), host), 1);
  }
  // A network is no name of a machine. Only one with an address of IPv6 can show it.
  for (const std::string& host : hosts) CHECK_EQ(host.find('/'), std::string::npos);
  CHECK_FALSE(certificate_fingerprint(make_certificate(hosts)).empty());
}

}  // namespace linkmeter::certificate_test
