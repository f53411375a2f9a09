// Raised claim: what a claim says when an award raises it, taken from the entry and from the round
// as it stands: the table's message alone does not say what the seat had wagered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/entry.h"
#include "meters/state/claim.h"
#include "meters/state/round.h"

namespace linkmeter {

// `round`: null for a pot. `calls`: the number of each of the entry's calls on its level.
// REQUIRES: the award is the entry's, has a claim, and came from a table or a corrected hand.
Claim raised_claim(const Entry& entry, const Award& award, const Round* round,
                   std::span<const std::uint64_t> calls);

// A hand is keyed once, and each of its wagers has lines of its own: is the line that was keyed the
// line of another award of this hand? Then it says nothing of this claim. `awards` are the entry's.
bool is_called_for_another(const Claim& claim, const std::vector<Award>& awards);

}  // namespace linkmeter
