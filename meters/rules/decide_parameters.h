// Parameters: may the configuration in force become this one (L8)? Every link that it changes is
// suspended and no wager on it waits for its hand, because a round is settled by the terms that it
// was locked with. What is on a meter, in a reserve or withheld stays as it is.
#pragma once

#include <string>

#include "meters/facts/operator_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// Why not, and about what: "C4-MEGA".
struct Objection {
  Refusal refusal = Refusal::none;
  std::string about;
};

// What the act's terms alone say: for an entry that is read back, whose rules nobody resolves.
Objection object(const State& state, const ChangeParameters& change);
// What its rules say too. `proposed`: resolved from the act's texts by the edge, and the act's
// floor with them; nullptr where they do not resolve to that floor.
Objection object(const State& state, const FloorRules& rules, const ChangeParameters& change,
                 const FloorRules* proposed);

// The act with a line for everything that it changes, none left out. REQUIRES: no objection.
ChangeParameters with_changes(const State& state, const FloorRules& rules, ChangeParameters change,
                              const FloorRules& proposed);

}  // namespace linkmeter
