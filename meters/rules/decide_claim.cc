#include "meters/rules/decide_claim.h"

#include <algorithm>
#include <span>

#include "meters/floor/payment_policy.h"
#include "meters/rules/claim_need.h"
#include "meters/rules/settlement.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {

Right validation_right(const WagerRules& wager) {
  return wager.verified_by == Verifier::poker_shift_supervisor ? Right::verify_bad_beats
                                                               : Right::validate_claims;
}

// This rejection states that the seat had no such wager; it does not concern the hand. Envy is for
// the hand, so if a hand without the wager brings Envy, the Envy is due.
bool ClaimDecision::leaves_envy_due(const Claim& claim, RejectReason reason) const {
  return reason == RejectReason::wager_not_made &&
         rules_.link(claim.link).wager.envy_of_non_bettors;
}

bool ClaimDecision::may_validate_or_reject(const Claim& claim) const {
  return person_.has(validation_right(rules_.link(claim.link).wager));
}

// If a person corrected the hand, or had taken it back before, that person may not sign for it:
// another person must have seen it.
Refusal ClaimDecision::check_corrector(const Claim& claim) const {
  const Person* corrector = state_.find_person(claim.corrected_by);
  if (corrector == nullptr) return Refusal::none;
  if (corrector->badge == person_.badge) return Refusal::same_person;
  return may_be_same_person(person_, *corrector) ? Refusal::same_hand : Refusal::none;
}

// The notified person, § 553.20(f)(2).
Refusal ClaimDecision::check_notified(const Claim& claim, const Badge& notified) const {
  if (notified.empty()) return Refusal::none;
  if (!state_.floor().link(claim.link).pot) return Refusal::notice_not_offered;
  const Person* person = state_.find_person(notified);
  const bool may_be =
      person != nullptr && !person->removed &&
      (person->department == Department::security || person->department == Department::finance);
  return may_be ? Refusal::none : Refusal::notified_not_possible;
}

// A signer who is not independent of the second signer is accepted: the second signer is
// independent of the validator (may_be_same_person), so two independent persons authorize the
// payment in any case. All PINs of a house derive from the two managers of `init`, so there are
// never three persons who are all independent of each other.
Refusal ClaimDecision::check_signer(const Claim& claim) const {
  const Person* validator = state_.find_person(claim.validated_by);
  INVARIANT(validator != nullptr);
  if (validator->badge == person_.badge || claim.countersigned_by == person_.badge) {
    return Refusal::same_person;
  }
  return may_be_same_person(person_, *validator) ? Refusal::same_hand : Refusal::none;
}

Outcome ClaimDecision::operator()(const ValidateClaim& validate) const {
  const Claim* claim = state_.find_claim(validate.claim);
  if (claim == nullptr) return refused(Refusal::claim_unknown);
  if (!may_validate_or_reject(*claim)) return refused(Refusal::right_missing);
  if (claim->state != ClaimState::raised) return refused(Refusal::claim_not_raised);
  if (const Refusal no = check_corrector(*claim); no != Refusal::none) return refused(no);
  if (const Refusal no = check_notified(*claim, validate.notified); no != Refusal::none) {
    return refused(no);
  }
  // § 553.20(f)(1): the supervisor's verification of a hand posts the notice. Later shares of the
  // same hand do not post it again: finance may have adjusted the display by then.
  const bool is_verified =
      std::any_of(state_.claims().begin(), state_.claims().end(), [claim](const Claim& other) {
        return is_same_hit(*claim, other) &&
               (other.state == ClaimState::validated || other.state == ClaimState::paid);
      });
  const bool posts_notice = state_.floor().link(claim->link).pot && !is_verified;
  return accepted(
      ClaimValidated{validate.claim, person_.badge, posts_notice, validate.notified, claim->envy});
}

Outcome ClaimDecision::operator()(const RejectClaim& reject) const {
  const Claim* claim = state_.find_claim(reject.claim);
  if (!is_well_formed_note(reject.note)) return refused(Refusal::name_malformed);
  if (claim == nullptr) return refused(Refusal::claim_unknown);
  if (!may_validate_or_reject(*claim)) return refused(Refusal::right_missing);
  if (claim->state != ClaimState::raised && claim->state != ClaimState::validated) {
    return refused(Refusal::claim_settled);
  }
  if (state_.open_slip(*claim) != nullptr) return refused(Refusal::slip_open);
  ClaimRejected rejected{reject.claim, reject.reason, reject.note, false, person_.badge};
  Settlement settlement(state_, rules_);
  rejected.hits = settlement.reject(std::span(&reject.claim, 1));
  rejected.restored = std::any_of(
      rejected.hits.undone.begin(), rejected.hits.undone.end(),
      [&](ClaimNumber number) { return is_same_hit(*state_.find_claim(number), *claim); });
  const bool is_due = leaves_envy_due(*claim, reject.reason);
  if (is_due && !claim->envy_paid) rejected.envy = claim->envy;
  if (!rejected.envy.empty()) {  // it pays, like a validation
    if (const Refusal no = check_corrector(*claim); no != Refusal::none) return refused(no);
  }
  if (!is_due && claim->envy_paid) rejected.reversed = claim->envy;
  return accepted(std::move(rejected), settlement.postings());
}

bool ClaimDecision::bars(const Claim& claim, PaymentSource source) const {
  return !rules_.link(claim.link).wager.pays_from(source, claim.level.has_value());
}

// The step for the amount names the roles that may sign, whatever state the claim is in.
Outcome ClaimDecision::operator()(const CountersignClaim& countersign) const {
  const Claim* claim = state_.find_claim(countersign.claim);
  if (claim == nullptr) return refused(Refusal::claim_unknown);
  if (!person_.has(Right::countersign_claims)) return refused(Refusal::right_missing);
  const SignatureStep* step = step_for(state_.floor().second_signature, claim->amount);
  const bool may_sign_step =
      step == nullptr || std::any_of(step->roles.begin(), step->roles.end(),
                                     [this](Role role) { return person_.roles.contains(role); });
  if (!may_sign_step) return refused(Refusal::right_missing);
  if (claim->state != ClaimState::validated) return refused(Refusal::claim_not_validated);
  if (!claim->countersigned_by.empty()) return refused(Refusal::second_signature_made);
  if (step == nullptr) return refused(Refusal::second_signature_not_needed);
  const Person* validator = state_.find_person(claim->validated_by);
  INVARIANT(validator != nullptr);
  const Refusal no = check_corrector(*claim);
  if (validator->badge == person_.badge || no == Refusal::same_person) {
    return refused(Refusal::same_person);
  }
  if (may_be_same_person(person_, *validator)) return refused(Refusal::same_hand);
  if (no != Refusal::none) return refused(no);
  return accepted(ClaimCountersigned{claim->number, person_.badge});
}

Outcome ClaimDecision::operator()(const IssueSlip& issue) const {
  const Claim* claim = state_.find_claim(issue.claim);
  if (claim == nullptr) return refused(Refusal::claim_unknown);
  if (!person_.has(Right::issue_slips)) return refused(Refusal::right_missing);
  if (claim->state != ClaimState::validated) return refused(Refusal::claim_not_validated);
  if (bars(*claim, issue.source)) return refused(Refusal::source_not_allowed);
  const Floor& floor = state_.floor();
  switch (need_of(state_, *claim)) {
    case ClaimNeed::second_signature: return refused(Refusal::second_signature_missing);
    case ClaimNeed::payment: return refused(Refusal::slip_open);
    default: break;
  }
  if (const Refusal no = check_signer(*claim); no != Refusal::none) return refused(no);
  if (claim->slips.size() >= limits::slips_per_claim_max) return refused(Refusal::slips_too_many);
  SlipIssued issued;
  issued.slip = SlipNumber(state_.slips().size() + 1);
  issued.claim = claim->number;
  issued.source = issue.source;
  issued.amount = claim->amount;
  issued.wager = claim->wager;
  if (const TaxThreshold* threshold = threshold_at(floor.taxable, now_)) {
    issued.taxable = threshold->taxes(claim->amount, claim->wager);
    issued.threshold = *threshold;
  }
  issued.by = person_.badge;
  return accepted(std::move(issued));
}

Outcome ClaimDecision::operator()(const VoidSlip& annul) const {
  if (!is_well_formed_note(annul.note)) return refused(Refusal::name_malformed);
  if (!person_.has(Right::issue_slips)) return refused(Refusal::right_missing);
  const Slip* slip = state_.find_slip(annul.slip);
  if (slip == nullptr) return refused(Refusal::slip_unknown);
  if (slip->state == SlipState::voided) return refused(Refusal::slip_void);
  if (slip->state == SlipState::paid) return refused(Refusal::slip_used);
  return accepted(SlipVoided{annul.slip, annul.reason, annul.note, person_.badge});
}

Refusal ClaimDecision::check_slip(const PayClaim& pay) const {
  if (pay.slip == SlipNumber()) return Refusal::slip_missing;
  const Slip* slip = state_.find_slip(pay.slip);
  if (slip == nullptr) return Refusal::slip_unknown;
  if (slip->state == SlipState::voided) return Refusal::slip_void;
  if (slip->state == SlipState::paid) return Refusal::slip_used;
  if (slip->claim != pay.claim) return Refusal::slip_of_another_claim;
  return slip->source == pay.source ? Refusal::none : Refusal::slip_source_differs;
}

Outcome ClaimDecision::operator()(const PayClaim& pay) const {
  const Claim* claim = state_.find_claim(pay.claim);
  if (claim == nullptr) return refused(Refusal::claim_unknown);
  if (!person_.has(Right::pay_claims)) return refused(Refusal::right_missing);
  if (claim->state != ClaimState::validated) return refused(Refusal::claim_not_validated);
  if (bars(*claim, pay.source)) return refused(Refusal::source_not_allowed);
  if (const Refusal no = check_slip(pay); no != Refusal::none) return refused(no);
  if (const Refusal no = check_signer(*claim); no != Refusal::none) return refused(no);
  Settlement settlement(state_, rules_);
  if (claim->level) settlement.pay(claim->link, *claim->level, claim->amount);
  return accepted(ClaimPaid{pay.claim, pay.source, person_.badge, pay.slip}, settlement.postings());
}

}  // namespace linkmeter
