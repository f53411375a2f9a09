#include "meters/rules/round_reversal.h"

#include <algorithm>
#include <utility>

#include "meters/rules/decide_claim.h"
#include "meters/rules/settlement.h"

namespace linkmeter {

RoundReversal reversal_of(const State& state, const std::vector<Award>& awards) {
  RoundReversal reversal;
  for (const Award& award : awards) {
    const Claim* claim = award.claim ? state.find_claim(*award.claim) : nullptr;
    const Claim* awaited = award.waits_for ? state.find_claim(*award.waits_for) : nullptr;
    if (claim != nullptr) {
      const bool is_pending = claim->state == ClaimState::raised;
      if (is_pending) reversal.pending.push_back(claim->number);
      if (!is_pending && claim->state != ClaimState::rejected) {
        reversal.refusal = Refusal::claim_exists;
      }
    } else if (awaited == nullptr || awaited->envy_paid) {
      reversal.reversed.push_back(award);
    }
  }
  return reversal;
}

RejectedClaims reject_claims(Settlement& settlement, std::vector<ClaimNumber> claims) {
  HitReversal hits = settlement.reject(claims);
  return {std::move(claims), std::move(hits)};
}

bool may_reject(const State& state, const FloorRules& rules, const std::vector<ClaimNumber>& claims,
                const Person& by) {
  return std::all_of(claims.begin(), claims.end(), [&](ClaimNumber claim) {
    return by.has(validation_right(rules.link(state.find_claim(claim)->link).wager));
  });
}

}  // namespace linkmeter
