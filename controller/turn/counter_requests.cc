#include "controller/turn/counter_requests.h"

#include <variant>

#include "controller/store/journal_reader.h"

namespace linkmeter {

// After a restart the journal shows which tables have reported.
void CounterRequests::look(const State& state, const Journal& journal) {
  const DayRecord& last = state.days().back();
  if (ended_ == last.ended) return;
  ended_ = last.ended;
  reported_.clear();
  for (const EntryNumber fact : last.facts) {
    const Entry entry = entry_at(journal, fact);
    if (const auto* told = std::get_if<CountersReported>(&entry.fact))
      reported_.insert(told->table);
  }
}

std::optional<TableCounters> CounterRequests::take(const State& state, const Journal& journal,
                                                   TableIndex table,
                                                   const std::optional<ReportedCounts>& counts) {
  if (!counts || state.days().empty() || state.days().back().is_closed()) return std::nullopt;
  look(state, journal);
  if (reported_.contains(table) || counts->up_to != state.session(table).last_number()) {
    return std::nullopt;
  }
  TableCounters counters{table, counts->from, counts->up_to, {}};
  for (const ReportedCounts::Link& one : counts->links) {
    if (const auto link = state.floor().find_link(one.link)) {
      counters.reported.push_back({*link, one.rounds, one.wagers, one.handle});
    }
  }
  return counters;
}

}  // namespace linkmeter
