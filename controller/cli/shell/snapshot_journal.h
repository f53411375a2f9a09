// Snapshot journal: the state that a running controller gives over its staff socket, read like the
// journal of a data folder. It has all rows of the state, and of the entries the last one and the
// one of the configuration in force.
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
  // Throws Fault, which says that the command needs --data, for an entry that it does not have.
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override;
  [[nodiscard]] std::vector<Row> rows() const override { return snapshot_.rows; }

 private:
  Snapshot snapshot_;
};

}  // namespace linkmeter::cli
