// What becomes of a person's correction of a hand: a part of PersonDecision and of TableDecision.
// The dealer's entry stays; the corrected hand is settled anew, and what the old one was paid at
// once is reversed. What a person has to sign for (M11) he rejects first. Where nobody has a hand,
// nothing is settled, and the seat may be shown again.

#include <algorithm>

#include "meters/person_decision.h"
#include "meters/settlement.h"
#include "meters/table_decision.h"

namespace linkmeter {

Outcome PersonDecision::operator()(const CorrectHand& correct) const {
  if (!is_well_formed_note(correct.note)) return refused(Refusal::name_malformed);
  if (!person_.has(Right::correct_hands)) return refused(Refusal::right_missing);
  const auto table = state_.floor().find_table(correct.table);
  if (!table) return refused(Refusal::table_unknown);
  return TableDecision(state_, rules_, *table, now_).correct(correct, person_.badge);
}

// What hangs on the hand first, then the hand itself, so that nobody is told to mend his cards for
// a correction that cannot be.
Refusal TableDecision::refuse_correction(const Round& round, const CorrectHand& correct) const {
  if (round.blocked) return Refusal::round_blocked;
  if (!has_seat(correct.seat)) return Refusal::seat_unknown;
  const SeatShown* shown = round.find_shown(correct.seat);
  if (shown == nullptr) return Refusal::seat_not_shown;
  const bool is_weighed =
      std::any_of(round.wagers.begin(), round.wagers.end(), [&](const PlacedWager& wager) {
        return wager.seat == correct.seat &&
               rules_.link(wager.link).wager.decided_by == DecidedBy::both_hands;
      });
  if (is_weighed) return Refusal::correction_not_possible;
  const bool stands =
      std::any_of(shown->awards.begin(), shown->awards.end(), [this](const Award& award) {
        return award.claim && is_own_hands(rules_.link(award.link).wager) &&
               state_.find_claim(*award.claim)->state != ClaimState::rejected;
      });
  if (stands) return Refusal::claim_exists;
  if (correct.is_no_hand()) return Refusal::none;
  const ShownHand hand{correct.seat, correct.cards, correct.folded, Amount()};
  CardCounts others = round.cards;
  for (const Card card : shown->hand.cards) others.remove(card);
  const Refusal count = refuse_count(round, hand);
  const Refusal cards = refuse_cards(others, {hand}, {}, {});
  if (count != Refusal::none && (cards == Refusal::none || count < cards)) return count;
  if (cards != Refusal::none) return cards;
  const bool is_same = shown->hand.cards == hand.cards && shown->hand.folded == hand.folded;
  return is_same ? Refusal::cards_unchanged : Refusal::none;
}

Outcome TableDecision::correct(const CorrectHand& correct, const Badge& by) const {
  if (const Refusal no = refuse_known_round(correct.round, by); no != Refusal::none) {
    return refused(no);
  }
  const Round& round = *desk_.find_round(correct.round);
  if (const Refusal no = refuse_correction(round, correct); no != Refusal::none) {
    return refused(no);
  }
  const SeatShown& shown = *round.find_shown(correct.seat);
  HandCorrected corrected;
  corrected.table = table_;
  corrected.round = correct.round;
  corrected.corrects = shown.entry;
  corrected.seat = correct.seat;
  corrected.old_cards = shown.hand.cards;
  corrected.old_folded = shown.hand.folded;
  corrected.cards = correct.cards;
  corrected.folded = correct.folded;
  for (const Award& award : shown.awards) {
    if (!award.claim && is_own_hands(rules_.link(award.link).wager)) {
      corrected.reversed.push_back(award);
    }
  }
  Settlement settlement(state_, rules_);
  if (!correct.is_no_hand()) {
    settlement.settle(table_, round, {correct.seat, correct.cards, correct.folded, Amount()},
                      shown.draw);
  }
  if (!settlement.is_within_limits()) return refused(Refusal::meter_full);
  corrected.calls = settlement.calls();
  corrected.awards = settlement.awards();
  corrected.reason = correct.reason;
  corrected.note = correct.note;
  corrected.by = by;
  return accepted(std::move(corrected), settlement.postings());
}

}  // namespace linkmeter
