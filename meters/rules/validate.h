// Validates facts about links that end, in entries read back: a part of validate_entry() of laws.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meters/balances/posting.h"
#include "meters/facts/entry.h"
#include "meters/facts/operator_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"

namespace linkmeter {

// Why these wagers are on a link that no longer collects; nullopt: they are not. `locked`: the
// round whose count is corrected; wagers that it was locked with are valid.
std::optional<std::string> too_late(const State& state, const std::vector<PlacedWager>& wagers,
                                    const Round* locked = nullptr);
std::optional<std::string> too_late(const State& state, const PotPlayed& pot);

// Why the command is impossible; nullopt: it is possible.
std::optional<std::string> lifecycle_violation(const State& state, const StopCollecting& stop);
std::optional<std::string> lifecycle_violation(const State& state, const Discontinue& end);
// Why the postings do not match the discontinuation; nullopt: they match, or it is another command.
std::optional<std::string> lifecycle_violation(const State& state, const DualControlCommand& act,
                                               const std::vector<Posting>& postings);

// Validates an entry's postings: a part of validate_entry() of laws.h.

// Why the postings do not belong to this floor's pools; nullopt: they do.
std::optional<std::string> posting_violation(const Floor& floor,
                                             const std::vector<Posting>& postings);
// Whether a balance would leave the range of Amount at any point of these postings. REQUIRES:
// posting_violation() returned nullopt.
bool overflows(const State& state, const std::vector<Posting>& postings);

}  // namespace linkmeter
