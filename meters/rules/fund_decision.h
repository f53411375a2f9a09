// Fund decision: what becomes of what people say of a fund of pots (§ 553.20): that its boxes were
// carried to the cage, and that its display was held against what finance keeps.
//
// Laws: neither moves money. Three persons stand behind a transfer, two behind an adjustment, and
// the second of those has given his PIN to it.
#pragma once

#include <vector>

#include "meters/facts/operator_command.h"
#include "meters/rules/decide_table.h"
#include "meters/state/state.h"
#include "meters/values/person.h"

namespace linkmeter {

// What the display of a fund shows now: its meters in whole cents (M2).
Amount shown_now(const State& state, LinkIndex link);
// Are these tables of the fund, each once, and at least one?
bool may_be_moved(const LinkConfig& fund, const std::vector<TableIndex>& tables);

class FundDecision {
 public:
  FundDecision(const State& state, const Person& person, Timestamp now)
      : state_(state), person_(person), now_(now) {}

  [[nodiscard]] Outcome operator()(const MoveFund& move) const;
  // `is_witnessed`: the witness's PIN was right.
  [[nodiscard]] Outcome operator()(const AdjustDisplay& adjust, bool is_witnessed) const;

 private:
  // Somebody else, who has the right.
  [[nodiscard]] const Person* find_other(const Badge& badge, Right right) const;

  const State& state_;
  const Person& person_;
  Timestamp now_;
};

}  // namespace linkmeter
