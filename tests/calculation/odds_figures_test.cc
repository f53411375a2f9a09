#include "controller/odds/odds_figures.h"

#include <doctest/doctest.h>
#include <string>

#include "proto/host/fault.h"
#include "tests/support/small_floor.h"

namespace linkmeter::odds::odds_figures_test {
namespace {

constexpr std::uint64_t three_card_hands = 22'100;
constexpr std::uint64_t five_card_hands = 2'598'960;

const WagerRules& wager(const char* id) {
  static const Catalogue catalogue = std::get<Catalogue>(parse_catalogue(shipped_catalogue()));
  const WagerRules* const found = catalogue.find_wager(WagerId(id));
  REQUIRE(found != nullptr);
  return *found;
}

const Paytable& paytable(const WagerRules& rules, const char* id) {
  const Paytable* const found = rules.find_paytable(PaytableId(id));
  REQUIRE(found != nullptr);
  return *found;
}

Stated nothing_stated(const Paytable& table) {
  Stated stated;
  stated.levels.resize(table.levels.size());
  stated.seats = 6;
  return stated;
}

std::vector<Rational> chances(std::uint64_t total, const std::vector<std::uint64_t>& hands) {
  std::vector<Rational> all;
  for (const std::uint64_t count : hands) all.push_back(ratio(count, total));
  return all;
}

const std::vector<std::uint64_t> raise_it_up_hands{1, 3, 44, 52, 720};
const std::vector<std::uint64_t> five_cards_hands{4, 36, 624, 3'744, 5'108, 10'200, 54'912};

// "13020/22100", not necessarily in lowest terms.
Rational exact(const char* text) {
  Rational value(text);
  value.canonicalize();
  return value;
}

std::string refusal(const WagerRules& rules, const Paytable& table, const Stated& stated) {
  try {
    odds_inputs_of(rules, table, stated);
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

TEST_CASE("Raise It Up at its smallest figures, computed by hand") {
  const WagerRules& rules = wager("raise-it-up/progressive");
  const Paytable& table = rules.paytables.front();
  const OddsInputs terms = odds_inputs_of(rules, table, nothing_stated(table));
  const Figures figures =
      figures_of(rules, table, chances(three_card_hands, raise_it_up_hands), terms);
  // 3 x 500 + 44 x 70 + 52 x 60 + 720 x 6 = 12,020; the meter of $1,000 once; 14%.
  CHECK(figures.fixed == exact("12020/22100"));
  CHECK(figures.at_meter == exact("13020/22100"));
  CHECK(figures.long_run == Rational(exact("13020/22100") + exact("14/100")));
  CHECK(figures.hold == Rational(1 - exact("13020/22100") - exact("14/100")));
  CHECK(figures.levels[0].break_even == 10'080);  // 22,100 - 12,020
  CHECK(figures.levels[0].house_funded == exact("1000/22100"));
  CHECK(figures.levels[0].mean_meter == 4'094);  // 0.14 x 22,100 + 1,000
}

TEST_CASE("seeds scale with the unit, and so does everything but the returns") {
  const WagerRules& rules = wager("raise-it-up/progressive");
  const Paytable& table = rules.paytables.front();
  Stated stated = nothing_stated(table);
  stated.unit = Amount::dollars(5);
  const OddsInputs terms = odds_inputs_of(rules, table, stated);
  const Figures figures =
      figures_of(rules, table, chances(three_card_hands, raise_it_up_hands), terms);
  CHECK(terms.levels[0].seed == Amount::dollars(5'000));
  CHECK(figures.at_meter == exact("13020/22100"));
  CHECK(figures.levels[0].break_even == 5 * 10'080);
  CHECK(figures.levels[0].mean_meter == 5 * 4'094);
}

TEST_CASE("a given meter, above and below the seed") {
  const WagerRules& rules = wager("raise-it-up/progressive");
  const Paytable& table = rules.paytables.front();
  Stated stated = nothing_stated(table);
  stated.levels[0].meter = Amount::dollars(10'080);
  const Figures figures = figures_of(rules, table, chances(three_card_hands, raise_it_up_hands),
                                     odds_inputs_of(rules, table, stated));
  CHECK(figures.at_meter == 1);
  CHECK(figures.long_run == Rational(exact("13020/22100") + exact("14/100")));
}

TEST_CASE("a given seed is also the reseed and the meter, unless these are given") {
  const WagerRules& rules = wager("raise-it-up/progressive");
  const Paytable& table = rules.paytables.front();
  Stated stated = nothing_stated(table);
  stated.levels[0].seed = Amount::dollars(7'000);
  OddsInputs terms = odds_inputs_of(rules, table, stated);
  CHECK(terms.levels[0].reseed == Amount::dollars(7'000));
  CHECK(terms.levels[0].meter == Amount::dollars(7'000));
  stated.levels[0].reseed = Amount::dollars(2'000);
  terms = odds_inputs_of(rules, table, stated);
  CHECK(terms.levels[0].reseed == Amount::dollars(2'000));
  CHECK(terms.levels[0].meter == Amount::dollars(7'000));
}

TEST_CASE("a 10% line takes a tenth of the meter and causes no reseed") {
  const WagerRules& rules = wager("crazy-4/five-card");
  const Paytable& table = paytable(rules, "A");
  const Figures figures = figures_of(rules, table, chances(five_card_hands, five_cards_hands),
                                     odds_inputs_of(rules, table, nothing_stated(table)));
  // 624 x 300 + 3,744 x 50 + 5,108 x 40 + 10,200 x 30 + 54,912 x 9 = 1,378,928.
  CHECK(figures.fixed == exact("1378928/2598960"));
  CHECK(figures.at_meter == exact("1454928/2598960"));  // + (4 + 3.6) x 10,000
  CHECK(figures.long_run == Rational(exact("1418928/2598960") + exact("21/100")));
  CHECK(figures.levels[0].break_even == exact("12200320/76"));   // (2,598,960 - 1,378,928) / 7.6
  CHECK(figures.levels[0].mean_meter == exact("58578160/760"));  // (545,781.6 + 40,000) / 7.6
  CHECK_FALSE(figures.levels[0].mean_meter_with_reserve.has_value());
}

TEST_CASE("several levels: each has its own slope, and the others are constant") {
  const WagerRules& rules = wager("crazy-4/five-card");
  const Paytable& table = paytable(rules, "C");
  const Figures figures = figures_of(rules, table, chances(five_card_hands, five_cards_hands),
                                     odds_inputs_of(rules, table, nothing_stated(table)));
  // 187,200 + 204,320 + 306,000 + 549,120 fixed; seeds 4 x 10,000, 36 x 1,000, 624 x 250.
  CHECK(figures.fixed == exact("1246640/2598960"));
  CHECK(figures.at_meter == exact("1478640/2598960"));
  CHECK(figures.long_run == Rational(exact("1478640/2598960") + exact("19/100")));
  CHECK(figures.levels[0].break_even == 10'000 + 1'120'320 / 4);
  CHECK(figures.levels[1].break_even == 1'000 + 1'120'320 / 36);
  CHECK(figures.levels[2].mean_meter == exact("2339688/6240"));  // (77,968.8 + 156,000) / 624
}

TEST_CASE("Hand Bonus: seeded once, then reseeded from the reserve alone") {
  const WagerRules& rules = wager("crazy-4/five-card-hand-bonus");
  const Paytable& table = rules.paytables.front();
  const Figures figures =
      figures_of(rules, table, chances(five_card_hands, {4, 36, 624, 3'744, 5'108}),
                 odds_inputs_of(rules, table, nothing_stated(table)));
  // 624 x 500 + 3,744 x 100 + 5,108 x 50 = 941,800. 13% and 8%.
  CHECK(figures.long_run == Rational(exact("941800/2598960") + exact("21/100")));
  CHECK(figures.levels[0].house_funded == 0);
  CHECK(figures.levels[0].mean_meter == exact("3378648/76"));  // 0.13 x 2,598,960 / 7.6
  CHECK(figures.levels[0].mean_meter_with_reserve == exact("5457816/76"));  // 0.21
}

TEST_CASE("Hit and Run: the winners share one award") {
  const WagerRules& rules = wager("blackjack/hit-and-run");
  const Paytable& table = rules.paytables.front();
  Stated stated = nothing_stated(table);
  stated.winners = 4;
  const std::vector<Rational> some{ratio(1, 80'000), ratio(1, 4'000), ratio(1, 250), ratio(1, 30),
                                   ratio(1, 21)};
  const Figures open = figures_of(rules, table, some, odds_inputs_of(rules, table, stated));
  CHECK_FALSE(open.long_run.has_value());  // the chapter sets no rate
  CHECK_FALSE(open.levels[0].mean_meter.has_value());
  stated.levels[0].rate = Rate::from_ppm(120'000);
  stated.reserve_rate = Rate::from_ppm(30'000);
  const Figures figures = figures_of(rules, table, some, odds_inputs_of(rules, table, stated));
  const Rational fixed = exact("100/4000") + exact("25/250") + exact("7/30") + exact("4/21");
  CHECK(figures.fixed == fixed);
  CHECK(figures.at_meter == Rational(fixed + exact("1000/320000")));
  CHECK(figures.long_run == Rational(fixed + exact("15/100") + exact("1000/320000")));
  CHECK(figures.levels[0].break_even == Rational((1 - fixed) * 320'000));
  CHECK(figures.levels[0].mean_meter == 4 * 9'600 + 1'000);                // 0.12 x 80,000 a wager
  CHECK(figures.levels[0].mean_meter_with_reserve == 4 * 12'000 + 1'000);  // 0.15
}

TEST_CASE("\"to 1\" returns the stake, but not for a bonus on a wager of the base game") {
  const WagerRules& fortune = wager("pai-gow-poker/fortune-bonus");
  Paytable table = paytable(fortune, "A");
  table.lines.erase(table.lines.begin(), table.lines.end() - 1);  // the straight, 2 to 1
  const Figures paid = figures_of(fortune, table, {ratio(1, 10)},
                                  odds_inputs_of(fortune, table, nothing_stated(table)));
  CHECK(paid.fixed == exact("3/10"));
  CHECK(paid.hold == exact("7/10"));

  const WagerRules& prime = wager("three-card-prime/bad-beat-bonus");
  const Paytable& prime_table = paytable(prime, "A");
  const Figures bonus = figures_of(prime, prime_table, {ratio(1, 100), ratio(1, 100), ratio(1, 10)},
                                   odds_inputs_of(prime, prime_table, nothing_stated(prime_table)));
  CHECK(bonus.fixed == exact("62/100"));  // 12, 10 and 4 to 1
  CHECK_FALSE(bonus.hold.has_value());
}

TEST_CASE("Envy, for each other player, by the receiver's wager") {
  const WagerRules& rules = wager("raise-it-up/progressive");
  const auto returns =
      envy_returns(rules.paytables.front(), chances(three_card_hands, raise_it_up_hands));
  REQUIRE(returns.size() == 2);
  CHECK(returns[0].wager == Amount::dollars(1));
  CHECK(returns[0].per_player == exact("175/22100"));  // $100 once and $25 three times
  CHECK(returns[1].wager == Amount::dollars(5));
  CHECK(returns[1].per_player == exact("175/22100"));  // $500 and $125 on five dollars

  const WagerRules& fortune = wager("pai-gow-poker/fortune-bonus");
  std::vector<Rational> one_in_thousand(paytable(fortune, "A").lines.size(), ratio(1, 1'000));
  const auto fixed = envy_returns(paytable(fortune, "A"), one_in_thousand);
  REQUIRE(fixed.size() == 1);
  CHECK(fixed[0].or_more);
  CHECK(fixed[0].per_player == exact("6825/5000"));  // 5,000+1,000+500+250+50+20+5 on $5
}

TEST_CASE("Magic Card and Lucky bonus, as often as the table draws") {
  const WagerRules& hand_bonus = wager("crazy-4/five-card-hand-bonus");
  Stated stated = nothing_stated(hand_bonus.paytables.front());
  stated.draw_rate = Rate::from_ppm(100'000);
  const auto added =
      bonus_returns(hand_bonus, hand_bonus.paytables.front(),
                    odds_inputs_of(hand_bonus, hand_bonus.paytables.front(), stated));
  REQUIRE(added.size() == 2);
  CHECK(added[0].returns == exact("100/520"));  // five cards of 52, 20 for 1, each tenth round
  CHECK(added[1].returns == exact("5/70"));     // six seats and the dealer

  const WagerRules& bad_beat = wager("blackjack/bad-beat");
  Stated shoe = nothing_stated(bad_beat.paytables.front());
  shoe.decks = 2;
  shoe.seats = 7;
  const auto drawn = bonus_returns(bad_beat, bad_beat.paytables.front(),
                                   odds_inputs_of(bad_beat, bad_beat.paytables.front(), shoe));
  REQUIRE(drawn.size() == 2);
  // Two copies in 104 cards: neither of the first two is one of them in 102 x 101 of 104 x 103.
  CHECK(drawn[0].chance == Rational(1 - exact("10302/10712")));
  CHECK(drawn[1].chance == exact("1/7"));
}

TEST_CASE("figures that contradict the chapter are refused with its section") {
  const WagerRules& rules = wager("crazy-4/five-card");
  const Paytable& fixed = paytable(rules, "A");
  Stated stated = nothing_stated(fixed);
  stated.levels[0].rate = Rate::from_ppm(200'000);
  CHECK(refusal(rules, fixed, stated) ==
        "level main: the chapter fixes the rate at 21% (§ 657a.12(e)(3))");
  stated.levels[0] = {Amount::dollars(9'999), {}, {}, {}};
  CHECK(refusal(rules, fixed, stated) ==
        "level main: the chapter fixes the seed at $10000.00 (§ 657a.12(e)(3))");
  stated.levels[0] = {{}, Amount::dollars(9'999), {}, {}};
  CHECK(refusal(rules, fixed, stated).find("fixes the reseed at $10000.00") != std::string::npos);
  stated.levels[0] = {Amount::dollars(10'000), {}, {}, Rate::from_ppm(210'000)};
  CHECK(refusal(rules, fixed, stated).empty());
  stated.winners = 2;
  CHECK(refusal(rules, fixed, stated).find("paid in turn") != std::string::npos);

  const WagerRules& raise = wager("raise-it-up/progressive");
  const Paytable& least = raise.paytables.front();
  Stated low = nothing_stated(least);
  low.levels[0].seed = Amount::cents(99'999);
  CHECK(refusal(raise, least, low) ==
        "level main: the seed is at least $1000.00 (§ 669a.12(e)(1), (3))");
  low.levels[0] = {{}, {}, {}, Rate::from_ppm(139'999)};
  CHECK(refusal(raise, least, low).find("the rate is at least 14%") != std::string::npos);
  low.levels[0] = {{}, {}, {}, Rate::from_ppm(900'000)};
  low.reserve_rate = Rate::from_ppm(100'001);
  CHECK(refusal(raise, least, low).find("more than 100%") != std::string::npos);
}

}  // namespace
}  // namespace linkmeter::odds::odds_figures_test
