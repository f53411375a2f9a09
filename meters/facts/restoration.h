// Restoration: the journal was made from a backup, and the entries after the backup are lost. An
// entry records it, and two persons of two departments accept it. A table that has seen lost
// entries is served again only after that.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "meters/facts/fields.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// What `linkmeter restore` recorded; the next start enters it.
struct HistoryRestored {
  EntryNumber ended_with;  // the last entry of the backup
  Digest hash{};           // the hash of that entry
  Timestamp restored_at;
  Timestamp backup_made_at;
  friend bool operator==(const HistoryRestored&, const HistoryRestored&) = default;

  static constexpr std::string_view fact_name = "history_restored";
  static auto fields(auto& fact) {
    return std::tuple(field("ended_with", fact.ended_with), field("ended_with_hash", fact.hash),
                      field("restored_at", fact.restored_at),
                      field("backup_made_at", fact.backup_made_at));
  }
};

// Two persons accept that history continues from there.
struct AcceptHistory {
  EntryNumber restored;  // the entry of HistoryRestored; the other fields repeat it
  EntryNumber ended_with;
  Digest hash{};
  Timestamp restored_at;
  std::string note = {};
  friend bool operator==(const AcceptHistory&, const AcceptHistory&) = default;
};

// One restoration and its acceptance.
struct Restoration {
  EntryNumber entry;  // of HistoryRestored
  HistoryRestored fact;
  std::vector<LinkIndex> suspended = {};  // by this restoration; other links were suspended already
  EntryNumber accepted = {};              // the entry of the acceptance; 0: not yet
  friend bool operator==(const Restoration&, const Restoration&) = default;

  [[nodiscard]] bool is_accepted() const { return accepted != EntryNumber(); }
  // The act that two persons are asked for.
  [[nodiscard]] AcceptHistory to_accept() const;
};

// The reason of the suspensions, for the sign, the tables and the journal.
std::string suspension_reason(EntryNumber restored, const HistoryRestored& fact);
// "accept the history restored with entry 815: up to entry 812, 5f1c..., at 2026-11-21 09:00:05
// UTC"
std::string summary(const AcceptHistory& accept);

}  // namespace linkmeter
