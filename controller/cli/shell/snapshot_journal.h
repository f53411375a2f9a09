// Snapshot journal: the state that a running controller sends over its staff socket, read like the
// journal of a data folder. It has all rows of the state, but only two entries: the last one, and
// the one of the configuration in force.
#pragma once

#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "proto/codec/snapshot_codec.h"

namespace linkmeter::cli {

class SnapshotJournal final : public ReadOnlyJournal {
 public:
  explicit SnapshotJournal(Snapshot snapshot) : snapshot_(std::move(snapshot)) {}

  [[nodiscard]] Head head() const override { return snapshot_.head; }
  // Throws Fault for any other entry: the command needs --data.
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override;
  [[nodiscard]] std::vector<Row> rows() const override { return snapshot_.rows; }

 private:
  Snapshot snapshot_;
};

}  // namespace linkmeter::cli
