// SimulatedDisk: the controller's journal, with all the ways in which a commit can end: stored and
// reported, stored but not reported, not stored, once or for a while; and with damage in between.
// The object is the disk: controllers start and end, the disk stays.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/dice.h"
#include "tests/support/memory_journal.h"

namespace linkmeter {

class SimulatedDisk final : public Journal {
 public:
  enum class Trouble : std::uint8_t { none, dies_before_commit, dies_after_commit };

  [[nodiscard]] Head head() const override { return written_->head(); }
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override;
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    if (unchained_.empty()) return written_->read(from, visit);
    written_->read(from, [&](StoredEntry stored) {
      const auto other = unchained_.find(stored.number.value());
      if (other != unchained_.end()) stored.bytes = other->second;
      return visit(stored);
    });
  }
  [[nodiscard]] std::vector<Row> rows() const override { return written_->rows(); }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override {
    return written_->row(key);
  }
  [[nodiscard]] Stored stored() const override { return written_->stored(); }
  [[nodiscard]] JournalSpace room() const override { return written_->room(); }
  void maintain() override {}
  void snapshot_to(const std::filesystem::path& folder) const override {
    written_->snapshot_to(folder);
  }

  // How the next commit ends; the one after it succeeds.
  void trouble_next(Trouble trouble) { error_ = trouble; }
  // True: no commit succeeds. False: commits succeed again.
  void set_failing(bool failing) { failing_ = failing; }
  // Flips one bit of a row; false: there is no row.
  bool damage_row(Dice& dice);
  // Replaces the disk by an older copy of it.
  void put_back_copy(Dice& dice);
  // Planted mistakes. The committed entries differ from those that were passed in;
  using Alter = std::function<void(std::vector<std::string>& entries)>;
  void set_altering(Alter alter) { alter_ = std::move(alter); }
  // and stored entries are changed: the entry after `kept` is replaced or removed, and the chain is
  // computed again or not.
  void rewrite(std::size_t kept, const std::function<std::string(const std::string&)>& edit,
               bool chained);
  void set_syncing(bool syncing) { syncing_ = syncing; }
  void forget_rows_next() { forgets_rows_ = true; }
  // The machine stops: everything without a sync is lost.
  void lose_unsynced();

  // Removes the entries of the last commit, as if they had never existed.
  void cut_last_commit();

 private:
  void write_anew();

  struct Commit {
    std::vector<std::string> entries;
    std::vector<Row> rows;
  };

  std::unique_ptr<MemoryJournal> written_ = std::make_unique<MemoryJournal>();
  std::vector<Commit> commits_;
  std::size_t synced_ = 0;  // of commits_
  bool syncing_ = true;
  bool forgets_rows_ = false;
  bool failing_ = false;
  Trouble error_ = Trouble::none;
  Alter alter_;
  std::map<std::uint64_t, std::string> unchained_;  // other bytes under the earlier hash
};

}  // namespace linkmeter
