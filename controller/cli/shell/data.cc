#include "controller/cli/shell/data.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "controller/cli/shell/operator_client.h"
#include "controller/store/audit.h"
#include "controller/store/data_folder.h"
#include "controller/store/staging_directory.h"
#include "proto/codec/snapshot_codec.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

// The state that a running controller sends over its staff socket, read like a data folder.
class SnapshotJournal final : public ReadOnlyJournal {
 public:
  explicit SnapshotJournal(Snapshot snapshot) : snapshot_(std::move(snapshot)) {}

  [[nodiscard]] Head head() const override { return snapshot_.head; }
  [[nodiscard]] std::vector<Row> rows() const override { return snapshot_.rows; }
  // Throws Fault for an entry that is not in the snapshot.
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
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

 private:
  Snapshot snapshot_;
};

}  // namespace

std::unique_ptr<Journal> open_data(const std::filesystem::path& data) {
  require_data_folder(data);
  return open_journal_to_read(data);
}

std::unique_ptr<Journal> open_data(const Source& from) {
  if (from.is_socket()) return std::make_unique<SnapshotJournal>(ask_snapshot(from));
  return open_data(from.data);
}

State current_state(const Journal& journal) {
  StateRead read = read_state(journal.head().entry, journal.rows());
  if (read.is_other_version) {  // as after an upgrade, before the first start
    AuditReport report = audit_entries(journal);
    if (report.bad) throw Fault(read.why + ", and of the journal " + text(report));
    return std::move(*report.state);
  }
  if (!read.state) throw Fault(read.why + "; run: linkmeter audit --data DIR");
  return std::move(*read.state);
}

void report_leftovers(const std::filesystem::path& directory) {
  for (const std::string& one : clear_leftovers(directory)) std::cerr << one << '\n';
}

}  // namespace linkmeter::cli
