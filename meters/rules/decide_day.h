// DayDecision: decides the end of a gaming day, the counters that a table reports, and the
// readings, counts, explanations and signatures of people.
//
// The report of a day is made outside the core, from the journal. decide() receives it as a
// DayFinding: a signature names the report that the person read and applies to no other.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "meters/facts/day_facts.h"
#include "meters/facts/operator_command.h"
#include "meters/rules/outcome.h"
#include "meters/state/state.h"
#include "meters/values/person.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// The meter reading at this moment. `shown`: the amounts last sent to the signs, by link and level
// index; missing ones count as not sent.
Reading reading_of(const State& state, const ShownAmounts& shown);
// The counters of the journal for a table, on each of its links in order.
std::vector<LinkCount> counts_of(const State& state, TableIndex table);

// check_day(): why no fact about the day can be accepted. has_room(): whether this person may add a
// fact about an item of it (signed_item). Some places are reserved for explanations of open
// differences, so that nobody can fill a day that then cannot be closed. The limit per person and
// item applies to those too: the report that shows an item as open may be older than its last
// explanation. Another person may still explain it. REQUIRES of has_room(): check_day() returned
// none.
Refusal check_day(const State& state, GamingDay day);
bool has_room(const State& state, GamingDay day, const Badge& by, const std::string& item,
              bool explains_open = false);
// Whether a counted amount is valid: whole cents, not negative, within limits.
bool is_countable(Amount amount);

// For decide(): a gaming day is over, or a table reports its own counters.
[[nodiscard]] Decision decide_day_end(const State& state, const DayEnd& end, Timestamp now);
[[nodiscard]] Decision decide_counters(const State& state, const TableCounters& counters,
                                       Timestamp now);

// One function per command. OperatorDecision finds the person and calls these.
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
  // Whether this person may count, and whether the named person may witness the count.
  [[nodiscard]] bool may_count(CountKind kind) const;
  [[nodiscard]] bool may_see(const RecordCount& record) const;

  const State& state_;
  const Person& person_;
  Timestamp now_;
  const DayFinding* finding_;
  const ShownAmounts* shown_;
  bool is_witnessed_;
};

// FundDecision: decides the reports of people about a fund of pots (§ 553.20): that its boxes were
// carried to the cage, and that its display was compared with the amount that finance keeps.
//
// Laws: neither moves money. A transfer names three persons and an adjustment two; the second
// person of an adjustment has confirmed it with a PIN.

// The amount that a fund displays now: its meters in whole cents (M2).
Amount shown_now(const State& state, LinkIndex link);
// Whether these are tables of the fund, each listed once, and at least one.
bool may_be_moved(const LinkConfig& fund, const std::vector<TableIndex>& tables);

class FundDecision {
 public:
  FundDecision(const State& state, const Person& person, Timestamp now)
      : state_(state), person_(person), now_(now) {}

  [[nodiscard]] Outcome operator()(const MoveFund& move) const;
  // `is_witnessed`: the witness's PIN was right.
  [[nodiscard]] Outcome operator()(const AdjustDisplay& adjust, bool is_witnessed) const;

 private:
  // Finds another person who has the right; nullptr: none.
  [[nodiscard]] const Person* find_other(const Badge& badge, Right right) const;

  const State& state_;
  const Person& person_;
  Timestamp now_;
};

}  // namespace linkmeter
