// When etcd last answered: every answer counts, also in the middle of long work.
#include "controller/cluster/answered_etcd.h"

#include <doctest/doctest.h>

#include <chrono>
#include <latch>
#include <string>
#include <thread>

#include "controller/cluster/cluster.h"
#include "tests/cluster/written_cluster.h"
#include "tests/support/edited_etcd.h"

namespace linkmeter::answered_etcd_test {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

}  // namespace

TEST_CASE("each answer of a quorum counts, from the moment of the request") {
  ModelCluster cluster;
  ModelEtcd model(cluster);
  microseconds now(100);
  AnsweredEtcd etcd(model, [&now] { return now; });
  CHECK_EQ(etcd.answered_at(), microseconds(100));
  const auto answers = [&](const auto& call) {
    now += microseconds(10);
    const microseconds asked = now;
    static_cast<void>(call());
    return etcd.answered_at() == asked;
  };
  EtcdLease lease = 0;
  CHECK(answers([&] { return etcd.read({"key"}); }));
  CHECK(answers([&] { return etcd.commit({.conditions = {}, .puts = {{"key", "value"}}}); }));
  CHECK(answers([&] { return lease = *etcd.grant_lease(seconds(3)); }));
  CHECK(answers([&] { return etcd.renew_lease(lease); }));
  CHECK(answers([&] { return etcd.end_lease(lease); }));
  CHECK(answers([&] { return etcd.compact(cluster.revision()); }));
  CHECK(
      answers([&] { return etcd.compact(cluster.revision() + 9); }));  // it refuses, so it answers
  CHECK_FALSE(answers([&] { return etcd.members(); }));
  CHECK_FALSE(answers([&] { return etcd.watch({"key"}, 1)->next({}); }));
  for (const EtcdFault fault : {EtcdFault::lost_request, EtcdFault::lost_answer, EtcdFault::late}) {
    model.fail_next(fault);
    CHECK_FALSE(answers([&] { return etcd.read({"key"}); }));
  }
  cluster.set_quorum(false);
  CHECK_FALSE(answers([&] { return etcd.read({"key"}); }));
  CHECK_FALSE(answers([&] { return etcd.commit({.conditions = {}, .puts = {{"key", "other"}}}); }));
  cluster.set_quorum(true);
  CHECK(answers([&] { return etcd.read({"key"}); }));
}

// A node that was away reads thousands of turns, and reports nothing meanwhile.
TEST_CASE("a node hears etcd while it reads many turns") {
  WrittenCluster house;
  Head head;
  for (int turn = 1; turn <= 70; ++turn) {
    head = house.log().append(head, {"entry " + std::to_string(turn)});
  }
  // Reads of turns have 16 values each. No lease is granted, so nothing else is answered.
  ModelEtcd model(house.cluster);
  model.set_faults([](EtcdCall call) {
    return call == EtcdCall::grant_lease ? EtcdFault::lost_request : EtcdFault::none;
  });
  EditedEtcd slow(model);
  std::latch second(1), goes_on(1), fourth(1), ends(1);
  slow.set_view([&](const EtcdValue& value) {
    if (value.key == house.keys.turn(EntryNumber(17))) {
      second.count_down();
      goes_on.wait();
    }
    if (value.key == house.keys.turn(EntryNumber(49))) {
      fourth.count_down();
      ends.wait();
    }
  });
  Cluster cluster(slow, house.keys, Head(), WrittenCluster::record_of("b"), seconds(60));
  second.wait();
  const microseconds then = boot_time();
  CHECK_LE(cluster.take().answered_at, then);
  while (boot_time() == then) std::this_thread::yield();
  goes_on.count_down();
  fourth.wait();
  const Cluster::News news = cluster.take();
  CHECK_GT(news.answered_at, then);
  CHECK(news.entries.empty());
  CHECK_FALSE(news.has_looked);
  ends.count_down();
}

}  // namespace linkmeter::answered_etcd_test
