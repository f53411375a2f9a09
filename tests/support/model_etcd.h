// ModelEtcd: what one node sees of a modelled etcd cluster. ModelCluster is the cluster itself: one
// store in memory, and a clock that the test moves. For simulations and tests of parts.
//
// Laws: deterministic; no call blocks or reads a clock. A watch's next() returns what is there and
// never waits. Every handle and watch ends before the cluster. The model passes the contract of
// controller/cluster/etcd.h (tests/cluster/etcd_contract.h), as a real cluster does.
//
// Faults of calls: EtcdFault. Faults of a node: set_reachable(), delay_watches(), cut_watches().
// Faults of the cluster: set_quorum(), elect_leader(), and a call that is done late (run_late()).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "controller/cluster/etcd.h"

namespace linkmeter {

class ModelWatch;

// What happens to one call. All but `none` return EtcdError::unknown.
enum class EtcdFault : std::uint8_t {
  none,
  lost_request,  // it is never done
  lost_answer,   // it is done
  late,          // it is done when the test calls ModelCluster::run_late(); a read never
};

enum class EtcdCall : std::uint8_t {
  read,
  commit,
  compact,
  grant_lease,
  renew_lease,
  end_lease,
  members,
};

class ModelCluster {
 public:
  ModelCluster() = default;
  ModelCluster(const ModelCluster&) = delete;
  ModelCluster& operator=(const ModelCluster&) = delete;

  // The clock moves. Leases that are over end, the oldest end first.
  void pass_time(std::chrono::milliseconds time);
  // Without a quorum no call is done, watches end, and leases do not. The end of that is the
  // election of a leader.
  void set_quorum(bool has_quorum);
  // Every lease lives its whole time again.
  void elect_leader();
  // Does the calls that EtcdFault::late holds back, in their order. Returns how many; 0 without a
  // quorum.
  std::size_t run_late();

  // For judges; no fault concerns them.
  [[nodiscard]] EtcdRevision revision() const;
  [[nodiscard]] std::vector<EtcdValue> values(const EtcdRange& range) const;

 private:
  friend class ModelEtcd;
  friend class ModelWatch;
  struct Lease {
    std::chrono::milliseconds time{};
    std::chrono::milliseconds end{};
  };

  // REQUIRES for all below: the mutex is held.
  [[nodiscard]] std::vector<EtcdValue> values_in(const EtcdRange& range) const;
  [[nodiscard]] EtcdResult<EtcdValues> read(const EtcdRange& range, std::size_t limit) const;
  [[nodiscard]] EtcdResult<EtcdCommit> commit(const EtcdTransaction& transaction);
  [[nodiscard]] EtcdResult<EtcdRevision> compact(EtcdRevision revision);
  [[nodiscard]] EtcdResult<EtcdLease> grant(std::chrono::seconds time);
  [[nodiscard]] EtcdResult<std::chrono::seconds> renew(EtcdLease lease);
  [[nodiscard]] EtcdResult<bool> end(EtcdLease lease);
  [[nodiscard]] bool holds(const EtcdCondition& condition) const;
  void put(const EtcdPut& put, std::vector<EtcdEvent>& events);
  void erase(const EtcdRange& range, std::vector<EtcdEvent>& events);
  void record(std::vector<EtcdEvent> events);
  void renew_all();

  mutable std::mutex mutex_;
  std::chrono::milliseconds now_{};
  bool has_quorum_ = true;
  EtcdRevision revision_ = 1;  // as that of an empty etcd
  EtcdRevision compacted_ = 0;
  std::map<std::string, EtcdValue> values_;
  std::map<EtcdRevision, std::vector<EtcdEvent>> history_;  // from compacted_ on
  EtcdLease last_lease_ = 0;
  std::map<EtcdLease, Lease> leases_;
  std::vector<std::function<void()>> late_;
  std::vector<ModelWatch*> watches_;
};

class ModelEtcd final : public Etcd {
 public:
  explicit ModelEtcd(ModelCluster& cluster) : cluster_(cluster) {}

  [[nodiscard]] EtcdResult<EtcdValues> read(const EtcdRange& range, std::size_t limit = 0) override;
  [[nodiscard]] EtcdResult<EtcdCommit> commit(const EtcdTransaction& transaction) override;
  [[nodiscard]] EtcdResult<EtcdRevision> compact(EtcdRevision revision) override;
  [[nodiscard]] EtcdResult<EtcdLease> grant_lease(std::chrono::seconds time) override;
  [[nodiscard]] EtcdResult<std::chrono::seconds> renew_lease(EtcdLease lease) override;
  [[nodiscard]] EtcdResult<bool> end_lease(EtcdLease lease) override;
  [[nodiscard]] std::unique_ptr<EtcdWatch> watch(const EtcdRange& range,
                                                 EtcdRevision from) override;
  // Three members; the first one leads.
  [[nodiscard]] EtcdResult<std::vector<EtcdMember>> members() override;

  // Asked before each call of this node for its fault. An empty function: no faults.
  void set_faults(std::function<EtcdFault(EtcdCall)> faults) { faults_ = std::move(faults); }
  // The next call of this node has this fault.
  void fail_next(EtcdFault fault) { next_fault_ = fault; }
  // While it is false: every request is lost, and watches end.
  void set_reachable(bool is_reachable);
  // While it is true, changes wait on their way to this node's watches. A compaction meanwhile
  // makes a gap: the watches end with EtcdError::compacted.
  void delay_watches(bool delays);
  // Ends this node's watches with EtcdError::unknown, after what they have received.
  void cut_watches();

 private:
  friend class ModelWatch;
  [[nodiscard]] EtcdFault fault_of(EtcdCall call);
  template <class Value>
  [[nodiscard]] EtcdResult<Value> call(EtcdCall kind, std::function<EtcdResult<Value>()> execute);

  ModelCluster& cluster_;
  std::function<EtcdFault(EtcdCall)> faults_;
  EtcdFault next_fault_ = EtcdFault::none;
  bool is_reachable_ = true;
  bool delays_watches_ = false;
};

}  // namespace linkmeter
