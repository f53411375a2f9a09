#include "meters/rules/decide_void.h"

#include <algorithm>
#include <utility>

#include "meters/rules/round_reversal.h"
#include "meters/rules/settlement.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {

Outcome VoidDecision::operator()(const VoidRound& request) const {
  if (!is_well_formed_text(request.reason, limits::reason_length_max)) {
    return refused(Refusal::name_malformed);
  }
  if (const Refusal no = check_known_round(request.round, request.by); no != Refusal::none) {
    return refused(no);
  }
  const Round& round = *session_.find_round(request.round);
  if (request.seat) return void_hand(round, request);
  RoundReversal reversal = reversal_of(state_, round.all_awards());
  if (reversal.refusal != Refusal::none) return refused(reversal.refusal);
  if (const Refusal no = check_rejection(reversal.pending, request.by); no != Refusal::none) {
    return refused(no);
  }
  const std::vector<PlacedWager> returned =
      round.blocked ? std::vector<PlacedWager>{} : round.wagers;  // blocked: nothing had accrued
  Settlement settlement(state_, rules_);
  RoundVoided voided{request.round, request.reason, returned, request.by};
  voided.reversed = std::move(reversal.reversed);
  voided.rejected = reject_claims(settlement, std::move(reversal.pending));
  settlement.withhold(returned);
  if (!settlement.is_within_limits()) return refused(Refusal::meter_full);
  return accepted(std::move(voided), settlement.postings());
}

bool VoidDecision::shares_award(const Round& round, Seat seat) const {
  std::vector<const Claim*> own, others;  // claims that stand, for awards of meters
  for (const Award& award : round.all_awards()) {
    const Claim* claim = award.claim ? state_.find_claim(*award.claim) : nullptr;
    if (claim == nullptr || !claim->level || claim->state == ClaimState::rejected) continue;
    (award.seat == seat ? own : others).push_back(claim);
  }
  return std::any_of(own.begin(), own.end(), [&others](const Claim* one) {
    return std::any_of(others.begin(), others.end(),
                       [one](const Claim* other) { return is_same_hit(*one, *other); });
  });
}

// § 645a.14(d), § 633a.14(i): the other seats continue to play.
Outcome VoidDecision::void_hand(const Round& round, const VoidRound& request) const {
  const Seat seat = *request.seat;
  if (round.blocked) return refused(Refusal::round_blocked);
  if (!has_seat(seat)) return refused(Refusal::seat_unknown);
  if (round.is_void(seat)) return refused(Refusal::hand_void);
  std::vector<Award> its;
  for (const Award& award : round.all_awards()) {
    // The seat's awards by any hand, Envy that it received, and Envy for its hand.
    if (award.seat == seat || award.holder == seat) its.push_back(award);
  }
  RoundReversal reversal = reversal_of(state_, its);
  if (reversal.refusal != Refusal::none) return refused(reversal.refusal);
  if (shares_award(round, seat)) return refused(Refusal::award_shared);
  // Envy that waits for another seat's claim is lost too, like a claim.
  std::vector<ClaimNumber> judged = reversal.pending;
  for (const Award& award : its) {
    const Claim* awaited = award.waits_for ? state_.find_claim(*award.waits_for) : nullptr;
    if (awaited != nullptr && awaited->state == ClaimState::raised)
      judged.push_back(awaited->number);
  }
  if (const Refusal no = check_rejection(judged, request.by); no != Refusal::none) {
    return refused(no);
  }
  HandVoided voided{request.round, seat, request.reason, {}, {}, {}, request.by};
  for (const PlacedWager& wager : round.wagers) {
    if (wager.seat == seat) voided.returned.push_back(wager);
  }
  Settlement settlement(state_, rules_);
  voided.reversed = std::move(reversal.reversed);
  voided.rejected = reject_claims(settlement, std::move(reversal.pending));
  settlement.withhold(voided.returned);
  if (!settlement.is_within_limits()) return refused(Refusal::meter_full);
  return accepted(std::move(voided), settlement.postings());
}

// A void that rejects claims, or ends Envy that waits for one, takes a person who may reject them.
Refusal VoidDecision::check_rejection(const std::vector<ClaimNumber>& claims,
                                      const Badge& by) const {
  if (claims.empty()) return Refusal::none;
  return check_overseer(
      by, [&](const Person& person) { return may_reject(state_, rules_, claims, person); });
}

}  // namespace linkmeter
