#include "tests/property/naive_rules.h"

#include "tests/property/naive_chapter.h"

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
  rules.levels = {{"main"}};
  rules.by_chip = true;
  rules.fold_forfeits = true;
  rules.folded_bettor_gives_envy = true;
  rules.needs_reserve_of_house = true;
  return rules;
}

// § 657a.12(d).
NaiveRules four_card(const std::string& paytable) {
  NaiveRules rules;
  rules.lines = {{"four_aces", "main", 100, 0},
                 {"four_of_a_kind", "", 0, 300},
                 {"straight_flush", "", 0, 100}};
  rules.by_chip = true;
  rules.fold_forfeits = true;
  if (paytable == "A") {
    rules.lines.push_back({"three_of_a_kind", "", 0, 9});
    rules.envy = {{"four_aces", 100, 500}, {"four_of_a_kind", 10, 50}, {"straight_flush", 5, 25}};
    rules.levels = {{"main", 5'000, 5'000, 29}};
  } else {
    rules.lines.push_back({"three_of_a_kind", "", 0, 15});
    rules.envy = {{"four_aces", 100, 500}, {"four_of_a_kind", 25, 125}};
    rules.levels = {{"main", 1'000, 1'000, 25}};
    rules.reserve_percent = 5;
  }
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
  if (single) rules.levels = {{"main", 10'000, 10'000, 21}};
  if (paytable == "B") rules.levels = {{"mega", 10'000, 10'000, 11}, {"major", 1'000, 1'000, 10}};
  if (paytable == "C") {
    rules.levels = {
        {"mega", 10'000, 10'000, 9}, {"major", 1'000, 1'000, 7}, {"minor", 250, 250, 3}};
  }
  if (paytable == "D") {
    rules.levels = {
        {"mega", 10'000, 10'000, 10}, {"major", 1'000, 1'000, 8}, {"minor", 250, 250, 3}};
  }
  rules.by_chip = true;
  rules.fold_forfeits = true;
  return rules;
}

// § 657a.12(f); § 657a.11, on the game account.
NaiveRules hand_bonus() {
  NaiveRules rules;
  rules.to_account = true;
  rules.lines = {{"royal_flush", "main", 100, 0},
                 {"straight_flush", "main", 10, 0},
                 {"four_of_a_kind", "", 0, 500},
                 {"full_house", "", 0, 100},
                 {"flush", "", 0, 50}};
  rules.bonuses = {{true, 20, 5}, {false, 5}};
  rules.levels = {{"main", 10'000, 0, 13}};
  rules.reserve_percent = 8;
  rules.claim_from = 500;
  rules.hand = NaiveHand::chosen;
  rules.table_inventory_barred = false;
  rules.game_account_barred = true;
  return rules;
}

// § 633a.13(k), § 633a.7(o)(1).
NaiveRules blackjack_bad_beat() {
  NaiveRules rules;
  rules.to_account = true;
  rules.lines = {{"21_with_seven_or_more_cards", "main", 100, 0},
                 {"21_with_six_cards", "", 0, 1'000},
                 {"21_with_five_cards", "", 0, 100},
                 {"21_with_four_cards", "", 0, 50},
                 {"21_with_three_cards", "", 0, 25},
                 {"blackjack", "", 0, 10},
                 {"player_20", "", 0, 1}};
  rules.bonuses = {{true, 20, 2}, {false, 5}};
  rules.levels = {{"main"}};
  rules.claim_from = 100;
  rules.hand = NaiveHand::against;
  rules.by_weight = true;
  rules.game_account_barred = true;  // paid by hand
  rules.needs_reserve_of_house = true;
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
  rules.levels = {{"main"}};
  rules.claim_from = 100;
  rules.by_chip = true;
  rules.hand = NaiveHand::dealers;
  rules.needs_reserve_of_house = true;
  return rules;
}

// § 645a.13(e).
NaiveRules pai_gow_progressive() {
  NaiveRules rules;
  rules.lines = {{"seven_card_straight_flush", "main", 100, 0},
                 {"five_aces", "main", 10, 0},
                 {"royal_flush", "", 0, 500},
                 {"straight_flush", "", 0, 100},
                 {"four_of_a_kind", "", 0, 75},
                 {"full_house", "", 0, 4}};
  rules.levels = {{"main"}};
  rules.by_chip = true;
  rules.needs_reserve_of_house = true;
  return rules;
}

// One column of § 645a.13(b) and (c), which print the same figures.
struct PaiGowColumn {
  std::int64_t seven_natural, match, seven_joker, aces, royal, straight_flush, four;
  std::int64_t envy_seven_natural, envy_match, envy_seven_joker, envy_aces, envy_royal,
      envy_straight_flush, envy_four;
};

PaiGowColumn pai_gow_column(const std::string& paytable) {
  if (paytable == "A") {
    return {8'000, 2'000, 1'000, 400, 150, 50, 25, 5'000, 1'000, 500, 250, 50, 20, 5};
  }
  if (paytable == "B") {
    return {5'000, 2'000, 1'000, 400, 150, 50, 25, 3'000, 1'000, 500, 250, 50, 20, 5};
  }
  if (paytable == "C") {
    return {5'000, 1'000, 750, 250, 100, 50, 20, 1'000, 250, 100, 50, 25, 10, 5};
  }
  return {2'500, 1'000, 750, 250, 125, 50, 25, 1'000, 750, 250, 100, 50, 20, 5};
}

NaiveRules pai_gow_bonus(const std::string& paytable, const std::string& match) {
  const PaiGowColumn column = pai_gow_column(paytable);
  NaiveRules rules;
  rules.lines = {{"seven_card_straight_flush_no_joker", "", 0, column.seven_natural},
                 {match, "", 0, column.match},
                 {"seven_card_straight_flush_with_joker", "", 0, column.seven_joker},
                 {"five_aces", "", 0, column.aces},
                 {"royal_flush", "", 0, column.royal},
                 {"straight_flush", "", 0, column.straight_flush},
                 {"four_of_a_kind", "", 0, column.four},
                 {"full_house", "", 0, 5},
                 {"flush", "", 0, 4},
                 {"three_of_a_kind", "", 0, 3},
                 {"straight", "", 0, 2}};
  rules.envy = {{"seven_card_straight_flush_no_joker", 0, column.envy_seven_natural, true},
                {match, 0, column.envy_match, true},
                {"seven_card_straight_flush_with_joker", 0, column.envy_seven_joker, true},
                {"five_aces", 0, column.envy_aces, true},
                {"royal_flush", 0, column.envy_royal, true},
                {"straight_flush", 0, column.envy_straight_flush, true},
                {"four_of_a_kind", 0, column.envy_four, true}};
  for (NaiveLine& line : rules.lines) line.to_one = true;
  rules.claim_from.reset();
  rules.folded_bettor_gives_envy = true;  // surrendered cards count for it
  return rules;
}

// § 679a.12(c).
NaiveRules three_card_prime(const std::string& paytable) {
  NaiveRules rules;
  const bool first = paytable == "A";
  rules.lines = {{"straight_flush", "", 0, first ? 12 : 6},
                 {"three_of_a_kind", "", 0, first ? 10 : 5},
                 {"straight", "", 0, first ? 4 : 2}};
  for (NaiveLine& line : rules.lines) line.to_one = true;
  rules.claim_from.reset();
  rules.hand = NaiveHand::against;
  rules.fold_forfeits = true;  // without a Play Wager there is nothing to pay on
  return rules;
}

// § 553.20.
NaiveRules poker_bad_beat() {
  NaiveRules rules;
  rules.levels = {{"main"}};
  rules.game_account_barred = true;
  rules.needs_reserve_of_house = true;
  return rules;
}

NaiveRules all_rules(const std::string& wager, const std::string& paytable) {
  if (wager == "raise-it-up/progressive") return raise_it_up();
  if (wager == "crazy-4/four-card") return four_card(paytable);
  if (wager == "crazy-4/five-card") return five_card(paytable);
  if (wager == "crazy-4/five-card-hand-bonus") return hand_bonus();
  if (wager == "blackjack/bad-beat") return blackjack_bad_beat();
  if (wager == "blackjack/hit-and-run") return hit_and_run();
  if (wager == "pai-gow-poker/progressive") return pai_gow_progressive();
  if (wager == "pai-gow-poker/fortune-bonus") {
    return pai_gow_bonus(paytable, "royal_flush_and_royal_match");
  }
  if (wager == "pai-gow-poker/emperors-treasure") {
    return pai_gow_bonus(paytable, "royal_flush_and_ace_king_suited");
  }
  if (wager == "three-card-prime/bad-beat-bonus") return three_card_prime(paytable);
  return poker_bad_beat();
}

std::optional<bool> choice(const std::string& keys, const std::string& key) {
  if (keys.find("\n" + key + " = true\n") != std::string::npos) return true;
  if (keys.find("\n" + key + " = false\n") != std::string::npos) return false;
  return std::nullopt;
}

}  // namespace

NaiveChoices naive_choices(const std::string& floor_text, const std::string& link) {
  // From the link's own id to the next double bracket.
  const std::size_t heading = floor_text.find("[[link]]\nid = \"" + link + "\"\n");
  if (heading == std::string::npos) return {};
  const std::size_t end = floor_text.find("[[", heading + 2);
  const std::string keys = floor_text.substr(heading, end - heading) + "\n";
  NaiveChoices choices;
  choices.any_20 = choice(keys, "any_20");
  choices.magic_card = choice(keys, "magic_card");
  choices.lucky_bonus = choice(keys, "lucky_bonus");
  choices.payout_limit_caps_meter = choice(keys, "payout_limit_caps_meter");
  choices.fold_forfeits = choice(keys, "fold_forfeits");
  choices.folded_hand_gives_envy = choice(keys, "folded_hand_gives_envy");
  choices.envy_of_non_bettors = choice(keys, "envy_of_non_bettors");
  return choices;
}

NaiveRules naive_rules(const std::string& wager, const std::string& paytable,
                       const NaiveChoices& choices, const std::vector<std::string>& chapters) {
  NaiveRules rules = all_rules(wager, paytable);
  apply_notes(chapters, wager, paytable, rules);
  // Offered only if the house says so.
  if (!choices.any_20.value_or(false)) {
    std::erase_if(rules.lines, [](const NaiveLine& line) { return line.line == "player_20"; });
  }
  const bool magic = choices.magic_card.value_or(false);
  const bool lucky = choices.lucky_bonus.value_or(false);
  std::erase_if(rules.bonuses, [magic, lucky](const NaiveBonus& bonus) {
    return bonus.is_magic ? !magic : !lucky;
  });
  rules.fold_forfeits = choices.fold_forfeits.value_or(rules.fold_forfeits);
  rules.folded_bettor_gives_envy =
      choices.folded_hand_gives_envy.value_or(rules.folded_bettor_gives_envy);
  rules.non_bettor_gives_envy = choices.envy_of_non_bettors.value_or(true);
  rules.limit_caps_meter = choices.payout_limit_caps_meter.value_or(false);
  return rules;
}

}  // namespace linkmeter
