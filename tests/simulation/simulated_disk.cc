#include "tests/simulation/simulated_disk.h"

namespace linkmeter {

void SimulatedDisk::commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) {
  const Trouble trouble = std::exchange(trouble_, Trouble::none);
  if (trouble == Trouble::dies_before_commit) throw Fault("simulated: died before the commit");
  commits_.push_back({entries, rows});
  if (std::exchange(forgets_rows_, false)) commits_.back().rows.clear();
  written_->commit(commits_.back().entries, commits_.back().rows);
  if (syncing_) synced_ = commits_.size();
  if (trouble == Trouble::dies_after_commit) throw Fault("simulated: died after the commit");
}

void SimulatedDisk::lose_unsynced() {
  if (synced_ == commits_.size()) return;
  commits_.resize(synced_);
  written_ = std::make_unique<MemoryJournal>();
  for (const Commit& commit : commits_) written_->commit(commit.entries, commit.rows);
}

}  // namespace linkmeter
