// Parts that the wire, the journal and the state tables encode in the same way: cards, cents,
// wagers, hands. Decoding is total: a value outside its type's range gives nullopt or false.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/game/card.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"

namespace linkmeter::parts {

inline std::optional<Amount> decode_cents(std::int64_t cents) {
  constexpr std::int64_t cents_max = limits::lifetime_max.units() / Amount::units_per_cent;
  if (cents > cents_max || cents < -cents_max) return std::nullopt;
  return Amount::cents(cents);
}

template <class Integer>
std::optional<Integer> decode_integer(std::uint64_t value) {
  if (value > std::numeric_limits<Integer>::max()) return std::nullopt;
  return static_cast<Integer>(value);
}

inline std::optional<Seat> decode_seat(std::uint64_t value) {
  const auto seat = decode_integer<std::uint8_t>(value);
  if (!seat) return std::nullopt;
  return Seat(*seat);
}

inline bool decode_level(std::uint32_t value, LevelIndex& level) {
  if (value >= limits::levels_max) return false;
  level = LevelIndex(static_cast<std::uint8_t>(value));
  return true;
}

// The enumeration's value for the number, 1 to `last`; nullopt: there is none.
template <class Enumeration>
std::optional<Enumeration> decode_numbered(std::uint32_t number, Enumeration last) {
  if (number < 1 || number > static_cast<std::uint32_t>(last)) return std::nullopt;
  return static_cast<Enumeration>(number);
}

inline std::string encode_cards(const std::vector<Card>& cards) {
  std::string bytes;
  for (const Card card : cards) bytes.push_back(static_cast<char>(card.index()));
  return bytes;
}

inline bool decode_cards(std::string_view bytes, std::vector<Card>& cards) {
  for (const char byte : bytes) {
    const auto index = static_cast<std::uint8_t>(byte);
    if (index >= Card::index_count) return false;
    cards.push_back(Card::from_index(index));
  }
  return true;
}

// 1 table inventory, 2 game account, 3 hand pay.
inline std::uint32_t encode_source(PaymentSource source) {
  return static_cast<std::uint32_t>(source) + 1;
}
inline std::optional<PaymentSource> decode_source(std::uint32_t value) {
  constexpr auto last = static_cast<std::uint32_t>(PaymentSource::hand_pay);
  if (value < 1 || value > last + 1) return std::nullopt;
  return static_cast<PaymentSource>(value - 1);
}

template <class Message>
void encode_hand(const ShownHand& hand, Message& message) {
  message.set_seat(hand.seat.value());
  message.set_cards(encode_cards(hand.cards));
  message.set_folded(hand.folded);
  message.set_won_cents(hand.won.in_cents());
  if (hand.keyed) message.set_keyed_line(hand.keyed->text());
}

template <class Messages>
bool decode_hands(const Messages& messages, std::vector<ShownHand>& hands) {
  for (const auto& message : messages) {
    ShownHand hand;
    const auto seat = decode_seat(message.seat());
    const auto won = decode_cents(message.won_cents());
    if (!seat || !won || !decode_cards(message.cards(), hand.cards)) return false;
    hand.seat = *seat;
    hand.folded = message.folded();
    hand.won = *won;
    if (!message.keyed_line().empty()) hand.keyed = LineId(message.keyed_line());
    hands.push_back(std::move(hand));
  }
  return true;
}

template <class Message>
void encode_draw(const Draw& draw, Message& message) {
  if (draw.magic) message.set_magic(draw.magic->index());
  if (draw.seat) message.set_seat(draw.seat->value());
}

template <class Message>
std::optional<Draw> decode_draw(const Message& message) {
  Draw draw;
  if (message.has_magic()) {
    if (message.magic() >= Card::index_count) return std::nullopt;
    draw.magic = Card::from_index(static_cast<std::uint8_t>(message.magic()));
  }
  if (message.has_seat()) {
    draw.seat = decode_seat(message.seat());
    if (!draw.seat) return std::nullopt;
  }
  return draw;
}

inline bool decode_digest(std::string_view bytes, Digest& digest) {
  if (bytes.size() != digest.size()) return false;
  for (std::size_t index = 0; index < digest.size(); ++index) {
    digest[index] = static_cast<std::uint8_t>(bytes[index]);
  }
  return true;
}

inline std::string encode_digest(const Digest& digest) {
  return std::string(digest.begin(), digest.end());
}

}  // namespace linkmeter::parts
