// Figures that a chapter may have and no shipped one has, and the violations of a link with them.
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "tests/support/every_wager_floor.h"
#include "tests/support/small_chapter.h"

namespace linkmeter::link_figures_test {
namespace {

using Messages = std::vector<std::string>;

// The violations of a link of this chapter's wager with these lines.
Violations violations_by(const std::string& chapter, const std::string& lines) {
  REQUIRE_EQ(chapter_violations(chapter), "");
  const std::string floor =
      "[[link]]\nid = \"L\"\nwager = \"g/w\"\npaytable = \"A\"\ntables = [\"T\"]\n" + lines +
      "[[table]]\nid = \"T\"\ngame = \"g\"\nseats = 6\n";
  const auto result = parse_floor("floor.toml", floor, {{"game.toml", chapter}});
  if (const auto* const violations = std::get_if<Violations>(&result)) return *violations;
  return {};
}

Messages messages_by(const std::string& chapter, const std::string& lines) {
  Messages messages;
  for (const Violation& violation : violations_by(chapter, lines)) {
    messages.push_back(violation.message);
  }
  return messages;
}

const std::string fixed_level =
    R"(  { id = "main", seed = "10000 for 1", reseed = "0 for 1", rate = "13%", section = "s" },)";
const std::string fixed_reserve = "reserve = { rate = \"8%\", section = \"s\" }\n";

// The small chapter with a payout limit, a draw, and this award for a flush.
std::string limited_chapter(const std::string& flush) {
  const std::string linked = "linked = { allowed = true, section = \"s\" }\n";
  return replaced(
             replaced(small_chapter, "50 to 1", flush), linked,
             linked +
                 "payout_limit = { at_least = \"50000.00\", section = \"l\" }\n"
                 "[[wager.option]]\nname = \"magic_card\"\ndefault = true\nsection = \"o\"\n") +
         "bonuses = [ { bonus = \"magic_card\", pays = \"20 for 1\", section = \"b\" } ]\n";
}

}  // namespace

TEST_CASE("a seed \"for 1\" stays within the range of an amount") {
  const std::string chapter = replaced(small_chapter, "10000 for 1", "1000000 for 1");
  CHECK(messages_by(chapter, "unit = \"1000.00\"\n").empty());
  CHECK(messages_by(chapter, "unit = \"1000.01\"\n") ==
        Messages{"[[link]] L: unit is $1000.01, which takes the seed above $1000000000.00"});
}

TEST_CASE("rates above 100% in sum are refused even if another rate is invalid") {
  const std::string chapter = replaced(
      replaced(replaced(small_chapter, "50 to 1", "100% of minor"), fixed_reserve, ""), fixed_level,
      "  { id = \"main\", seed_at_least = [\"1.00\"], section = \"s\" },\n"
      "  { id = \"minor\", seed_at_least = [\"1.00\"], section = \"s\" },");
  const auto said = [&chapter](const std::string& rates) {
    return messages_by(chapter, "unit = \"1.00\"\nseed = { main = \"9.00\", minor = \"5.00\" }\n" +
                                    ("rates = { " + rates + " }\n"));
  };
  const std::string unread =
      "[[link]] L: rates.reserve is \"1\"; a rate is 0% to 100% with at most four decimals, "
      "\"14.25%\"";
  CHECK(said("main = \"60%\", minor = \"40%\"").empty());
  CHECK(said("main = \"60%\", minor = \"40%\", reserve = \"1\"") == Messages{unread});
  // All of them name the same line, in the order in which they were found.
  CHECK(said("main = \"60%\", minor = \"40.0001%\", reserve = \"1\"") ==
        Messages{unread, "[[link]] L: rates come to more than 100% of a wager together"});
}

TEST_CASE("a payout limit covers the best line and the bonuses that the house offers") {
  // 50 to 1 and 20 for 1 on $1,000.
  const std::string chapter = limited_chapter("50 to 1");
  const auto said = [&chapter](const std::string& limit, const std::string& more) {
    return messages_by(chapter, "unit = \"1000.00\"\npayout_limit = \"" + limit + "\"\n" + more);
  };
  CHECK(said("70000.00", "").empty());
  CHECK(said("69999.99", "") == Messages{"[[link]] L: payout_limit is $69999.99, but the smallest "
                                         "wagers of T can win $70000.00"});
  CHECK(said("50000.00", "magic_card = false\n").empty());
}

TEST_CASE("the largest possible win may exceed the range of an amount") {
  CHECK(messages_by(limited_chapter("1000000 to 1"),
                    "unit = \"10000.00\"\npayout_limit = \"1000000000.00\"\n") ==
        Messages{"[[link]] L: payout_limit is $1000000000.00, but the smallest wagers of T can win "
                 "more than $1000000000.00"});
}

TEST_CASE("with an invalid wager amount, no mistake about its wins is reported") {
  check_floor_mistakes(
      {{"minimum = \"1.00\"\nmaximum = \"100.00\"\npayout_limit", "payout_limit",
        "[[link]]\nid = \"PG-FORTUNE",
        "[[link]] PG-FORTUNE: unit is missing; give unit, or minimum and maximum", ""}});
}

TEST_CASE("Envy for exactly one wager needs a unit") {
  const std::string stated =
      replaced(small_chapter, fixed_level,
               "  { id = \"main\", seed_at_least = [\"1.00\"], rate = \"13%\", section = \"s\" },");
  const std::string stakes = "minimum = \"1.00\"\nmaximum = \"5.00\"\nseed = \"1.00\"\n";
  const auto envy = [](const std::string& wager) {
    return "envy = [ { line = \"flush\", by_wager = { \"" + wager +
           "\" = \"1.00\" }, section = \"e\" } ]\n";
  };
  CHECK(violations_by(stated + envy("5.00 or more"), stakes).empty());
  const Violations violations = violations_by(stated + envy("5.00"), stakes);
  REQUIRE_EQ(violations.size(), 1);
  CHECK_EQ(violations[0].message,
           "[[link]] L: unit is missing; seeds or Envy Bonuses of the chapter follow the wager");
  CHECK_EQ(violations[0].section, "e");
}

}  // namespace linkmeter::link_figures_test
