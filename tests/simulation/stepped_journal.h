// SteppedJournal: the journal of a simulated node. It does what ReplicatedJournal does, without a
// thread: settle() does one step after the other, and the simulation acts between them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/cluster/fenced_log.h"
#include "controller/store/journal.h"

namespace linkmeter {

// A moment at which a node may be killed or stopped.
enum class NodePoint : std::uint8_t { before_etcd, after_etcd, before_answer };

class SteppedJournal final : public Journal {
 public:
  // It may throw: the node ends.
  using OnPoint = std::function<void(NodePoint)>;

  // `local` must outlive this.
  SteppedJournal(Journal& local, OnPoint on_point)
      : local_(local), on_point_(std::move(on_point)), head_(local.head()) {}

  void begin_writing(FencedLog log) { log_.emplace(std::move(log)); }
  // Planted: the own journal first.
  void store_first() { stores_first_ = true; }

  [[nodiscard]] Head head() const override { return head_; }
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override;
  void submit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override;
  [[nodiscard]] EntryNumber durable() override { return local_.head().entry; }
  void settle() override;

  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override;
  [[nodiscard]] std::vector<Row> rows() const override { return local_.rows(); }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override {
    return local_.row(key);
  }
  [[nodiscard]] Stored stored() const override { return local_.stored(); }
  [[nodiscard]] JournalSpace room() const override { return local_.room(); }
  void maintain() override {}
  void snapshot_to(const std::filesystem::path& folder) const override {
    local_.snapshot_to(folder);
  }

 private:
  struct Batch {
    Head before;
    std::vector<std::string> entries;
    std::vector<Row> rows;
  };

  Journal& local_;
  OnPoint on_point_;
  Head head_;
  std::optional<FencedLog> log_;  // of a writer
  std::deque<Batch> submitted_;   // not durable yet
  bool stores_first_ = false;
};

}  // namespace linkmeter
