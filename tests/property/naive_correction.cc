// NaiveModel: a dealer's hand put right. Section 4 of the design: a floorperson may correct a
// dealer's entry; nothing that was written is written anew.

#include <algorithm>

#include "tests/property/naive_asking.h"
#include "tests/property/naive_hearing.h"
#include "tests/property/naive_settlement.h"

namespace linkmeter {

std::vector<NaiveAward> NaiveModel::Hearing::brought_by(int seat) const {
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

void NaiveModel::Hearing::keep_hands(NaiveRound& round, const std::vector<ShownHand>& hands) {
  for (const ShownHand& hand : hands) {
    const int seat = hand.seat.value();
    verdict.shown_again = verdict.shown_again || round.had_none.count(seat) != 0;
    round.hands[seat] = {model.entries_ + 1, hand.cards,
                         hand.folded,        hand.keyed ? hand.keyed->text() : "",
                         round.draw,         brought_by(seat)};
  }
}

void NaiveModel::Hearing::correct(const CorrectHand& asked, const std::string& by) {
  NaiveRound* round = check_known_round(asked.round, Badge());
  if (round == nullptr) return;
  const int seat = asked.seat.value();
  if (round->blocked) {
    no.insert(Refusal::round_blocked);
  } else if (seat < 1 || seat > table.seats) {
    no.insert(Refusal::seat_unknown);
  } else if (round->hands.count(seat) == 0) {
    no.insert(Refusal::seat_not_shown);
  }
  if (!no.empty()) return;
  const NaiveShown old = round->hands[seat];
  for (const NaiveWager& wager : round->wagers) {
    const bool against = model.terms_[wager.link].rules.hand == NaiveHand::against;
    if (wager.seat == seat && against) no.insert(Refusal::correction_not_possible);
  }
  if (!no.empty()) return;
  for (const NaiveAward& award : old.brought) {
    if (award.claim == 0) {
      verdict.reversed.push_back(award);
    } else if (model.claims_[award.claim - 1].step != NaiveClaim::Step::rejected) {
      no.insert(Refusal::claim_exists);
    }
  }
  if (!no.empty()) return;
  NaiveRound after = *round;
  for (const Card card : old.cards) --after.cards[card.index()];
  // It never lay there: nothing is settled, and whatever lies there may be shown.
  if (asked.cards.empty() && !asked.folded) {
    after.hands.erase(seat);
    after.shown.erase(seat);
    after.had_none.insert(seat);
    verdict.is_no_hand = true;
    *round = after;
    count_paid(verdict.reversed, true);
    done("hand_corrected", asked.round);
    verdict.corrects = old.entry;
    verdict.old_cards = old.cards;
    verdict.old_folded = old.folded;
    return;
  }
  const ShownHand hand{asked.seat, asked.cards, asked.folded, Amount()};
  std::set<int> nobody;
  check_hand(hand, !hand.folded, nobody);
  if (hand.folded && !round->has_wager(seat)) no.insert(Refusal::fold_without_wager);
  check_cards(after.cards, hand.cards);
  if (no.empty() && hand.cards == old.cards && hand.folded == old.folded) {
    no.insert(Refusal::cards_unchanged);
  }
  if (!no.empty()) return;
  // By the draw of its time, on the meters of now.
  NaiveRound then = after;
  then.draw = old.draw;
  ShowHands alone;
  alone.hands = {hand};
  alone.hands.front().keyed = old.keyed.empty() ? std::nullopt : std::optional(LineId(old.keyed));
  NaiveSettlement(model.terms_, model.books_, place, model.claims_.size(), verdict)
      .settle(then, alone);
  if (is_too_full()) return;
  done("hand_corrected", asked.round);
  verdict.corrects = old.entry;
  verdict.old_cards = old.cards;
  verdict.old_folded = old.folded;
  const std::size_t claims = model.claims_.size();
  raise_claims(&after, alone.hands);
  count_paid(verdict.reversed, true);
  for (std::size_t at = claims; at < model.claims_.size(); ++at) {
    model.claims_[at].corrected_by = by;
  }
  for (const NaiveAward& award : verdict.awards) {
    if (award.claim != 0) after.claim_raised = true;
  }
  after.hands[seat] = {model.entries_ + 1, hand.cards, hand.folded,
                       old.keyed,          old.draw,   brought_by(seat)};
  *round = after;
}

void NaiveModel::Asking::operator()(const CorrectHand& correct) {
  check_note(correct.note);
  need(person.is(Role::floorperson));
  if (!no.empty()) return;
  std::uint32_t place = 0;
  while (place < model.tables_.size() && model.tables_[place].id != correct.table.text()) ++place;
  if (place == model.tables_.size()) {
    no.insert(Refusal::table_unknown);
    return;
  }
  Hearing hearing{model, place, model.tables_[place], now, {}, {}};
  const std::vector<NaiveBook> before = model.books_;
  hearing.correct(correct, by);
  if (!hearing.no.empty()) model.books_ = before;
  no = hearing.no;
  verdict = hearing.verdict;
}

}  // namespace linkmeter
