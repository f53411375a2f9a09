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
std::vector<Apart> apart_in(const CountersReported& told) {
  std::vector<Apart> all;
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

const Apart* find_apart(const std::vector<Apart>& all, LinkIndex link) {
  const auto found =
      std::find_if(all.begin(), all.end(), [link](const Apart& one) { return one.link == link; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<Apart> moved_between(const std::vector<Apart>& before, const std::vector<Apart>& now) {
  std::vector<Apart> moved = now;
  for (Apart& one : moved) {
    const Apart* old = find_apart(before, one.link);
    if (old == nullptr) continue;
    one.rounds = difference(one.rounds, old->rounds);
    one.wagers = difference(one.wagers, old->wagers);
    one.handle -= old->handle;
  }
  return moved;
}

void add_apart(std::vector<Apart>& sum, const std::vector<Apart>& more) {
  for (const Apart& one : more) {
    const auto found = std::find_if(sum.begin(), sum.end(),
                                    [&one](const Apart& any) { return any.link == one.link; });
    if (found == sum.end()) {
      sum.push_back(one);
      continue;
    }
    found->rounds = difference(found->rounds, difference(std::int64_t{0}, one.rounds));
    found->wagers = difference(found->wagers, difference(std::int64_t{0}, one.wagers));
    found->handle += one.handle;
  }
}

bool is_nowhere(const std::vector<Apart>& all) {
  return std::all_of(all.begin(), all.end(), [](const Apart& one) { return one.is_nothing(); });
}

std::string count_text(std::int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 || count == -1 ? "" : "s");
}

}  // namespace

std::string text(const Apart& apart) {
  std::string all;
  const auto say = [&all](const std::string& words) { all += (all.empty() ? "" : ", ") + words; };
  if (apart.rounds != 0) say(count_text(apart.rounds, "round"));
  if (apart.wagers != 0) say(count_text(apart.wagers, "wager"));
  if (apart.handle != 0) say(text_cents(apart.handle));
  return all;
}

void TableTelling::note(const Entry& entry, const CountersReported& told) {
  ++count_;
  entry_ = entry.number;
  at_ = entry.recorded_at;
  if (!first_) first_ = told;
  if (last_ && last_->from == told.from) {
    add_apart(moved_within_, moved_between(apart_in(*last_), apart_in(told)));
  } else if (last_) {
    is_anew_within_ = true;
  }
  last_ = told;
}

bool TableTelling::needs_before() const {
  return first_ && (first_->from != MessageNumber(1) || !is_nowhere(apart_in(*first_)));
}

bool TableTelling::is_anew() const {
  if (!first_) return false;
  const MessageNumber known = before_ ? before_->from : MessageNumber(1);
  return is_anew_within_ || first_->from != known;
}

std::vector<Apart> TableTelling::moved() const {
  if (!first_) return {};
  std::vector<Apart> all = moved_within_;
  if (before_ && before_->from == first_->from) {
    add_apart(all, moved_between(apart_in(*before_), apart_in(*first_)));
  } else if (first_->from == MessageNumber(1)) {
    add_apart(all, apart_in(*first_));
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
                 std::vector<TableTelling>& tellings) {
  std::vector<bool> is_sought;
  is_sought.reserve(tellings.size());
  for (const TableTelling& telling : tellings) is_sought.push_back(telling.needs_before());
  const auto found_all = [&is_sought] {
    return std::none_of(is_sought.begin(), is_sought.end(), [](bool sought) { return sought; });
  };
  for (std::size_t at = days.size(); at-- > 0 && !found_all();) {
    if (days[at].day >= day) continue;
    std::vector<bool> was_found(tellings.size());
    read_told(journal, days[at], days[at].facts.empty() ? EntryNumber() : days[at].facts.back(),
              [&](const Entry&, const CountersReported& told) {
                const std::size_t table = told.table.value();
                if (table >= tellings.size() || !is_sought[table]) return;
                tellings[table].note_before(told);
                was_found[table] = true;
              });
    for (std::size_t table = 0; table < tellings.size(); ++table) {
      if (was_found[table]) is_sought[table] = false;
    }
  }
}

// Nothing is in it but its end.
bool is_empty(const std::vector<DayRecord>& days, std::size_t at) {
  return at > 0 && days[at - 1].ended.next() == days[at].ended;
}

}  // namespace

std::vector<TableTelling> tellings_of(const Journal& journal, const std::vector<DayRecord>& days,
                                      GamingDay day, EntryNumber as_of, std::size_t tables) {
  std::vector<TableTelling> tellings(tables);
  std::size_t at = 0;
  while (at < days.size() && days[at].day != day) ++at;
  if (at == days.size() || is_empty(days, at)) return tellings;
  do {
    read_told(journal, days[at], as_of, [&](const Entry& entry, const CountersReported& told) {
      if (told.table.value() >= tables) throw Fault("counters of a table that there is not");
      tellings[told.table.value()].note(entry, told);
    });
    ++at;
  } while (at < days.size() && is_empty(days, at));
  look_before(journal, days, day, tellings);
  return tellings;
}

}  // namespace linkmeter
