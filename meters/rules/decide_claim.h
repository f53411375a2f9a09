// ClaimDecision: decides the commands about a claim, from its validation to the paid slip.
#pragma once

#include "meters/facts/operator_command.h"
#include "meters/floor/floor.h"
#include "meters/rules/outcome.h"
#include "meters/state/state.h"
#include "meters/values/person.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class ClaimDecision {
 public:
  ClaimDecision(const State& state, const FloorRules& rules, const Person& person, Timestamp now)
      : state_(state), rules_(rules), person_(person), now_(now) {}

  Outcome operator()(const ValidateClaim& validate) const;
  Outcome operator()(const RejectClaim& reject) const;
  Outcome operator()(const CountersignClaim& countersign) const;
  Outcome operator()(const IssueSlip& issue) const;
  Outcome operator()(const VoidSlip& annul) const;
  Outcome operator()(const PayClaim& pay) const;

 private:
  // Whether this person may validate or reject the claim. A Bad Beat of Poker belongs to its
  // supervisor.
  [[nodiscard]] bool may_validate_or_reject(const Claim& claim) const;
  // Whether Envy for the hand is still due when the claim is rejected.
  [[nodiscard]] bool leaves_envy_due(const Claim& claim, RejectReason reason) const;
  [[nodiscard]] Refusal check_corrector(const Claim& claim) const;
  [[nodiscard]] Refusal check_notified(const Claim& claim, const Badge& notified) const;
  // A person who signed for the claim may neither issue its slip nor pay it, and neither may a
  // person who is not independent of the validator (may_be_same_person).
  [[nodiscard]] Refusal check_signer(const Claim& claim) const;
  // Whether the claim may not be paid from this source.
  [[nodiscard]] bool bars(const Claim& claim, PaymentSource source) const;
  // Why the claim cannot be paid on this slip.
  [[nodiscard]] Refusal check_slip(const PayClaim& pay) const;

  const State& state_;
  const FloorRules& rules_;
  const Person& person_;
  Timestamp now_;
};

// The right to validate and reject claims of that wager. A Bad Beat of Poker belongs to its
// supervisor.
Right validation_right(const WagerRules& wager);

}  // namespace linkmeter
