// Simulated disk: the controller's journal with the ways in which a commit can end: stored and
// told, stored and not told, not stored. The object is the disk: controllers come and go, it
// stays.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "controller/memory_journal.h"

namespace linkmeter {

class SimulatedDisk final : public Journal {
 public:
  enum class Trouble : std::uint8_t { none, dies_before_commit, dies_after_commit };

  [[nodiscard]] Head head() const override { return written_->head(); }
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override;
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    written_->read(from, visit);
  }
  [[nodiscard]] std::vector<Row> rows() const override { return written_->rows(); }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override {
    return written_->row(key);
  }

  // How the next commit ends; the one after it is well again.
  void trouble_next(Trouble trouble) { trouble_ = trouble; }
  // Planted mistakes.
  void set_syncing(bool syncing) { syncing_ = syncing; }
  void forget_rows_next() { forgets_rows_ = true; }
  // The machine stops: what was not synced is gone.
  void lose_unsynced();

 private:
  struct Commit {
    std::vector<std::string> entries;
    std::vector<Row> rows;
  };

  std::unique_ptr<MemoryJournal> written_ = std::make_unique<MemoryJournal>();
  std::vector<Commit> commits_;
  std::size_t synced_ = 0;  // of commits_
  bool syncing_ = true;
  bool forgets_rows_ = false;
  Trouble trouble_ = Trouble::none;
};

}  // namespace linkmeter
