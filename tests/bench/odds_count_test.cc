// The long counts: every seven-card hand of 53 cards, every pair of three-card hands. The expected
// numbers are published ones, or follow from a few lines of arithmetic.
#include <doctest/doctest.h>
#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "controller/odds/hand_counts.h"
#include "tests/support/counted_lines.h"

namespace linkmeter::odds::odds_count_test {
namespace {

HandCounts timed_count(HandKind kind) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const auto begin = std::chrono::steady_clock::now();
  const HandCounts counts = count_hands(kind, threads, {});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  MESSAGE(name(kind) << ": " << counts.total() << " in " << seconds.count() << " s on " << threads
                     << " threads");
  return counts;
}

TEST_CASE("Pai Gow Poker: all 154,143,080 hands") {
  const HandCounts counts = timed_count(HandKind::seven_card);
  CHECK(counts.total() == 154'143'080);
  // Five aces: the joker, four aces, two of the other 48. Seven in a row: 8 rows in 4 suits; with
  // the joker in place of one of seven cards, rows that lack the same card are counted once.
  const ByLine treasure{{"seven_card_straight_flush_no_joker", 32},
                        {"royal_flush_and_ace_king_suited", 72},
                        {"seven_card_straight_flush_with_joker", 196},
                        {"five_aces", 1'128},
                        {"royal_flush", 26'020},
                        {"straight_flush", 184'644},
                        {"four_of_a_kind", 307'472},
                        {"full_house", 4'188'528},
                        {"flush", 6'172'088},
                        {"three_of_a_kind", 7'672'500},
                        {"straight", 11'034'204}};
  for (const Paytable& paytable : shipped_wager("pai-gow-poker/emperors-treasure").paytables) {
    CHECK(by_line(counts, paytable) == treasure);
  }
  // A king and queen beside the royal flush as often as an ace and king.
  ByLine fortune = treasure;
  fortune.erase("royal_flush_and_ace_king_suited");
  fortune["royal_flush_and_royal_match"] = 144;
  fortune["royal_flush"] = 26'020 - 72;
  for (const Paytable& paytable : shipped_wager("pai-gow-poker/fortune-bonus").paytables) {
    CHECK(by_line(counts, paytable) == fortune);
  }
  const ByLine progressive{{"seven_card_straight_flush", 32 + 196},
                           {"five_aces", 1'128},
                           {"royal_flush", 26'020 + 72},
                           {"straight_flush", 184'644},
                           {"four_of_a_kind", 307'472},
                           {"full_house", 4'188'528}};
  CHECK(by_line(counts, shipped_wager("pai-gow-poker/progressive").paytables.front()) ==
        progressive);
}

TEST_CASE("Three Card Prime: all 407,170,400 pairs of hands") {
  const HandCounts counts = timed_count(HandKind::three_card_beaten);
  CHECK(counts.total() == 407'170'400);
  const ByLine beaten =
      by_line(counts, shipped_wager("three-card-prime/bad-beat-bonus").paytables.front());
  // Straight flushes: each of 66 pairs of rows in 12 pairs of suits, and in one suit the 44 pairs
  // without a common card (A-2-3 and Q-K-A share the ace), 4 times.
  CHECK(beaten.at("straight_flush") == 66 * 12 + 44 * 4);
  // Threes: 78 pairs of ranks, 4 x 4 hands; and 4 x (13 x 48 straight flushes, minus those of the
  // 36 rows' cards in the three suits held).
  CHECK(beaten.at("three_of_a_kind") == 78 * 16 + 4 * (13 * 48 - 3 * 36));
}

// A straight is beaten by higher straights, threes and straight flushes of the other 49 cards.
TEST_CASE("Three Card Prime: straights, by the ranks that are left") {
  std::uint64_t pairs = 0;
  // Rows by their lowest rank, 0: A-2-3 to 11: Q-K-A; the ace is rank 0 and rank 13.
  for (int row = 0; row < 12; ++row) {
    for (int suits = 0; suits < 64; ++suits) {
      const std::array own{suits % 4, suits / 4 % 4, suits / 16};
      if (own[0] == own[1] && own[1] == own[2]) continue;
      std::map<int, int> taken;  // by rank, the suits held as bits
      for (int card = 0; card < 3; ++card) {
        taken[(row + card) % 13] |= 1 << own.at(static_cast<std::size_t>(card));
      }
      for (int other = 0; other < 12; ++other) {
        for (int others = 0; others < 64; ++others) {
          const std::array his{others % 4, others / 4 % 4, others / 16};
          bool is_free = true;
          for (int card = 0; card < 3; ++card) {
            const auto place = static_cast<std::size_t>(card);
            is_free = is_free && (taken[(other + card) % 13] >> his.at(place) & 1) == 0;
          }
          const bool is_suited = his[0] == his[1] && his[1] == his[2];
          if (is_free && (is_suited || other > row)) ++pairs;
        }
      }
      // Threes: four of each of ten ranks, one of each of the three ranks that lack a card.
      pairs += 10 * 4 + 3;
    }
  }
  const HandCounts counts = count_hands(HandKind::three_card_beaten, 2, {});
  CHECK(by_line(counts, shipped_wager("three-card-prime/bad-beat-bonus").paytables.front())
            .at("straight") == pairs);
}

}  // namespace
}  // namespace linkmeter::odds::odds_count_test
