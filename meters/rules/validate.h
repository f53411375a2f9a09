// Ending misfit: what entries read back may say of links that end, as misfit() of laws.h asks it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meters/facts/entry.h"
#include "meters/facts/operator_command.h"
#include "meters/state/state.h"

namespace linkmeter {

// A wager on a link that collects no more. `locked`: the round whose count is put right; what it
// was locked with may stay.
std::optional<std::string> too_late(const State& state, const std::vector<PlacedWager>& wagers,
                                    const Round* locked = nullptr);
std::optional<std::string> too_late(const State& state, const PotPlayed& pot);

// An ending that cannot be.
std::optional<std::string> lifecycle_violation(const State& state, const StopCollecting& stop);
std::optional<std::string> lifecycle_violation(const State& state, const Discontinue& end);
// Postings of one that are not what it moves; of other acts nothing.
std::optional<std::string> lifecycle_violation(const State& state, const DualControlCommand& act,
                                               const std::vector<Posting>& postings);

}  // namespace linkmeter
