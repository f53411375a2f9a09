// Open claims: the claims that are raised and neither paid nor rejected, as entries pass by: what
// is carried from one gaming day into the next, and what a payment was for.
//
// Memory grows with the claims that are open, not with those there ever were.
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
  // Those open after `last`, an entry recorded at that moment. Read from the state tables, whose
  // claims say when they were settled, so it does not matter that they are of later; where no
  // tables stand beside the journal, from all its entries. Throws Fault.
  static OpenClaims after(const Journal& journal, EntryNumber last, Timestamp recorded_at);

  // REQUIRES: every entry since, in order. What it settles is open until settle().
  void note(const Entry& entry);
  void settle(const Entry& entry);
  // The claim that the entry pays or rejects; throws Fault where it is not open.
  [[nodiscard]] const OpenClaim& find(ClaimNumber number) const;
  // By number.
  [[nodiscard]] std::vector<OpenClaim> list() const;
  // The entries that raised an open claim, of which one or another claim was validated before: of a
  // hit that several seats share, whoever was verified first.
  [[nodiscard]] std::set<EntryNumber> verified() const;

 private:
  bool read_rows(const Journal& journal, EntryNumber last, Timestamp recorded_at);
  void add(const Claim& claim, EntryNumber last, Timestamp recorded_at);
  void raise(const Entry& entry, TableIndex table, const std::vector<Award>& awards);

  std::map<ClaimNumber, OpenClaim> open_;
  std::set<EntryNumber> verified_;  // of those that are settled too
};

}  // namespace linkmeter
