// MemoryJournal: a journal in memory, for simulation and tests. It has the same laws and the same
// hash chain as LmdbJournal, and passes the same contract tests. Its contents live as long as the
// object.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "controller/store/journal.h"

namespace linkmeter {

class MemoryJournal final : public Journal {
 public:
  [[nodiscard]] Head head() const override { return head_; }
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override;
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override;
  [[nodiscard]] std::vector<Row> rows() const override;
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override;
  [[nodiscard]] Stored stored() const override { return {head(), rows()}; }
  // Never full.
  [[nodiscard]] JournalSpace room() const override { return {std::uint64_t{1} << 40U, 0}; }
  void maintain() override {}
  // Throws Fault: it is in no folder.
  void snapshot_to(const std::filesystem::path& folder) const override;

  // The next commit throws a Fault and stores nothing, as with a lost disk.
  void fail_next_commit() { fails_next_commit_ = true; }

 private:
  std::vector<StoredEntry> entries_;  // entry N is at N - 1
  std::map<std::string, std::string> rows_;
  Head head_;
  bool fails_next_commit_ = false;
};

}  // namespace linkmeter
