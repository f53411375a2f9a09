// Hand codec: hands, draws and placed wagers, as table messages, the journal and the state tables
// hold them.
#pragma once

#include "meters/facts/entry.h"
#include "meters/facts/table_command.h"
#include "proto/codec/field_codec.h"

namespace linkmeter {

bool serialize(Of<ShownHand> auto& hand, auto& message) {
  return FIELD(hand.seat, seat) && FIELD(hand.cards, cards) && FIELD(hand.folded, folded) &&
         FIELD(hand.won, won_cents) && FIELD(hand.keyed, keyed_line);
}

bool serialize(Of<Draw> auto& draw, auto& message) {
  return FIELD(draw.magic, magic) && FIELD(draw.seat, seat);
}

bool serialize(Of<PlacedWager> auto& wager, auto& message) {
  return FIELD(wager.seat, seat) && FIELD(wager.link, link) && FIELD(wager.amount, amount_cents) &&
         FIELD(wager.on_dealer, on_dealer);
}

}  // namespace linkmeter
