// Day scan: the one pass over a gaming day's entries that fills its book.
#pragma once

#include <set>
#include <vector>

#include "controller/accounting/day/day_book.h"
#include "controller/accounting/day/open_claims.h"
#include "meters/facts/entry.h"

namespace linkmeter {

class DayScan {
 public:
  // `book` must outlive this; it says the day's opening and the floor in force at its first entry.
  // `claims`: open there. Throws Fault.
  DayScan(DayBook& book, OpenClaims claims);

  // REQUIRES: every entry of the day, in order. Throws Fault where it cannot be one of this floor.
  void note(const Entry& entry, const Digest& hash);
  // REQUIRES: after the last one.
  void finish();

 private:
  struct Noting;

  void post(const Entry& entry);
  void count(TableIndex table, const PlacedWager& wager, int times);
  void count_paid(TableIndex table, const Award& award, int times);
  [[nodiscard]] LinkDay& link(LinkIndex place);
  [[nodiscard]] TableDay& table(LinkIndex link, TableIndex table);

  DayBook& book_;
  OpenClaims claims_;
  std::set<EntryNumber> hits_verified_;  // that raised them
  bool has_ended_ = false;
};

}  // namespace linkmeter
