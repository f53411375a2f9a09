#include "tests/support/memory_journal.h"

#include <algorithm>
#include <utility>

#include "controller/store/hash_chain.h"

namespace linkmeter {
namespace {

// LMDB's limit, so that both journals accept the same keys
constexpr std::size_t key_bytes_max = 511;

}  // namespace

void MemoryJournal::commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) {
  if (std::exchange(fails_next_commit_, false)) {
    throw Fault("the journal in memory was told to fail this commit");
  }
  for (const Row& row : rows) {
    if (row.key.empty() || row.key.size() > key_bytes_max) {
      throw Fault("a row's key is empty or longer than the journal can hold");
    }
  }
  for (const std::string& bytes : entries) {
    head_.entry = head_.entry.next();
    head_.hash = chain_hash(head_.hash, head_.entry, bytes);
    entries_.push_back({head_.entry, head_.hash, bytes});
  }
  for (const Row& row : rows) {
    if (row.value) {
      rows_.insert_or_assign(row.key, *row.value);
    } else {
      rows_.erase(row.key);
    }
  }
}

void MemoryJournal::read(EntryNumber from,
                         const std::function<bool(const StoredEntry&)>& visit) const {
  for (std::size_t at = std::max<std::uint64_t>(from.value(), 1) - 1; at < entries_.size(); ++at) {
    if (!visit(entries_[at])) return;
  }
}

std::vector<Row> MemoryJournal::rows() const {
  std::vector<Row> all;
  all.reserve(rows_.size());
  for (const auto& [key, value] : rows_) all.push_back({key, value});
  return all;
}

std::optional<std::string> MemoryJournal::row(std::string_view key) const {
  const auto found = rows_.find(std::string(key));
  if (found == rows_.end()) return std::nullopt;
  return found->second;
}

void MemoryJournal::snapshot_to(const std::filesystem::path& folder) const {
  throw Fault("the journal in memory cannot be copied to " + folder.string());
}

}  // namespace linkmeter
