#include "tests/property/naive_rules.h"

namespace linkmeter {

namespace {

// § 669a.12(e).
NaiveRules raise_it_up() {
  NaiveRules rules;
  rules.lines = {{"akq_spades", "main", 100, 0},
                 {"akq_other", "", 0, 500},
                 {"straight_flush", "", 0, 70},
                 {"three_of_a_kind", "", 0, 60},
                 {"straight", "", 0, 6}};
  rules.envy = {{"akq_spades", 100, 500}, {"akq_other", 25, 125}};
  rules.levels = {{"main", 0, 0}};
  rules.fold_forfeits = true;
  rules.folded_bettor_gives_envy = true;
  rules.needs_reserve_of_house = true;
  return rules;
}

// § 657a.12(e).
NaiveRules five_card(const std::string& paytable) {
  NaiveRules rules;
  const bool single = paytable == "A";
  const bool minor = paytable == "C" || paytable == "D";
  rules.lines.push_back({"royal_flush", single ? "main" : "mega", 100, 0});
  rules.lines.push_back({"straight_flush", single ? "main" : "major", single ? 10 : 100, 0});
  if (minor) {
    rules.lines.push_back({"four_of_a_kind", "minor", 100, 0});
  } else {
    rules.lines.push_back({"four_of_a_kind", "", 0, 300});
  }
  rules.lines.push_back({"full_house", "", 0, 50});
  rules.lines.push_back({"flush", "", 0, 40});
  rules.lines.push_back({"straight", "", 0, 30});
  rules.lines.push_back({"three_of_a_kind", "", 0, paytable == "C" ? 10 : 9});
  rules.envy = {{"royal_flush", 1000, 5000}, {"straight_flush", 300, 1500}};
  if (single) rules.levels = {{"main", 10'000, 21}};
  if (paytable == "B") rules.levels = {{"mega", 10'000, 11}, {"major", 1'000, 10}};
  if (paytable == "C") rules.levels = {{"mega", 10'000, 9}, {"major", 1'000, 7}, {"minor", 250, 3}};
  if (paytable == "D") {
    rules.levels = {{"mega", 10'000, 10}, {"major", 1'000, 8}, {"minor", 250, 3}};
  }
  rules.fold_forfeits = true;
  return rules;
}

// § 633a.13(l), § 633a.7(o)(2).
NaiveRules hit_and_run() {
  NaiveRules rules;
  rules.lines = {{"eight_or_more_cards", "main", 100, 0},
                 {"seven_cards", "", 0, 100},
                 {"six_cards", "", 0, 25},
                 {"five_cards", "", 0, 7},
                 {"blackjack", "", 0, 4}};
  rules.levels = {{"main", 0, 0}};
  rules.claim_from = 100;
  rules.on_dealer = true;
  rules.needs_reserve_of_house = true;
  return rules;
}

// § 553.20.
NaiveRules bad_beat() {
  NaiveRules rules;
  rules.levels = {{"main", 0, 0}};
  rules.game_account_barred = true;
  rules.needs_reserve_of_house = true;
  return rules;
}

}  // namespace

NaiveRules naive_rules(const std::string& wager, const std::string& paytable) {
  if (wager == "raise-it-up/progressive") return raise_it_up();
  if (wager == "crazy-4/five-card") return five_card(paytable);
  if (wager == "blackjack/hit-and-run") return hit_and_run();
  return bad_beat();
}

}  // namespace linkmeter
