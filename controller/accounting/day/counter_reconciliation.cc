#include "controller/accounting/day/counter_reconciliation.h"

#include <algorithm>

#include "controller/store/journal_reader.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// Modulo 2^64: no overflow, whatever was told.
std::int64_t difference(std::uint64_t one, std::uint64_t other) {
  return static_cast<std::int64_t>(one - other);
}
std::int64_t difference(std::int64_t one, std::int64_t other) {
  return difference(static_cast<std::uint64_t>(one), static_cast<std::uint64_t>(other));
}

// Told less counted. A link that one of the two does not know was counted as nothing there.
std::vector<CounterDifference> differences_in(const CountersReported& told) {
  std::vector<CounterDifference> all;
  for (std::size_t at = 0; at < told.counted.size(); ++at) {
    const LinkCount& counted = told.counted[at];
    const LinkCount one =
        at < told.told.size() ? told.told[at] : LinkCount{counted.link, 0, 0, Amount()};
    all.push_back({counted.link, difference(one.rounds, counted.rounds),
                   difference(one.wagers, counted.wagers),
                   Int128{one.handle.units()} - counted.handle.units()});
  }
  return all;
}

const CounterDifference* find_apart(const std::vector<CounterDifference>& all, LinkIndex link) {
  const auto found = std::find_if(
      all.begin(), all.end(), [link](const CounterDifference& one) { return one.link == link; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<CounterDifference> moved_between(const std::vector<CounterDifference>& before,
                                             const std::vector<CounterDifference>& now) {
  std::vector<CounterDifference> moved = now;
  for (CounterDifference& one : moved) {
    const CounterDifference* old = find_apart(before, one.link);
    if (old == nullptr) continue;
    one.rounds = difference(one.rounds, old->rounds);
    one.wagers = difference(one.wagers, old->wagers);
    one.handle -= old->handle;
  }
  return moved;
}

void add_apart(std::vector<CounterDifference>& sum, const std::vector<CounterDifference>& more) {
  for (const CounterDifference& one : more) {
    const auto found = std::find_if(sum.begin(), sum.end(), [&one](const CounterDifference& any) {
      return any.link == one.link;
    });
    if (found == sum.end()) {
      sum.push_back(one);
      continue;
    }
    found->rounds = difference(found->rounds, difference(std::int64_t{0}, one.rounds));
    found->wagers = difference(found->wagers, difference(std::int64_t{0}, one.wagers));
    found->handle += one.handle;
  }
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

void CounterReconciliation::note(const Entry& entry, const CountersReported& told) {
  ++count_;
  entry_ = entry.number;
  at_ = entry.recorded_at;
  if (!first_) first_ = told;
  if (last_ && last_->from == told.from) {
    add_apart(moved_within_, moved_between(differences_in(*last_), differences_in(told)));
  } else if (last_) {
    is_anew_within_ = true;
  }
  last_ = told;
}

bool CounterReconciliation::needs_before() const {
  return first_ && (first_->from != MessageNumber(1) || !is_nowhere(differences_in(*first_)));
}

bool CounterReconciliation::is_anew() const {
  if (!first_) return false;
  const MessageNumber known = before_ ? before_->from : MessageNumber(1);
  return is_anew_within_ || first_->from != known;
}

std::vector<CounterDifference> CounterReconciliation::moved() const {
  if (!first_) return {};
  std::vector<CounterDifference> all = moved_within_;
  if (before_ && before_->from == first_->from) {
    add_apart(all, moved_between(differences_in(*before_), differences_in(*first_)));
  } else if (first_->from == MessageNumber(1)) {
    add_apart(all, differences_in(*first_));
  }
  return all;
}

namespace {

// Every CountersReported that was said of the day, in order.
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
  std::vector<bool> is_sought;
  is_sought.reserve(reconciliations.size());
  for (const CounterReconciliation& telling : reconciliations)
    is_sought.push_back(telling.needs_before());
  const auto found_all = [&is_sought] {
    return std::none_of(is_sought.begin(), is_sought.end(), [](bool sought) { return sought; });
  };
  for (std::size_t at = days.size(); at-- > 0 && !found_all();) {
    if (days[at].day >= day) continue;
    std::vector<bool> was_found(reconciliations.size());
    read_told(journal, days[at], days[at].facts.empty() ? EntryNumber() : days[at].facts.back(),
              [&](const Entry&, const CountersReported& told) {
                const std::size_t table = told.table.value();
                if (table >= reconciliations.size() || !is_sought[table]) return;
                reconciliations[table].note_before(told);
                was_found[table] = true;
              });
    for (std::size_t table = 0; table < reconciliations.size(); ++table) {
      if (was_found[table]) is_sought[table] = false;
    }
  }
}

// Nothing is in it but its end.
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
    read_told(journal, days[at], as_of, [&](const Entry& entry, const CountersReported& told) {
      if (told.table.value() >= tables) throw Fault("counters of a table that there is not");
      reconciliations[told.table.value()].note(entry, told);
    });
    ++at;
  } while (at < days.size() && is_empty(days, at));
  look_before(journal, days, day, reconciliations);
  return reconciliations;
}

}  // namespace linkmeter
