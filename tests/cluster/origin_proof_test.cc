// What somebody who can write to etcd, but is no node, puts there: no node follows it, and no node
// becomes the writer by it.
#include "controller/cluster/origin_proof.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <optional>
#include <string>

#include "controller/cluster/cluster.h"
#include "controller/cluster/replicated_journal.h"
#include "meters/values/limits.h"
#include "tests/cluster/written_cluster.h"
#include "tests/support/memory_journal.h"

namespace linkmeter::origin_proof_test {
namespace {

constexpr std::chrono::milliseconds no_time(0);

// The house, a standby that has followed one entry, and somebody who knows all but the secret.
struct World : WrittenCluster {
  OriginProof foreign{"another secret"};
  Head written = log().append({}, {"one"});
  ClusterWatch watch{etcd, keys, Head()};

  World() { REQUIRE_FALSE(watch.refresh(no_time)); }
  // A batch that continues the chain.
  [[nodiscard]] static std::string next_batch(const Head& before) {
    return encode(
        EntryBatch{before.entry.next(), {"forged"}, head_after(before, {"forged"}).hash, 0});
  }
  void refuses(const std::string& key) {
    CHECK_THROWS_WITH_AS(static_cast<void>(watch.refresh(no_time)),
                         doctest::Contains((key + " has no valid proof of origin").c_str()), Fault);
    CHECK(watch.reached() == written);
    // Nor after a restart.
    ClusterWatch again(etcd, keys, written);
    CHECK_THROWS_AS(static_cast<void>(again.refresh(no_time)), Fault);
    CHECK(again.reached() == written);
  }
};

EtcdValue value_of(const std::string& key, const std::string& value) {
  EtcdValue made;
  made.key = key;
  made.value = value;
  return made;
}

// Waits for news until a fault comes, and returns its words.
std::string fault_of(Cluster& cluster) {
  constexpr int patience_ms = 20'000;
  try {
    while (true) {
      pollfd item{cluster.descriptor(), POLLIN, 0};
      if (::poll(&item, 1, patience_ms) != 1) return "no news";
      if (cluster.take().epoch) return "it is the writer";
    }
  } catch (const Fault& fault) {
    return fault.what();
  }
}

}  // namespace

TEST_CASE("a sealed value opens under its own key, with the secret of its house, and unchanged") {
  const OriginProof proof("secret"), other("secret 2");
  const std::string sealed = proof.seal("/a/head", "content");
  CHECK(proof.open(value_of("/a/head", sealed)) == std::optional<std::string>("content"));
  CHECK(proof.open(value_of("/a/head", proof.seal("/a/head", ""))) ==
        std::optional<std::string>(""));
  CHECK_FALSE(other.open(value_of("/a/head", sealed)));
  CHECK_FALSE(proof.open(value_of("/b/head", sealed)));
  CHECK_FALSE(proof.open(value_of("/a/head", "content")));
  CHECK_FALSE(proof.open(value_of("/a/head", "")));
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    CAPTURE(at);
    std::string changed = sealed;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    CHECK_FALSE(proof.open(value_of("/a/head", changed)));
    CHECK_FALSE(proof.open(value_of("/a/head", sealed.substr(0, at))));
  }
}

TEST_CASE("a forged batch that continues the chain is not followed") {
  World at;
  const std::string key = at.keys.turn(EntryNumber(2)), batch = World::next_batch(at.written);
  SUBCASE("without proof") { at.put_raw(key, batch); }
  SUBCASE("with the proof of another secret") { at.put_raw(key, at.foreign.seal(key, batch)); }
  SUBCASE("with the proof of another key") {
    at.put_raw(key, at.cluster.values({at.keys.turn(EntryNumber(1))}).front().value);
  }
  at.refuses(key);
}

TEST_CASE("a forged head is followed by nobody, and nobody writes after it") {
  World at;
  const std::string key = at.keys.head(), head = text(head_after(at.written, {"forged"}));
  SUBCASE("without proof") { at.put_raw(key, head); }
  SUBCASE("with the proof of another secret") { at.put_raw(key, at.foreign.seal(key, head)); }
  CHECK_THROWS_AS(static_cast<void>(at.watch.read_head()), Fault);
  at.refuses(key);
  CHECK_THROWS_AS(at.log().append(at.written, {"two"}), RoleLost);
  CHECK_THROWS_AS(at.log().append(head_after(at.written, {"forged"}), {"two"}), RoleLost);
}

TEST_CASE("a writer whose result is unknown does not take a forged head for its own") {
  World at;
  const Head after = head_after(at.written, {"two"});
  const FencedLog log(at.etcd, at.keys, at.epoch, at.pause);
  // As the writer is about to write it.
  at.put_raw(at.keys.head(), at.foreign.seal(at.keys.head(), text(after)));
  at.etcd.fail_next(EtcdFault::lost_request);
  CHECK_THROWS_AS(log.append(at.written, {"two"}), RoleLost);
  CHECK(at.turns().size() == 1);

  MemoryJournal local;
  local.commit({"one"}, {});
  ReplicatedJournal journal(local, at.etcd, at.keys, [] {});
  journal.begin_writing(at.epoch);
  CHECK_THROWS_AS(journal.commit({"two"}, {}), RoleLost);
  CHECK(local.head() == at.written);
}

TEST_CASE("a forged part of a long entry does not continue the chain") {
  World at;
  const std::string large(limits::entry_batch_bytes_max + 7, 'x');
  at.written = at.log().append(at.written, {large});
  at.put_raw(at.keys.part(EntryNumber(2), 1), "forged!");
  CHECK_THROWS_WITH_AS(static_cast<void>(at.watch.refresh(no_time)),
                       doctest::Contains("do not continue this journal"), Fault);
  CHECK(at.watch.reached().entry == EntryNumber(1));
}

TEST_CASE("a forged record of a node is as if it was not there") {
  World at;
  const std::string key = at.keys.node("b");
  at.put(key, encode(World::record_of("b")));
  REQUIRE_FALSE(at.watch.refresh(no_time));
  REQUIRE(at.watch.seen().nodes.contains("b"));
  NodeRecord record = World::record_of("b");
  record.tables = "tcp://elsewhere:6057";
  SUBCASE("without proof") { at.put_raw(key, encode(record)); }
  SUBCASE("with the proof of another secret") {
    at.put_raw(key, at.foreign.seal(key, encode(record)));
  }
  SUBCASE("of another node") {
    const std::string other = at.keys.node("c");
    at.put_raw(key, at.keys.proof().seal(other, encode(record)));
  }
  REQUIRE_FALSE(at.watch.refresh(no_time));
  CHECK_FALSE(at.watch.seen().nodes.contains("b"));
  // The name is taken, and nothing of the record is believed.
  NodeLease lease(at.etcd, at.keys, std::chrono::seconds(3), World::record_of("b"), boot_time);
  REQUIRE_FALSE(lease.renew());
  REQUIRE(lease.namesake());
  CHECK(lease.namesake()->node == "b");
  CHECK(lease.namesake()->tables.empty());
  CHECK_FALSE(lease.is_held());
}

TEST_CASE("a forged writer keeps the role from others, and tables are not sent to it") {
  World at;
  REQUIRE(*at.etcd.end_lease(at.lease));
  NodeRecord record = World::record_of("a");
  record.tables = "tcp://elsewhere:6057";
  at.put_raw(at.keys.writer(), at.foreign.seal(at.keys.writer(), encode(record)));
  REQUIRE_FALSE(at.watch.refresh(no_time));
  REQUIRE(at.watch.seen().writer);
  CHECK(at.watch.seen().writer->record == NodeRecord());
}

TEST_CASE("who gives the role to a node with a forged record does not make it the writer") {
  World at;
  REQUIRE(*at.etcd.end_lease(at.lease));
  Cluster cluster(at.etcd, at.keys, at.written, World::record_of("b"), std::chrono::seconds(3));
  while (cluster.lease().lease() == 0) static_cast<void>(cluster.take());
  const EtcdLease lease = cluster.lease().lease();
  const std::string key = at.keys.writer();
  REQUIRE(at.etcd
              .commit({.conditions = {},
                       .puts = {{key, at.foreign.seal(key, encode(World::record_of("b"))), lease}}})
              ->is_done);
  // It sees the key, and then a change that comes later.
  at.put(at.keys.node("c"), encode(World::record_of("c")));
  Cluster::News news;
  while (!news.seen.nodes.contains("c")) news = cluster.take();
  REQUIRE(news.seen.writer);
  CHECK(news.seen.writer->lease == lease);
  CHECK_FALSE(news.epoch);
}

TEST_CASE("a forged or an old handover names nobody, and delays no takeover") {
  World at;
  const std::string key = at.keys.handover();
  // As the writer writes it, before it ends.
  const std::string good = at.keys.proof().seal(key, encode(World::record_of("c", at.written)));
  const std::string in_the_name_of_c = encode(World::record_of("c", at.written));
  std::string value, successor;
  SUBCASE("of the writer") {
    value = good;
    successor = "c";
  }
  SUBCASE("without proof") { value = in_the_name_of_c; }
  SUBCASE("as plain text") { value = "c"; }
  SUBCASE("with the proof of another secret") { value = at.foreign.seal(key, in_the_name_of_c); }
  SUBCASE("with the proof of another key") {
    value = at.keys.proof().seal(at.keys.node("c"), in_the_name_of_c);
  }
  SUBCASE("of a writer before") {
    value = good;
    at.written = at.log().append(at.written, {"two"});
  }
  REQUIRE(*at.etcd.end_lease(at.lease));
  const EtcdLease longer = *at.etcd.grant_lease(std::chrono::seconds(60));
  REQUIRE(at.etcd.commit({.conditions = {}, .puts = {{key, value, longer}}})->is_done);
  REQUIRE_FALSE(at.watch.refresh(no_time));
  CHECK(at.watch.seen().successor() == successor);
  // Nor for a node that starts, which reads all keys.
  ClusterWatch again(at.etcd, at.keys, at.written);
  REQUIRE_FALSE(again.refresh(no_time));
  CHECK(again.seen().successor() == successor);
  if (!successor.empty()) return;
  Cluster cluster(at.etcd, at.keys, at.written, World::record_of("b"), std::chrono::seconds(3));
  cluster.allow_writing(true);
  CHECK(fault_of(cluster) == "it is the writer");
}

TEST_CASE("a node that has more than etcd after a rollback says so, and does not write") {
  World at;
  // Somebody keeps what etcd holds, and puts it back later.
  const std::string old_head = at.cluster.values({at.keys.head()}).front().value;
  const Head later = at.log().append(at.written, {"two", "three"});
  REQUIRE(*at.etcd.end_lease(at.lease));
  at.put_raw(at.keys.head(), old_head);
  bool creates = false, has_turns = true;
  SUBCASE("the head alone") {}
  SUBCASE("with --create-cluster") { creates = true; }
  SUBCASE("without the later entries") { has_turns = false; }
  if (!has_turns) {
    REQUIRE(at.etcd.commit({.conditions = {}, .deletions = {at.keys.turns_from(EntryNumber(2))}})
                ->is_done);
  }
  Cluster cluster(at.etcd, at.keys, later, World::record_of("a"), std::chrono::seconds(3));
  cluster.allow_writing(true);
  if (creates) cluster.create_head({});
  const std::string words = fault_of(cluster);
  CAPTURE(words);
  CHECK(words.find("etcd has lost entries") != std::string::npos);
  CHECK(words.find(text(later)) != std::string::npos);
  CHECK(at.cluster.values({at.keys.writer()}).empty());
  CHECK(at.head() == at.written);
}

TEST_CASE("a node without the secret of its house follows nothing, and creates no second head") {
  World at;
  REQUIRE(*at.etcd.end_lease(at.lease));
  const ClusterKeys keys(Digest{}, at.foreign);
  Cluster cluster(at.etcd, keys, Head(), World::record_of("b"), std::chrono::seconds(3));
  cluster.allow_writing(true);
  cluster.create_head({});
  const std::string words = fault_of(cluster);
  CAPTURE(words);
  CHECK(words.find("has no valid proof of origin") != std::string::npos);
  CHECK(at.cluster.values({at.keys.writer()}).empty());
  CHECK(at.head() == at.written);
}

}  // namespace linkmeter::origin_proof_test
