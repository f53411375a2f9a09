// Table telling: what a table has told of its own counters when a gaming day had ended, and how far
// that is from what the journal had counted of it at that moment.
//
// The agent counts since a message (CountersReported::from), the journal since ever. So the two
// differ by what was before that message, and by nothing that came after: how far they are apart
// must not change. Counted from message 1 on, they must not be apart at all, unless they were
// already.
//
// Days that ended at once, with nothing in them, because the controller was down over several
// midnights: what tables tell then is of the last day that has something in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/entry.h"
#include "meters/values/int128.h"

namespace linkmeter {

// Told less counted, on one link. An old journal can hold any number that a table told: the
// difference of counts is modulo 2^64, and that of money is as wide as it may become.
struct CounterDifference {
  LinkIndex link;
  std::int64_t rounds = 0;
  std::int64_t wagers = 0;
  Int128 handle = 0;  // units of an Amount
  friend bool operator==(const CounterDifference&, const CounterDifference&) = default;
  [[nodiscard]] bool is_nothing() const { return rounds == 0 && wagers == 0 && handle == 0; }
};

// "1 round, -2 wagers, 5.00"; "" for nothing.
std::string text(const CounterDifference& apart);

class CounterReconciliation {
 public:
  // REQUIRES: each of the day's, in order.
  void note(const Entry& entry, const CountersReported& told);
  // The last one of the days before.
  void note_before(const CountersReported& told) { before_ = told; }

  [[nodiscard]] std::uint64_t count() const { return count_; }  // how often it told
  // The last one of the day, its entry and when it was; nothing: it told nothing.
  [[nodiscard]] const std::optional<CountersReported>& last() const { return last_; }
  [[nodiscard]] EntryNumber entry() const { return entry_; }
  [[nodiscard]] Timestamp at() const { return at_; }
  // Can the day not be judged without what was told on the days before?
  [[nodiscard]] bool needs_before() const;
  // Does it count from another message than it did before?
  [[nodiscard]] bool is_anew() const;
  // By how much table and journal came apart on the day, link by link.
  [[nodiscard]] std::vector<CounterDifference> moved() const;

 private:
  std::uint64_t count_ = 0;
  EntryNumber entry_;
  Timestamp at_;
  std::optional<CountersReported> first_, last_, before_;
  bool is_anew_within_ = false;
  std::vector<CounterDifference> moved_within_;  // from the first to the last
};

// What was told of an ended day as of an entry, by table; where it must be known, with what the
// table had told last of the days before. Throws Fault.
std::vector<CounterReconciliation> reconciliations_of(const Journal& journal,
                                                      const std::vector<DayRecord>& days,
                                                      GamingDay day, EntryNumber as_of,
                                                      std::size_t tables);

}  // namespace linkmeter
