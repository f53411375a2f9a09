// AnsweredEtcd: another etcd, and when it last answered. A node leaves its cluster only if etcd is
// silent (controller/cluster_leaving.h), so every answer counts: of the threads that read, commit
// and renew a lease, also if etcd refuses the request. The health of the members does not: a member
// reports it without a quorum. Watches do not: their events may be old.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "controller/cluster/etcd.h"

namespace linkmeter {

class AnsweredEtcd final : public Etcd {
 public:
  using Now = std::function<std::chrono::microseconds()>;

  // `etcd` must outlive this. `now`: a clock that never goes back; safe on any thread.
  AnsweredEtcd(Etcd& etcd, Now now) : etcd_(etcd), now_(std::move(now)), answered_at_(now_()) {}

  // When the latest of the answered requests was sent; at first the time of the construction.
  [[nodiscard]] std::chrono::microseconds answered_at() const { return answered_at_; }

  [[nodiscard]] EtcdResult<EtcdValues> read(const EtcdRange& range,
                                            std::size_t limit = 0) override {
    return noted([&] { return etcd_.read(range, limit); });
  }
  [[nodiscard]] EtcdResult<EtcdCommit> commit(const EtcdTransaction& transaction) override {
    return noted([&] { return etcd_.commit(transaction); });
  }
  [[nodiscard]] EtcdResult<EtcdRevision> compact(EtcdRevision revision) override {
    return noted([&] { return etcd_.compact(revision); });
  }
  [[nodiscard]] EtcdResult<EtcdLease> grant_lease(std::chrono::seconds time) override {
    return noted([&] { return etcd_.grant_lease(time); });
  }
  [[nodiscard]] EtcdResult<std::chrono::seconds> renew_lease(EtcdLease lease) override {
    return noted([&] { return etcd_.renew_lease(lease); });
  }
  [[nodiscard]] EtcdResult<bool> end_lease(EtcdLease lease) override {
    return noted([&] { return etcd_.end_lease(lease); });
  }
  [[nodiscard]] std::unique_ptr<EtcdWatch> watch(const EtcdRange& range,
                                                 EtcdRevision from) override {
    return etcd_.watch(range, from);
  }
  [[nodiscard]] EtcdResult<std::vector<EtcdMember>> members() override { return etcd_.members(); }

 private:
  template <class Call>
  auto noted(const Call& call) -> decltype(call()) {
    const std::chrono::microseconds sent = now_();
    auto result = call();
    if (!result && result.error().kind == EtcdError::Kind::unknown) return result;
    std::chrono::microseconds before = answered_at_;
    while (before < sent && !answered_at_.compare_exchange_weak(before, sent)) {
    }
    return result;
  }

  Etcd& etcd_;
  const Now now_;
  std::atomic<std::chrono::microseconds> answered_at_;
};

}  // namespace linkmeter
