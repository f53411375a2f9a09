#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "tests/support/every_wager_floor.h"
#include "tests/support/small_chapter.h"

namespace linkmeter::link_paytable_test {
namespace {

// The other violations of a link whose paytable is unknown, without the one for the paytable.
std::vector<std::string> other_messages(const std::string& text) {
  std::vector<std::string> messages;
  for (const Violation& violation : violations_of(text)) {
    if (violation.message.find(": paytable is ") == std::string::npos) {
      messages.push_back(violation.message);
    }
  }
  return messages;
}

// The chapter with a paytable B beside A, for a house's link of the wager.
const std::string second_paytable = R"([[wager.paytable]]
id = "B"
section = "s"
lines = [ { line = "royal_flush", pays = "100% of main" } ]
levels = [ { id = "main", seed_at_least = ["1000.00"], rate_at_least = "10%", section = "s" } ]
)";
const std::string first_levels =
    R"(  { id = "main", seed = "10000 for 1", reseed = "0 for 1", rate = "13%", section = "s" },)";

std::vector<std::string> messages_by(const std::string& levels_of_a, const std::string& figures) {
  const std::string chapter = replaced(replaced(small_chapter, first_levels, levels_of_a),
                                       "reserve = { rate = \"8%\", section = \"s\" }\n", "") +
                              second_paytable;
  const std::string floor =
      "[[link]]\nid = \"L\"\nwager = \"g/w\"\npaytable = \"X\"\ntables = [\"T\"]\n" + figures +
      "[[table]]\nid = \"T\"\ngame = \"g\"\nseats = 6\n";
  const auto result = parse_floor("floor.toml", floor, {{"game.toml", chapter}});
  std::vector<std::string> messages;
  for (const Violation& violation : std::get<Violations>(result)) {
    messages.push_back(violation.message);
  }
  return messages;
}

}  // namespace

TEST_CASE(
    "without a paytable a link is checked against what all paytables of the wager have in common") {
  const std::string head = "paytable = \"B\"\nunit = \"5.00\"";
  for (const std::string paytable : {"", "paytable = \"Z\"\n"}) {
    CAPTURE(paytable);
    using Messages = std::vector<std::string>;
    // Both paytables have envies for $1 and $5.
    CHECK(other_messages(replaced(every_wager_floor_text, head, paytable + "unit = \"2.00\"")) ==
          Messages{"[[link]] C4-FOUR: unit is $2.00; the chapter has Envy Bonuses for wagers of "
                   "$1.00, $5.00"});
    CHECK(other_messages(replaced(every_wager_floor_text, head, paytable)) ==
          Messages{"[[link]] C4-FOUR: unit is missing; seeds or Envy Bonuses of the chapter follow "
                   "the wager"});
    // A has 29% and no reserve, B 25% and 5%: only rates that neither allows are wrong.
    CHECK(other_messages(replaced(every_wager_floor_text, head,
                                  paytable + "unit = \"5.00\"\nrates = { reserve = \"5%\" }"))
              .empty());
    CHECK(other_messages(replaced(every_wager_floor_text, head,
                                  paytable + "unit = \"5.00\"\nrates = { main = 5 }")) ==
          Messages{"[[link]] C4-FOUR: rates.main is a whole number; it must be a text in quotation "
                   "marks"});
    CHECK(other_messages(replaced(every_wager_floor_text, head, paytable + "unit = \"5.00\""))
              .empty());
    // $1.00 is no valid seed for either table, but each has its own seed, so neither is reported.
    CHECK(other_messages(
              replaced(every_wager_floor_text, head, paytable + "unit = \"5.00\"\nseed = \"1.00\""))
              .empty());
  }
}

TEST_CASE("a wrong paytable does not hide a wrong seed or limit") {
  const std::string bounded =
      R"(  { id = "main", seed_at_least = ["1000.00"], rate_at_least = "14%", section = "s" },)";
  const std::string stakes = "minimum = \"1.00\"\nmaximum = \"2.00\"\n";
  using Messages = std::vector<std::string>;
  const std::string unknown = "[[link]] L: paytable is \"X\"; the chapter has A, B";
  CHECK(messages_by(bounded, stakes + "seed = \"1000.00\"\nrates = { main = \"14%\" }\n") ==
        Messages{unknown});
  CHECK(messages_by(bounded, stakes + "seed = \"999.99\"\nlimit = \"5.00\"\nrates = 5\n") ==
        Messages{unknown,
                 "[[link]] L: seed is $999.99 for main; the chapter asks at least $1000.00",
                 "[[link]] L: limit is $5.00 for main, below the seed of $999.99",
                 "[[link]] L: rates is a whole number; it must be a table"});
  // 10% is enough for B, but not for A.
  CHECK(messages_by(bounded, stakes + "seed = \"1000.00\"\nrates = { main = \"12%\" }\n") ==
        Messages{unknown});
  // With A the wagers must have one unit, with B they need not.
  CHECK(messages_by(first_levels, stakes + "seed = \"1000.00\"\nrates = { main = \"13%\" }\n") ==
        Messages{unknown});
}

TEST_CASE("a wager of the catalogue has a paytable") {
  const std::string none =
      replaced(small_chapter.substr(0, small_chapter.find("[[wager.paytable]]")),
               "meter_award = { not_from = [], section = \"s\" }\n", "") +
      "paytable = []\n";
  CHECK_EQ(chapter_violations(none), "game.toml:26: [[wager]] g/w: paytable holds no paytable\n");
}

}  // namespace linkmeter::link_paytable_test
