// Card: one of 52 cards, or the joker. As text: a rank of 23456789TJQKA and a suit of cdhs ("As",
// "Td"); the joker is "Xx".
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/values/invariant.h"

namespace linkmeter {

class Card {
 public:
  static constexpr int per_deck = 52;  // without the joker
  static constexpr std::uint8_t joker_index = per_deck;
  static constexpr std::uint8_t index_count = 53;

  // index = 4 x (rank - 2) + suit, suits in the order c d h s; the joker is 52.
  static constexpr Card from_index(std::uint8_t index) {
    INVARIANT(index < index_count);
    return Card(index);
  }
  [[nodiscard]] constexpr std::uint8_t index() const { return index_; }
  [[nodiscard]] constexpr bool is_joker() const { return index_ == joker_index; }
  // 2 to 14; the ace is 14. REQUIRES: not the joker.
  [[nodiscard]] constexpr int rank() const {
    INVARIANT(!is_joker());
    return 2 + index_ / 4;
  }
  // 0 to 3: clubs, diamonds, hearts, spades. REQUIRES: not the joker.
  [[nodiscard]] constexpr int suit() const {
    INVARIANT(!is_joker());
    return index_ % 4;
  }
  friend constexpr auto operator<=>(Card, Card) = default;

 private:
  constexpr explicit Card(std::uint8_t index) : index_(index) {}
  std::uint8_t index_;
};

inline constexpr int rank_ten = 10, rank_jack = 11, rank_queen = 12, rank_king = 13, rank_ace = 14;
inline constexpr int suit_spades = 3;

std::optional<Card> parse_card(std::string_view text);
std::string text(Card card);
// Parses "As Ks Qs": cards separated by blanks or commas. nullopt: one of them is not a card.
std::optional<std::vector<Card>> parse_cards(std::string_view text);

// Counts how often each card was seen, to find duplicates in a round.
class CardCounts {
 public:
  // Counts the card. Returns false and counts nothing if it was already seen `copies_max` times.
  bool add(Card card, int copies_max);
  // Uncounts the card. Returns false and changes nothing if it was not seen.
  bool remove(Card card);
  [[nodiscard]] int count(Card card) const { return counts_[card.index()]; }
  friend bool operator==(const CardCounts&, const CardCounts&) = default;

 private:
  std::array<std::uint8_t, Card::index_count> counts_{};
};

}  // namespace linkmeter
