#include "controller/cli/shell/snapshot_journal.h"

#include <algorithm>

#include "proto/host/fault.h"

namespace linkmeter::cli {

void SnapshotJournal::commit(const std::vector<std::string>&, const std::vector<Row>&) {
  throw Fault("a copy of the state cannot be written");
}

void SnapshotJournal::read(EntryNumber from,
                           const std::function<bool(const StoredEntry&)>& visit) const {
  for (std::uint64_t number = std::max<std::uint64_t>(from.value(), 1);
       number <= snapshot_.head.entry.value(); ++number) {
    const auto found = snapshot_.entries.find(EntryNumber(number));
    if (found == snapshot_.entries.end()) {
      throw Fault(
          "this command reads the journal, which the staff socket does not provide: use --data "
          "DIR");
    }
    if (!visit(StoredEntry{found->first, {}, found->second})) return;
  }
}

std::optional<std::string> SnapshotJournal::row(std::string_view key) const {
  for (const Row& row : snapshot_.rows) {
    if (row.key == key) return row.value;
  }
  return std::nullopt;
}

}  // namespace linkmeter::cli
