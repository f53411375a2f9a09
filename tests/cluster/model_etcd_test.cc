#include "tests/support/model_etcd.h"

#include <doctest/doctest.h>

#include <memory>

#include "tests/cluster/etcd_contract.h"

namespace linkmeter::model_etcd_test {

EtcdContractBench bench_of(ModelCluster& cluster) {
  return {std::make_unique<ModelEtcd>(cluster), std::make_unique<ModelEtcd>(cluster), "/test/",
          [&cluster](std::chrono::milliseconds time) { cluster.pass_time(time); }};
}

constexpr std::chrono::milliseconds no_time(0);
const EtcdTransaction put_a{.conditions = {{.key = "a", .created = 0}}, .puts = {{"a", "1"}}};
const EtcdTransaction put_b{.conditions = {}, .puts = {{"b", "1"}}};

bool is_unknown(const EtcdError& error) { return error.kind == EtcdError::Kind::unknown; }

TEST_CASE("the model of etcd passes the contract: values") {
  ModelCluster cluster;
  etcd_values_contract(bench_of(cluster));
}

TEST_CASE("the model of etcd passes the contract: transactions") {
  ModelCluster cluster;
  etcd_transactions_contract(bench_of(cluster));
}

TEST_CASE("the model of etcd passes the contract: leases") {
  ModelCluster cluster;
  etcd_leases_contract(bench_of(cluster));
}

TEST_CASE("the model of etcd passes the contract: watches") {
  ModelCluster cluster;
  etcd_watch_contract(bench_of(cluster));
}

TEST_CASE("the model of etcd passes the contract: compaction") {
  ModelCluster cluster;
  etcd_compaction_contract(bench_of(cluster));
}

TEST_CASE("a lost request is not done, a lost answer is, and a late call is done late") {
  ModelCluster cluster;
  ModelEtcd etcd(cluster);
  for (const EtcdFault fault : {EtcdFault::lost_request, EtcdFault::lost_answer, EtcdFault::late}) {
    CAPTURE(static_cast<int>(fault));
    etcd.fail_next(fault);
    const EtcdRevision before = cluster.revision();
    const auto lost = etcd.commit(put_b);
    REQUIRE_FALSE(lost);
    CHECK(is_unknown(lost.error()));
    CHECK(cluster.revision() == before + (fault == EtcdFault::lost_answer ? 1 : 0));
    CHECK(cluster.run_late() == (fault == EtcdFault::late ? 1 : 0));
    CHECK(cluster.revision() == before + (fault == EtcdFault::lost_request ? 0 : 1));
    CHECK(etcd.commit(put_b));
  }
}

TEST_CASE("a late transaction holds to its conditions at the time when it is done") {
  ModelCluster cluster;
  ModelEtcd etcd(cluster), other(cluster);
  etcd.fail_next(EtcdFault::late);
  CHECK_FALSE(etcd.commit(put_a));
  REQUIRE(other.commit(put_a));
  const EtcdRevision before = cluster.revision();
  CHECK(cluster.run_late() == 1);
  CHECK(cluster.revision() == before);
}

TEST_CASE("every kind of call may fail") {
  ModelCluster cluster;
  ModelEtcd etcd(cluster);
  std::vector<EtcdCall> asked;
  etcd.set_faults([&](EtcdCall call) {
    asked.push_back(call);
    return EtcdFault::lost_request;
  });
  CHECK_FALSE(etcd.read({"a"}));
  CHECK_FALSE(etcd.commit(put_a));
  CHECK_FALSE(etcd.compact(1));
  CHECK_FALSE(etcd.grant_lease(std::chrono::seconds(1)));
  CHECK_FALSE(etcd.renew_lease(1));
  CHECK_FALSE(etcd.end_lease(1));
  CHECK_FALSE(etcd.members());
  CHECK(asked == std::vector<EtcdCall>{EtcdCall::read, EtcdCall::commit, EtcdCall::compact,
                                       EtcdCall::grant_lease, EtcdCall::renew_lease,
                                       EtcdCall::end_lease, EtcdCall::members});
  CHECK(cluster.revision() == 1);
}

TEST_CASE("a node that reaches nobody changes nothing, and its watches end") {
  ModelCluster cluster;
  ModelEtcd etcd(cluster), other(cluster);
  const auto watch = etcd.watch({"b"}, 1), others = other.watch({"b"}, 1);
  REQUIRE(etcd.commit(put_b));
  etcd.set_reachable(false);
  CHECK_FALSE(etcd.commit(put_b));
  REQUIRE(other.commit(put_b));
  const auto received = watch->next(no_time);
  REQUIRE(received);
  CHECK(received->size() == 1);
  for (int twice = 0; twice < 2; ++twice) {
    const auto ended = watch->next(no_time);
    REQUIRE_FALSE(ended);
    CHECK(is_unknown(ended.error()));
  }
  const auto all = others->next(no_time);
  REQUIRE(all);
  CHECK(all->size() == 2);
  etcd.set_reachable(true);
  CHECK(etcd.commit(put_b));
  CHECK_FALSE(watch->next(no_time));
}

TEST_CASE("without a quorum nothing is done and no lease ends; afterwards leases begin again") {
  ModelCluster cluster;
  ModelEtcd etcd(cluster);
  const auto lease = etcd.grant_lease(std::chrono::seconds(3));
  REQUIRE(lease);
  REQUIRE(etcd.commit({.conditions = {}, .puts = {{"a", "1", *lease}}}));
  const auto watch = etcd.watch({"a"}, cluster.revision() + 1);
  cluster.set_quorum(false);
  CHECK_FALSE(etcd.read({"a"}));
  CHECK_FALSE(etcd.commit(put_b));
  CHECK_FALSE(watch->next(no_time));
  cluster.pass_time(std::chrono::seconds(60));
  CHECK(cluster.values({"a"}).size() == 1);
  cluster.set_quorum(true);
  cluster.pass_time(std::chrono::milliseconds(2'999));
  CHECK(cluster.values({"a"}).size() == 1);
  cluster.pass_time(std::chrono::milliseconds(1));
  CHECK(cluster.values({"a"}).empty());
}

TEST_CASE("an election lets every lease live its whole time again") {
  ModelCluster cluster;
  ModelEtcd etcd(cluster);
  const auto lease = etcd.grant_lease(std::chrono::seconds(3));
  REQUIRE(lease);
  cluster.pass_time(std::chrono::seconds(2));
  cluster.elect_leader();
  cluster.pass_time(std::chrono::seconds(2));
  const auto renewed = etcd.renew_lease(*lease);
  REQUIRE(renewed);
  CHECK(*renewed == std::chrono::seconds(3));
}

TEST_CASE("a delayed watch gets everything afterwards, or ends if it was compacted") {
  ModelCluster cluster;
  ModelEtcd etcd(cluster);
  const auto watch = etcd.watch({"b"}, 1);
  etcd.delay_watches(true);
  REQUIRE(etcd.commit(put_b));
  REQUIRE(etcd.commit(put_b));
  auto received = watch->next(no_time);
  REQUIRE(received);
  CHECK(received->empty());
  etcd.delay_watches(false);
  received = watch->next(no_time);
  REQUIRE(received);
  CHECK(received->size() == 2);

  etcd.delay_watches(true);
  REQUIRE(etcd.commit(put_b));
  REQUIRE(etcd.commit(put_b));
  REQUIRE(etcd.compact(cluster.revision()));
  etcd.delay_watches(false);
  const auto gap = watch->next(no_time);
  REQUIRE_FALSE(gap);
  CHECK(gap.error().kind == EtcdError::Kind::compacted);
}

TEST_CASE("a compaction does not end a watch that has received everything") {
  ModelCluster cluster;
  ModelEtcd etcd(cluster);
  const auto watch = etcd.watch({"b"}, 1);
  REQUIRE(etcd.commit(put_b));
  REQUIRE(etcd.commit(put_b));
  REQUIRE(etcd.compact(cluster.revision()));
  const auto received = watch->next(no_time);
  REQUIRE(received);
  CHECK(received->size() == 2);
}

TEST_CASE("a cut watch delivers what it has, and then ends; a new one goes on") {
  ModelCluster cluster;
  ModelEtcd etcd(cluster);
  const auto watch = etcd.watch({"b"}, 1);
  REQUIRE(etcd.commit(put_b));
  const EtcdRevision seen = cluster.revision();
  etcd.cut_watches();
  REQUIRE(etcd.commit(put_b));
  const auto received = watch->next(no_time);
  REQUIRE(received);
  CHECK(received->size() == 1);
  CHECK_FALSE(watch->next(no_time));
  const auto next = etcd.watch({"b"}, seen + 1)->next(no_time);
  REQUIRE(next);
  CHECK(next->size() == 1);
}

}  // namespace linkmeter::model_etcd_test
