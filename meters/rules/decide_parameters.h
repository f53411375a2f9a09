// Parameters: decides whether the configuration in force may be replaced by another one (L8). Every
// link that the change affects must be suspended, and no wager on it may wait for its hand, because
// a round is settled by the parameters that it was locked with. Balances of meters, reserves and
// withheld money stay unchanged.
#pragma once

#include <string>

#include "meters/facts/operator_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// The reason of a refusal and its subject, such as "C4-MEGA".
struct Rejection {
  Refusal refusal = Refusal::none;
  std::string about;
};

// Checks the command's floor alone. For entries that are read back, whose rules are not resolved.
Rejection object(const State& state, const ChangeParameters& change);
// Checks the rules too. `proposed`: the rules that the controller resolved from the command's
// texts; nullptr if the texts do not resolve to the command's floor.
Rejection object(const State& state, const FloorRules& rules, const ChangeParameters& change,
                 const FloorRules* proposed);

// The command with one line for each change that it makes, complete. REQUIRES: no objection.
ChangeParameters with_changes(const State& state, const FloorRules& rules, ChangeParameters change,
                              const FloorRules& proposed);

}  // namespace linkmeter
