// RoundReversal: what undoing the awards of a hand or round means when it no longer counts.
#pragma once

#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/entry.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "meters/values/person.h"
#include "meters/values/refusal.h"

namespace linkmeter {

class Settlement;

struct RoundReversal {
  Refusal refusal = Refusal::none;  // claim_exists: one of them is validated or paid
  std::vector<Award> reversed;      // awards that were paid at once
  std::vector<ClaimNumber> pending;
};

RoundReversal reversal_of(const State& state, const std::vector<Award>& awards);
// Rejects the pending claims within the settlement (M11).
RejectedClaims reject_claims(Settlement& settlement, std::vector<ClaimNumber> claims);
// Whether this person may reject all of these claims.
bool may_reject(const State& state, const FloorRules& rules, const std::vector<ClaimNumber>& claims,
                const Person& by);

}  // namespace linkmeter
