// Snapshot journal: the state that a running controller sends over its staff socket, read like the
// journal of a data folder. It has all rows of the state, but only two entries: the last one, and
// the one of the configuration in force.
#pragma once

#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "proto/codec/snapshot_codec.h"

namespace linkmeter::cli {

class SnapshotJournal final : public Journal {
 public:
  explicit SnapshotJournal(Snapshot snapshot) : snapshot_(std::move(snapshot)) {}

  [[nodiscard]] Head head() const override { return snapshot_.head; }
  // Throws Fault: it is read-only.
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override;
  // Throws Fault for any other entry: the command needs --data.
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override;
  [[nodiscard]] std::vector<Row> rows() const override { return snapshot_.rows; }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override;

 private:
  Snapshot snapshot_;
};

}  // namespace linkmeter::cli
