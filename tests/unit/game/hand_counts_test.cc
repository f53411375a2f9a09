// How many cards each kind of hand uses; calculation/hand_test.cc tests the hands themselves.
#include <doctest/doctest.h>
#include <array>
#include <utility>
#include <vector>

#include "meters/game/hand.h"
#include "meters/values/limits.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::hand_counts_test {

TEST_CASE("each kind of hand has its number of cards") {
  struct Count {
    HandKind kind;
    std::size_t least, most;
  };
  constexpr std::size_t many = limits::cards_per_hand_max;
  for (const Count& of :
       {Count{HandKind::three_card, 3, 3}, Count{HandKind::three_card_beaten, 3, 3},
        Count{HandKind::five_card, 5, 5}, Count{HandKind::four_card, 5, 5},
        Count{HandKind::seven_card, 7, 7}, Count{HandKind::dealer_cards, 2, many},
        Count{HandKind::twenty_against_dealer, 1, many}, Count{HandKind::best_of_seven, 5, 7}}) {
    CAPTURE(name(of.kind));
    for (std::size_t count = 0; count <= many + 1; ++count) {
      CHECK_EQ(card_count_fits(of.kind, count), count >= of.least && count <= of.most);
    }
  }
}

TEST_CASE("the best five of seven cards have one category") {
  const auto cards = cards_of({"As", "Ks", "Qs", "Js", "Ts", "Th", "Td"});
  CHECK_EQ(categories(HandKind::best_of_seven, cards),
           CategorySet{}.add(HandCategory::royal_flush));
}

TEST_CASE("two aces are not a blackjack, and neither is any other pair") {
  for (const auto& pair :
       {cards_of({"As", "Ah"}), cards_of({"Ts", "Th"}), cards_of({"As", "9h"})}) {
    CHECK_FALSE(categories(HandKind::dealer_cards, pair).has(HandCategory::blackjack));
  }
  CHECK(categories(HandKind::dealer_cards, cards_of({"Th", "As"})).has(HandCategory::blackjack));
}

TEST_CASE("a category outside poker has no lowest hand") {
  CHECK_FALSE(lowest_rank(HandCategory::blackjack, "").has_value());
  CHECK(lowest_rank(HandCategory::high_card, "").has_value());
}

}  // namespace linkmeter::hand_counts_test
