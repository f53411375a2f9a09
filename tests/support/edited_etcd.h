// EditedEtcd: another etcd, whose transactions a test changes or answers by itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "controller/cluster/etcd.h"

namespace linkmeter {

class EditedEtcd final : public Etcd {
 public:
  // Called before each transaction, which it may change. A result: the transaction is not sent, and
  // this is its answer.
  using Edit = std::function<std::optional<EtcdResult<EtcdCommit>>(EtcdTransaction&)>;

  // `etcd` must outlive this.
  explicit EditedEtcd(Etcd& etcd, Edit edit = {}) : etcd_(etcd), edit_(std::move(edit)) {}
  void set_edit(Edit edit) { edit_ = std::move(edit); }

  [[nodiscard]] EtcdResult<EtcdCommit> commit(const EtcdTransaction& transaction) override {
    EtcdTransaction edited = transaction;
    if (edit_) {
      if (auto answer = edit_(edited)) return *answer;
    }
    return etcd_.commit(edited);
  }
  [[nodiscard]] EtcdResult<EtcdValues> read(const EtcdRange& range, std::size_t limit) override {
    return etcd_.read(range, limit);
  }
  [[nodiscard]] EtcdResult<EtcdRevision> compact(EtcdRevision revision) override {
    return etcd_.compact(revision);
  }
  [[nodiscard]] EtcdResult<EtcdLease> grant_lease(std::chrono::seconds time) override {
    return etcd_.grant_lease(time);
  }
  [[nodiscard]] EtcdResult<std::chrono::seconds> renew_lease(EtcdLease lease) override {
    return etcd_.renew_lease(lease);
  }
  [[nodiscard]] EtcdResult<bool> end_lease(EtcdLease lease) override {
    return etcd_.end_lease(lease);
  }
  [[nodiscard]] std::unique_ptr<EtcdWatch> watch(const EtcdRange& range,
                                                 EtcdRevision from) override {
    return etcd_.watch(range, from);
  }
  [[nodiscard]] EtcdResult<std::vector<EtcdMember>> members() override { return etcd_.members(); }

 private:
  Etcd& etcd_;
  Edit edit_;
};

}  // namespace linkmeter
