// Shuffle: whole decks, shuffled once (Fisher-Yates) and drawn from the top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meters/game/card.h"
#include "table-agent/simulator/prng.h"

namespace linkmeter {

class Shuffle {
 public:
  enum class Joker : std::uint8_t { none, one_with_each_deck };

  // `decks` decks of 52 cards. REQUIRES: 1 to limits::decks_max decks.
  Shuffle(int decks, Joker joker, Prng& chance);

  // REQUIRES: that many cards are left.
  Card draw();
  std::vector<Card> draw(std::size_t count);
  [[nodiscard]] std::size_t left() const { return cards_.size(); }

 private:
  std::vector<Card> cards_;
};

}  // namespace linkmeter
