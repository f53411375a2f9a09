// Restoration: the journal was made from a backup, and what had been entered after it is lost. That
// is an entry, and two persons of two departments accept it; a table that saw what is lost is taken
// up again only then.
#pragma once

#include <string>
#include <vector>

#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// What `linkmeter restore` wrote down, entered at the next start.
struct HistoryRestored {
  EntryNumber ended_with;  // the last entry of the backup,
  Digest hash{};           // which has this hash
  Timestamp restored_at;
  Timestamp backup_made_at;
  friend bool operator==(const HistoryRestored&, const HistoryRestored&) = default;
};

// By two persons: that history goes on from there.
struct AcceptHistory {
  EntryNumber restored;  // the entry of HistoryRestored; the rest is what it says
  EntryNumber ended_with;
  Digest hash{};
  Timestamp restored_at;
  std::string note = {};
  friend bool operator==(const AcceptHistory&, const AcceptHistory&) = default;
};

// One restoration, and what became of it.
struct Restoration {
  EntryNumber entry;  // of HistoryRestored
  HistoryRestored fact;
  std::vector<LinkIndex> suspended = {};  // by it; the others were already
  EntryNumber accepted = {};              // with this entry; 0: not yet
  friend bool operator==(const Restoration&, const Restoration&) = default;

  [[nodiscard]] bool is_accepted() const { return accepted != EntryNumber(); }
  // What two persons are asked to accept.
  [[nodiscard]] AcceptHistory to_accept() const;
};

// Why a link is suspended by it: for the sign, the tables and the journal.
std::string suspension_reason(EntryNumber restored, const HistoryRestored& fact);
// "accept the history restored with entry 815: up to entry 812, 5f1c..., at 2026-11-21 09:00:05
// UTC"
std::string summary(const AcceptHistory& accept);

}  // namespace linkmeter
