// Raised claim: what a claim says when an award raises it, taken from the entry and from the round
// as it stands: the table's message alone does not say what the seat had wagered.
#pragma once

#include <cstdint>
#include <span>

#include "meters/award.h"
#include "meters/claim.h"
#include "meters/entry.h"
#include "meters/round.h"

namespace linkmeter {

// `round`: null for a pot. `calls`: the number of each of the entry's calls on its level.
// REQUIRES: the award is the entry's, has a claim, and came from a table or a corrected hand.
Claim raised_claim(const Entry& entry, const Award& award, const Round* round,
                   std::span<const std::uint64_t> calls);

}  // namespace linkmeter
