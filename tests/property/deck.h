// Deck: the cards of one round, dealt so that rare hands occur often.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "meters/game/card.h"
#include "tests/property/dice.h"

namespace linkmeter {

class Deck {
 public:
  explicit Deck(int decks, bool joker = false);

  // A hand of the game, biased to winning hands. Removes its cards from the deck.
  std::vector<Card> three_cards(Dice& dice);
  std::vector<Card> five_cards(Dice& dice);
  std::vector<Card> seven_cards(Dice& dice);
  // Blackjack: a player's hand, and a dealer's.
  std::vector<Card> player_cards(Dice& dice);
  std::vector<Card> dealer_cards(Dice& dice);
  std::vector<Card> any_cards(Dice& dice, std::size_t count);

 private:
  using Wish = std::vector<std::uint8_t>;  // card indexes

  bool take(const Wish& wish);
  // The first of several wishes that the deck can still fulfil; otherwise any cards. `count` 0: as
  // many cards as in the wish.
  template <class MakeWish>
  std::vector<Card> wished(Dice& dice, std::size_t count, const MakeWish& make_wish);

  std::array<int, 53> left_{};  // the joker last
};

// A whole Hold'em deal: hands for the seats, and a board on which strong hands meet.
struct PotCards {
  std::vector<std::vector<Card>> hands;
  std::vector<Card> board;
};
PotCards deal_pot(Dice& dice, std::size_t seats);

}  // namespace linkmeter
