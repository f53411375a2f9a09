#include "controller/cli/shell/snapshot_journal.h"

#include <algorithm>

#include "proto/host/fault.h"

namespace linkmeter::cli {

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

}  // namespace linkmeter::cli
