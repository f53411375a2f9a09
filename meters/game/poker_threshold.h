// PokerThreshold: the lowest losing hand that wins a Bad Beat (§ 553.20(b)(3)): a category and, if
// the house requires more than any hand of it, ranks: "aces full of tens or better".
#pragma once

#include <string>

#include "meters/game/hand.h"

namespace linkmeter {

struct PokerThreshold {
  HandCategory category = HandCategory::full_house;
  std::string ranks = {};  // as in lowest_rank(): "AT"; "": any ranks
  friend bool operator==(const PokerThreshold&, const PokerThreshold&) = default;

  // Whether a hand with this category and these ranks exists.
  [[nodiscard]] bool is_a_hand() const { return lowest_rank(category, ranks).has_value(); }
  // REQUIRES: is_a_hand().
  [[nodiscard]] bool is_reached_by(PokerRank hand) const {
    return hand >= lowest_rank(category, ranks).value();
  }
};

// "full_house", "full_house AT".
std::string text(const PokerThreshold& threshold);
// "full house", "full house, aces full of tens".
std::string threshold_words(const PokerThreshold& threshold);

}  // namespace linkmeter
