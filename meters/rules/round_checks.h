// RoundChecks: why the controller refuses a message of one table about its rounds, before anything
// is settled: TableChecks, and what the state tells of the table's rounds, links and people. Each
// check returns the first reason by precedence, or Refusal::none.
#pragma once

#include <functional>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/rules/table_checks.h"
#include "meters/state/round.h"
#include "meters/state/state.h"
#include "meters/state/table_session.h"
#include "meters/values/person.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class RoundChecks : public TableChecks {
 public:
  RoundChecks(const State& state, const FloorRules& rules, TableIndex table, Timestamp now)
      : TableChecks(state.floor(), rules, state.parts_of(table), table),
        state_(state),
        now_(now),
        session_(state.session(table)) {}

  [[nodiscard]] Refusal check_new_round(const RoundId& id, const Badge& by) const;
  [[nodiscard]] Refusal check_known_round(const RoundId& id, const Badge& by) const;

  // `locked`: the round whose wagers are corrected; nullptr: a new round.
  [[nodiscard]] Refusal check_wagers(const std::vector<AskedWager>& wagers,
                                     const Round* locked = nullptr) const;
  // Whether the handle of their links can count these wagers.
  [[nodiscard]] bool handle_fits(const std::vector<PlacedWager>& wagers) const;

  // Checks the badge of a person who does what a dealer alone may not do: resolve a wrong count,
  // reject claims. `may`: whether a person has the right.
  [[nodiscard]] Refusal check_overseer(const Badge& by,
                                       const std::function<bool(const Person&)>& may) const;

 protected:
  const State& state_;
  Timestamp now_;
  const TableSession& session_;

 private:
  [[nodiscard]] Refusal check_wager(const AskedWager& wager, const Round* locked) const;
};

}  // namespace linkmeter
