// Cards and lines for tests of hands.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "meters/game/card.h"
#include "meters/game/hand.h"

namespace linkmeter {

// "As Kd Xx"
inline std::vector<Card> cards(const std::string& text) {
  std::istringstream words(text);
  std::vector<Card> hand;
  for (std::string word; words >> word;) hand.push_back(parse_card(word).value());
  return hand;
}

// The category that a paytable with these lines, in this order, would pay; count_ for none.
inline HandCategory first_of(const std::vector<HandCategory>& order, CategorySet set) {
  for (const HandCategory category : order) {
    if (set.has(category)) return category;
  }
  return HandCategory::count_;
}

}  // namespace linkmeter
