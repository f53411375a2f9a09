#include <doctest/doctest.h>
#include <algorithm>
#include <string>
#include <vector>

#include "config/reader/catalogue_file.h"
#include "tests/support/capture_binding.h"
#include "tests/support/small_chapter.h"
#include "tests/support/small_floor.h"

namespace linkmeter::catalogue_wagers_test {
namespace {

// All wager keys beyond those of the small chapter.
const std::string rich_chapter = R"(game = "g"
title = "G"
chapter = "1a"
source = "s"
effective = "2020-01-01"
status = "final"
seats = { max = 6, section = "s" }
[cards]
dealing = "stud"
decks = 1
folds = false
player = { min = 5, max = 5 }
dealer = { min = 5, max = 5 }
board_max = 0
section = "s"
[[wager]]
id = "g/w"
title = "W"
section = "s"
hand = "five_card"
placement = "electronic"
decided_by = "either_hand"
sharing = { kind = "by_turn", dealer_hand = "proportional", section = "s" }
fold = { forfeits = true, section = "s" }
verified = { by = "poker_shift_supervisor", section = "s" }
meter_award = { not_from = ["hand_pay"], cards_stay = "winners_and_dealers", section = "s" }
linked = { allowed = true, section = "s" }
payout_limit = { at_least = "50000.00", section = "l" }
[[wager.option]]
name = "any_20"
default = true
section = "o"
[[wager.option]]
name = "magic_card"
default = false
section = "o"
[[wager.option]]
name = "lucky_bonus"
default = false
section = "o"
[[wager.option]]
name = "fold_forfeits"
default = true
section = "o"
[[wager.option]]
name = "payout_limit_caps_meter"
default = false
section = "o"
[[wager.paytable]]
section = "s"
lines = [
  { line = "royal_flush", pays = "100% of main" },
  { line = "flush", pays = "50 for 1", option = "any_20" },
]
levels = [ { id = "main", section = "s" } ]
bonuses = [
  { bonus = "magic_card", pays = "20 for 1", first_cards = 2, section = "b" },
  { bonus = "lucky_bonus", pays = "5 for 1", section = "b" },
]
)";

// The same game with the envy of a player's hand and without a meter.
const std::string fixed_chapter = R"(game = "g"
title = "G"
chapter = "1a"
source = "s"
effective = ""
status = "proposed"
seats = { max = 6, section = "s" }
[cards]
dealing = "stud"
decks = 1
player = { min = 3, max = 3 }
dealer = { min = 3, max = 3 }
board_max = 0
section = "s"
[[wager]]
id = "g/w"
title = "W"
section = "s"
hand = "three_card"
placement = "layout"
decided_by = "player_hand"
sharing = { kind = "by_turn", section = "s" }
fold = { forfeits = true, section = "s" }
verified = { section = "s" }
linked = { allowed = true, section = "s" }
[[wager.option]]
name = "envy_of_non_bettors"
default = false
section = "o"
[[wager.paytable]]
section = "s"
lines = [ { line = "flush", pays = "50 to 1" } ]
envy = [ { line = "flush", by_wager = { "1.00 or more" = "2.00" } } ]
)";

struct Mistake {
  const char* from;
  const char* to;
  const char* expected;        // of the first violation, after its place
  std::size_t violations = 1;  // more where two places no longer agree
};

void check_mistakes(const std::string& chapter, const std::vector<Mistake>& mistakes) {
  for (const auto& [from, to, expected, count] : mistakes) {
    CAPTURE_BINDING(from);
    CAPTURE_BINDING(to);
    const std::string text = replaced(chapter, from, to);
    const std::string violations = chapter_violations(text);
    CAPTURE(violations);
    CHECK_NE(violations.find(std::string("[[wager]] g/w: ") + expected), std::string::npos);
    CHECK_EQ(std::count(violations.begin(), violations.end(), '\n'), count);
  }
}

WagerRules only_wager(const std::string& chapter) {
  REQUIRE_EQ(chapter_violations(chapter), "");
  return std::get<Catalogue>(parse_catalogue({{"game.toml", chapter}})).games.at(0).wagers.at(0);
}

}  // namespace

TEST_CASE("every key of a wager is read") {
  const WagerRules rich = only_wager(rich_chapter);
  CHECK(rich.decided_by == DecidedBy::either_hand);
  CHECK(rich.sharing == Sharing::by_turn);
  CHECK(rich.dealer_sharing == Sharing::proportional);
  CHECK_FALSE(rich.verified_from.has_value());
  CHECK(rich.verified_by == Verifier::poker_shift_supervisor);
  CHECK(rich.cards_stay == CardsStay::winners_and_dealers);
  CHECK(rich.payout_limit == PayoutLimitRule{Amount::dollars(50'000), "l"});
  CHECK(rich.envy_of_non_bettors);
  REQUIRE_EQ(rich.options.size(), 5);
  CHECK(rich.options[0] == OptionRule{Option::any_20, true, "o"});
  const Paytable& paytable = rich.paytables.at(0);
  CHECK_FALSE(paytable.lines[0].option.has_value());
  CHECK(paytable.lines[1].option == Option::any_20);
  REQUIRE_EQ(paytable.bonuses.size(), 2);
  CHECK(paytable.bonuses[0] == Bonus{Bonus::Kind::magic_card, 20, 2, "b"});
  CHECK(paytable.bonuses[1] == Bonus{Bonus::Kind::lucky_bonus, 5, 0, "b"});

  const WagerRules fixed = only_wager(fixed_chapter);
  CHECK(fixed.placement == Placement::layout);
  CHECK_FALSE(fixed.envy_of_non_bettors);
  CHECK(fixed.paytables.at(0).levels.empty());
  CHECK(fixed.meter_award_not_from.empty());
  CHECK(fixed.cards_stay == CardsStay::nobodys);
}

TEST_CASE("a wager's mistakes are named") {
  check_mistakes(
      rich_chapter,
      {
          {"\"proportional\", section", "\"by_turn\", section",
           "sharing.dealer_hand is \"by_turn\""},
          {"dealer_hand = \"proportional\", ", "", "sharing.dealer_hand is missing"},
          {"\"either_hand\"", "\"player_hand\"",
           "sharing.dealer_hand is for wagers that either_hand"},
          {"kind = \"by_turn\"", "kind = \"equal\"", "sharing is equal or proportional where"},
          {"kind = \"by_turn\"", "kind = \"split\"", "placement pot, decided_by pot and sharing"},
          {"\"electronic\"", "\"layout\"", "placement is layout, where no sensor"},
          {"\"either_hand\"", "\"neither_hand\"", "decided_by is \"neither_hand\""},
          {"by = \"poker_shift_supervisor\"", "by = \"dealer\"", "verified.by is \"dealer\""},
          {"by = \"poker", "from = -1, by = \"poker", "verified.from is -1"},
          {"\"winners_and_dealers\"", "\"everybodys\"", "meter_award.cards_stay is \"everybodys\""},
          {"at_least = \"50000.00\"", "at_least = 50000",
           "payout_limit.at_least is a whole number"},
          {", section = \"l\"", "", "payout_limit.section is missing"},
          {"dealer = { min = 5", "dealer = { min = 4", "hand does not fit the number of cards"},
          {"player = { min = 5", "player = { min = 4", "hand does not fit the number of cards"},
          {"hand = \"five_card\"\n", "", "hand is missing"},
          {"\"five_card\"", "\"three_card_beaten\"", "decided_by both_hands and a hand that"},
      });
  const std::string without_award =
      "meter_award = { not_from = [\"hand_pay\"], cards_stay = \"winners_and_dealers\", section = "
      "\"s\" "
      "}\n";
  check_mistakes(rich_chapter, {{without_award.c_str(), "", "meter_award is missing"}});
  // Two of the three keys of a pot are missing.
  check_mistakes(replaced(rich_chapter, "\"electronic\"", "\"pot\""),
                 {{"kind = \"by_turn\"", "kind = \"split\"", "placement pot, decided_by pot and"}});
}

TEST_CASE("an option that is listed must be used, and one that is used must be listed") {
  check_mistakes(
      rich_chapter,
      {
          {"name = \"any_20\"\n", "", "option[1].name is missing", 2},
          {"name = \"any_20\"", "name = \"any_21\"", "option[1].name is \"any_21\"", 2},
          {"default = true", "default = \"yes\"", "option[1].default is a text"},
          {"default = true\nsection = \"o\"", "default = true", "option[1].section is missing"},
          {", option = \"any_20\"", "",
           "option[1].name is any_20, but no line of a paytable has it"},
          {"\"lucky_bonus\"\ndefault", "\"magic_card\"\ndefault",
           "option[3].name is magic_card a second", 2},
          {"payout_limit = { at_least = \"50000.00\", section = \"l\" }\n", "",
           "option[5].name is payout_limit_caps_meter, but the wager has no payout_limit"},
          {"forfeits = true", "forfeits = false", "option[4].default is not what fold says"},
          {"  { bonus = \"magic_card\", pays = \"20 for 1\", first_cards = 2, section = \"b\" },\n",
           "", "option[2].name is magic_card, but no paytable has that bonus"},
          {"  { bonus = \"lucky_bonus\", pays = \"5 for 1\", section = \"b\" },\n", "",
           "option[3].name is lucky_bonus, but no paytable has that bonus"},
          {"option = \"any_20\"", "option = \"magic_card\"",
           "lines[2].option is \"magic_card\"; no option", 2},
      });
}

TEST_CASE("mistakes of bonuses and optional lines are named") {
  check_mistakes(
      rich_chapter,
      {
          {"pays = \"20 for 1\"", "pays = \"20 to 1\"",
           "bonuses[1].pays is \"20 to 1\"; a bonus pays"},
          {"pays = \"20 for 1\"", "pays = \"0 for 1\"",
           "bonuses[1].pays is \"0 for 1\"; a bonus pays"},
          {"first_cards = 2", "first_cards = 25", "bonuses[1].first_cards is 25"},
          {"\"5 for 1\"", "\"5 for 1\", first_cards = 2",
           "bonuses[2].first_cards is for magic_card"},
          {"bonuses = [\n",
           "bonuses = [\n  { bonus = \"magic_card\", pays = \"1 for 1\", section = \"b\" },\n",
           "bonuses[2].bonus is magic_card a second time"},
          {"\"100% of main\" }", "\"100% of main\", option = \"any_20\" }",
           "levels has main, but no line"},
      });
  const std::string lucky =
      "[[wager.option]]\nname = \"lucky_bonus\"\ndefault = false\nsection = \"o\"\n";
  check_mistakes(rich_chapter,
                 {{lucky.c_str(), "", "bonuses[2].bonus is lucky_bonus, but the wager"}});
  const std::string any_20 =
      "[[wager.option]]\nname = \"any_20\"\ndefault = true\nsection = \"o\"\n";
  check_mistakes(rich_chapter,
                 {{any_20.c_str(), "", "lines[2].option is any_20, which the wager"}});
}

TEST_CASE("a wager with fixed awards has no levels") {
  check_mistakes(
      fixed_chapter,
      {
          {"linked =", "meter_award = { not_from = [], section = \"s\" }\nlinked =",
           "meter_award stands here, but no paytable"},
          {"envy = ", "reserve = { rate = \"1%\", section = \"s\" }\nenvy = ",
           "reserve stands here without"},
          {"\"50 to 1\"", "\"100% of main\"", "lines[1].pays is"},
          {"\"by_turn\"", "\"proportional\"", "sharing is equal or proportional where"},
          {"envy = [ { line = \"flush\", by_wager = { \"1.00 or more\" = \"2.00\" } } ]\n", "",
           "option[1].name is envy_of_non_bettors, but no paytable has an envy schedule"},
          {"\"player_hand\"", "\"dealer_hand\"", "decided_by must be player_hand; an envy"},
          {"\"three_card\"", "\"three_card_beaten\"", "decided_by both_hands and a hand that"},
          {"[[wager.option]]\nname = \"envy_of_non_bettors\"",
           "payout_limit = { at_least = \"1.00\", section = \"l\" }\n"
           "[[wager.option]]\nname = \"payout_limit_caps_meter\"",
           "option[1].name is payout_limit_caps_meter, but no paytable has levels"},
          {"name = \"envy_of_non_bettors\"\ndefault = false",
           "name = \"folded_hand_gives_envy\"\ndefault = true",
           "option[1].default is not what fold says"},
      });
}

TEST_CASE("a hand against the dealer's needs both card counts to fit") {
  std::string chapter = replaced(fixed_chapter, "\"player_hand\"", "\"both_hands\"");
  chapter = replaced(chapter, "\"three_card\"", "\"three_card_beaten\"");
  chapter = replaced(
      chapter, "envy = [ { line = \"flush\", by_wager = { \"1.00 or more\" = \"2.00\" } } ]\n", "");
  chapter = replaced(
      chapter,
      "[[wager.option]]\nname = \"envy_of_non_bettors\"\ndefault = false\nsection = \"o\"\n", "");
  CHECK(only_wager(chapter).decided_by == DecidedBy::both_hands);
  check_mistakes(
      chapter,
      {
          {"dealer = { min = 3", "dealer = { min = 2", "hand does not fit"},
          {"dealer = { min = 3, max = 3", "dealer = { min = 0, max = 0", "hand does not fit"},
          {"player = { min = 3, max = 3", "player = { min = 3, max = 4", "hand does not fit"},
          {"\"layout\"", "\"pot\"", "placement pot, decided_by pot"},
      });
}

}  // namespace linkmeter::catalogue_wagers_test
