// Day book: what one gaming day did to every link, level, reserve and table, from the journal
// alone: the entries after the end of the day before, up to the day's own DayEnded, each read once.
//
// Laws: the flows are sums of the day's entries; opening and closing are the readings of the two
// DayEnded. They are computed independently, so that day_variances.h can compare them. What a wager
// should have added is computed by the rates in force at its entry. The first day of a journal
// opens with zero, and its seeds belong to the day. Memory grows with the floor, the open claims
// and the acts of people, not with the rounds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/day/counter_reconciliation.h"
#include "controller/accounting/day/day_event.h"
#include "controller/accounting/day/open_claims.h"
#include "controller/store/config_history.h"
#include "controller/store/journal.h"
#include "meters/balances/link_balances.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/entry.h"

namespace linkmeter {

// What the postings alone do not show of a level or the reserve.
struct PoolDay {
  Amount expected;      // handle x rate, net of voids
  Amount from_reserve;  // came in from the reserve at reseeds, less what went back; the reserve: -
  Amount awarded;       // left the meter to be paid
  Amount returned;      // of that, rejected (M11)
};

struct TableDay {
  TableIndex table;
  std::int64_t wagers = 0;  // net of voids: a void of yesterday's round takes away
  Amount handle;
  std::vector<Amount> contributed;  // by level, last the reserve; as posted
  std::uint64_t pots = 0;
  PaidCount paid;  // § 605a.7(a)(2)-(4)
  // Locked before the day began, by the agent's clock, and delivered in the day.
  std::uint64_t late_rounds = 0;
  Amount late_handle;
};

// Awards that touch no meter (M13).
struct FixedDay {
  std::uint64_t count = 0;  // paid at once
  Amount amount;
  std::uint64_t reversed_count = 0;  // of corrected hands
  Amount reversed;
  std::uint64_t claim_count = 0;  // raised
  Amount claimed;
};

// A display of a fund of pots, compared with what finance keeps.
struct DisplayHeld {
  EntryNumber entry;
  Timestamp at;
  DisplayAdjusted adjusted;
};

struct LinkDay {
  LinkBalances flow;  // the sums of the day's postings, in the signs of the books
  std::vector<PoolDay> levels;
  PoolDay reserve;
  std::vector<TableDay> tables;  // as LinkConfig::tables
  FixedDay fixed;
  std::vector<DisplayHeld> displays;
  Badge bad_beat_notified = {};   // who was notified of it last; "": no entry says
  EntryNumber bad_beat_verified;  // the last hit's first claim that was; 0: none

  [[nodiscard]] PoolDay& pool(Pool of) {
    return of.is_reserve() ? reserve : levels[of.level_index().value()];
  }
};

struct TakenReading {
  EntryNumber entry;
  Timestamp at;
  ReadingTaken taken;
};

struct DayBook {
  GamingDay day;
  EntryNumber first, last;
  Digest head{};                       // of the last entry
  std::optional<Timestamp> begins_at;  // nothing: the first day of a house of no known zone
  Timestamp ends_at;
  std::string zone;  // in force at the end; "": not known
  Floor floor;       // in force at the end
  Reading opening, closing;
  std::vector<LinkDay> links;                          // by place
  std::vector<std::uint64_t> messages;                 // by table
  std::vector<CounterReconciliation> reconciliations;  // by table
  std::vector<OpenClaim> claims;                       // open at the end
  std::vector<TakenReading> readings;
  std::vector<DayEvent> events;
  std::uint64_t postings = 0;
  Amount posted;  // the sum of them all: zero (M14)
};

// REQUIRES: `days` is State::days(). Calls `progress` now and then with the number of entries read.
// Throws Fault if the day has not ended, or the journal cannot be read or is not whole there.
DayBook day_book(const Journal& journal, const std::vector<DayRecord>& days, GamingDay day,
                 const std::function<void(std::uint64_t)>& progress = {});

}  // namespace linkmeter
