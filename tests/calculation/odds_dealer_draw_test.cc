#include "controller/odds/dealer_draw.h"

#include <doctest/doctest.h>
#include <array>
#include <map>
#include <string>

#include "tests/support/small_floor.h"

namespace linkmeter::odds::odds_dealer_draw_test {
namespace {

// The result of a slow dealer, who deals every order of cards by their value, one after another.
struct Dealt {
  std::map<int, Rational> ended;   // by the number of cards
  std::map<int, Rational> made21;  // by the number of cards
};

class SlowDealer {
 public:
  explicit SlowDealer(int decks) : cards_(52 * decks) {
    for (int value = 1; value <= 9; ++value) left_.at(value) = 4 * decks;
    left_.at(10) = 16 * decks;
    deal(0, false, 0, 1);
  }
  [[nodiscard]] const Dealt& dealt() const { return dealt_; }

 private:
  void deal(int hard, bool has_ace, int count, const Rational& chance) {
    const int total = has_ace && hard <= 11 ? hard + 10 : hard;
    if (total >= 17) {
      dealt_.ended[count] += chance;
      if (total == 21) dealt_.made21[count] += chance;
      return;
    }
    for (int value = 1; value <= 10; ++value) {
      if (left_.at(value) == 0) continue;
      Rational step(left_.at(value), cards_);
      step.canonicalize();
      --left_.at(value);
      --cards_;
      deal(hard + value, has_ace || value == 1, count + 1, Rational(chance * step));
      ++left_.at(value);
      ++cards_;
    }
  }

  std::map<int, int> left_{{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0},
                           {6, 0}, {7, 0}, {8, 0}, {9, 0}, {10, 0}};
  int cards_;
  Dealt dealt_;
};

Rational from(const std::map<int, Rational>& by_count, int least) {
  Rational sum;
  for (const auto& [count, chance] : by_count) {
    if (count >= least) sum += chance;
  }
  return sum;
}

std::map<std::string, Rational> chances(const char* id, int decks) {
  static const Catalogue catalogue = std::get<Catalogue>(parse_catalogue(shipped_catalogue()));
  const WagerRules* const wager = catalogue.find_wager(WagerId(id));
  REQUIRE(wager != nullptr);
  const Paytable& paytable = wager->paytables.front();
  const std::vector<Rational> all = dealer_chances(wager->hand, paytable, dealer_hands(decks));
  std::map<std::string, Rational> by_line;
  for (std::size_t place = 0; place < all.size(); ++place) {
    by_line[paytable.lines[place].id.text()] = all[place];
  }
  return by_line;
}

TEST_CASE("the probabilities of the dealer's hands sum to one") {
  for (const int decks : {1, 2, 4, 6, 8}) {
    Rational sum;
    for (const DealerHand& hand : dealer_hands(decks)) sum += hand.probability;
    CHECK(sum == 1);
  }
}

TEST_CASE("Blackjack: an ace and one of sixteen tens, in either order") {
  for (const int decks : {1, 8}) {
    Rational expected(2 * 4 * decks * 16 * decks, 52 * decks * (52 * decks - 1));
    expected.canonicalize();
    CHECK(chances("blackjack/hit-and-run", decks).at("blackjack") == expected);
    CHECK(chances("blackjack/bad-beat", decks).at("blackjack") == expected);
  }
}

TEST_CASE("Hit and Run: agrees with a slow simulation; the busting card counts") {
  for (const int decks : {1, 6}) {
    const SlowDealer slow(decks);
    const auto fast = chances("blackjack/hit-and-run", decks);
    CHECK(fast.at("five_cards") == slow.dealt().ended.at(5));
    CHECK(fast.at("six_cards") == slow.dealt().ended.at(6));
    CHECK(fast.at("seven_cards") == slow.dealt().ended.at(7));
    CHECK(fast.at("eight_or_more_cards") == from(slow.dealt().ended, 8));
  }
}

TEST_CASE("Bad Beat: the dealer's 21 by its cards agrees with a slow simulation") {
  for (const int decks : {1, 6}) {
    const SlowDealer slow(decks);
    const auto fast = chances("blackjack/bad-beat", decks);
    CHECK(fast.at("blackjack") == slow.dealt().made21.at(2));
    CHECK(fast.at("21_with_three_cards") == slow.dealt().made21.at(3));
    CHECK(fast.at("21_with_four_cards") == slow.dealt().made21.at(4));
    CHECK(fast.at("21_with_five_cards") == slow.dealt().made21.at(5));
    CHECK(fast.at("21_with_six_cards") == slow.dealt().made21.at(6));
    CHECK(fast.at("21_with_seven_or_more_cards") == from(slow.dealt().made21, 7));
  }
}

}  // namespace
}  // namespace linkmeter::odds::odds_dealer_draw_test
