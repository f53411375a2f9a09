// Decides voids of a whole round or of one seat's hand: a part of TableDecision.
//
// A void is possible until the round is closed, while no claim that it would undo is validated or
// paid. All wagers of the voided round or hand are returned (§ 657a.8(h), § 669a.8(h), § 645a.8),
// their contributions are withheld (M8), pending claims are rejected by the same entry, and
// payments are listed so that they can be collected back from the seats. A void that rejects claims
// requires the badge of a person who may judge them; otherwise a dealer alone could take a win
// back.

#include <algorithm>
#include <utility>

#include "meters/rules/decide_table.h"
#include "meters/rules/settlement.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {

TableDecision::RoundReversal TableDecision::undo(const std::vector<Award>& awards) const {
  RoundReversal undoing;
  for (const Award& award : awards) {
    const Claim* claim = award.claim ? state_.find_claim(*award.claim) : nullptr;
    const Claim* awaited = award.waits_for ? state_.find_claim(*award.waits_for) : nullptr;
    if (claim != nullptr) {
      const bool is_pending = claim->state == ClaimState::raised;
      if (is_pending) undoing.pending.push_back(claim->number);
      if (!is_pending && claim->state != ClaimState::rejected) {
        undoing.refusal = Refusal::claim_exists;
      }
    } else if (awaited == nullptr || awaited->envy_paid) {
      undoing.reversed.push_back(award);
    }
  }
  return undoing;
}

RejectedClaims TableDecision::reject(Settlement& settlement, std::vector<ClaimNumber> claims) {
  CallReversal calls = settlement.reject(claims);
  return {std::move(claims), std::move(calls)};
}

bool TableDecision::hangs_on_dealer(const Award& award) const {
  return award.on_dealer || !is_own_hands(rules_.link(award.link).wager);
}

Outcome TableDecision::operator()(const VoidRound& request) const {
  if (!is_well_formed_text(request.reason, limits::reason_length_max)) {
    return refused(Refusal::name_malformed);
  }
  if (const Refusal no = check_known_round(request.round, request.by); no != Refusal::none) {
    return refused(no);
  }
  const Round& round = *desk_.find_round(request.round);
  if (request.seat) return void_hand(round, request);
  RoundReversal undoing = undo(round.all_awards());
  if (undoing.refusal != Refusal::none) return refused(undoing.refusal);
  if (const Refusal no = check_rejection(undoing.pending, request.by); no != Refusal::none) {
    return refused(no);
  }
  const std::vector<PlacedWager> returned =
      round.blocked ? std::vector<PlacedWager>{} : round.wagers;  // blocked: nothing had accrued
  Settlement settlement(state_, rules_);
  RoundVoided voided{request.round, request.reason, returned, request.by};
  voided.reversed = std::move(undoing.reversed);
  voided.rejected = reject(settlement, std::move(undoing.pending));
  settlement.withhold(returned);
  if (!settlement.is_within_limits()) return refused(Refusal::meter_full);
  return accepted(std::move(voided), settlement.postings());
}

bool TableDecision::shares_award(const Round& round, Seat seat) const {
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
Outcome TableDecision::void_hand(const Round& round, const VoidRound& request) const {
  const Seat seat = *request.seat;
  if (round.blocked) return refused(Refusal::round_blocked);
  if (!has_seat(seat)) return refused(Refusal::seat_unknown);
  if (round.is_void(seat)) return refused(Refusal::hand_void);
  std::vector<Award> its;
  for (const Award& award : round.all_awards()) {
    // The seat's awards by any hand, Envy that it received, and Envy for its hand.
    if (award.seat == seat || award.holder == seat) its.push_back(award);
  }
  RoundReversal undoing = undo(its);
  if (undoing.refusal != Refusal::none) return refused(undoing.refusal);
  if (shares_award(round, seat)) return refused(Refusal::award_shared);
  // Envy that waits for another seat's claim is lost too, like a claim.
  std::vector<ClaimNumber> judged = undoing.pending;
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
  voided.reversed = std::move(undoing.reversed);
  voided.rejected = reject(settlement, std::move(undoing.pending));
  settlement.withhold(voided.returned);
  if (!settlement.is_within_limits()) return refused(Refusal::meter_full);
  return accepted(std::move(voided), settlement.postings());
}

}  // namespace linkmeter
