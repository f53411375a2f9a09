// Day variances: everything of a gaming day that should be zero and is not, and everything that a
// person must review before the day is closed. Each is an item with a stable name and a difference;
// an explanation holds for that difference only.
//
// Items: balance/LINK/LEVEL  the sum of the day's postings is not the difference of its readings
//   count/LINK/TABLE         the same for the wagers of a table and their handle
//   rate/LINK/LEVEL          contributed is not handle x rate, by the rates in force at each entry
//   sign/LINK/LEVEL          at the end the signs were last sent more than the meter's whole cents
//   sign/LINK/LEVEL/ENTRY    the same at a person's reading, or the person saw another amount than
//                            the signs were sent
//   paid/LINK/TABLE          attendant + device is not the cumulative payout, or not what was paid
//   box/LINK/TABLE           the box is not the contributions of the day (§ 553.20(d))
//   box_missing/LINK/TABLE   pots were played, and nobody has counted the box
//   chips/LINK/TABLE         counted progressive chips are not the handle
//   cage/LINK                the cashier verified another sum than was counted (§ 553.20(e))
//   cage_missing/LINK        boxes were counted, and no cashier received them at the cage
//   fund/LINK                the fund that finance keeps is not what is displayed: by a count after
//                            the day's end, else by the day's last adjustment
//   display_missing/LINK     pots were played and the display was not adjusted in the day, or not
//                            after a Bad Beat was verified (§ 553.20(h))
//   late/LINK/TABLE          rounds locked before the day began, by the agent's clock
//   counters/TABLE/LINK      table and journal counted differently
//   counters_missing/TABLE   the table played but reported no counters
//   counters_anew/TABLE      the table counts from another message than before
//   claim/N                  a claim is open at the end of the day
//   suspended/LINK/ENTRY     a link suspended itself
//   clock/ENTRY              the clock was set
//   restored/ENTRY           a backup was restored: acts of people since then must be repeated or
//                            reconciled
//   control                  the day's postings do not sum to zero
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/day/day_attestations.h"
#include "controller/accounting/day/day_book.h"

namespace linkmeter {

struct DayItem {
  std::string item;  // its name
  std::string kind;
  std::optional<LinkIndex> link;
  std::optional<Pool> level;  // or the reserve
  std::optional<TableIndex> table;
  std::string difference;
  std::string words;
  // nullptr: it is open. An element of the attestations that it was made from.
  const Attestation<VarianceExplained>* explained = nullptr;

  [[nodiscard]] bool is_claim() const { return kind == "claim"; }
};

// The order depends on the journal alone. `statements` must outlive the result.
std::vector<DayItem> day_variances(const DayBook& book, const DayAttestations& statements);

}  // namespace linkmeter
