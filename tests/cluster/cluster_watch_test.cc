#include "controller/cluster/cluster_watch.h"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "tests/cluster/written_cluster.h"

namespace linkmeter::cluster_watch_test {
namespace {

constexpr std::chrono::milliseconds no_time(0);
constexpr std::size_t all_bytes = 1U << 30U;

// A standby that has followed nothing yet.
struct World : WrittenCluster {
  ModelEtcd own_etcd{cluster};
  ClusterWatch watch{own_etcd, keys, Head()};
  Head written;
  std::vector<std::string> followed;

  void append(const std::vector<std::string>& entries) { written = log().append(written, entries); }
  std::optional<EtcdError> refresh() { return watch.refresh(no_time); }
  // Takes everything, and checks that each entry is the next one of the chain.
  void follow() {
    Head head = watch.position();
    for (const StoredEntry& entry : watch.take(all_bytes)) {
      head = head_after(head, {entry.bytes});
      CHECK(Head{entry.number, entry.hash} == head);
      followed.push_back(entry.bytes);
    }
    CHECK(watch.position() == head);
  }
  void trim(EntryNumber before) {
    const auto done = etcd.commit(
        {.conditions = {}, .deletions = {keys.turns_before(before), keys.parts_before(before)}});
    REQUIRE(done->is_done);
    REQUIRE(etcd.compact(done->revision));
  }
};

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("entries come in order and each once, also those from before the watch") {
  World at;
  at.append({"one", "two"});
  at.append({"three"});
  REQUIRE_FALSE(at.refresh());
  at.follow();
  CHECK(at.followed == Texts{"one", "two", "three"});
  at.append({"four"});
  at.append({"five", "six"});
  REQUIRE_FALSE(at.refresh());
  CHECK(at.watch.reached() == at.written);
  at.follow();
  CHECK(at.followed == Texts{"one", "two", "three", "four", "five", "six"});
  REQUIRE_FALSE(at.refresh());
  CHECK(at.watch.take(all_bytes).empty());
  CHECK(at.watch.seen().head == at.written);
  CHECK_FALSE(at.watch.missing_until());
  CHECK(*at.watch.read_head() == std::optional(at.written));
}

TEST_CASE("take() returns about as many bytes as it may, and at least one entry") {
  World at;
  at.append({std::string(100, 'a'), std::string(100, 'b'), "c"});
  REQUIRE_FALSE(at.refresh());
  CHECK(at.watch.take(1).size() == 1);
  CHECK(at.watch.position().entry == EntryNumber(1));
  CHECK(at.watch.take(101).size() == 2);
  CHECK(at.watch.position() == at.written);
}

TEST_CASE("after a lost watch nothing is missed and nothing comes twice") {
  World at;
  for (int round = 0; round < 20; ++round) {
    at.append({std::to_string(round)});
    if (round % 3 == 0) at.own_etcd.cut_watches();
    if (round % 7 == 0) at.own_etcd.delay_watches(true);
    if (round % 7 == 3) at.own_etcd.delay_watches(false);
    at.own_etcd.set_reachable(round % 5 != 0);
    static_cast<void>(at.refresh());
    at.follow();
  }
  at.own_etcd.set_reachable(true);
  at.own_etcd.delay_watches(false);
  while (at.refresh()) {
  }
  at.follow();
  Texts all;
  for (int round = 0; round < 20; ++round) all.push_back(std::to_string(round));
  CHECK(at.followed == all);
}

TEST_CASE("many turns are read in several reads, and a failed one loses nothing") {
  World at;
  Texts all;
  for (int entry = 0; entry < 50; ++entry) {
    all.push_back(std::to_string(entry));
    at.append({all.back()});
  }
  for (int failing = 1; failing <= 7; ++failing) {
    CAPTURE(failing);
    ClusterWatch watch(at.own_etcd, at.keys, Head());
    int reads = 0;
    at.own_etcd.set_faults(
        [&](EtcdCall) { return ++reads == failing ? EtcdFault::lost_request : EtcdFault::none; });
    while (watch.refresh(no_time)) CHECK_FALSE(watch.missing_until());
    CHECK(watch.reached() == at.written);
    CHECK(watch.take(all_bytes).size() == all.size());
  }
}

TEST_CASE("entries that etcd no longer has are reported until another node gave them") {
  World at;
  REQUIRE_FALSE(at.refresh());
  at.own_etcd.set_reachable(false);
  at.append({"one", "two"});
  at.append({"three"});
  const Head trimmed = at.written;
  SUBCASE("a part of the entries is there") { at.append({"four"}); }
  SUBCASE("nothing is there") {}
  at.trim(EntryNumber(4));
  CHECK(at.refresh());
  CHECK_FALSE(at.watch.missing_until());  // not known yet
  at.own_etcd.set_reachable(true);
  REQUIRE_FALSE(at.refresh());
  CHECK(at.watch.missing_until() == std::optional(EntryNumber(3)));
  CHECK(at.watch.take(all_bytes).empty());
  at.watch.skip_to(trimmed);
  REQUIRE_FALSE(at.refresh());
  CHECK_FALSE(at.watch.missing_until());
  at.append({"last"});
  REQUIRE_FALSE(at.refresh());
  at.follow();
  CHECK(at.followed.back() == "last");
  CHECK(at.watch.position() == at.written);
}

TEST_CASE("a watch whose first changes are compacted reads everything again") {
  World at;
  REQUIRE_FALSE(at.refresh());
  at.own_etcd.delay_watches(true);
  at.append({"one"});
  at.append({"two"});
  REQUIRE(at.etcd.compact(at.cluster.revision()));
  at.own_etcd.delay_watches(false);
  CHECK(at.refresh());
  REQUIRE_FALSE(at.refresh());
  at.follow();
  CHECK(at.followed == Texts{"one", "two"});
}

TEST_CASE("an entry in parts comes whole") {
  const std::string large(limits::entry_batch_bytes_max * 2 + 7, 'x');
  World at;
  SUBCASE("by the watch") { REQUIRE_FALSE(at.refresh()); }
  SUBCASE("by a read") {}
  SUBCASE("beside more parts of a writer that was lost") {
    const std::string key = at.keys.part(EntryNumber(2), 3);
    REQUIRE(at.etcd.commit({.conditions = {}, .puts = {{key, "foreign"}}})->is_done);
  }
  at.append({"before", large, "after"});
  REQUIRE_FALSE(at.refresh());
  at.follow();
  REQUIRE(at.followed.size() == 3);
  CHECK((at.followed[1] == large));
}

TEST_CASE("parts that cannot be read are waited for, and parts that are gone are missing entries") {
  World at;
  REQUIRE_FALSE(at.refresh());
  at.append({std::string(limits::entry_batch_bytes_max + 1, 'x')});
  at.own_etcd.set_faults([](EtcdCall) { return EtcdFault::lost_request; });
  CHECK(at.refresh());
  CHECK_FALSE(at.watch.missing_until());
  SUBCASE("they can be read again") {
    at.own_etcd.set_faults({});
    REQUIRE_FALSE(at.refresh());
    CHECK(at.watch.reached() == at.written);
  }
  SUBCASE("they are gone") {
    at.trim(EntryNumber(2));
    at.own_etcd.set_faults({});
    REQUIRE_FALSE(at.refresh());
    CHECK(at.watch.missing_until() == std::optional(EntryNumber(1)));
    at.watch.skip_to(at.written);
    at.append({"after"});
    REQUIRE_FALSE(at.refresh());
    CHECK(at.watch.reached() == at.written);
  }
}

TEST_CASE("what does not continue this journal is a fault") {
  World at;
  at.append({"one"});
  SUBCASE("another history") {
    ClusterWatch other(at.own_etcd, at.keys, head_after({}, {"another"}));
    at.append({"two"});
    CHECK_THROWS_AS(static_cast<void>(other.refresh(no_time)), Fault);
  }
  SUBCASE("bytes that are no entries") {
    at.put(at.keys.turn(EntryNumber(2)), "\xff");
    CHECK_THROWS_AS(static_cast<void>(at.refresh()), Fault);
  }
  SUBCASE("another hash") {
    const EntryBatch wrong{EntryNumber(2), {"two"}, {}, 0};
    at.put(at.keys.turn(EntryNumber(2)), encode(wrong));
    CHECK_THROWS_AS(static_cast<void>(at.refresh()), Fault);
  }
  SUBCASE("no head") {
    at.put(at.keys.head(), "x");
    CHECK_THROWS_AS(static_cast<void>(at.refresh()), Fault);
  }
}

TEST_CASE("the writer, the nodes and the successor are seen as they change") {
  World at;
  const std::string node = at.keys.node("b"), handover = at.keys.handover();
  REQUIRE_FALSE(at.refresh());
  REQUIRE(at.watch.seen().writer);
  CHECK(at.watch.seen().writer->record.node == "a");
  CHECK(at.watch.seen().writer->epoch == at.epoch);
  CHECK(at.watch.seen().writer->lease == at.lease);
  // Without a lease it would last for ever, so it does not count.
  const std::string named = encode(World::record_of("b", at.head()));
  at.put(handover, named);
  REQUIRE_FALSE(at.refresh());
  CHECK(at.watch.seen().successor().empty());
  const EtcdLease longer = *at.etcd.grant_lease(std::chrono::seconds(60));
  at.put(node, encode(World::record_of("b")));
  const std::string sealed = at.keys.proof().seal(handover, named);
  REQUIRE(at.etcd.commit({.conditions = {}, .puts = {{handover, sealed, longer}}})->is_done);
  at.cluster.pass_time(std::chrono::seconds(3));
  REQUIRE_FALSE(at.refresh());
  CHECK_FALSE(at.watch.seen().writer);
  CHECK(at.watch.seen().nodes.contains("b"));
  CHECK(at.watch.seen().successor() == "b");
  REQUIRE(at.etcd.commit({.conditions = {}, .deletions = {{node}, {handover}}})->is_done);
  at.own_etcd.cut_watches();
  while (at.refresh()) {
  }
  CHECK(at.watch.seen().nodes.empty());
  CHECK(at.watch.seen().successor().empty());
}

TEST_CASE("a node that writes sees the nodes, and no entries") {
  World at;
  REQUIRE_FALSE(at.refresh());
  at.watch.stop_following();
  at.append({"one"});
  REQUIRE_FALSE(at.refresh());
  CHECK(at.watch.take(all_bytes).empty());
  CHECK_FALSE(at.watch.missing_until());
  at.put(at.keys.node("b"), encode(World::record_of("b")));
  REQUIRE_FALSE(at.refresh());
  CHECK(at.watch.seen().nodes.contains("b"));
  REQUIRE(at.etcd.commit({{}, {}, {{at.keys.node("b")}}}));
  REQUIRE_FALSE(at.refresh());
  CHECK_FALSE(at.watch.seen().nodes.contains("b"));
}

}  // namespace linkmeter::cluster_watch_test
