// NaiveModel: a correction of a dealer's hand. Section 4 of the design: a floorperson may correct a
// dealer's entry; an existing entry is never changed.

#include <algorithm>
#include <functional>

#include "tests/property/naive_person_message.h"
#include "tests/property/naive_settlement.h"
#include "tests/property/naive_table_message.h"

namespace linkmeter {

std::vector<NaiveAward> NaiveModel::TableMessageDecision::brought_by(int seat) const {
  std::vector<NaiveAward> all;
  for (const NaiveAward& award : verdict.awards) {
    const NaiveHand decides = model.terms_[award.link].rules.hand;
    if (award.kind == NaiveAward::Kind::envy) {
      if (award.holder == seat) all.push_back(award);
    } else if (award.seat == seat && !award.on_dealer &&
               (decides == NaiveHand::own || decides == NaiveHand::chosen)) {
      all.push_back(award);
    }
  }
  return all;
}

bool NaiveModel::TableMessageDecision::is_own(const NaiveAward& award) const {
  const NaiveHand decides = model.terms_[award.link].rules.hand;
  return !award.on_dealer && (decides == NaiveHand::own || decides == NaiveHand::chosen);
}

void NaiveModel::TableMessageDecision::keep_hands(NaiveRound& round,
                                                  const std::vector<ShownHand>& hands,
                                                  bool with_dealer) {
  for (const ShownHand& hand : hands) {
    const int seat = hand.seat.value();
    verdict.shown_again = verdict.shown_again || round.had_none.count(seat) != 0;
    round.hands[seat] = {
        model.entries_ + 1, hand.cards,       hand.folded, hand.keyed ? hand.keyed->text() : "",
        round.draw,         brought_by(seat), with_dealer};
  }
}

void NaiveModel::TableMessageDecision::undo(const std::vector<NaiveAward>& awards) {
  for (const NaiveAward& award : awards) {
    if (award.claim != 0) {
      const NaiveClaim::Step step = model.claims_[award.claim - 1].step;
      if (step == NaiveClaim::Step::raised) verdict.rejected.push_back(award.claim);
      if (step == NaiveClaim::Step::validated || step == NaiveClaim::Step::paid) {
        no.insert(Refusal::claim_exists);
      }
    } else if (award.waits_for == 0 || model.claims_[award.waits_for - 1].envy_paid) {
      verdict.reversed.push_back(award);
    }
  }
}

// One after the other, the latest first: their order does not matter (M11).
void NaiveModel::TableMessageDecision::reject_pending(RejectReason reason, const std::string& note,
                                                      const std::string& by, bool by_table) {
  std::sort(verdict.rejected.begin(), verdict.rejected.end(), std::greater<>());
  for (const std::uint64_t number : verdict.rejected) {
    NaiveClaim& claim = model.claims_[number - 1];
    claim.step = NaiveClaim::Step::rejected;
    claim.rejected_by = by;
    claim.rejected_at = now;
    claim.rejected_by_table = by_table;
    claim.reject_reason = reason;
    claim.reject_note = note;
    if (claim.award.level >= 0) model.take_back(claim, verdict);
  }
}

void NaiveModel::TableMessageDecision::strike(NaiveRound& round) const {
  for (const NaiveAward& gone : verdict.reversed) {
    const auto found = std::find(round.all.begin(), round.all.end(), gone);
    if (found != round.all.end()) round.all.erase(found);
  }
  std::erase_if(round.all, [this](const NaiveAward& award) {
    return std::any_of(
        verdict.rejected.begin(), verdict.rejected.end(),
        [&award](std::uint64_t claim) { return award.claim == claim || award.waits_for == claim; });
  });
}

void NaiveModel::TableMessageDecision::raise_anew(NaiveRound* round,
                                                  const std::vector<ShownHand>& hands,
                                                  const std::string& by) {
  const std::size_t claims = model.claims_.size();
  raise_claims(round, hands);
  count_paid(verdict.reversed, true);
  for (std::size_t at = claims; at < model.claims_.size(); ++at) {
    model.claims_[at].corrected_by = by;
  }
  if (round == nullptr) return;
  strike(*round);
  round->all.insert(round->all.end(), verdict.awards.begin(), verdict.awards.end());
}

void NaiveModel::TableMessageDecision::correct(const CorrectHand& asked, const std::string& by) {
  NaiveRound* round = check_known_round(asked.round, Badge());
  if (round == nullptr) return;
  const int seat = asked.seat.value();
  if (round->blocked) {
    no.insert(Refusal::round_blocked);
  } else if (seat < 1 || seat > table.seats) {
    no.insert(Refusal::seat_unknown);
  } else if (round->hands.count(seat) == 0) {
    no.insert(Refusal::seat_not_shown);
  } else if (round->voided.count(seat) != 0) {
    no.insert(Refusal::hand_void);
  }
  if (!no.empty()) return;
  const NaiveShown old = round->hands[seat];
  const bool is_none = asked.cards.empty() && !asked.folded;
  bool weighed = false;
  for (const NaiveWager& wager : round->wagers) {
    const bool against = model.terms_[wager.link].rules.hand == NaiveHand::against;
    weighed = weighed || (wager.seat == seat && against && old.with_dealer);
  }
  // It could not be compared a second time.
  if (weighed && is_none) no.insert(Refusal::correction_not_possible);
  if (!no.empty()) return;
  std::vector<NaiveAward> its;
  for (const NaiveAward& award : round->all) {
    const bool against = model.terms_[award.link].rules.hand == NaiveHand::against;
    const int whose = award.holder >= 0 ? award.holder : award.seat;
    if (is_own(award) ? whose == seat : weighed && against) its.push_back(award);
  }
  undo(its);
  if (!no.empty()) return;
  NaiveRound after = *round;
  for (const Card card : old.cards) --after.cards[card.index()];
  verdict.corrects = old.entry;
  verdict.old_cards = old.cards;
  verdict.old_folded = old.folded;
  verdict.is_no_hand = is_none;
  const ShownHand hand{asked.seat, asked.cards, asked.folded, Amount()};
  if (!is_none) {
    std::set<int> nobody;
    check_hand(hand, !hand.folded, nobody);
    if (hand.folded && !round->has_wager(seat)) no.insert(Refusal::fold_without_wager);
    check_cards(after.cards, hand.cards);
    if (no.empty() && hand.cards == old.cards && hand.folded == old.folded) {
      no.insert(Refusal::cards_unchanged);
    }
    if (!no.empty()) return;
  }
  if (round->corrections >= 32) no.insert(Refusal::corrections_too_many);
  if (!no.empty()) return;
  reject_pending(RejectReason::hand_misread, asked.note, by, false);
  ShowHands alone;
  if (is_none) {  // the hand counts as never shown: any hand may be shown there
    after.hands.erase(seat);
    after.shown.erase(seat);
    after.had_none.insert(seat);
    after.none_by[seat] = by;
  } else {
    NaiveSettlement settlement(model.terms_, model.books_, place, model.claims_.size(), verdict);
    // With the draw of its time, on the current meters. Hands that were compared are compared
    // again, all of them.
    if (weighed) {
      NaiveRound then = after;
      then.draw = after.dealer_draw;
      ShowHands both;
      both.dealer = after.dealer;
      for (const auto& [other, shown] : after.hands) {
        const ShownHand as_it_was{Seat(static_cast<std::uint8_t>(other)), shown.cards, shown.folded,
                                  Amount()};
        if (shown.with_dealer) both.hands.push_back(other == seat ? hand : as_it_was);
      }
      settlement.settle_dealers(then, both, true);
    }
    NaiveRound then = after;
    then.draw = old.draw;
    alone.hands = {hand};
    alone.hands.front().keyed = old.keyed.empty() ? std::nullopt : std::optional(LineId(old.keyed));
    settlement.settle(then, alone);
    settlement.pay_nothing(verdict.reversed);
  }
  if (is_too_full()) return;
  done("hand_corrected", asked.round);
  ++after.corrections;
  std::vector<ShownHand> keyed = alone.hands;
  for (const auto& [other, shown] : after.hands) {
    if (other == seat) continue;
    ShownHand one{Seat(static_cast<std::uint8_t>(other)), shown.cards, shown.folded, Amount()};
    if (!shown.keyed.empty()) one.keyed = LineId(shown.keyed);
    keyed.push_back(one);
  }
  raise_anew(&after, keyed, by);
  if (!is_none) {
    after.hands[seat] = {model.entries_ + 1, hand.cards,       hand.folded,    old.keyed,
                         old.draw,           brought_by(seat), old.with_dealer};
  }
  *round = after;
}

void NaiveModel::TableMessageDecision::correct(const CorrectDealer& asked, const std::string& by) {
  NaiveRound* round = check_known_round(asked.round, Badge());
  if (round == nullptr) return;
  if (round->blocked) no.insert(Refusal::round_blocked);
  if (!no.empty()) return;
  const bool drew_card = round->draw && round->draw->magic;
  const bool drew_seat = round->draw && round->draw->seat;
  if ((asked.cards && round->dealer.empty()) || (asked.board && round->board.empty()) ||
      (asked.magic && !drew_card) || (asked.lucky && !drew_seat)) {
    no.insert(Refusal::dealer_not_shown);
  }
  if (!no.empty()) return;
  NaiveRound after = *round;
  if (asked.cards) after.dealer = *asked.cards;
  if (asked.board) after.board = *asked.board;
  if (asked.magic) after.draw->magic = asked.magic;
  if (asked.lucky) after.draw->seat = asked.lucky;
  const bool other_cards = after.dealer != round->dealer;
  const bool other_draw = after.draw != round->draw;
  std::vector<NaiveAward> its;
  for (const NaiveAward& award : round->all) {
    const bool bonus =
        award.kind == NaiveAward::Kind::magic || award.kind == NaiveAward::Kind::lucky;
    const bool envy = award.kind == NaiveAward::Kind::envy;
    if ((other_cards && !is_own(award) && !envy) || (other_draw && bonus)) its.push_back(award);
  }
  undo(its);
  if (!no.empty()) return;
  for (const Card card : round->dealer) --after.cards[card.index()];
  for (const Card card : round->board) --after.cards[card.index()];
  check_cards(after.cards, after.dealer);
  check_cards(after.cards, after.board);
  const Counts counts = counts_of(table.game);
  const std::size_t count = after.dealer.size();
  const bool must = table.game != "raise-it-up" && round->dealer_shown;
  if ((must && (count < counts.dealer_least || count > counts.dealer_most)) || count > 24 ||
      after.board.size() > counts.board_most) {
    no.insert(Refusal::wrong_card_count);
  }
  if (asked.magic && asked.magic->index() >= 52) no.insert(Refusal::card_malformed);
  if (asked.lucky && asked.lucky->value() > table.seats) no.insert(Refusal::seat_unknown);
  if (no.empty() && !other_cards && !other_draw && after.board == round->board) {
    no.insert(Refusal::cards_unchanged);
  }
  if (no.empty() && round->corrections >= 32) no.insert(Refusal::corrections_too_many);
  if (!no.empty()) return;
  const auto mend = [&](std::optional<Draw>& draw) {
    if (draw && draw->magic && asked.magic) draw->magic = asked.magic;
    if (draw && draw->seat && asked.lucky) draw->seat = asked.lucky;
  };
  mend(after.dealer_draw);
  for (auto& [seat, hand] : after.hands) mend(hand.draw);
  verdict.corrects = round->dealer_entry;
  verdict.old_cards = round->dealer;
  verdict.old_board = round->board;
  verdict.old_draw = round->draw;
  reject_pending(RejectReason::hand_misread, asked.note, by, false);
  NaiveSettlement settlement(model.terms_, model.books_, place, model.claims_.size(), verdict);
  NaiveRound then = after;
  then.draw = after.dealer_draw;
  ShowHands show;
  show.dealer = after.dealer;
  for (const auto& [seat, hand] : after.hands) {
    const ShownHand one{Seat(static_cast<std::uint8_t>(seat)), hand.cards, hand.folded, Amount()};
    if (hand.with_dealer) show.hands.push_back(one);
  }
  settlement.bonuses_only = !other_cards;
  if (other_cards || other_draw) settlement.settle_dealers(then, show, false);
  settlement.bonuses_only = true;
  for (auto hand = after.hands.rbegin(); other_draw && hand != after.hands.rend(); ++hand) {
    then.draw = hand->second.draw;
    ShowHands alone;
    alone.hands = {{Seat(static_cast<std::uint8_t>(hand->first)), hand->second.cards,
                    hand->second.folded, Amount()}};
    settlement.settle(then, alone);
  }
  settlement.pay_nothing(verdict.reversed);
  if (is_too_full()) return;
  done("dealer_corrected", asked.round);
  ++after.corrections;
  if (other_draw) after.draw_by = by;
  std::vector<ShownHand> keyed;
  for (const auto& [seat, hand] : after.hands) {
    ShownHand one{Seat(static_cast<std::uint8_t>(seat)), hand.cards, hand.folded, Amount()};
    if (!hand.keyed.empty()) one.keyed = LineId(hand.keyed);
    keyed.push_back(one);
  }
  raise_anew(&after, keyed, by);
  after.dealer_entry = model.entries_ + 1;
  *round = after;
}

void NaiveModel::TableMessageDecision::correct(const CorrectPot& asked, const std::string& by) {
  NaivePot* known = nullptr;
  for (auto& [id, pot] : table.pots) {
    if (id == asked.round.text()) known = &pot;
  }
  if (known == nullptr) {
    no.insert(Refusal::pot_unknown);
    return;
  }
  PlayPot pot = known->pot;
  for (const CorrectPot::Hand& wrong : asked.hands) {
    std::size_t at = 0;
    while (at < pot.hands.size() && pot.hands[at].seat != wrong.seat) ++at;
    if (wrong.not_dealt_in) {
      if (at < pot.hands.size())
        pot.hands.erase(pot.hands.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    if (at == pot.hands.size()) pot.hands.push_back({wrong.seat, {}, false, Amount()});
    pot.hands[at].cards = wrong.cards;
    pot.hands[at].folded = wrong.folded;
  }
  if (asked.board) pot.board = *asked.board;
  if (asked.showdown) pot.showdown = *asked.showdown;
  std::vector<NaiveAward> its;
  for (const std::uint64_t claim : known->claims) its.push_back(model.claims_[claim - 1].award);
  undo(its);
  if (!no.empty()) return;
  check_pot(pot);
  if (!no.empty()) return;
  if (pot == known->pot) no.insert(Refusal::cards_unchanged);
  if (model.books_[known->link].gone) no.insert(Refusal::link_ended);
  if (known->other_terms) no.insert(Refusal::terms_changed);
  if (!no.empty()) return;
  if (!verdict.rejected.empty() && !may_validate_or_reject) no.insert(Refusal::right_missing);
  if (no.empty() && known->corrections >= 32) no.insert(Refusal::corrections_too_many);
  if (!no.empty()) return;
  verdict.corrects = known->entry;
  reject_pending(RejectReason::hand_misread, asked.note, by, false);
  pot_link = known->link;
  NaiveSettlement(model.terms_, model.books_, place, model.claims_.size(), verdict)
      .settle(known->link, pot);
  if (is_too_full()) return;
  done("pot_corrected", asked.round);
  raise_anew(nullptr, {}, by);
  known->entry = model.entries_ + 1;
  known->pot = pot;
  ++known->corrections;
  known->claims.clear();
  for (const NaiveAward& award : verdict.awards) known->claims.push_back(award.claim);
}

template <class Correction>
void NaiveModel::PersonMessageDecision::put_right(const Correction& correct) {
  std::uint32_t place = 0;
  while (place < model.tables_.size() && model.tables_[place].id != correct.table.text()) ++place;
  if (place == model.tables_.size()) {
    no.insert(Refusal::table_unknown);
    return;
  }
  TableMessageDecision hearing{model, place, model.tables_[place], now, {}, {}};
  hearing.may_validate_or_reject = person.is(Role::poker_shift_supervisor);
  const std::vector<NaiveBook> before = model.books_;
  const std::vector<NaiveClaim> claims = model.claims_;
  hearing.correct(correct, by);
  if (!hearing.no.empty()) {
    model.books_ = before;
    model.claims_ = claims;
  }
  no = hearing.no;
  verdict = hearing.verdict;
}

void NaiveModel::PersonMessageDecision::operator()(const CorrectHand& correct) {
  check_note(correct.note);
  need(person.is(Role::floorperson));
  if (no.empty()) put_right(correct);
}

void NaiveModel::PersonMessageDecision::operator()(const CorrectDealer& correct) {
  check_note(correct.note);
  need(person.is(Role::floorperson));
  if (no.empty()) put_right(correct);
}

void NaiveModel::PersonMessageDecision::operator()(const CorrectPot& correct) {
  check_note(correct.note);
  need(person.is(Role::floorperson) || person.is(Role::poker_shift_supervisor));
  if (no.empty()) put_right(correct);
}

}  // namespace linkmeter
