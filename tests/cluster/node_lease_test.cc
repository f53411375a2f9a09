#include "controller/cluster/node_lease.h"

#include <doctest/doctest.h>

#include <chrono>
#include <optional>
#include <string>

#include "tests/cluster/written_cluster.h"

namespace linkmeter::node_lease_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds lease_time(3);

// A cluster without a writer, and nodes whose clock is the cluster's.
struct World {
  ModelCluster cluster;
  ModelEtcd etcd{cluster}, other_etcd{cluster};
  ClusterKeys keys = keys_of_house();
  microseconds now{seconds(1'000)};
  NodeLease a{etcd, keys, lease_time, WrittenCluster::record_of("a"), [this] { return now; }};
  NodeLease b{other_etcd, keys, lease_time, WrittenCluster::record_of("b"), [this] { return now; }};

  void pass(milliseconds time) {
    now += time;
    cluster.pass_time(time);
  }
  [[nodiscard]] std::optional<EtcdValue> value(const std::string& key) const {
    const auto values = cluster.values({key});
    return values.empty() ? std::nullopt : std::optional(values.front());
  }
  [[nodiscard]] bool is_writer(const NodeLease& node) const {
    const auto writer = value(keys.writer());
    return writer && writer->lease == node.lease();
  }
};

}  // namespace

TEST_CASE("a renewed lease is held, and keeps the node's key with its record") {
  World world;
  CHECK_FALSE(world.a.is_held());
  REQUIRE_FALSE(world.a.renew());
  const EtcdLease lease = world.a.lease();
  for (int renewal = 0; renewal < 5; ++renewal) {
    world.pass(milliseconds(2'900));
    CHECK(world.a.is_held());
    CHECK(world.a.is_held(lease));
    CHECK_FALSE(world.a.renew());
  }
  const auto node = world.value(world.keys.node("a"));
  REQUIRE(node);
  CHECK(node->lease == lease);
  CHECK(world.keys.proof().open_node(*node) == WrittenCluster::record_of("a"));
  CHECK_FALSE(world.a.namesake());
}

TEST_CASE("a changed record is stored with the next renewal, once") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  const NodeRecord changed = WrittenCluster::record_of("a", {EntryNumber(7), {}});
  world.a.set_record(changed);
  world.etcd.set_faults([](EtcdCall call) {
    return call == EtcdCall::commit ? EtcdFault::lost_request : EtcdFault::none;
  });
  CHECK(world.a.renew());  // the lease is renewed, the record is not
  CHECK(world.a.is_held());
  world.etcd.set_faults({});
  REQUIRE_FALSE(world.a.renew());
  CHECK(world.keys.proof().open_node(*world.value(world.keys.node("a"))) == changed);
  const EtcdRevision before = world.cluster.revision();
  world.a.set_record(changed);
  REQUIRE_FALSE(world.a.renew());
  CHECK(world.cluster.revision() == before);
}

TEST_CASE("by its own clock a lease ends before etcd can end it") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  SUBCASE("no renewal arrives") { world.etcd.set_reachable(false); }
  SUBCASE("the answers of renewals are lost, so etcd keeps it longer") {
    world.etcd.set_faults([](EtcdCall) { return EtcdFault::lost_answer; });
  }
  SUBCASE("renewals are late") {
    world.etcd.set_faults([](EtcdCall) { return EtcdFault::late; });
  }
  bool was_over = false;
  for (int step = 0; step < 40; ++step) {
    world.pass(milliseconds(100));
    static_cast<void>(world.a.renew());
    const bool lives = world.value(world.keys.node("a")).has_value();
    if (world.a.is_held()) CHECK(lives);
    was_over = was_over || !world.a.is_held();
  }
  CHECK(was_over);
}

TEST_CASE("a lease counts from the moment at which its renewal was sent") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  // The answer takes two seconds, by the node's clock; etcd has done it at once.
  world.etcd.set_faults([&](EtcdCall) {
    world.now += seconds(2);
    return EtcdFault::none;
  });
  world.now += seconds(1);
  CHECK_FALSE(world.a.renew());
  world.now += seconds(1);
  CHECK_FALSE(world.a.is_held());
}

TEST_CASE("a node whose first answer was lost finds its own key, not another node's") {
  World world;
  world.etcd.set_faults([](EtcdCall call) {
    return call == EtcdCall::commit ? EtcdFault::lost_answer : EtcdFault::none;
  });
  CHECK(world.a.renew());
  world.etcd.set_faults({});
  world.pass(milliseconds(200));
  REQUIRE_FALSE(world.a.renew());
  CHECK_FALSE(world.a.namesake());
  CHECK_FALSE(world.a.is_held());  // nobody knows how much of its time is left
  REQUIRE_FALSE(world.a.renew());
  CHECK(world.a.is_held());
  CHECK(world.value(world.keys.node("a"))->lease == world.a.lease());
  world.a.set_record(WrittenCluster::record_of("a", {EntryNumber(7), {}}));
  REQUIRE_FALSE(world.a.renew());
  CHECK(world.keys.proof().open_node(*world.value(world.keys.node("a")))->head.entry ==
        EntryNumber(7));
}

TEST_CASE("while etcd does not answer, nobody knows of another node of this name") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  NodeLease again(world.other_etcd, world.keys, lease_time, WrittenCluster::record_of("a"),
                  [&] { return world.now; });
  REQUIRE_FALSE(again.renew());
  CHECK(again.namesake());
  world.other_etcd.set_reachable(false);
  CHECK(again.renew());
  CHECK_FALSE(again.namesake());
  world.other_etcd.set_reachable(true);
  REQUIRE_FALSE(again.renew());
  CHECK(again.namesake());
}

TEST_CASE("a lease that has ended is never held again, although the node gets another one") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  const EtcdLease first = world.a.lease();
  world.a.try_to_write();
  REQUIRE(world.is_writer(world.a));
  SUBCASE("it ended by time") { world.pass(lease_time); }
  SUBCASE("somebody ended it") { REQUIRE(*world.other_etcd.end_lease(first)); }
  REQUIRE_FALSE(world.a.renew());
  CHECK(world.a.is_held());
  CHECK(world.a.lease() != first);
  CHECK(world.a.is_held(world.a.lease()));
  CHECK_FALSE(world.a.is_held(first));
  CHECK_FALSE(world.a.is_held(0));
  CHECK_FALSE(world.value(world.keys.writer()));
}

TEST_CASE("a lease that etcd no longer knows is not held, although no other one comes") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  REQUIRE(*world.other_etcd.end_lease(world.a.lease()));
  world.etcd.set_faults([](EtcdCall call) {
    return call == EtcdCall::renew_lease ? EtcdFault::none : EtcdFault::lost_request;
  });
  CHECK(world.a.renew());
  CHECK_FALSE(world.a.is_held());
  // A key without a lease would never go.
  world.etcd.set_faults({});
  world.a.try_to_write();
  CHECK_FALSE(world.value(world.keys.writer()));
}

TEST_CASE("a name belongs to one node at a time") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  NodeLease again(world.other_etcd, world.keys, lease_time, WrittenCluster::record_of("a"),
                  [&world] { return world.now; });
  REQUIRE_FALSE(again.renew());
  CHECK_FALSE(again.is_held());
  CHECK(again.namesake() == WrittenCluster::record_of("a"));
  again.try_to_write();
  CHECK_FALSE(world.value(world.keys.writer()));
  // The first one was killed: its key goes with its lease.
  world.pass(lease_time);
  REQUIRE_FALSE(again.renew());
  CHECK(again.is_held());
  CHECK_FALSE(again.namesake());
}

TEST_CASE("one of several nodes becomes the writer, also by a request that comes late") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  REQUIRE_FALSE(world.b.renew());
  SUBCASE("both try") {
    world.a.try_to_write();
    world.b.try_to_write();
    CHECK(world.is_writer(world.a));
  }
  SUBCASE("the first request comes late") {
    world.etcd.fail_next(EtcdFault::late);
    world.a.try_to_write();
    world.b.try_to_write();
    world.cluster.run_late();
    CHECK(world.is_writer(world.b));
  }
  SUBCASE("only the late request was sent") {
    world.etcd.fail_next(EtcdFault::late);
    world.a.try_to_write();
    CHECK_FALSE(world.value(world.keys.writer()));
    world.cluster.run_late();
    CHECK(world.is_writer(world.a));
  }
  SUBCASE("the request comes when its node's lease has ended") {
    world.etcd.fail_next(EtcdFault::late);
    world.a.try_to_write();
    world.pass(lease_time);
    world.cluster.run_late();
    CHECK_FALSE(world.value(world.keys.writer()));
  }
}

TEST_CASE("a writer that leaves frees the role at once, for its successor if it names one") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  world.a.try_to_write();
  REQUIRE(world.is_writer(world.a));
  SUBCASE("for anybody") {
    REQUIRE_FALSE(world.a.leave(""));
    CHECK_FALSE(world.value(world.keys.handover()));
  }
  SUBCASE("for a successor, as long as the lease lives") {
    const Head head{EntryNumber(7), {}};
    REQUIRE_FALSE(world.a.leave("b", head));
    const auto handover = world.value(world.keys.handover());
    REQUIRE(handover);
    const auto next = world.keys.proof().open_node(*handover);
    REQUIRE(next);
    CHECK(next->node == "b");
    CHECK(next->head == head);
    world.pass(lease_time);
    CHECK_FALSE(world.value(world.keys.handover()));
  }
  CHECK_FALSE(world.value(world.keys.writer()));
  CHECK_FALSE(world.value(world.keys.node("a")));
}

TEST_CASE("no key of a node that has left comes back") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  const std::string key = world.keys.node("a");
  world.a.set_record(WrittenCluster::record_of("a", {EntryNumber(7), {}}));
  SUBCASE("by a later renewal") {
    REQUIRE_FALSE(world.a.leave(""));
    REQUIRE_FALSE(world.a.renew());
  }
  SUBCASE("by a later lease") {
    REQUIRE_FALSE(world.a.leave(""));
    world.pass(lease_time);
    REQUIRE_FALSE(world.a.renew());
  }
  SUBCASE("by a request that comes late") {
    world.etcd.set_faults(
        [](EtcdCall call) { return call == EtcdCall::commit ? EtcdFault::late : EtcdFault::none; });
    CHECK(world.a.renew());
    world.etcd.set_faults({});
    REQUIRE_FALSE(world.a.leave(""));
    CHECK(world.cluster.run_late() == 1);
  }
  world.a.try_to_write();
  CHECK_FALSE(world.value(key));
  CHECK_FALSE(world.value(world.keys.writer()));
}

TEST_CASE("a record that somebody deleted is stored again") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  const std::string key = world.keys.node("a");
  REQUIRE(world.other_etcd.commit({.conditions = {}, .deletions = {{key}}})->is_done);
  const NodeRecord changed = WrittenCluster::record_of("a", {EntryNumber(7), {}});
  world.a.set_record(changed);
  REQUIRE_FALSE(world.a.renew());
  CHECK_FALSE(world.value(key));
  world.etcd.set_faults([](EtcdCall call) {
    return call == EtcdCall::commit ? EtcdFault::lost_answer : EtcdFault::none;
  });
  CHECK(world.a.renew());
  world.etcd.set_faults({});
  const NodeRecord last = WrittenCluster::record_of("a", {EntryNumber(8), {}});
  world.a.set_record(last);
  REQUIRE_FALSE(world.a.renew());  // it finds its key
  REQUIRE_FALSE(world.a.renew());
  REQUIRE(world.value(key));
  CHECK(world.keys.proof().open_node(*world.value(key)) == last);
  // But another one's key of this name stays.
  REQUIRE(world.other_etcd.commit({.conditions = {}, .puts = {{key, "another"}}})->is_done);
  REQUIRE(world.other_etcd.commit({.conditions = {}, .deletions = {{key}}})->is_done);
  REQUIRE(world.other_etcd.commit({.conditions = {}, .puts = {{key, "another"}}})->is_done);
  for (std::uint64_t number = 9; number < 13; ++number) {
    world.a.set_record(WrittenCluster::record_of("a", {EntryNumber(number), {}}));
    REQUIRE_FALSE(world.a.renew());
  }
  CHECK(world.value(key)->value == "another");
}

TEST_CASE("a standby that leaves takes nothing from the writer") {
  World world;
  REQUIRE_FALSE(world.a.renew());
  REQUIRE_FALSE(world.b.renew());
  world.a.try_to_write();
  REQUIRE_FALSE(world.b.leave("b"));
  CHECK(world.is_writer(world.a));
  CHECK_FALSE(world.value(world.keys.node("b")));
  CHECK_FALSE(world.value(world.keys.handover()));
  world.other_etcd.set_reachable(false);
  CHECK(world.b.leave(""));
}

}  // namespace linkmeter::node_lease_test
