#include "controller/store/journal.h"

namespace linkmeter {

void ReadOnlyJournal::commit(const std::vector<std::string>& /*entries*/,
                             const std::vector<Row>& /*rows*/) {
  throw Fault("this journal is read-only");
}

std::optional<std::string> ReadOnlyJournal::row(std::string_view key) const {
  for (const Row& row : rows()) {
    if (row.key == key) return row.value;
  }
  return std::nullopt;
}

void ReadOnlyJournal::snapshot_to(const std::filesystem::path& folder) const {
  throw Fault("this journal cannot be copied to " + folder.string());
}

}  // namespace linkmeter
