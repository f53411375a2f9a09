// Day decision: what becomes of the end of a gaming day, of what a table tells of its counters, and
// of what people read, count, explain and sign.
//
// A day's report is made at the edge from the journal. DayFinding is what decide() is told of it:
// whoever signs names the report he read, and signs no other one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "meters/facts/day_facts.h"
#include "meters/facts/operator_command.h"
#include "meters/rules/decide.h"
#include "meters/rules/decide_table.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// The reading of this moment. `shown`: as the signs were told last; by place, those that are
// missing were told nothing.
Reading reading_of(const State& state, const ShownAmounts& shown);
// What the journal has counted of a table, on each of its links in their order.
std::vector<LinkCount> counts_of(const State& state, TableIndex table);

// Why nothing can be said of the day; and whether this person may say more of an item of it
// (said_item). What explains a difference that is open finds the places that are kept for it, so
// nobody can fill a day that then cannot be closed. The bound of one person and one item holds
// there too: the report that calls an item open may be older than its last explanation. Another
// person who reconciles goes on. REQUIRES of the second: refuse_day() said none.
Refusal refuse_day(const State& state, GamingDay day);
bool has_room(const State& state, GamingDay day, const Badge& by, const std::string& item,
              bool explains_open = false);
// Money that somebody counted: whole cents, not less than nothing.
bool is_countable(Amount amount);

// One short function per act; PersonDecision has found the person and asks these.
class DayDecision {
 public:
  // `is_witnessed`: the witness's PIN was right.
  DayDecision(const State& state, const Person& person, Timestamp now, const DayFinding* finding,
              const ShownAmounts* shown, bool is_witnessed)
      : state_(state),
        person_(person),
        now_(now),
        finding_(finding),
        shown_(shown),
        is_witnessed_(is_witnessed) {}

  [[nodiscard]] Outcome operator()(const TakeReading& take) const;
  [[nodiscard]] Outcome operator()(const RecordCount& record) const;
  [[nodiscard]] Outcome operator()(const ExplainVariance& explain) const;
  [[nodiscard]] Outcome operator()(const SignDay& sign) const;
  [[nodiscard]] Outcome operator()(const CloseDay& close) const;

 private:
  // May he count this, and may the other see him count it?
  [[nodiscard]] bool may_count(CountKind kind) const;
  [[nodiscard]] bool may_see(const RecordCount& record) const;

  const State& state_;
  const Person& person_;
  Timestamp now_;
  const DayFinding* finding_;
  const ShownAmounts* shown_;
  bool is_witnessed_;
};

}  // namespace linkmeter
