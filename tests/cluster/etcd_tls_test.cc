// TLS with real etcd: what works, and what people read when it does not.
#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "controller/cluster/grpc_etcd.h"
#include "proto/host/fault.h"
#include "tests/cluster/etcd_process.h"
#include "tests/cluster/test_authority.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::etcd_tls_test {

using std::chrono::hours;

struct House {
  ScopedDirectory folder;
  TestAuthority authority{folder.path(), "house"};
  TestAuthority stranger{folder.path(), "stranger"};
  TestAuthority::Files node = authority.issue("node", "DNS:node");
};

std::vector<std::string> with(const TestAuthority::Files& member) {
  return {"--cert-file", member.certificate.string(), "--key-file", member.key.string()};
}

std::vector<std::string> with(const TestAuthority::Files& member, const TestAuthority& clients) {
  std::vector<std::string> options = with(member);
  options.insert(options.end(),
                 {"--client-cert-auth", "--trusted-ca-file", clients.file().string()});
  return options;
}

// "": it works.
std::string read_with(const EtcdSettings& settings) {
  GrpcEtcd etcd(settings);
  const auto read = etcd.read({"a"});
  if (read) return "";
  CHECK(read.error().kind == EtcdError::Kind::unknown);
  return read.error().words;
}

bool says(const std::string& words, const std::string& part) {
  return words.find(part) != std::string::npos;
}

TEST_CASE("a member and a node that show certificates of the house work together") {
  House house;
  const EtcdProcess process(with(house.authority.issue("etcd", "IP:127.0.0.1"), house.authority));
  GrpcEtcd etcd({.endpoints = {process.endpoint()},
                 .ca_file = house.authority.file(),
                 .certificate = house.node.certificate,
                 .key = house.node.key,
                 .deadline = std::chrono::seconds(10)});
  REQUIRE(etcd.commit({.conditions = {}, .puts = {{"a", "1"}}}));
  const auto came = etcd.watch({"a"}, 1)->next(std::chrono::seconds(10));
  REQUIRE(came);
  CHECK(came->size() == 1);
  const auto members = etcd.members();
  REQUIRE(members);
  REQUIRE(members->size() == 1);
  CHECK(members->front().is_healthy);
}

TEST_CASE("a member whose certificate is wrong: the reason is in the words") {
  House house;
  struct Wrong {
    TestAuthority::Files member;
    std::string words;
  };
  const std::vector<Wrong> all = {
      {house.stranger.issue("other", "IP:127.0.0.1"), "is not signed by the CA"},
      {house.authority.issue("old", "IP:127.0.0.1", hours(-48)), "has expired"},
      {house.authority.issue("early", "IP:127.0.0.1", hours(48)), "is not valid yet"},
      {house.authority.issue("elsewhere", "DNS:etcd-1,IP:10.0.0.7"), "is not for 127.0.0.1"},
  };
  for (const Wrong& wrong : all) {
    const EtcdProcess process(with(wrong.member));
    const std::string words =
        read_with({.endpoints = {process.endpoint()}, .ca_file = house.authority.file()});
    CHECK_MESSAGE(says(words, wrong.words), words);
    CHECK_MESSAGE(says(words, process.endpoint()), words);
  }
}

TEST_CASE("a node whose certificate is missing or of another authority: the words say so") {
  House house;
  const EtcdProcess process(with(house.authority.issue("etcd", "IP:127.0.0.1"), house.authority));
  const EtcdSettings none{.endpoints = {process.endpoint()}, .ca_file = house.authority.file()};
  std::string words = read_with(none);
  CHECK_MESSAGE(says(words, "this node has none"), words);
  EtcdSettings other = none;
  const TestAuthority::Files foreign = house.stranger.issue("foreign", "DNS:node");
  other.certificate = foreign.certificate;
  other.key = foreign.key;
  words = read_with(other);
  CHECK_MESSAGE(says(words, "does not accept this node's certificate"), words);
}

TEST_CASE("files that do not belong together are a fault when the client is made") {
  House house;
  const TestAuthority::Files old = house.authority.issue("old", "DNS:node", hours(-48)),
                             second = house.authority.issue("second", "DNS:node");
  const EtcdSettings good{.endpoints = {"https://127.0.0.1:1"}, .ca_file = house.authority.file()};
  CHECK_NOTHROW(GrpcEtcd{good});
  const std::vector<TestAuthority::Files> wrong = {
      {house.node.certificate, ""},         {"", house.node.key},
      {house.node.certificate, second.key}, {house.node.key, house.node.key},
      {old.certificate, old.key},
  };
  for (const TestAuthority::Files& files : wrong) {
    EtcdSettings settings = good;
    settings.certificate = files.certificate;
    settings.key = files.key;
    CHECK_THROWS_AS(GrpcEtcd{settings}, Fault);
  }
}

TEST_CASE("https to a member that speaks plain http: the words say so") {
  House house;
  const EtcdProcess process;
  const std::string words = read_with(
      {.endpoints = {"https" + process.endpoint().substr(4)}, .ca_file = house.authority.file()});
  // The member answers in plain text and closes the connection. Either may be seen first.
  CHECK_MESSAGE(says(words, "is its address http://?"), words);
}

}  // namespace linkmeter::etcd_tls_test
