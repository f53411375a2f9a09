// CorrectionDecision: decides a person's correction of a hand, of the dealer's side or of a pot.
//
// The dealer's entry stays. The correcting entry undoes what depended on it: pending claims are
// rejected (M11), and what was paid at once is reversed. Then it is settled again by the current
// meters. A correction is one person's statement, so none of its awards is paid at once: a second
// person validates them. An award that was paid at once and is won again unchanged stays paid. A
// validated claim blocks the correction. If no player has a hand, nothing is settled, and the seat
// may be shown again.
#pragma once

#include <cstdint>

#include "meters/facts/operator_command.h"
#include "meters/rules/outcome.h"
#include "meters/rules/round_checks.h"
#include "meters/values/person.h"

namespace linkmeter {

class Settlement;
struct RoundReversal;

class CorrectionDecision : private RoundChecks {
 public:
  // REQUIRES: the person has the right to correct.
  CorrectionDecision(const State& state, const FloorRules& rules, TableIndex table, Timestamp now,
                     const Person& person)
      : RoundChecks(state, rules, table, now), person_(person) {}

  Outcome operator()(const CorrectHand& correct) const;
  Outcome operator()(const CorrectDealer& correct) const;
  Outcome operator()(const CorrectPot& correct) const;

 private:
  [[nodiscard]] bool depends_on_dealer(const Award& award) const;
  // Whether the award compares a player's hand with the dealer's.
  [[nodiscard]] bool is_compared(const Award& award) const;
  // Whether the seat's hand was compared with the dealer's by the show that had both.
  [[nodiscard]] bool was_compared(const Round& round, const SeatShown& shown) const;
  [[nodiscard]] Refusal check_correction(const Round& round, const CorrectHand& correct) const;
  [[nodiscard]] Refusal check_dealer_correction(const Round& round,
                                                const DealerCorrected& corrected) const;
  // Checked last: may the person reject the pending claims, and does the round or pot take one more
  // correction?
  [[nodiscard]] Refusal check_last(const RoundReversal& reversal, std::uint32_t corrections) const;
  // Settles the corrected hand and the wagers that compare it with the dealer's; or all that
  // depends on the dealer's side.
  void settle_again(Settlement& settlement, const Round& round, const SeatShown& shown,
                    const CorrectHand& correct) const;
  void settle_again(Settlement& settlement, const Round& round,
                    const DealerCorrected& corrected) const;

  const Person& person_;
};

}  // namespace linkmeter
