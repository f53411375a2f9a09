// The core against the naive model, over random floors' traffic: no difference, to 10^-8 dollar.

#include <cstdlib>
#include <string>

#include "tests/property/floors.h"
#include "tests/property/trial.h"

#include <doctest/doctest.h>

namespace linkmeter {
namespace {

// LINKMETER_ROUNDS: how many messages instead of the ordinary number.
std::size_t messages_wanted() {
  const char* const wanted = std::getenv("LINKMETER_ROUNDS");
  return wanted == nullptr ? 210'000 : std::strtoull(wanted, nullptr, 10);
}

TEST_CASE("the core and the naive model agree on every message, award and figure") {
  TrialReport all;
  std::uint64_t seed = 1;
  const std::size_t wanted = messages_wanted();
  while (all.messages < wanted && !all.divergence) {
    const std::size_t which = seed % test_floor_count;
    // Every other floor's run is long enough to forget answers and ended rounds.
    const std::size_t length = seed % 14 < 7 ? 1'500 : 7'000;
    TrialReport one = run_trial(test_floor(which), seed, length, core_decides);
    if (one.divergence) *one.divergence += " (floor " + std::to_string(which) + ")";
    all.add(one);
    ++seed;
  }
  CHECK_MESSAGE(!all.divergence, all.divergence.value_or(""));
  CHECK(all.messages >= wanted);
  if (all.divergence || wanted < 200'000) return;

  // A judge who never sees the rare things judges nothing: all of them came.
  for (int value = 2; value <= 83; ++value) {
    const auto refusal = static_cast<Refusal>(value);
    if (name(refusal) == name(Refusal::none)) continue;
    if (refusal == Refusal::table_not_yours) continue;       // the edge's, not the core's
    if (refusal == Refusal::too_many_open_rounds) continue;  // takes 4,096: refusals.ledger
    CHECK_MESSAGE(all.refusals[refusal] > 0, std::string(name(refusal)));
  }
  for (const char* line : {"raise-it-up/progressive akq_spades",
                           "raise-it-up/progressive akq_other",
                           "raise-it-up/progressive straight_flush",
                           "raise-it-up/progressive three_of_a_kind",
                           "raise-it-up/progressive straight",
                           "crazy-4/five-card royal_flush",
                           "crazy-4/five-card straight_flush",
                           "crazy-4/five-card four_of_a_kind",
                           "crazy-4/five-card full_house",
                           "crazy-4/five-card flush",
                           "crazy-4/five-card straight",
                           "crazy-4/five-card three_of_a_kind",
                           "blackjack/hit-and-run eight_or_more_cards",
                           "blackjack/hit-and-run seven_cards",
                           "blackjack/hit-and-run six_cards",
                           "blackjack/hit-and-run five_cards",
                           "blackjack/hit-and-run blackjack",
                           "poker/bad-beat straight_flush",
                           "poker/bad-beat four_of_a_kind",
                           "poker/bad-beat full_house",
                           "poker/bad-beat flush",
                           "poker/bad-beat two_pair"}) {
    CHECK_MESSAGE(all.lines.count(line) == 1, std::string(line));
  }
  CHECK(all.envies > 500);
  CHECK(all.hits > 2'000);
  CHECK(all.repeats > 2'000);
  CHECK(all.withheld_repaid > 1'000);
}

}  // namespace
}  // namespace linkmeter
