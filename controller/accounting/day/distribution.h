// Distribution: how a Bad Beat payout is paid out (§ 553.20(f)-(h)): every seat's share to the cent
// and what it is for, who verified it and when, and that the display was told to be adjusted and
// then was. One document, for whoever prepares the money and for the file.
//
// Law: from the journal alone, with the split that was in force when the pot was played; the shares
// sum to the award, or it says by how much they do not.
#pragma once

#include <functional>
#include <vector>

#include "controller/store/journal.h"
#include "controller/view/json.h"
#include "meters/state/claim.h"
#include "meters/state/state.h"

namespace linkmeter {

// The claims of one hit, of which this is one: the highest seat first. Empty: it is no share of a
// fund of pots.
std::vector<Claim> hit_of(const State& state, const Claim& claim);

// REQUIRES: `hit` is what hit_of() found, not empty; `floor` names its places. `stops` is asked now
// and then whether to go on looking for what became of the display. Throws Fault.
Json distribution_json(const Journal& journal, const std::vector<Claim>& hit, const Floor& floor,
                       const std::function<bool()>& stops = {});

}  // namespace linkmeter
