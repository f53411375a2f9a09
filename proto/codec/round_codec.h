// Round codec: an open round, and a recent pot, as the state tables hold them; a part of
// state_codec.
#pragma once

#include <vector>

#include "meters/state/round.h"
#include "proto/codec/award_codec.h"
#include "proto/codec/hand_codec.h"

namespace linkmeter {

bool serialize(Of<PlayedPot> auto& pot, auto& message) {
  return FIELD(pot.id, id) && FIELD(pot.entry, entry) && FIELD(pot.link, link) &&
         FIELD(pot.pot, pot_cents) && FIELD(pot.board, board) && FIELD(pot.showdown, showdown) &&
         FIELD(pot.hands, hands) && FIELD(pot.awards, awards) &&
         FIELD(pot.terms_changed, terms_changed) && FIELD(pot.corrections, corrections);
}

bool serialize(Of<SeatShown> auto& shown, auto& message) {
  return FIELD(shown.entry, entry) && FIELD(shown.hand, hand) &&
         FIELD_OR_DEFAULT(shown.draw, draw) && FIELD(shown.awards, awards) &&
         FIELD(shown.with_dealer, with_dealer);
}

bool serialize(Of<DealerShown> auto& dealer, auto& message) {
  return FIELD(dealer.entry, entry) && FIELD(dealer.cards, cards) && FIELD(dealer.board, board) &&
         FIELD_OR_DEFAULT(dealer.draw, draw);
}

bool serialize(Of<HandTakenBack> auto& one, auto& message) {
  return FIELD(one.seat, seat) && FIELD(one.by, by);
}

// Every shown card, as often as it was shown.
bool serialize(Of<CardCounts> auto& counts, auto& message) {
  std::vector<Card> cards;
  for (std::uint8_t index = 0; index < Card::index_count; ++index) {
    const Card card = Card::from_index(index);
    cards.insert(cards.end(), static_cast<std::size_t>(counts.count(card)), card);
  }
  if (!FIELD(cards, cards)) return false;
  if constexpr (IsRead<decltype(message)>) {
    for (const Card card : cards) counts.add(card, limits::decks_max);
  }
  return true;
}

bool serialize(Of<Round> auto& round, auto& message) {
  return FIELD(round.id, id) && FIELD(round.blocked, blocked) && FIELD(round.wagers, wagers) &&
         FIELD(round.shown, shown) && FIELD(round.dealer_shown, dealer_shown) &&
         FIELD_OR_DEFAULT(round.dealer, dealer) && FIELD(round.awards, awards) &&
         FIELD(round.voided, voided) && serialize(round.cards, message) &&
         FIELD(round.draw, draw) && FIELD(round.count_differed, count_differed) &&
         FIELD(round.changed_by, changed_by) && FIELD(round.corrections, corrections) &&
         FIELD(round.draw_corrected_by, draw_corrected_by) && FIELD(round.taken_back, taken_back) &&
         FIELD(round.reversed, reversed);
}

}  // namespace linkmeter
