// raised_claim(): builds the Claim for an award, from the entry and the round. The round is needed
// because the table's message does not state the seat's wager.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/entry.h"
#include "meters/state/claim.h"
#include "meters/state/round.h"

namespace linkmeter {

// `round`: nullptr for a pot. `calls`: the number on its level of each of the entry's hits.
// REQUIRES: the award belongs to the entry, has a claim, and came from a table or a corrected hand.
Claim raised_claim(const Entry& entry, const Award& award, const Round* round,
                   std::span<const std::uint64_t> calls);

// Whether the keyed line belongs to another award of the same hand. The dealer keys one line for a
// hand, but each of its wagers has its own lines. `awards` are the entry's.
bool is_called_for_another(const Claim& claim, const std::vector<Award>& awards);

}  // namespace linkmeter
