// Day report: everything about a gaming day that has ended, as one JSON document, and its SHA-256,
// which people sign.
//
// Law: the same journal as of the same entry gives the same bytes, in any program, at any time. So
// the report does not contain its signatures or the time at which it was made.
//
// Of each level:
//   closing = opening + contributed - overflowed + seeded + corrected + transferred + from_reserve
//             - awarded + returned + (withheld_closing - withheld_opening)
// and of the reserve:
//   closing = opening + contributed + overflow + corrected + transferred - to_levels
//             + (withheld_closing - withheld_opening)
// Withheld money was given back to players and is still on the meter (M8). The flows are sums of
// the day's entries, opening and closing are the readings; if they do not agree, that is an item.
// Rounds and hits are the difference of the readings, and may be negative: a void removes a round,
// a rejection a hit, of an earlier day. Amounts are dollars with eight decimals; handle, awards of
// claims, fixed awards, payouts and what signs show have two.
//
// Liability is the part of the meter that belongs to the players: the meter minus its reseed in
// force at the end of the day, which is the house's own money until the meter is won. It is never
// negative: a meter below its reseed (after a percentage award, or if the reseed was raised) has
// liability 0. The reserve belongs to the players. Pending awards are owed besides, in a column of
// their own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/table_command.h"

namespace linkmeter {

struct DayReport {
  std::string json;
  Digest digest{};
  DayFinding finding;
};

// The report of an ended day as of an entry: later facts are not in it. `days`: State::days().
// Calls `progress` now and then with the number of entries read. Throws Fault, and what `progress`
// throws.
DayReport day_report(const Journal& journal, const std::vector<DayRecord>& days, GamingDay day,
                     EntryNumber as_of, const std::function<void(std::uint64_t)>& progress = {});

}  // namespace linkmeter
