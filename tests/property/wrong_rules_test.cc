// Tests the judge: the core decides with other terms or rules than those of the floor, one
// difference at a time. Each must be reported at the first message where it matters.

#include <doctest/doctest.h>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/property/planted.h"

namespace linkmeter::wrong_rules_test {
namespace {

void expect_caught(const std::string& name, const WrongRules& misread, std::size_t floor) {
  CAPTURE(name);
  const Planted planted = plant(misread, floor);
  CHECK(planted.altered == 1);
  CHECK(planted.divergence.has_value());
}

// The same change for every link.
template <class Change>
WrongRules of_terms(const Change& change) {
  return [change](Floor& floor, FloorRules&) {
    for (LinkConfig& link : floor.links) change(link);
  };
}
template <class Change>
WrongRules of_rules(const Change& change) {
  return [change](Floor&, FloorRules& rules) {
    for (LinkRules& link : rules.links) change(link);
  };
}

void last_line_first(LinkRules& link) {
  std::vector<Line>& lines = link.paytable.lines;
  if (!lines.empty()) std::rotate(lines.begin(), lines.end() - 1, lines.end());
}

constexpr std::size_t raise_it_up = 0, crazy_4 = 1, blackjack = 2, poker = 3, pai_gow = 6,
                      three_card_prime = 7;

TEST_CASE("the judge reports a wrong configuration") {
  const auto no_payout_limit = of_terms([](LinkConfig& link) { link.payout_limit.reset(); });
  expect_caught("no payout limit", no_payout_limit, pai_gow);
  expect_caught("no payout limit", no_payout_limit, three_card_prime);
  expect_caught("meters are capped too",
                of_terms([](LinkConfig& link) { link.payout_limit_caps_meter = true; }), pai_gow);
  expect_caught("no meter is capped",
                of_terms([](LinkConfig& link) { link.payout_limit_caps_meter = false; }), pai_gow);
  const auto no_limit = of_terms([](LinkConfig& link) {
    for (LevelConfig& level : link.levels) level.limit.reset();
  });
  for (const std::size_t floor : {raise_it_up, crazy_4, blackjack, pai_gow}) {
    expect_caught("no limit of a meter", no_limit, floor);
  }
  expect_caught("the seed instead of the reseed", of_terms([](LinkConfig& link) {
                  for (LevelConfig& level : link.levels) level.reseed = level.seed;
                }),
                crazy_4);
  expect_caught("a rate of one in a million more", of_terms([](LinkConfig& link) {
                  for (LevelConfig& level : link.levels) {
                    level.rate =
                        Rate::from_ppm(std::min<std::int64_t>(level.rate.ppm() + 1, 999'999));
                  }
                }),
                poker);
  expect_caught(
      "one deck more",
      [](Floor& floor, FloorRules&) {
        for (TableConfig& table : floor.tables) ++table.decks;
      },
      pai_gow);
}

TEST_CASE("the judge reports wrong chapter rules") {
  const auto flip_fold =
      of_rules([](LinkRules& link) { link.wager.fold_forfeits = !link.wager.fold_forfeits; });
  // Nobody folds at Pai Gow Poker: the two changes have no effect there.
  for (const std::size_t floor : {raise_it_up, crazy_4, blackjack, three_card_prime}) {
    expect_caught("folds the other way", flip_fold, floor);
  }
  const auto flip_folded_envy = of_rules([](LinkRules& link) {
    link.wager.folded_hand_gives_envy = !link.wager.folded_hand_gives_envy;
  });
  const auto flip_non_bettors = of_rules(
      [](LinkRules& link) { link.wager.envy_of_non_bettors = !link.wager.envy_of_non_bettors; });
  for (const std::size_t floor : {raise_it_up, crazy_4}) {
    expect_caught("envy of folded hands the other way", flip_folded_envy, floor);
  }
  for (const std::size_t floor : {raise_it_up, crazy_4, pai_gow}) {
    expect_caught("envy of those without the wager the other way", flip_non_bettors, floor);
  }
  expect_caught("a Bad Beat shared equally",
                of_rules([](LinkRules& link) { link.wager.sharing = Sharing::equal; }), blackjack);
  // Only chips are counted, so the only difference is the source of an award.
  const auto from_the_rack = [](LinkRules& link) {
    if (link.wager.placement == Placement::electronic) link.wager.placement = Placement::layout;
  };
  expect_caught("electronic awards from the rack", of_rules(from_the_rack), crazy_4);
  expect_caught("chips of electronic wagers",
                of_rules([](LinkRules& link) { link.wager.placement = Placement::chip; }), crazy_4);
  expect_caught("the whole hand for the Magic Card", of_rules([](LinkRules& link) {
                  for (Bonus& bonus : link.paytable.bonuses) bonus.first_cards = 0;
                }),
                blackjack);
  const auto no_bonuses = of_rules([](LinkRules& link) { link.paytable.bonuses.clear(); });
  expect_caught("no bonuses", no_bonuses, crazy_4);
  expect_caught("no bonuses", no_bonuses, blackjack);
  expect_caught("envy for exactly $5", of_rules([](LinkRules& link) {
                  for (EnvyLine& line : link.paytable.envy) {
                    for (EnvyStep& step : line.by_wager) step.or_more = false;
                  }
                }),
                pai_gow);
  expect_caught("nobody verifies fixed awards",
                of_rules([](LinkRules& link) { link.wager.verified_from.reset(); }), crazy_4);
  for (const std::size_t floor : {raise_it_up, crazy_4, blackjack, pai_gow, three_card_prime}) {
    expect_caught("the last line first", of_rules(last_line_first), floor);
  }
  expect_caught(
      "no joker",
      [](Floor&, FloorRules& rules) {
        for (GameRules& game : rules.games) game.joker = false;
      },
      pai_gow);
}

}  // namespace
}  // namespace linkmeter::wrong_rules_test
