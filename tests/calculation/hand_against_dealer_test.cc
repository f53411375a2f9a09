#include <doctest/doctest.h>
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "meters/game/hand.h"
#include "tests/support/hand_cards.h"

namespace linkmeter::hand_against_dealer_test {
namespace {

CategorySet set_of(const std::vector<HandCategory>& categories) {
  CategorySet set;
  for (const HandCategory category : categories) set.add(category);
  return set;
}

CategorySet twenty(const std::string& player, const std::string& dealer) {
  return categories(HandKind::twenty_against_dealer, cards(player), cards(dealer));
}

CategorySet beaten(const std::string& player, const std::string& dealer) {
  return categories(HandKind::three_card_beaten, cards(player), cards(dealer));
}

const CategorySet nothing;

// § 679a.6(b) written out: the rank of a hand from the lowest, then its cards from the highest.
std::vector<int> three_card_value(const std::vector<Card>& hand) {
  std::vector<int> ranks{hand[0].rank(), hand[1].rank(), hand[2].rank()};
  std::sort(ranks.rbegin(), ranks.rend());
  const bool suited = hand[0].suit() == hand[1].suit() && hand[1].suit() == hand[2].suit();
  const bool low = ranks == std::vector{rank_ace, 3, 2};
  if (low) ranks = {3, 2, 1};
  const bool straight = ranks[0] - ranks[1] == 1 && ranks[1] - ranks[2] == 1;
  const bool pair = ranks[0] == ranks[1] || ranks[1] == ranks[2];
  int place = 0;
  if (ranks[0] == ranks[2]) {
    place = 4;
  } else if (straight && suited) {
    place = ranks[0] == rank_ace ? 6 : 5;
  } else if (straight) {
    place = 3;
  } else if (suited) {
    place = 2;
  } else if (pair) {
    place = 1;
  }
  return {place, ranks[0], ranks[1], ranks[2]};
}

}  // namespace

TEST_CASE("a player's 20 against the dealer's 21 goes by the dealer's number of cards") {
  const auto line = [](HandCategory category) {
    return set_of({HandCategory::player_20, category});
  };
  CHECK_EQ(twenty("Ks Qd", "Ac Kd"), line(HandCategory::blackjack));
  CHECK_EQ(twenty("Ks Qd", "Tc Ad"), line(HandCategory::blackjack));
  CHECK_EQ(twenty("Ks Qd", "7c 7d 7h"), line(HandCategory::twenty_one_with_three_cards));
  CHECK_EQ(twenty("Ks Qd", "2c 7d 7h 5s"), line(HandCategory::twenty_one_with_four_cards));
  CHECK_EQ(twenty("Ks Qd", "2c 3d 7h 5s 4s"), line(HandCategory::twenty_one_with_five_cards));
  CHECK_EQ(twenty("Ks Qd", "2c 3d 3h 5s 4s 4d"), line(HandCategory::twenty_one_with_six_cards));
  const CategorySet seven = line(HandCategory::twenty_one_with_seven_or_more_cards);
  CHECK_EQ(twenty("Ks Qd", "2c 3d 3h 3s 4s 2d 4d"), seven);
  CHECK_EQ(twenty("Ks Qd", "2c 3d 3h 3s 2s 2d 2h 4d"), seven);
}

TEST_CASE("the dealer's 21 may be soft; against any other hand the player's 20 wins no line") {
  const CategorySet only_20 = set_of({HandCategory::player_20});
  CHECK_EQ(twenty("Ks Qd", "Ac 2d 8h"),
           set_of({HandCategory::player_20, HandCategory::twenty_one_with_three_cards}));
  // One ace counts eleven, the other one: 11 + 1 + 9.
  CHECK_EQ(twenty("Ks Qd", "Ac Ad 9h"),
           set_of({HandCategory::player_20, HandCategory::twenty_one_with_three_cards}));
  CHECK_EQ(twenty("Ks Qd", "Ac 9d"), only_20);
  CHECK_EQ(twenty("Ks Qd", "Ac Ad"), only_20);
  CHECK_EQ(twenty("Ks Qd", "9c 8d"), only_20);
  CHECK_EQ(twenty("Ks Qd", "Tc 6d 6h"), only_20);              // busts with 22
  CHECK_EQ(twenty("Ks Qd", "Ac Ad Ah As Ac Ad Ah"), only_20);  // soft 17
  CHECK_EQ(twenty("Ks Qd", "Tc Jd Kh"), only_20);
}

TEST_CASE("every line of the Bad Beat needs the player's 20, soft or hard") {
  const CategorySet win = set_of({HandCategory::player_20, HandCategory::blackjack});
  for (const std::string player :
       {"Ts Jd", "As 9d", "As Ad 8h", "As 9d Th", "2c 3d 4h 5s 6c", "As Ad Ah Ac 6d", "9c 9d 2h"}) {
    CHECK_EQ(twenty(player, "Ac Kd"), win);
  }
  for (const std::string player :
       {"As Kd", "7c 7d 7h", "9s Kd", "As 8d", "Ts Kd Qh", "Ts 5d 6h", "As Ad", "As", "Ts 5d 7h"}) {
    CHECK_EQ(twenty(player, "Ac Kd"), nothing);
    CHECK_EQ(twenty(player, "7c 7d 7s"), nothing);
  }
}

TEST_CASE("a straight or better that the dealer beats") {
  const CategorySet straight = set_of({HandCategory::straight});
  CHECK_EQ(beaten("2c 3d 4h", "3c 4d 5h"), straight);
  CHECK_EQ(beaten("As Kd Qh", "2c 2d 2h"), straight);
  CHECK_EQ(beaten("As Kd Qh", "2c 3c Ac"), straight);
  const CategorySet three = set_of({HandCategory::three_of_a_kind});
  CHECK_EQ(beaten("2c 2d 2h", "3c 3d 3h"), three);
  CHECK_EQ(beaten("Ac Ad Ah", "2s 3s 4s"), three);
  const CategorySet flush = set_of({HandCategory::straight_flush, HandCategory::straight});
  CHECK_EQ(beaten("2c 3c 4c", "3d 4d 5d"), flush);
  // A mini-royal is the highest straight flush, and nothing beats it.
  CHECK_EQ(beaten("Kc Qc Jc", "Ad Kd Qd"), flush);
  CHECK_EQ(beaten("Ac Kc Qc", "Ad Kd Qd"), nothing);
  // A-2-3 is the lowest straight and the lowest straight flush, despite its ace.
  CHECK_EQ(beaten("Ac 2d 3h", "2c 3d 4h"), straight);
  CHECK_EQ(beaten("Ac 2c 3c", "2d 3d 4d"), flush);
  CHECK_EQ(beaten("2c 3d 4h", "Ac 2d 3h"), nothing);
}

TEST_CASE("no Bad Beat Bonus on a tie, on a win, or below a straight") {
  CHECK_EQ(beaten("4c 5d 6h", "4d 5h 6s"), nothing);
  CHECK_EQ(beaten("4c 5c 6c", "4d 5d 6d"), nothing);
  CHECK_EQ(beaten("4c 5d 6h", "Ad Kd 2d"), nothing);  // a flush is below a straight
  CHECK_EQ(beaten("4c 5d 6h", "Ad Ah 2d"), nothing);
  CHECK_EQ(beaten("4c 5d 6h", "Jd 9h 2d"), nothing);  // the dealer does not qualify
  CHECK_EQ(beaten("Ac Kc 9c", "2d 2h 2s"), nothing);  // a flush that is beaten
  CHECK_EQ(beaten("Ac Ad Kc", "2d 3h 4s"), nothing);
  CHECK_EQ(beaten("Kc Ad 2h", "3d 3h 3s"), nothing);  // K-A-2 is no straight
}

TEST_CASE("beaten hands agree with a second evaluator") {
  std::mt19937_64 chance(679);
  std::vector<Card> deck;
  for (std::uint8_t index = 0; index < 52; ++index) deck.push_back(Card::from_index(index));
  int bonuses = 0;
  for (int round = 0; round < 400'000; ++round) {
    for (std::size_t place = 0; place < 6; ++place) {
      std::swap(deck[place], deck[place + chance() % (deck.size() - place)]);
    }
    const std::vector<Card> player(deck.begin(), deck.begin() + 3);
    const std::vector<Card> dealer(deck.begin() + 3, deck.begin() + 6);
    const std::vector<int> own = three_card_value(player);
    const bool wins = own[0] >= 3 && three_card_value(dealer) > own;
    CategorySet expected;
    if (wins && own[0] >= 5) expected.add(HandCategory::straight_flush);
    if (wins && own[0] == 4) expected.add(HandCategory::three_of_a_kind);
    if (wins && own[0] != 4) expected.add(HandCategory::straight);
    REQUIRE_EQ(categories(HandKind::three_card_beaten, player, dealer), expected);
    bonuses += wins ? 1 : 0;
  }
  CHECK_GT(bonuses, 200);
}

TEST_CASE("how many cards the dealer has when a wager depends on them") {
  CHECK(depends_on_dealer_hand(HandKind::twenty_against_dealer));
  CHECK(depends_on_dealer_hand(HandKind::three_card_beaten));
  CHECK_FALSE(depends_on_dealer_hand(HandKind::dealer_cards));
  CHECK_FALSE(depends_on_dealer_hand(HandKind::five_card));
  CHECK_FALSE(dealer_count_fits(HandKind::three_card_beaten, 2));
  CHECK(dealer_count_fits(HandKind::three_card_beaten, 3));
  CHECK_FALSE(dealer_count_fits(HandKind::twenty_against_dealer, 1));
  CHECK(dealer_count_fits(HandKind::twenty_against_dealer, 2));
  CHECK(dealer_count_fits(HandKind::twenty_against_dealer, 12));
}

}  // namespace linkmeter::hand_against_dealer_test
