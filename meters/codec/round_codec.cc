#include "meters/codec/round_codec.h"

#include <string>
#include <vector>

#include "meters/codec/floor_codec.h"
#include "meters/codec/parts_codec.h"
#include "proto/state.pb.h"

namespace linkmeter::parts {

void encode_round(const Round& round, state::Round& message) {
  message.set_id(round.id.text());
  message.set_blocked(round.blocked);
  for (const PlacedWager& wager : round.wagers) encode_placed(wager, *message.add_wagers());
  for (const Seat seat : round.shown) message.add_shown(seat.value());
  message.set_dealer_shown(round.dealer_shown);
  message.set_claim_raised(round.claim_raised);
  std::string cards;
  for (std::uint8_t index = 0; index < Card::index_count; ++index) {
    const int count = round.cards.count(Card::from_index(index));
    cards.append(static_cast<std::size_t>(count), static_cast<char>(index));
  }
  message.set_cards(cards);
  if (round.draw) encode_draw(*round.draw, *message.mutable_draw());
  message.set_count_differed(round.count_differed);
}

std::optional<Round> decode_round(const state::Round& message) {
  Round round;
  std::vector<Card> cards;
  if (!decode_placed(message.wagers(), round.wagers) || !decode_cards(message.cards(), cards)) {
    return std::nullopt;
  }
  round.id = RoundId(message.id());
  round.blocked = message.blocked();
  for (const std::uint32_t seat : message.shown()) {
    round.shown.emplace_back(static_cast<std::uint8_t>(seat));
  }
  round.dealer_shown = message.dealer_shown();
  if (message.has_draw() && !(round.draw = decode_draw(message.draw()))) return std::nullopt;
  round.claim_raised = message.claim_raised();
  round.count_differed = message.count_differed();
  for (const Card card : cards) round.cards.add(card, limits::decks_max);
  return round;
}

}  // namespace linkmeter::parts
