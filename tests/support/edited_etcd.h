// EditedEtcd: another etcd, whose transactions a test changes or answers by itself, and whose
// values it may change on their way to the reader.
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
  // Called for each value that a read or a watch returns, which it may change.
  using View = std::function<void(EtcdValue&)>;
  void set_view(View view) { view_ = std::move(view); }

  [[nodiscard]] EtcdResult<EtcdCommit> commit(const EtcdTransaction& transaction) override {
    EtcdTransaction edited = transaction;
    if (edit_) {
      if (auto answer = edit_(edited)) return *answer;
    }
    return etcd_.commit(edited);
  }
  [[nodiscard]] EtcdResult<EtcdValues> read(const EtcdRange& range, std::size_t limit) override {
    auto read = etcd_.read(range, limit);
    if (read && view_) {
      for (EtcdValue& value : (*read).values) view_(value);
    }
    return read;
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
    auto watch = etcd_.watch(range, from);
    if (!view_) return watch;
    return std::make_unique<EditedWatch>(std::move(watch), view_);
  }
  [[nodiscard]] EtcdResult<std::vector<EtcdMember>> members() override { return etcd_.members(); }

 private:
  class EditedWatch final : public EtcdWatch {
   public:
    EditedWatch(std::unique_ptr<EtcdWatch> watch, View view)
        : watch_(std::move(watch)), view_(std::move(view)) {}
    [[nodiscard]] EtcdResult<std::vector<EtcdEvent>> next(
        std::chrono::milliseconds timeout) override {
      auto events = watch_->next(timeout);
      if (events) {
        for (EtcdEvent& event : *events) view_(event.value);
      }
      return events;
    }

   private:
    std::unique_ptr<EtcdWatch> watch_;
    View view_;
  };

  Etcd& etcd_;
  Edit edit_;
  View view_;
};

}  // namespace linkmeter
