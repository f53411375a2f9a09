#include "meters/codec/round_codec.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "meters/codec/award_codec.h"
#include "meters/codec/floor_codec.h"
#include "meters/codec/parts_codec.h"
#include "proto/state.pb.h"

namespace linkmeter::parts {

namespace {

void encode_shown(const SeatShown& shown, state::SeatShown& message) {
  message.set_entry(shown.entry.value());
  encode_hand(shown.hand, *message.mutable_hand());
  if (shown.draw != Draw()) encode_draw(shown.draw, *message.mutable_draw());
  for (const Award& award : shown.awards) encode_award(award, *message.add_awards());
}

bool decode_shown(const state::Round& message, Round& round) {
  for (const state::SeatShown& one : message.shown()) {
    SeatShown& shown = round.shown.emplace_back();
    shown.entry = EntryNumber(one.entry());
    std::vector<ShownHand> hand;
    if (!decode_hands(std::array{one.hand()}, hand)) return false;
    shown.hand = std::move(hand.front());
    if (one.has_draw()) {
      const std::optional<Draw> draw = decode_draw(one.draw());
      if (!draw) return false;
      shown.draw = *draw;
    }
    for (const journal::Award& award : one.awards()) {
      if (!decode_award(award, shown.awards.emplace_back())) return false;
    }
  }
  return true;
}

}  // namespace

void encode_round(const Round& round, state::Round& message) {
  message.set_id(round.id.text());
  message.set_blocked(round.blocked);
  for (const PlacedWager& wager : round.wagers) encode_placed(wager, *message.add_wagers());
  for (const SeatShown& shown : round.shown) encode_shown(shown, *message.add_shown());
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
  if (!decode_shown(message, round)) return std::nullopt;
  round.dealer_shown = message.dealer_shown();
  if (message.has_draw() && !(round.draw = decode_draw(message.draw()))) return std::nullopt;
  round.claim_raised = message.claim_raised();
  round.count_differed = message.count_differed();
  for (const Card card : cards) round.cards.add(card, limits::decks_max);
  return round;
}

}  // namespace linkmeter::parts
