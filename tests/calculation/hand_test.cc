#include "meters/game/hand.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/hand_cards.h"

namespace linkmeter::hand_test {
namespace {

using Frequencies = std::map<HandCategory, int>;

// A hand's rank among all hands, computed from ranks and suits without five-card combinations: an
// independent check of best_five().
class RankCount {
 public:
  explicit RankCount(const std::vector<Card>& hand) {
    for (const Card card : hand) {
      const auto rank = static_cast<std::size_t>(card.rank());
      ++of_rank_[rank];
      suited_[static_cast<std::size_t>(card.suit())].push_back(card.rank());
    }
  }

  // Larger is better; first the category, 0 for a high card to 9 for a royal flush.
  [[nodiscard]] std::vector<int> value() const {
    for (const auto& suit : suited_) {
      if (suit.size() < 5) continue;
      if (const int high = straight(suit); high != 0) return {high == rank_ace ? 9 : 8, high};
    }
    const std::vector<int> four = with(4), three = with(3), two = with(2);
    if (!four.empty()) return {7, four[0], best_but({four[0]}, 1)[0]};
    if (!three.empty() && two.size() >= 2) {
      return {6, three[0], two[0] == three[0] ? two[1] : two[0]};
    }
    for (const auto& suit : suited_) {
      if (suit.size() >= 5) return joined({5}, highest(suit, 5));
    }
    if (const int high = straight(best_but({}, 13)); high != 0) return {4, high};
    if (!three.empty()) return joined({3, three[0]}, best_but({three[0]}, 2));
    if (two.size() >= 2) return joined({2, two[0], two[1]}, best_but({two[0], two[1]}, 1));
    if (two.size() == 1) return joined({1, two[0]}, best_but({two[0]}, 3));
    return joined({0}, best_but({}, 5));
  }

 private:
  static std::vector<int> joined(std::vector<int> left, const std::vector<int>& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }
  static std::vector<int> highest(std::vector<int> ranks, std::size_t count) {
    std::sort(ranks.rbegin(), ranks.rend());
    ranks.resize(std::min(count, ranks.size()));
    return ranks;
  }
  static int straight(const std::vector<int>& ranks) {
    const auto has = [&ranks](int rank) {
      const int real = rank == 1 ? rank_ace : rank;
      return std::find(ranks.begin(), ranks.end(), real) != ranks.end();
    };
    for (int high = rank_ace; high >= 5; --high) {
      if (has(high) && has(high - 1) && has(high - 2) && has(high - 3) && has(high - 4)) {
        return high;
      }
    }
    return 0;
  }
  // Ranks with at least `count` cards, highest first.
  [[nodiscard]] std::vector<int> with(int count) const {
    std::vector<int> ranks;
    for (int rank = rank_ace; rank >= 2; --rank) {
      if (of_rank_[static_cast<std::size_t>(rank)] >= count) ranks.push_back(rank);
    }
    return ranks;
  }
  [[nodiscard]] std::vector<int> best_but(const std::vector<int>& used, std::size_t count) const {
    std::vector<int> ranks = with(1);
    std::erase_if(ranks, [&used](int rank) {
      return std::find(used.begin(), used.end(), rank) != used.end();
    });
    return highest(ranks, count);
  }

  std::array<int, 15> of_rank_{};
  std::array<std::vector<int>, 4> suited_;
};

constexpr std::array poker_categories{HandCategory::high_card,      HandCategory::pair,
                                      HandCategory::two_pair,       HandCategory::three_of_a_kind,
                                      HandCategory::straight,       HandCategory::flush,
                                      HandCategory::full_house,     HandCategory::four_of_a_kind,
                                      HandCategory::straight_flush, HandCategory::royal_flush};

std::vector<Card> dealt(std::vector<Card> deck, std::size_t count, std::mt19937_64& chance) {
  for (std::size_t place = 0; place < count; ++place) {
    std::swap(deck[place], deck[place + chance() % (deck.size() - place)]);
  }
  deck.erase(deck.begin() + static_cast<std::ptrdiff_t>(count), deck.end());
  return deck;
}

}  // namespace

TEST_CASE("all 22,100 three-card hands") {
  const std::vector<HandCategory> order{HandCategory::akq_spades,     HandCategory::akq_other,
                                        HandCategory::straight_flush, HandCategory::three_of_a_kind,
                                        HandCategory::straight,       HandCategory::flush,
                                        HandCategory::pair,           HandCategory::high_card};
  Frequencies frequencies;
  for (std::uint8_t a = 0; a < 52; ++a) {
    for (std::uint8_t b = 0; b < a; ++b) {
      for (std::uint8_t c = 0; c < b; ++c) {
        const std::array hand{Card::from_index(a), Card::from_index(b), Card::from_index(c)};
        ++frequencies[first_of(order, categories(HandKind::three_card, hand))];
      }
    }
  }
  // 12 runs of three ranks (A-2-3 to Q-K-A) in 4 suits are 48 straight flushes, 4 of them A-K-Q;
  // 13 x C(4,3) threes; 12 x (64 - 4) straights; 4 x C(13,3) - 48 flushes; 13 x 6 x 48 pairs.
  const Frequencies expected{
      {HandCategory::akq_spades, 1},      {HandCategory::akq_other, 3},
      {HandCategory::straight_flush, 44}, {HandCategory::three_of_a_kind, 52},
      {HandCategory::straight, 720},      {HandCategory::flush, 1'096},
      {HandCategory::pair, 3'744},        {HandCategory::high_card, 16'440}};
  CHECK((frequencies == expected));
}

TEST_CASE("all 2,598,960 five-card hands, by their categories and by their rank") {
  const std::vector<HandCategory> order(poker_categories.rbegin(), poker_categories.rend());
  Frequencies by_category, by_rank;
  const auto card = [](std::uint8_t index) { return Card::from_index(index); };
  for (std::uint8_t a = 0; a < 52; ++a) {
    for (std::uint8_t b = 0; b < a; ++b) {
      for (std::uint8_t c = 0; c < b; ++c) {
        for (std::uint8_t d = 0; d < c; ++d) {
          for (std::uint8_t e = 0; e < d; ++e) {
            const std::array hand{card(a), card(b), card(c), card(d), card(e)};
            ++by_category[first_of(order, categories(HandKind::five_card, hand))];
            ++by_rank[best_five(hand).category()];
          }
        }
      }
    }
  }
  const Frequencies expected{{HandCategory::royal_flush, 4},
                             {HandCategory::straight_flush, 36},
                             {HandCategory::four_of_a_kind, 624},
                             {HandCategory::full_house, 3'744},
                             {HandCategory::flush, 5'108},
                             {HandCategory::straight, 10'200},
                             {HandCategory::three_of_a_kind, 54'912},
                             {HandCategory::two_pair, 123'552},
                             {HandCategory::pair, 1'098'240},
                             {HandCategory::high_card, 1'302'540}};
  CHECK((by_category == expected));
  CHECK((by_rank == expected));
}

TEST_CASE("all 2,598,960 five-card hands, by the best four of them") {
  const std::vector<HandCategory> order{
      HandCategory::four_aces,       HandCategory::four_of_a_kind, HandCategory::straight_flush,
      HandCategory::three_of_a_kind, HandCategory::flush,          HandCategory::straight,
      HandCategory::two_pair,        HandCategory::pair,           HandCategory::high_card};
  Frequencies frequencies;
  const auto card = [](std::uint8_t index) { return Card::from_index(index); };
  for (std::uint8_t a = 0; a < 52; ++a) {
    for (std::uint8_t b = 0; b < a; ++b) {
      for (std::uint8_t c = 0; c < b; ++c) {
        for (std::uint8_t d = 0; d < c; ++d) {
          for (std::uint8_t e = 0; e < d; ++e) {
            const std::array hand{card(a), card(b), card(c), card(d), card(e)};
            ++frequencies[first_of(order, categories(HandKind::four_card, hand))];
          }
        }
      }
    }
  }
  // Fours: 13 x 48, one rank of them aces. Straight flushes: 11 runs x 48 fifth cards, minus 10
  // runs of five that were counted twice, in 4 suits. Threes: those of five cards, and the full
  // houses. Flushes: 4 x (C(13,4) x 39 + C(13,5)) minus the 2,072. Straights: 11 runs with one rank
  // paired, 11 x 4 x 6 x 64, and 89 sets of five ranks with a run, 89 x 4^5, minus those with four
  // of a suit, 528 + 89 x 64. Pairs: all 1,098,240 minus the paired runs, minus C(13,4) x 48 with
  // four of a suit that are no run. The other hands have nothing.
  const Frequencies expected{
      {HandCategory::four_aces, 48},         {HandCategory::four_of_a_kind, 576},
      {HandCategory::straight_flush, 2'072}, {HandCategory::three_of_a_kind, 58'656},
      {HandCategory::flush, 114'616},        {HandCategory::straight, 101'808},
      {HandCategory::two_pair, 123'552},     {HandCategory::pair, 1'047'552},
      {HandCategory::high_card, 1'150'080}};
  CHECK((frequencies == expected));
}

TEST_CASE("a hand satisfies every category that it contains") {
  const CategorySet royal = categories(HandKind::five_card, cards("As Ks Qs Js Ts"));
  for (const HandCategory category : {HandCategory::royal_flush, HandCategory::straight_flush,
                                      HandCategory::flush, HandCategory::straight}) {
    CHECK(royal.has(category));
  }
  CHECK_FALSE(royal.has(HandCategory::pair));
  const CategorySet four = categories(HandKind::five_card, cards("4c 4d 4h 4s 2c"));
  CHECK(four.has(HandCategory::three_of_a_kind));
  CHECK(four.has(HandCategory::pair));
  CHECK_FALSE(four.has(HandCategory::full_house));
  const CategorySet aces = categories(HandKind::four_card, cards("Ac Ad Ah As 2c"));
  CHECK(aces.has(HandCategory::four_of_a_kind));
  CHECK(aces.has(HandCategory::three_of_a_kind));
  CHECK_FALSE(aces.has(HandCategory::two_pair));
  const CategorySet run = categories(HandKind::four_card, cards("As 2s 3s 4s 4d"));
  CHECK(run.has(HandCategory::flush));
  CHECK(run.has(HandCategory::straight));
  CHECK(run.has(HandCategory::pair));
}

TEST_CASE("an ace is above the king or below the deuce, and no straight wraps around it") {
  const auto straight = [](HandKind kind, const std::string& texts) {
    return categories(kind, cards(texts)).has(HandCategory::straight);
  };
  CHECK(straight(HandKind::three_card, "3c Ad 2h"));
  CHECK(straight(HandKind::three_card, "Kc Ad Qh"));
  CHECK_FALSE(straight(HandKind::three_card, "Kc Ad 2h"));
  CHECK(straight(HandKind::five_card, "3c Ad 2h 5s 4c"));
  CHECK_FALSE(straight(HandKind::five_card, "3c Ad 2h Ks 4c"));
  CHECK_FALSE(straight(HandKind::five_card, "Qc Ad 2h Ks 3c"));
  CHECK(straight(HandKind::four_card, "3c Ad 2h 4s 9c"));
  CHECK(straight(HandKind::four_card, "Kc Ad Qh Js 2c"));
  CHECK_FALSE(straight(HandKind::four_card, "Kc Ad 2h 3s 9c"));
  CHECK_FALSE(straight(HandKind::four_card, "Qc Kd Ah 2s 7c"));
}

TEST_CASE("the dealer's Blackjack hand goes by its number of cards") {
  const std::vector<Card> many = cards("2c 2d 2h 2s 3c 3d 3h 3s 4c");
  const auto of_size = [&many](std::size_t size) {
    return categories(HandKind::dealer_cards, std::span(many).first(size));
  };
  CHECK_EQ(of_size(9), CategorySet().add(HandCategory::eight_or_more_cards));
  CHECK_EQ(of_size(8), CategorySet().add(HandCategory::eight_or_more_cards));
  CHECK_EQ(of_size(7), CategorySet().add(HandCategory::seven_cards));
  CHECK_EQ(of_size(6), CategorySet().add(HandCategory::six_cards));
  CHECK_EQ(of_size(5), CategorySet().add(HandCategory::five_cards));
  CHECK_EQ(of_size(4), CategorySet());
  const CategorySet blackjack = CategorySet().add(HandCategory::blackjack);
  for (const std::string ten : {"Tc", "Jd", "Qh", "Ks"}) {
    CHECK_EQ(categories(HandKind::dealer_cards, cards("As " + ten)), blackjack);
    CHECK_EQ(categories(HandKind::dealer_cards, cards(ten + " Ac")), blackjack);
  }
  CHECK_EQ(categories(HandKind::dealer_cards, cards("As 9c")), CategorySet());
  CHECK_EQ(categories(HandKind::dealer_cards, cards("As Ac")), CategorySet());
  CHECK_EQ(categories(HandKind::dealer_cards, cards("Ts Kc")), CategorySet());
}

TEST_CASE("the best five of five to seven cards agree with a second evaluator") {
  std::mt19937_64 chance(553);
  std::vector<Card> deck, two_suits, high_cards;
  for (std::uint8_t index = 0; index < 52; ++index) deck.push_back(Card::from_index(index));
  // Small decks make the rare hands common.
  for (const Card card : deck) {
    if (card.suit() < 2) two_suits.push_back(card);
    if (card.rank() >= 9) high_cards.push_back(card);
  }
  Frequencies seen;
  for (const auto& source : {deck, two_suits, high_cards}) {
    for (int round = 0; round < 30'000; ++round) {
      const std::vector<Card> left = dealt(source, 5 + chance() % 3, chance);
      const std::vector<Card> right = dealt(source, 5 + chance() % 3, chance);
      const std::vector<int> left_value = RankCount(left).value();
      const std::vector<int> right_value = RankCount(right).value();
      const PokerRank left_rank = best_five(left), right_rank = best_five(right);
      REQUIRE_EQ(left_rank.category(), poker_categories[static_cast<std::size_t>(left_value[0])]);
      REQUIRE_EQ(left_rank < right_rank, left_value < right_value);
      REQUIRE_EQ(left_rank == right_rank, left_value == right_value);
      ++seen[left_rank.category()];
    }
  }
  CHECK_EQ(seen.size(), poker_categories.size());
}

TEST_CASE("poker categories are in order, and a hand outside them is below all") {
  for (std::size_t left = 0; left < poker_categories.size(); ++left) {
    for (std::size_t right = 0; right < poker_categories.size(); ++right) {
      CHECK_EQ(lowest_rank(poker_categories[left], "") >= lowest_rank(poker_categories[right], ""),
               left >= right);
    }
  }
}

TEST_CASE("names of kinds and categories are unique and read back") {
  for (int number = 0; number < static_cast<int>(HandCategory::count_); ++number) {
    const auto category = static_cast<HandCategory>(number);
    CHECK_EQ(parse_hand_category(name(category)), category);
  }
  for (int number = 0; number <= static_cast<int>(HandKind::three_card_beaten); ++number) {
    const auto kind = static_cast<HandKind>(number);
    CHECK_EQ(parse_hand_kind(name(kind)), kind);
  }
  CHECK_FALSE(parse_hand_category("royal"));
  CHECK_FALSE(parse_hand_kind(""));
}

}  // namespace linkmeter::hand_test
