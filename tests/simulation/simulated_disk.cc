#include "tests/simulation/simulated_disk.h"

#include <algorithm>

namespace linkmeter {

void SimulatedDisk::commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) {
  const Trouble trouble = std::exchange(error_, Trouble::none);
  if (trouble == Trouble::dies_before_commit) throw Fault("simulated: died before the commit");
  if (failing_) throw Fault("simulated: the disk fails");
  commits_.push_back({entries, rows});
  if (alter_) alter_(commits_.back().entries);
  if (std::exchange(forgets_rows_, false)) commits_.back().rows.clear();
  written_->commit(commits_.back().entries, commits_.back().rows);
  if (syncing_) synced_ = commits_.size();
  if (trouble == Trouble::dies_after_commit) throw Fault("simulated: died after the commit");
}

void SimulatedDisk::lose_unsynced() {
  if (synced_ == commits_.size()) return;
  commits_.resize(synced_);
  write_anew();
}

void SimulatedDisk::write_anew() {
  written_ = std::make_unique<MemoryJournal>();
  for (const Commit& commit : commits_) written_->commit(commit.entries, commit.rows);
}

void SimulatedDisk::cut_last_commit() {
  if (commits_.size() < 2) return;
  commits_.pop_back();
  synced_ = std::min(synced_, commits_.size());
  write_anew();
}

void SimulatedDisk::put_back_copy(Dice& dice) {
  commits_.resize(1 + dice.below(commits_.size()));
  synced_ = commits_.size();
  write_anew();
}

bool SimulatedDisk::damage_row(Dice& dice) {
  const std::vector<Row> rows = written_->rows();
  if (rows.empty()) return false;
  Row row = rows[dice.below(rows.size())];
  if (!row.value || row.value->empty()) return false;
  char& byte = (*row.value)[dice.below(row.value->size())];
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << dice.below(8)));
  commits_.push_back({{}, {row}});
  written_->commit({}, {row});
  if (syncing_) synced_ = commits_.size();
  return true;
}

void SimulatedDisk::rewrite(std::size_t kept,
                            const std::function<std::string(const std::string&)>& edit,
                            bool chained) {
  std::uint64_t number = 0;
  for (Commit& commit : commits_) {
    for (auto entry = commit.entries.begin(); entry != commit.entries.end();) {
      if (number++ != kept) {
        ++entry;
        continue;
      }
      std::string other = edit(*entry);
      if (other.empty()) {
        entry = commit.entries.erase(entry);
      } else if (chained) {
        *entry++ = std::move(other);
      } else {
        unchained_[number] = std::move(other);
        ++entry;
      }
    }
  }
  write_anew();
}

}  // namespace linkmeter
