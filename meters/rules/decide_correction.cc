#include "meters/rules/decide_correction.h"

#include <algorithm>
#include <utility>

#include "meters/rules/round_reversal.h"
#include "meters/rules/settlement.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

// Adds what every correction states, besides the cards that it corrects.
template <class Corrected, class Correct>
Outcome corrected_as(Corrected corrected, const Correct& correct, const Settlement& settlement,
                     const Person& by) {
  if (!settlement.is_within_limits()) return refused(Refusal::meter_full);
  corrected.hits = settlement.hits();
  corrected.awards = settlement.awards();
  corrected.reason = correct.reason;
  corrected.note = correct.note;
  corrected.by = by.badge;
  return accepted(std::move(corrected), settlement.postings());
}

}  // namespace

Refusal CorrectionDecision::check_last(const RoundReversal& reversal,
                                       std::uint32_t corrections) const {
  if (!may_reject(state_, rules_, reversal.pending, person_)) return Refusal::right_missing;
  return corrections >= limits::corrections_max ? Refusal::corrections_too_many : Refusal::none;
}

bool CorrectionDecision::depends_on_dealer(const Award& award) const {
  return award.on_dealer || !is_own_hands(rules_.link(award.link).wager);
}

bool CorrectionDecision::is_compared(const Award& award) const {
  return rules_.link(award.link).wager.decided_by == DecidedBy::both_hands;
}

bool CorrectionDecision::was_compared(const Round& round, const SeatShown& shown) const {
  return shown.with_dealer &&
         std::any_of(round.wagers.begin(), round.wagers.end(), [&](const PlacedWager& wager) {
           return wager.seat == shown.hand.seat &&
                  rules_.link(wager.link).wager.decided_by == DecidedBy::both_hands;
         });
}

// Checks what depends on the hand first and the hand itself last, so that nobody is asked to fix
// the cards of a correction that is impossible anyway.
Refusal CorrectionDecision::check_correction(const Round& round, const CorrectHand& correct) const {
  if (round.blocked) return Refusal::round_blocked;
  if (!has_seat(correct.seat)) return Refusal::seat_unknown;
  const SeatShown* shown = round.find_shown(correct.seat);
  if (shown == nullptr) return Refusal::seat_not_shown;
  if (round.is_void(correct.seat)) return Refusal::hand_void;
  const bool compared = was_compared(round, *shown);
  if (correct.is_no_hand()) return compared ? Refusal::correction_not_possible : Refusal::none;
  const ShownHand hand{correct.seat, correct.cards, correct.folded, Amount()};
  CardCounts others = round.cards;
  for (const Card card : shown->hand.cards) others.remove(card);
  const Refusal count = compared && correct.cards.empty() && needs_cards(round, hand)
                            ? Refusal::wrong_card_count
                            : check_count(round, hand);
  const Refusal cards = check_cards(others, {hand}, {}, {}).refusal;
  if (count != Refusal::none && (cards == Refusal::none || count < cards)) return count;
  if (cards != Refusal::none) return cards;
  const bool is_same = shown->hand.cards == hand.cards && shown->hand.folded == hand.folded;
  return is_same ? Refusal::cards_unchanged : Refusal::none;
}

namespace {

// Whether the award depends on this hand alone: what it won by itself, and Envy for it.
bool is_of_hand(const Award& award, Seat seat) {
  return !award.on_dealer && award.holder.value_or(award.seat) == seat;
}

template <class Wanted>
std::vector<Award> awards_where(const Round& round, const Wanted& wanted) {
  std::vector<Award> found = round.all_awards();
  std::erase_if(found, [&wanted](const Award& award) { return !wanted(award); });
  return found;
}

std::vector<ShownHand> hands_with_dealer(const Round& round) {
  std::vector<ShownHand> hands;
  for (const SeatShown& seat : round.shown) {
    if (seat.with_dealer) hands.push_back(seat.hand);
  }
  return hands;
}

}  // namespace

void CorrectionDecision::settle_again(Settlement& settlement, const Round& round,
                                      const SeatShown& shown, const CorrectHand& correct) const {
  const ShownHand hand{correct.seat, correct.cards, correct.folded, Amount()};
  if (was_compared(round, shown)) {
    std::vector<ShownHand> hands = hands_with_dealer(round);
    for (ShownHand& one : hands) {
      if (one.seat == hand.seat) one = hand;
    }
    settlement.settle_dealer(table_, round, round.dealer.cards, hands, round.dealer.draw,
                             Settlement::Resettle::comparisons);
  }
  settlement.settle(table_, round, hand, shown.draw);
}

Outcome CorrectionDecision::operator()(const CorrectHand& correct) const {
  if (const Refusal no = check_known_round(correct.round, person_.badge); no != Refusal::none) {
    return refused(no);
  }
  const Round& round = *session_.find_round(correct.round);
  const Refusal no = check_correction(round, correct);
  const SeatShown* shown = round.find_shown(correct.seat);
  if (shown == nullptr || no == Refusal::round_blocked || no == Refusal::seat_unknown) {
    return refused(no);
  }
  const bool compared = was_compared(round, *shown);
  RoundReversal reversal = reversal_of(state_, awards_where(round, [&](const Award& award) {
                                         return depends_on_dealer(award)
                                                    ? compared && is_compared(award)
                                                    : is_of_hand(award, correct.seat);
                                       }));
  if (no == Refusal::hand_void || no == Refusal::correction_not_possible) return refused(no);
  if (reversal.refusal != Refusal::none) return refused(reversal.refusal);
  if (no != Refusal::none) return refused(no);
  if (const Refusal last = check_last(reversal, round.corrections); last != Refusal::none) {
    return refused(last);
  }
  HandCorrected corrected;
  corrected.table = table_;
  corrected.round = correct.round;
  corrected.corrects = shown->entry;
  corrected.seat = correct.seat;
  corrected.old_cards = shown->hand.cards;
  corrected.old_folded = shown->hand.folded;
  corrected.cards = correct.cards;
  corrected.folded = correct.folded;
  Settlement settlement(state_, rules_);
  settlement.correct_awards(std::move(reversal.reversed));
  corrected.rejected = reject_claims(settlement, std::move(reversal.pending));
  if (!correct.is_no_hand()) settle_again(settlement, round, *shown, correct);
  corrected.reversed = settlement.awards_not_won_again();
  return corrected_as(std::move(corrected), correct, settlement, person_);
}

// `corrected` has the cards, the board and the draw, old and new.
Refusal CorrectionDecision::check_dealer_correction(const Round& round,
                                                    const DealerCorrected& corrected) const {
  const std::size_t count = corrected.cards.size();
  const bool is_count_wrong =
      (round.dealer_shown && game_.dealer_cards_min > 0 &&
       (count < game_.dealer_cards_min || count > game_.dealer_cards_max)) ||
      count > limits::cards_per_hand_max || corrected.board.size() > game_.board_cards_max;
  const auto& draw = corrected.draw;
  if (draw && draw->seat && draw->seat->value() > config_.seats) return Refusal::seat_unknown;
  if (draw && draw->magic && draw->magic->is_joker()) return Refusal::card_malformed;
  CardCounts others = round.cards;
  for (const Card card : corrected.old_cards) others.remove(card);
  for (const Card card : corrected.old_board) others.remove(card);
  const Refusal cards = check_cards(others, {}, corrected.cards, corrected.board).refusal;
  if (is_count_wrong && (cards == Refusal::none || Refusal::wrong_card_count < cards)) {
    return Refusal::wrong_card_count;
  }
  if (cards != Refusal::none) return cards;
  const bool is_same = corrected.cards == corrected.old_cards &&
                       corrected.board == corrected.old_board && draw == corrected.old_draw;
  return is_same ? Refusal::cards_unchanged : Refusal::none;
}

void CorrectionDecision::settle_again(Settlement& settlement, const Round& round,
                                      const DealerCorrected& corrected) const {
  const bool has_other_cards = corrected.cards != corrected.old_cards;
  const bool has_other_draw = corrected.draw != corrected.old_draw;
  if (has_other_cards || has_other_draw) {
    settlement.settle_dealer(
        table_, round, corrected.cards, hands_with_dealer(round),
        corrected_draw(round.dealer.draw, corrected.draw),
        has_other_cards ? Settlement::Resettle::everything : Settlement::Resettle::bonuses);
  }
  if (!has_other_draw) return;
  std::vector<SeatShown> seats = round.shown;
  std::sort(seats.begin(), seats.end(), [](const SeatShown& left, const SeatShown& right) {
    return left.hand.seat > right.hand.seat;  // M6
  });
  for (const SeatShown& seat : seats) {
    settlement.settle_bonuses(table_, round, seat.hand, corrected_draw(seat.draw, corrected.draw));
  }
}

Outcome CorrectionDecision::operator()(const CorrectDealer& correct) const {
  if (const Refusal no = check_known_round(correct.round, person_.badge); no != Refusal::none) {
    return refused(no);
  }
  const Round& round = *session_.find_round(correct.round);
  if (round.blocked) return refused(Refusal::round_blocked);
  const bool was_drawn = (!correct.magic || (round.draw && round.draw->magic)) &&
                         (!correct.lucky || (round.draw && round.draw->seat));
  if ((correct.cards && round.dealer.cards.empty()) ||
      (correct.board && round.dealer.board.empty()) || !was_drawn) {
    return refused(Refusal::dealer_not_shown);
  }
  DealerCorrected corrected;
  corrected.table = table_;
  corrected.round = correct.round;
  corrected.corrects = round.dealer.entry;
  corrected.old_cards = round.dealer.cards;
  corrected.cards = correct.cards.value_or(round.dealer.cards);
  corrected.old_board = round.dealer.board;
  corrected.board = correct.board.value_or(round.dealer.board);
  corrected.old_draw = round.draw;
  corrected.draw = round.draw;
  if (correct.magic) corrected.draw->magic = correct.magic;
  if (correct.lucky) corrected.draw->seat = correct.lucky;
  const bool has_other_cards = corrected.cards != corrected.old_cards;
  const bool has_other_draw = corrected.draw != corrected.old_draw;
  RoundReversal reversal = reversal_of(
      state_, awards_where(round, [&](const Award& award) {
        const bool is_bonus =
            award.kind == AwardKind::magic_card || award.kind == AwardKind::lucky_bonus;
        return (has_other_cards && depends_on_dealer(award)) || (has_other_draw && is_bonus);
      }));
  if (reversal.refusal != Refusal::none) return refused(reversal.refusal);
  if (const Refusal no = check_dealer_correction(round, corrected); no != Refusal::none) {
    return refused(no);
  }
  if (const Refusal no = check_last(reversal, round.corrections); no != Refusal::none) {
    return refused(no);
  }
  Settlement settlement(state_, rules_);
  settlement.correct_awards(std::move(reversal.reversed));
  corrected.rejected = reject_claims(settlement, std::move(reversal.pending));
  settle_again(settlement, round, corrected);
  corrected.reversed = settlement.awards_not_won_again();
  return corrected_as(std::move(corrected), correct, settlement, person_);
}

namespace {

// The corrected hands, in the order of the seats.
std::vector<ShownHand> corrected_hands(const std::vector<ShownHand>& entered,
                                       const std::vector<CorrectPot::Hand>& wrong) {
  std::vector<ShownHand> hands = entered;
  for (const CorrectPot::Hand& one : wrong) {
    const auto known = std::find_if(hands.begin(), hands.end(), [&one](const ShownHand& hand) {
      return hand.seat == one.seat;
    });
    if (one.not_dealt_in) {
      if (known != hands.end()) hands.erase(known);
    } else if (known != hands.end()) {
      known->cards = one.cards;
      known->folded = one.folded;
    } else {
      hands.push_back({one.seat, one.cards, one.folded, Amount()});
    }
  }
  return hands;
}

}  // namespace

Outcome CorrectionDecision::operator()(const CorrectPot& correct) const {
  const PlayedPot* played = session_.find_pot(correct.round);
  if (played == nullptr) return refused(Refusal::pot_unknown);
  if (correct.hands.size() > std::size_t{2} * limits::seats_max)
    return refused(Refusal::seat_already_shown);
  PlayPot pot;
  pot.round = played->id;
  pot.pot = played->pot;
  pot.board = correct.board.value_or(played->board);
  pot.showdown = correct.showdown.value_or(played->showdown);
  pot.hands = corrected_hands(played->hands, correct.hands);
  RoundReversal reversal = reversal_of(state_, played->awards);
  if (reversal.refusal != Refusal::none) return refused(reversal.refusal);
  if (const Refusal no = check_pot_hands(pot).refusal; no != Refusal::none) return refused(no);
  if (pot.board == played->board && pot.showdown == played->showdown &&
      pot.hands == played->hands) {
    return refused(Refusal::cards_unchanged);
  }
  if (state_.link(played->link).ending.has_ended()) return refused(Refusal::link_ended);
  if (played->terms_changed) return refused(Refusal::terms_changed);
  if (const Refusal no = check_last(reversal, played->corrections); no != Refusal::none) {
    return refused(no);
  }
  PotCorrected corrected;
  Settlement settlement(state_, rules_);
  settlement.correct_awards({});
  corrected.rejected = reject_claims(settlement, std::move(reversal.pending));
  settlement.settle(played->link, pot);
  corrected.table = table_;
  corrected.round = pot.round;
  corrected.corrects = played->entry;
  corrected.link = played->link;
  corrected.pot = pot.pot;
  corrected.board = pot.board;
  corrected.showdown = pot.showdown;
  corrected.hands = pot.hands;
  corrected.old_board = played->board;
  corrected.old_showdown = played->showdown;
  corrected.old_hands = played->hands;
  return corrected_as(std::move(corrected), correct, settlement, person_);
}

}  // namespace linkmeter
