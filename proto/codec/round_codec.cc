#include "proto/codec/round_codec.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "proto/codec/award_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/state.pb.h"

namespace linkmeter::parts {

namespace {

void encode_shown(const SeatShown& shown, state::SeatShown& message) {
  message.set_entry(shown.entry.value());
  encode_hand(shown.hand, *message.mutable_hand());
  if (shown.draw != Draw()) encode_draw(shown.draw, *message.mutable_draw());
  encode_awards(shown.awards, message.mutable_awards());
  message.set_with_dealer(shown.with_dealer);
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
    if (!decode_awards(one.awards(), shown.awards)) return false;
    shown.with_dealer = one.with_dealer();
  }
  return true;
}

void encode_dealer(const DealerShown& dealer, state::DealerShown& message) {
  message.set_entry(dealer.entry.value());
  message.set_cards(encode_cards(dealer.cards));
  message.set_board(encode_cards(dealer.board));
  if (dealer.draw != Draw()) encode_draw(dealer.draw, *message.mutable_draw());
}

bool decode_dealer(const state::DealerShown& message, DealerShown& dealer) {
  dealer.entry = EntryNumber(message.entry());
  if (!decode_cards(message.cards(), dealer.cards) ||
      !decode_cards(message.board(), dealer.board)) {
    return false;
  }
  const std::optional<Draw> draw = decode_draw(message.draw());
  if (draw) dealer.draw = *draw;
  return draw.has_value();
}

}  // namespace

void encode_pot(const PlayedPot& pot, state::PlayedPot& message) {
  message.set_id(pot.id.text());
  message.set_entry(pot.entry.value());
  message.set_link(pot.link.value());
  message.set_pot_cents(pot.pot.in_cents());
  message.set_board(encode_cards(pot.board));
  message.set_showdown(pot.showdown);
  for (const ShownHand& hand : pot.hands) encode_hand(hand, *message.add_hands());
  encode_awards(pot.awards, message.mutable_awards());
  message.set_terms_changed(pot.terms_changed);
  message.set_corrections(pot.corrections);
}

std::optional<PlayedPot> decode_pot(const state::PlayedPot& message) {
  PlayedPot pot;
  const auto amount = decode_cents(message.pot_cents());
  if (!amount || !decode_cards(message.board(), pot.board) ||
      !decode_hands(message.hands(), pot.hands) || !decode_awards(message.awards(), pot.awards)) {
    return std::nullopt;
  }
  pot.id = RoundId(message.id());
  pot.entry = EntryNumber(message.entry());
  pot.link = LinkIndex(message.link());
  pot.pot = *amount;
  pot.showdown = message.showdown();
  pot.terms_changed = message.terms_changed();
  pot.corrections = message.corrections();
  return pot;
}

void encode_round(const Round& round, state::Round& message) {
  message.set_id(round.id.text());
  message.set_blocked(round.blocked);
  for (const PlacedWager& wager : round.wagers) encode_placed(wager, *message.add_wagers());
  for (const SeatShown& shown : round.shown) encode_shown(shown, *message.add_shown());
  message.set_dealer_shown(round.dealer_shown);
  if (round.dealer != DealerShown()) encode_dealer(round.dealer, *message.mutable_dealer());
  encode_awards(round.awards, message.mutable_awards());
  for (const Seat seat : round.voided) message.add_voided(seat.value());
  message.set_changed_by(round.changed_by.value());
  message.set_corrections(round.corrections);
  message.set_draw_corrected_by(round.draw_corrected_by.text());
  for (const HandTakenBack& one : round.taken_back) {
    state::HandTakenBack& added = *message.add_taken_back();
    added.set_seat(one.seat.value());
    added.set_by(one.by.text());
  }
  encode_awards(round.reversed, message.mutable_reversed());
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
  if (message.has_dealer() && !decode_dealer(message.dealer(), round.dealer)) return std::nullopt;
  if (!decode_awards(message.awards(), round.awards) ||
      !decode_awards(message.reversed(), round.reversed)) {
    return std::nullopt;
  }
  round.changed_by = EntryNumber(message.changed_by());
  round.corrections = message.corrections();
  round.draw_corrected_by = Badge(message.draw_corrected_by());
  for (const state::HandTakenBack& one : message.taken_back()) {
    const auto seat = decode_seat(one.seat());
    if (!seat) return std::nullopt;
    round.taken_back.push_back({*seat, Badge(one.by())});
  }
  for (const std::uint32_t voided : message.voided()) {
    const auto seat = decode_seat(voided);
    if (!seat) return std::nullopt;
    round.voided.push_back(*seat);
  }
  round.count_differed = message.count_differed();
  for (const Card card : cards) round.cards.add(card, limits::decks_max);
  return round;
}

}  // namespace linkmeter::parts
