#include "controller/accounting/day/counter_reconciliation.h"

#include <algorithm>
#include <set>

#include "controller/store/journal_reader.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// Modulo 2^64: it cannot overflow, whatever number a table reported.
template <class Count>
std::int64_t difference(Count one, Count other) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(one) -
                                   static_cast<std::uint64_t>(other));
}

// Reported minus counted. A link that only one of the two knows has the count 0 at the other.
std::vector<CounterDifference> differences_in(const CountersReported& reported) {
  std::vector<CounterDifference> all;
  for (std::size_t at = 0; at < reported.counted.size(); ++at) {
    const LinkCount& counted = reported.counted[at];
    const LinkCount one = at < reported.reported.size() ? reported.reported[at]
                                                        : LinkCount{counted.link, 0, 0, Amount()};
    all.push_back({counted.link, difference(one.rounds, counted.rounds),
                   difference(one.wagers, counted.wagers),
                   Int128{one.handle.units()} - counted.handle.units()});
  }
  return all;
}

// Adds `sign` times each difference to the one of the same link.
void add(std::vector<CounterDifference>& sum, const std::vector<CounterDifference>& more, int sign,
         bool adds_links) {
  for (const CounterDifference& one : more) {
    auto found = std::find_if(sum.begin(), sum.end(), [&one](const CounterDifference& any) {
      return any.link == one.link;
    });
    if (found == sum.end() && !adds_links) continue;
    if (found == sum.end()) found = sum.insert(found, CounterDifference{one.link});
    const auto counted = [sign](std::int64_t was, std::int64_t change) {
      return difference(was, sign < 0 ? change : difference(std::int64_t{0}, change));
    };
    found->rounds = counted(found->rounds, one.rounds);
    found->wagers = counted(found->wagers, one.wagers);
    found->handle += sign * one.handle;
  }
}

// How the differences changed, for the links of the later report.
std::vector<CounterDifference> moved_between(const CountersReported& before,
                                             const CountersReported& now) {
  std::vector<CounterDifference> moved = differences_in(now);
  add(moved, differences_in(before), -1, false);
  return moved;
}

bool is_nowhere(const std::vector<CounterDifference>& all) {
  return std::all_of(all.begin(), all.end(),
                     [](const CounterDifference& one) { return one.is_nothing(); });
}

std::string count_text(std::int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 || count == -1 ? "" : "s");
}

}  // namespace

std::string text(const CounterDifference& apart) {
  std::string all;
  const auto say = [&all](const std::string& words) { all += (all.empty() ? "" : ", ") + words; };
  if (apart.rounds != 0) say(count_text(apart.rounds, "round"));
  if (apart.wagers != 0) say(count_text(apart.wagers, "wager"));
  if (apart.handle != 0) say(text_cents(apart.handle));
  return all;
}

void CounterReconciliation::note(const Entry& entry, const CountersReported& reported) {
  ++count_;
  entry_ = entry.number;
  at_ = entry.recorded_at;
  if (!first_) first_ = reported;
  if (last_ && last_->from == reported.from) {
    add(moved_within_, moved_between(*last_, reported), 1, true);
  } else if (last_) {
    is_anew_within_ = true;
  }
  last_ = reported;
}

bool CounterReconciliation::needs_before() const {
  return first_ && (first_->from != MessageNumber(1) || !is_nowhere(differences_in(*first_)));
}

bool CounterReconciliation::has_restarted() const {
  if (!first_) return false;
  const MessageNumber known = before_ ? before_->from : MessageNumber(1);
  return is_anew_within_ || first_->from != known;
}

std::vector<CounterDifference> CounterReconciliation::moved() const {
  if (!first_) return {};
  std::vector<CounterDifference> all = moved_within_;
  if (before_ && before_->from == first_->from) {
    add(all, moved_between(*before_, *first_), 1, true);
  } else if (first_->from == MessageNumber(1)) {
    add(all, differences_in(*first_), 1, true);
  }
  return all;
}

namespace {

// Every CountersReported of the day, in order.
template <class Visit>
void read_told(const Journal& journal, const DayRecord& record, EntryNumber as_of, Visit visit) {
  for (const EntryNumber number : record.facts) {
    if (number > as_of) return;
    const Entry entry = entry_at(journal, number);
    if (const auto* told = std::get_if<CountersReported>(&entry.fact)) visit(entry, *told);
  }
}

void look_before(const Journal& journal, const std::vector<DayRecord>& days, GamingDay day,
                 std::vector<CounterReconciliation>& reconciliations) {
  std::set<std::size_t> sought;
  for (std::size_t table = 0; table < reconciliations.size(); ++table) {
    if (reconciliations[table].needs_before()) sought.insert(table);
  }
  for (std::size_t at = days.size(); at-- > 0 && !sought.empty();) {
    if (days[at].day >= day) continue;
    std::set<std::size_t> found;  // the last report of the day counts
    read_told(journal, days[at], days[at].facts.empty() ? EntryNumber() : days[at].facts.back(),
              [&](const Entry&, const CountersReported& reported) {
                const std::size_t table = reported.table.value();
                if (!sought.contains(table)) return;
                reconciliations[table].note_before(reported);
                found.insert(table);
              });
    for (const std::size_t table : found) sought.erase(table);
  }
}

// The day has no entry but its end.
bool is_empty(const std::vector<DayRecord>& days, std::size_t at) {
  return at > 0 && days[at - 1].ended.next() == days[at].ended;
}

}  // namespace

std::vector<CounterReconciliation> reconciliations_of(const Journal& journal,
                                                      const std::vector<DayRecord>& days,
                                                      GamingDay day, EntryNumber as_of,
                                                      std::size_t tables) {
  std::vector<CounterReconciliation> reconciliations(tables);
  std::size_t at = 0;
  while (at < days.size() && days[at].day != day) ++at;
  if (at == days.size() || is_empty(days, at)) return reconciliations;
  do {
    read_told(journal, days[at], as_of, [&](const Entry& entry, const CountersReported& reported) {
      if (reported.table.value() >= tables) throw Fault("counters of a table that there is not");
      reconciliations[reported.table.value()].note(entry, reported);
    });
    ++at;
  } while (at < days.size() && is_empty(days, at));
  look_before(journal, days, day, reconciliations);
  return reconciliations;
}

}  // namespace linkmeter
