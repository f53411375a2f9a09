#include <doctest/doctest.h>
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/every_wager_floor.h"

namespace linkmeter::link_options_test {
namespace {

bool has_line(const ParsedLink& link, const char* id) {
  for (const Line& line : link.rules.paytable.lines) {
    if (line.id == LineId(id)) return true;
  }
  return false;
}

bool has_bonus(const ParsedLink& link, Bonus::Kind kind) {
  for (const Bonus& bonus : link.rules.paytable.bonuses) {
    if (bonus.kind == kind) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a floor may have every wager of the catalogue") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  std::set<WagerId> played;
  for (const LinkConfig& link : file.floor.links) played.insert(link.wager);
  const auto catalogue = std::get<Catalogue>(parse_catalogue(shipped_catalogue()));
  std::set<WagerId> known;
  for (const GameRules& game : catalogue.games) {
    for (const WagerRules& wager : game.wagers) known.insert(wager.id);
  }
  CHECK(played == known);
  CHECK_EQ(known.size(), 11);
}

TEST_CASE("seeds and rates of the Crazy 4 links follow the unit and the paytable") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  // Four-Card B: $1,000 for 1 on $5, 25% and 5%.
  const ParsedLink four = link_of(file, "C4-FOUR");
  CHECK(four.terms.levels ==
        std::vector<LevelConfig>{{LevelId("main"), Amount::dollars(5'000), Amount::dollars(5'000),
                                  Rate::from_ppm(250'000), std::nullopt}});
  CHECK_EQ(four.terms.reserve_rate, Rate::from_ppm(50'000));
  // Hand Bonus: $10,000 for 1 on $1, reseed $0, 13% and 8%.
  const ParsedLink hand = link_of(file, "C4-HAND");
  CHECK(hand.terms.levels ==
        std::vector<LevelConfig>{{LevelId("main"), Amount::dollars(10'000), Amount(),
                                  Rate::from_ppm(130'000), std::nullopt}});
  CHECK_EQ(hand.terms.reserve_rate, Rate::from_ppm(80'000));
}

TEST_CASE("an optional line or bonus is there only if the link chose it") {
  const ParsedLink chosen = link_of(every_wager_floor_text, "BJ-BAD");
  CHECK(has_line(chosen, "player_20"));
  CHECK(has_bonus(chosen, Bonus::Kind::magic_card));
  CHECK_FALSE(has_bonus(chosen, Bonus::Kind::lucky_bonus));  // not set
  CHECK_EQ(chosen.rules.paytable.lines.size(), 7);

  std::string text = replaced(every_wager_floor_text, "any_20 = true\n", "any_20 = false\n");
  text = replaced(text, "any_20 = false\nmagic_card = true\n", "lucky_bonus = true\n");
  const ParsedLink other = link_of(text, "BJ-BAD");
  CHECK_FALSE(has_line(other, "player_20"));
  CHECK_EQ(other.rules.paytable.lines.size(), 6);
  CHECK_FALSE(has_bonus(other, Bonus::Kind::magic_card));
  CHECK(has_bonus(other, Bonus::Kind::lucky_bonus));

  const ParsedLink hand = link_of(every_wager_floor_text, "C4-HAND");
  CHECK_EQ(hand.rules.paytable.bonuses.size(), 2);
  const ParsedLink bare = link_of(
      replaced(every_wager_floor_text, "magic_card = true\nlucky_bonus = true\n", ""), "C4-HAND");
  CHECK(bare.rules.paytable.bonuses.empty());
}

TEST_CASE("the link chooses the effect of a fold; without a choice the chapter does") {
  CHECK(link_of(every_wager_floor_text, "C4-HAND").rules.wager.fold_forfeits);
  CHECK_FALSE(link_of(replaced(every_wager_floor_text, "fold_forfeits = true\n", ""), "C4-HAND")
                  .rules.wager.fold_forfeits);
  CHECK_FALSE(link_of(every_wager_floor_text, "BJ-BAD").rules.wager.fold_forfeits);
  CHECK(link_of(replaced(every_wager_floor_text, "any_20 = true", "fold_forfeits = true"), "BJ-BAD")
            .rules.wager.fold_forfeits);

  CHECK_FALSE(link_of(every_wager_floor_text, "RIU").rules.wager.folded_hand_gives_envy);
  CHECK(link_of(replaced(every_wager_floor_text, "folded_hand_gives_envy = false\n", ""), "RIU")
            .rules.wager.folded_hand_gives_envy);
  CHECK_FALSE(link_of(every_wager_floor_text, "C4-FOUR").rules.wager.folded_hand_gives_envy);
  const std::string four =
      replaced(every_wager_floor_text, "paytable = \"B\"\nunit = \"5.00\"",
               "paytable = \"B\"\nunit = \"5.00\"\nfolded_hand_gives_envy = true");
  CHECK(link_of(four, "C4-FOUR").rules.wager.folded_hand_gives_envy);
}

TEST_CASE("whether a hand without the wager brings envy is the link's choice") {
  CHECK(link_of(every_wager_floor_text, "RIU").rules.wager.envy_of_non_bettors);
  CHECK(link_of(every_wager_floor_text, "C4-FIVE").rules.wager.envy_of_non_bettors);
  const std::string never =
      replaced(every_wager_floor_text, "envy_of_non_bettors = true", "envy_of_non_bettors = false");
  CHECK_FALSE(link_of(never, "RIU").rules.wager.envy_of_non_bettors);
}

TEST_CASE("wagers with fixed awards have a unit or a range, and no levels") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  for (const char* id : {"PG-FORTUNE", "PG-EMPEROR", "TCP"}) {
    CAPTURE(id);
    const ParsedLink link = link_of(file, id);
    CHECK(link.terms.levels.empty());
    CHECK_EQ(link.terms.reserve_rate, Rate());
    CHECK_FALSE(link.rules.paytable.lines.empty());
  }
  CHECK(link_of(file, "TCP").terms.takes(Amount::dollars(500)));
  CHECK_FALSE(link_of(file, "TCP").terms.takes(Amount::cents(499)));
  // Their envy is for $5 or more: neither a smaller unit nor one between is wrong.
  for (const char* unit : {"1.00", "7.50"}) {
    const ParsedLink link =
        link_of(replaced(every_wager_floor_text, "paytable = \"C\"\nunit = \"5.00\"",
                         "paytable = \"C\"\nunit = \"" + std::string(unit) + "\""),
                "PG-EMPEROR");
    CHECK_EQ(link.rules.paytable.envy.size(), 7);
  }
}

TEST_CASE("how often a table draws") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  const auto rate = [&](const char* id) {
    return file.floor.table(*file.floor.find_table(TableId(id))).draw_rate;
  };
  CHECK_EQ(rate("C4-01"), Rate::from_ppm(100'000));
  CHECK_EQ(rate("BJ-01"), Rate::from_ppm(5'000));
  CHECK_EQ(rate("C4-02"), Rate::from_ppm(1'000'000));
  CHECK_EQ(rate("P-01"), Rate::from_ppm(1'000'000));
}

TEST_CASE("an option that the wager does not have is refused with its section") {
  const struct {
    const char* link;
    const char* wager;
    const char* section;
    std::vector<std::string> has;
  } links[] = {
      {"RIU",
       "raise-it-up/progressive",
       "§ 669a.7(d)(4)",
       {"folded_hand_gives_envy", "envy_of_non_bettors"}},
      {"C4-FOUR",
       "crazy-4/four-card",
       "§ 657a.7(d)(3)",
       {"folded_hand_gives_envy", "envy_of_non_bettors"}},
      {"C4-FIVE",
       "crazy-4/five-card",
       "§ 657a.7(d)(4)",
       {"folded_hand_gives_envy", "envy_of_non_bettors"}},
      {"C4-HAND",
       "crazy-4/five-card-hand-bonus",
       "§ 657a.7(d)(5)",
       {"fold_forfeits", "magic_card", "lucky_bonus"}},
      {"BJ-BAD",
       "blackjack/bad-beat",
       "§ 633a.6(e)(8)",
       {"any_20", "magic_card", "lucky_bonus", "fold_forfeits"}},
      {"BJ-RUN", "blackjack/hit-and-run", "§ 633a.6(e)(10)", {}},
      {"PG-PROG", "pai-gow-poker/progressive", "§ 645a.7(e)(4)", {"payout_limit_caps_meter"}},
      {"PG-FORTUNE", "pai-gow-poker/fortune-bonus", "§ 645a.7(e)(1)", {}},
      {"PG-EMPEROR", "pai-gow-poker/emperors-treasure", "§ 645a.7(e)(2)", {}},
      {"TCP", "three-card-prime/bad-beat-bonus", "§ 679a.11(c)(3)(iv)", {}},
      {"POKER", "poker/bad-beat", "§ 553.20", {}},
  };
  for (const auto& link : links) {
    const std::string id_line = "id = \"" + std::string(link.link) + "\"\n";
    for (const char* option : {"any_20", "magic_card", "lucky_bonus", "payout_limit_caps_meter",
                               "fold_forfeits", "folded_hand_gives_envy", "envy_of_non_bettors"}) {
      if (std::find(link.has.begin(), link.has.end(), option) != link.has.end()) continue;
      CAPTURE(link.link);
      CAPTURE(option);
      const std::string key = std::string(option) + " = false # here";
      const std::string text = replaced(every_wager_floor_text, id_line, id_line + key + "\n");
      const Violations violations = violations_of(text);
      REQUIRE_EQ(violations.size(), 1);
      CHECK_EQ(violations[0].line, line_of(text, "# here"));
      CHECK_EQ(violations[0].section, link.section);
      const std::string said =
          "[[link]] " + std::string(link.link) + ": " + option + " is no option of " + link.wager;
      CHECK_EQ(violations[0].message.substr(0, said.size()), said);
    }
  }
  check_floor_mistakes(
      {{"any_20 = true", "any_20 = \"yes\"", "any_20", "[[link]] BJ-BAD: any_20 is a text", ""}});
}

TEST_CASE("keys of meters are refused for wagers with fixed awards") {
  for (const char* key : {"seed = \"5000.00\"", "reseed = \"5000.00\"", "rates = { main = \"5%\" }",
                          "limit = \"5000.00\""}) {
    const std::string name = std::string(key).substr(0, std::string(key).find(' '));
    const auto refused = [&](const std::string& link, const std::string& section) {
      const std::string id_line = "id = \"" + link + "\"\n";
      check_floor_mistakes(
          {{id_line, id_line + key + " # meter\n", "# meter",
            "[[link]] " + link + ": " + name + " is for meters; the chapter has only fixed",
            section}});
    };
    refused("PG-FORTUNE", "§ 645a.13(b)");
    refused("PG-EMPEROR", "§ 645a.13(c)");
    refused("TCP", "§ 679a.12(c)");
  }
  const std::string wrong_paytable =
      replaced(every_wager_floor_text, "paytable = \"C\"\nunit = \"5.00\"",
               "paytable = \"E\"\nunit = \"5.00\"\nseed = \"5.00\"");
  CHECK_EQ(violations_of(wrong_paytable).size(), 2);
}

TEST_CASE("mistakes of figures, paytables and links of the newer wagers") {
  check_floor_mistakes({
      {"seed = \"2000.00\"", "seed = \"1999.99\"", "1999.99",
       "[[link]] PG-PROG: seed is $1999.99 for main; the chapter asks at least $2000.00",
       "§ 645a.13(e)(2)"},
      {"rates = { main = \"20%\" }\n", "", "[[link]]\nid = \"PG-PROG",
       "[[link]] PG-PROG: rates.main is missing; the chapter does not fix it", "§ 645a.13(e)(2)"},
      {"seed = \"5000.00\"", "seed = \"4999.99\"", "4999.99",
       "[[link]] BJ-BAD: seed is $4999.99 for main; the chapter asks at least $5000.00",
       "§ 633a.13(j)(2)"},
      {"paytable = \"B\"\nunit = \"5.00\"",
       "paytable = \"B\"\nunit = \"5.00\"\nrates = { reserve = \"4%\" }", "reserve = \"4%\"",
       "[[link]] C4-FOUR: rates.reserve is 4%; the chapter fixes 5%", "§ 657a.12(d)(1)"},
      {"paytable = \"B\"\nunit = \"5.00\"", "paytable = \"B\"\nunit = \"2.00\"", "\"2.00\"",
       "[[link]] C4-FOUR: unit is $2.00; the chapter has Envy Bonuses for wagers of $1.00, $5.00",
       "§ 657a.12(d)(5)(ii)"},
      {"paytable = \"B\"\nunit = \"5.00\"", "paytable = \"C\"\nunit = \"5.00\"\n# four",
       "\"C\"\nunit = \"5.00\"\n# four",
       "[[link]] C4-FOUR: paytable is \"C\"; the chapter has A, B", "§ 657a.12(d)(1)"},
      {"id = \"C4-HAND\"\n", "id = \"C4-HAND\"\nreseed = \"1.00\"\n", "reseed = \"1.00\"",
       "[[link]] C4-HAND: reseed is $1.00 for main; the chapter fixes 0 for 1, $0.00",
       "§ 657a.12(f)(4)"},
      {"paytable = \"A\"\nminimum", "minimum", "[[link]]\nid = \"PG-FORTUNE",
       "[[link]] PG-FORTUNE: paytable is missing; the chapter has A, B, C, D", "§ 645a.13(b)"},
      {"payout_limit_caps_meter = true\ntables = [\"PG-01\"]",
       "tables = [\"PG-01\", \"PG-02\"] # both", "# both",
       "[[link]] PG-PROG: tables holds 2 tables; the chapter does not let tables share",
       "§ 645a.2(d)"},
      {"maximum = \"500.00\"\n", "", "[[link]]\nid = \"TCP", "[[link]] TCP: maximum is missing",
       ""},
      {"seats = 6\n[[table]]\nid = \"P-01\"",
       "seats = 6\ndraw_rate = \"5%\"\n[[table]]\nid = \"P-01\"", "\"5%\"",
       "[[table]] TCP-01: draw_rate stands here, but no wager of Three Card Prime has a draw",
       "Ch. 679a"},
      {"draw_rate = \"10%\"", "draw_rate = \"110%\"", "110%",
       "[[table]] C4-01: draw_rate is \"110%\"", ""},
  });
  const std::string unit_less = replaced(every_wager_floor_text, "unit = \"1.00\"\nmagic_card",
                                         "minimum = \"1.00\"\nmaximum = \"2.00\"\nmagic_card");
  const Violations violations = violations_of(unit_less);
  REQUIRE_EQ(violations.size(), 1);
  CHECK_EQ(violations[0].section, "§ 657a.12(f)(4)");
}

TEST_CASE("all mistakes of a floor are reported at once, in the order of lines") {
  std::string text =
      replaced(every_wager_floor_text, "limit = \"20000.00\"\nfolded", "limit = \"1.00\"\nfolded");
  text = replaced(text, "any_20 = true", "payout_limit = \"60000.00\"");
  text = replaced(text, "maximum = \"100.00\"\npayout_limit = \"50000.00\"",
                  "maximum = \"100.00\"\npayout_limit = \"2.00\"");
  text = replaced(text, "draw_rate = \"10%\"", "draw_rate = 10");
  const Violations violations = violations_of(text);
  REQUIRE_EQ(violations.size(), 4);
  const std::vector<std::string> sections{"§ 669a.12(e)(1), (3)", "§ 633a.6(e)(8)", "§ 645a.13(f)",
                                          ""};
  for (std::size_t place = 0; place < violations.size(); ++place) {
    CHECK_EQ(violations[place].file, "floor.toml");
    CHECK_GT(violations[place].line, place == 0 ? 0 : violations[place - 1].line);
    CHECK_EQ(violations[place].section, sections[place]);
  }
}

}  // namespace linkmeter::link_options_test
