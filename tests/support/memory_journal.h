// MemoryJournal: the journal without a disk, for simulation and tests. The same laws and the same
// chain as LmdbJournal, held to them by the same contract tests; what it "stored" lives as long as
// it does.
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
  [[nodiscard]] JournalRoom room() const override { return {std::uint64_t{1} << 40U, 0}; }
  void maintain() override {}
  // Throws Fault: it is in no folder.
  void snapshot_to(const std::filesystem::path& folder) const override;

  // The next commit throws a Fault and stores nothing, as a lost disk would.
  void fail_next_commit() { fails_next_commit_ = true; }

 private:
  std::vector<StoredEntry> entries_;  // entry N stands at N - 1
  std::map<std::string, std::string> rows_;
  Head head_;
  bool fails_next_commit_ = false;
};

}  // namespace linkmeter
