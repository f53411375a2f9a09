// Day report: all that is to be known of a gaming day that has ended, as one JSON document, and its
// SHA-256, which is what people sign.
//
// Law: the same journal as of the same entry gives the same bytes, in whatever program, at whatever
// time. So the report says nothing of who has signed it, and nothing of when it was made.
//
// Of each level:
//   closing = opening + contributed - overflowed + seeded + corrected + transferred + from_reserve
//             - awarded + returned + (withheld_closing - withheld_opening)
// and of the reserve:
//   closing = opening + contributed + overflow + corrected + transferred - to_levels
//             + (withheld_closing - withheld_opening)
// What is withheld was given back to players and is still on the meter (M8). The flows are sums of
// the day's entries, opening and closing are the readings; where they do not meet is an item.
// Rounds and hits are the difference of the readings, and may be negative: a void takes away a
// round, a rejection a hit, of a day before. Amounts are dollars with eight decimals; handle,
// awards of claims, fixed awards, payouts and what signs show have two.
//
// Liability is what of the meter belongs to the players: the meter less what it would be set to if
// it were won now, the reseed in force at the end of the day, because that is the house's own money
// until it is won. A meter below its reseed (after a percentage award, or with the reseed raised
// since) is no claim of the house against the players: 0, never less. The reserve is all players'
// money. Pending awards are owed beside it, and stand in a column of their own.
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
// `progress` is told now and then how many entries are read. Throws Fault.
DayReport day_report(const Journal& journal, const std::vector<DayRecord>& days, GamingDay day,
                     EntryNumber as_of, const std::function<void(std::uint64_t)>& progress = {});

}  // namespace linkmeter
