// Counter reconciliation: compares the counts that a table reported after the end of a gaming day
// with the journal's counts at that moment.
//
// The agent counts from one message on (CountersReported::from), the journal from its beginning. So
// the two may differ, by what came before that message, but the difference must not change. If the
// agent counts from message 1 on, the counts must be equal, unless they differed before.
//
// If several days ended at once, because the controller was down, the reported counts belong to the
// last day that has any events.
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

// Reported minus counted, on one link. An old journal can hold any number that a table reported:
// differences of counts are modulo 2^64, and the difference of money has 128 bits.
struct CounterDifference {
  LinkIndex link;
  std::int64_t rounds = 0;
  std::int64_t wagers = 0;
  Int128 handle = 0;  // units of an Amount
  friend bool operator==(const CounterDifference&, const CounterDifference&) = default;
  [[nodiscard]] bool is_nothing() const { return rounds == 0 && wagers == 0 && handle == 0; }
};

// "1 round, -2 wagers, 5.00"; "": no difference.
std::string text(const CounterDifference& apart);

class CounterReconciliation {
 public:
  // REQUIRES: each report of the day, in order.
  void note(const Entry& entry, const CountersReported& reported);
  // The last report of the days before.
  void note_before(const CountersReported& reported) { before_ = reported; }

  [[nodiscard]] std::uint64_t count() const { return count_; }  // of reports
  // The last report of the day, its entry and its time. nullopt: no report.
  [[nodiscard]] const std::optional<CountersReported>& last() const { return last_; }
  [[nodiscard]] EntryNumber entry() const { return entry_; }
  [[nodiscard]] Timestamp at() const { return at_; }
  // Whether the day can only be judged with the reports of the days before.
  [[nodiscard]] bool needs_before() const;
  // Whether the table now counts from another message than before.
  [[nodiscard]] bool has_restarted() const;
  // How the difference between table and journal changed on the day, link by link.
  [[nodiscard]] std::vector<CounterDifference> moved() const;

 private:
  std::uint64_t count_ = 0;
  EntryNumber entry_;
  Timestamp at_;
  std::optional<CountersReported> first_, last_, before_;
  bool is_anew_within_ = false;
  std::vector<CounterDifference> moved_within_;  // from the first to the last
};

// The reports of an ended day as of an entry, by table; where needed, with the table's last report
// of the days before. Throws Fault.
std::vector<CounterReconciliation> reconciliations_of(const Journal& journal,
                                                      const std::vector<DayRecord>& days,
                                                      GamingDay day, EntryNumber as_of,
                                                      std::size_t tables);

}  // namespace linkmeter
