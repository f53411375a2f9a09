// VoidDecision: decides the void of a whole round or of one seat's hand.
//
// A void is possible until the round is closed, while no claim that it would undo is validated or
// paid. All wagers of the voided round or hand are returned (§ 657a.8(h), § 669a.8(h), § 645a.8),
// their contributions are withheld (M8), pending claims are rejected by the same entry, and
// payments are listed so that they can be collected back from the seats. A void that rejects claims
// requires the badge of a person who may reject them; otherwise a dealer alone could take a win
// back.
#pragma once

#include <vector>

#include "meters/facts/table_command.h"
#include "meters/rules/outcome.h"
#include "meters/rules/round_checks.h"

namespace linkmeter {

class VoidDecision : private RoundChecks {
 public:
  using RoundChecks::RoundChecks;

  Outcome operator()(const VoidRound& request) const;

 private:
  [[nodiscard]] Outcome void_hand(const Round& round, const VoidRound& request) const;
  // Whether the seat shares an award of the dealer's hand.
  [[nodiscard]] bool shares_award(const Round& round, Seat seat) const;
  [[nodiscard]] Refusal check_rejection(const std::vector<ClaimNumber>& claims,
                                        const Badge& by) const;
};

}  // namespace linkmeter
