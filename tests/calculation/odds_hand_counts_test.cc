#include "controller/odds/hand_counts.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/support/counted_lines.h"

namespace linkmeter::odds::odds_hand_counts_test {
namespace {

ByLine count_lines(const char* id, unsigned threads) {
  const WagerRules& rules = shipped_wager(id);
  const HandCounts counts = count_hands(rules.hand, threads, {});
  CHECK(counts.total() == hands_of(rules.hand));
  return by_line(counts, rules.paytables.front());
}

TEST_CASE("three cards: 48 straight flushes, four of them A-K-Q; 52 threes; 720 other straights") {
  // 12 rows of three ranks: 12 x 4 of one suit, 12 x (64 - 4) others. 13 x 4 threes.
  const ByLine expected{{"akq_spades", 1},
                        {"akq_other", 3},
                        {"straight_flush", 44},
                        {"three_of_a_kind", 52},
                        {"straight", 720}};
  CHECK(hands_of(HandKind::three_card) == 22'100);
  CHECK(count_lines("raise-it-up/progressive", 1) == expected);
}

TEST_CASE("five cards: the published counts of poker hands") {
  const ByLine expected{{"royal_flush", 4},         {"straight_flush", 36}, {"four_of_a_kind", 624},
                        {"full_house", 3744},       {"flush", 5108},        {"straight", 10'200},
                        {"three_of_a_kind", 54'912}};
  CHECK(hands_of(HandKind::five_card) == 2'598'960);
  CHECK(count_lines("crazy-4/five-card", 2) == expected);
}

TEST_CASE("the Hand Bonus pays down to a flush only") {
  const ByLine expected{{"royal_flush", 4},
                        {"straight_flush", 36},
                        {"four_of_a_kind", 624},
                        {"full_house", 3744},
                        {"flush", 5108}};
  CHECK(count_lines("crazy-4/five-card-hand-bonus", 1) == expected);
}

TEST_CASE("the best four of five cards") {
  // Four of a kind: 13 x 48. Straight flushes: 11 rows x 4 suits x 48 fifth cards, minus the 40
  // rows of five that contain two rows of four. Threes: 54,912, and the 3,744 of a full house.
  const ByLine expected{{"four_aces", 48},
                        {"four_of_a_kind", 576},
                        {"straight_flush", 2'072},
                        {"three_of_a_kind", 58'656}};
  CHECK(hands_of(HandKind::four_card) == 2'598'960);
  CHECK(count_lines("crazy-4/four-card", 2) == expected);
}

TEST_CASE("one thread or three: the same counts") {
  const auto sorted = [](const HandCounts& counts) {
    std::vector<SetCount> all = counts.counts();
    std::sort(all.begin(), all.end(),
              [](const SetCount& left, const SetCount& right) { return left.hands < right.hands; });
    return all;
  };
  CHECK(sorted(count_hands(HandKind::three_card, 1, {})) ==
        sorted(count_hands(HandKind::three_card, 3, {})));
}

TEST_CASE("progress only rises and never exceeds the number of hands") {
  std::uint64_t last = 0;
  bool rises = true;
  count_hands(HandKind::three_card, 1, [&](std::uint64_t done) {
    rises = rises && done >= last;
    last = done;
  });
  CHECK(rises);
  CHECK(last == hands_of(HandKind::three_card));
}

TEST_CASE("the numbers of hands") {
  CHECK(hands_of(HandKind::seven_card) == 154'143'080);
  CHECK(hands_of(HandKind::three_card_beaten) == 22'100ULL * 18'424ULL);
  CHECK_FALSE(is_countable(HandKind::dealer_cards));
  CHECK_FALSE(is_countable(HandKind::best_of_seven));
  CHECK_FALSE(is_countable(HandKind::twenty_against_dealer));
}

// Counting skips these hands: even with the dealer's best hand they get no category.
TEST_CASE("a hand below a straight is not a Bad Beat") {
  std::uint64_t looked_at = 0;
  bool all_empty = true;
  for (int first = 0; first < 52; ++first) {
    for (int second = first + 1; second < 52; ++second) {
      for (int third = second + 1; third < 52; ++third) {
        std::vector<Card> own;
        for (const int index : {first, second, third}) {
          own.push_back(Card::from_index(static_cast<std::uint8_t>(index)));
        }
        const CategorySet set = categories(HandKind::three_card, own);
        if (set.has(HandCategory::straight) || set.has(HandCategory::three_of_a_kind)) continue;
        for (std::uint8_t suit = 0; suit < 4; ++suit) {
          std::vector<Card> dealer;
          for (const int rank : {rank_queen, rank_king, rank_ace}) {
            dealer.push_back(Card::from_index(static_cast<std::uint8_t>(4 * (rank - 2) + suit)));
          }
          ++looked_at;
          all_empty =
              all_empty && categories(HandKind::three_card_beaten, own, dealer) == CategorySet();
        }
      }
    }
  }
  CHECK(looked_at == 4ULL * (22'100 - 48 - 52 - 720));
  CHECK(all_empty);
}

}  // namespace
}  // namespace linkmeter::odds::odds_hand_counts_test
