// Open claims: the claims that are raised and neither paid nor rejected, as of each entry that is
// read: carried from one gaming day into the next, and looked up by payments.
//
// Memory grows with the open claims, not with all claims.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/state/claim.h"

namespace linkmeter {

struct OpenClaim {
  ClaimNumber number;
  EntryNumber entry;  // that raised it
  LinkIndex link;
  TableIndex table;
  LineId line;
  std::optional<LevelIndex> level;
  Amount amount;
  Timestamp raised_at;
  ClaimState state = ClaimState::raised;  // or validated
};

class OpenClaims {
 public:
  // The claims open after `last`, an entry recorded at that moment. Reads the state tables: their
  // claims record when they were settled, so it does not matter that the state is later. Without
  // state tables, reads all entries of the journal. Throws Fault.
  static OpenClaims after(const Journal& journal, EntryNumber last, Timestamp recorded_at);

  // REQUIRES: every entry since, in order. A claim that it settles stays open until settle().
  void note(const Entry& entry);
  void settle(const Entry& entry);
  // The claim that the entry pays or rejects. Throws Fault if it is not open.
  [[nodiscard]] const OpenClaim& find(ClaimNumber number) const;
  // By number.
  [[nodiscard]] std::vector<OpenClaim> list() const;
  // The entries that raised open claims of which at least one claim was validated before: several
  // seats can share one hit.
  [[nodiscard]] std::set<EntryNumber> verified() const;

 private:
  bool read_rows(const Journal& journal, EntryNumber last, Timestamp recorded_at);
  void add(const Claim& claim, EntryNumber last, Timestamp recorded_at);
  void raise(const Entry& entry, TableIndex table, const std::vector<Award>& awards);

  std::map<ClaimNumber, OpenClaim> open_;
  std::set<EntryNumber> verified_;  // of those that are settled too
};

}  // namespace linkmeter
