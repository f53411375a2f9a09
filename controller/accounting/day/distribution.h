// Distribution: how a Bad Beat payout is shared (§ 553.20(f)-(h)): every seat's share to the cent
// with its reason, who verified it and when, when the adjustment of the display was due, and when
// it was made. One document for the person who prepares the money, and for the files.
//
// Law: computed from the journal alone, with the split in force when the pot was played; the shares
// sum to the award, or the document states the difference.
#pragma once

#include <functional>
#include <vector>

#include "controller/store/journal.h"
#include "controller/view/json.h"
#include "meters/state/claim.h"
#include "meters/state/state.h"

namespace linkmeter {

// The claims of the hit that this claim belongs to: the highest seat first. Empty: it is not a
// share of a fund of pots.
std::vector<Claim> hit_of(const State& state, const Claim& claim);

// REQUIRES: `hit` comes from hit_of() and is not empty; `floor` names its places. Calls `stops` now
// and then: true ends the search for the adjustment of the display. Throws Fault.
Json distribution_json(const Journal& journal, const std::vector<Claim>& hit, const Floor& floor,
                       const std::function<bool()>& stops = {});

}  // namespace linkmeter
