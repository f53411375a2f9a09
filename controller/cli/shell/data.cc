#include <utility>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/snapshot_journal.h"
#include "controller/store/audit.h"
#include "controller/store/data_folder.h"

namespace linkmeter::cli {

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

}  // namespace linkmeter::cli
