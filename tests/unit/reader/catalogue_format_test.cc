#include "config/reader/catalogue_file.h"

#include <doctest/doctest.h>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/capture_binding.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/small_chapter.h"
#include "tests/support/small_floor.h"

namespace linkmeter::catalogue_format_test {
TEST_CASE("a chapter of a game that no code knows is read from its file alone") {
  CHECK_EQ(chapter_violations(small_chapter), "");
  const auto parsed = parse_catalogue({{"game.toml", small_chapter}});
  const Catalogue& catalogue = std::get<Catalogue>(parsed);
  const WagerRules* const rules = catalogue.find_wager(WagerId("g/w"));
  REQUIRE(rules != nullptr);
  CHECK_EQ(rules->verified_from, 500);
  const Paytable* const table = rules->find_paytable(PaytableId("A"));
  REQUIRE(table != nullptr);
  CHECK_EQ(table->lines[0].section, "s");
  CHECK_EQ(table->lines[1].section, "t");
  CHECK(table->lines[1].pays.kind == Pays::Kind::to_one);
  CHECK_EQ(table->levels[0].reseed_for_one, 0);
  CHECK_EQ(table->reserve_rate, Rate::from_ppm(80'000));
}

TEST_CASE("a chapter's mistakes are named with file and line") {
  const struct {
    const char* from;
    const char* to;
    const char* expected;  // the beginning of the one violation
  } cases[] = {
      {"title = \"G\"\n", "", "game.toml:1: title is missing"},
      {"title = \"G\"", "title = 5", "game.toml:2: title is a whole number"},
      {"title = \"G\"", "title = \"G\"\nsubtitle = \"\"", "game.toml:3: subtitle is not known"},
      {"\"final\"", "\"draft\"", "game.toml:6: status is \"draft\""},
      {"max = 6", "max = 11", "game.toml:7: seats.max is 11"},
      {"decks = 1", "decks = 9", "game.toml:10: cards.decks is 9"},
      {"max = 5", "max = 6", "game.toml:19: [[wager]] g/w: hand does not fit"},
      {"min = 5", "min = 4", "game.toml:19: [[wager]] g/w: hand does not fit"},
      {"min = 5", "min = 6", "game.toml:11: cards.player.min is above max"},
      {"\"g/w\"", "\"h/w\"", "game.toml:16: [[wager]] h/w: id must begin"},
      {"\"five_card\"", "\"six_card\"", "game.toml:19: [[wager]] g/w: hand is \"six_card\""},
      {"\"chip\"", "\"pot\"", "game.toml:20: [[wager]] g/w: placement pot"},
      {"kind = \"by_turn\", ", "", "game.toml:22: [[wager]] g/w: sharing.kind is missing"},
      {"forfeits = true", "forfeits = \"yes\"",
       "game.toml:23: [[wager]] g/w: fold.forfeits is a text"},
      {"not_from = []", "not_from = [\"purse\"]",
       "game.toml:25: [[wager]] g/w: meter_award.not_from"},
      {"\"flush\"", "\"flash\"",
       "game.toml:32: [[wager]] g/w paytable A: lines[2].line is \"flash\""},
      {"\"flush\"", "\"royal_flush\"",
       "game.toml:32: [[wager]] g/w paytable A: lines[2].line is royal_flush a second time"},
      {"50 to 1", "50 or 1", "game.toml:32: [[wager]] g/w paytable A: lines[2].pays is"},
      {"50 to 1", "0 to 1", "game.toml:32: [[wager]] g/w paytable A: lines[2].pays is"},
      {"50 to 1", "1000001 to 1", "game.toml:32: [[wager]] g/w paytable A: lines[2].pays is"},
      {"50 to 1", "10% of mega", "game.toml:32: [[wager]] g/w paytable A: lines[2].pays is"},
      {"100% of main", "10% of main",
       "game.toml:34: [[wager]] g/w paytable A: levels has main, but no line"},
      {"10000 for 1", "10000", "game.toml:35: [[wager]] g/w paytable A: levels[1].seed is"},
      {"\"13%\"", "\"113%\"", "game.toml:35: [[wager]] g/w paytable A: levels[1].rate is"},
      {"rate = \"13%\"", "rate = \"13%\", rate_at_least = \"1%\"",
       "game.toml:35: [[wager]] g/w paytable A: levels[1].rate_at_least stands beside"},
      {"\"8%\", section = \"s\"", "\"8%\"",
       "game.toml:37: [[wager]] g/w paytable A: reserve.section is missing"},
      {"status = ", "status == ", "game.toml:6: not TOML"},
      {"\"2020-01-01\"", "\"\"", "game.toml:5: effective is empty"},
      {"decks = 1", "decks = 1\njoker = 1", "game.toml:11: cards.joker is a whole number"},
      {"decks = 1", "decks = 1\njoker = true",
       "game.toml:20: [[wager]] g/w: hand is five_card, which"},
      {"decks = 1", "decks = 1\nfolds = \"no\"", "game.toml:11: cards.folds is a text"},
  };
  for (const auto& [from, to, expected] : cases) {
    CAPTURE_BINDING(from);
    CAPTURE_BINDING(to);
    const std::string violations = chapter_violations(replaced(small_chapter, from, to));
    CAPTURE(violations);
    CHECK_EQ(violations.substr(0, std::string(expected).size()), expected);
    CHECK_EQ(violations.find('\n') + 1, violations.size());
  }
}

TEST_CASE("an Envy amount may be for one wager exactly, or for it and larger ones") {
  const std::string envy =
      "envy = [ { line = \"flush\", by_wager = { \"5.00 or more\" = \"10.00\", \"1.00\" = \"2.00\" "
      "} "
      "} ]\n";
  CHECK_EQ(chapter_violations(small_chapter + envy), "");
  const auto parsed = parse_catalogue({{"game.toml", small_chapter + envy}});
  const Paytable& table = std::get<Catalogue>(parsed).games[0].wagers[0].paytables[0];
  REQUIRE_EQ(table.envy.size(), 1);
  CHECK(table.envy[0].by_wager ==
        std::vector<EnvyStep>{{Amount::dollars(1), Amount::dollars(2), false},
                              {Amount::dollars(5), Amount::dollars(10), true}});
  CHECK_EQ(table.envy[0].section, "s");  // the paytable's section
}

TEST_CASE("mistakes in an Envy schedule are named") {
  const std::string envy = "envy = [ { line = \"flush\", by_wager = { \"5.00\" = \"10.00\" }, " +
                           std::string("section = \"s\" } ]\n");
  const std::string place = "game.toml:38: [[wager]] g/w paytable A: envy[1].";
  CHECK_EQ(chapter_violations(small_chapter + envy), "");
  const struct {
    const char* from;
    const char* to;
    const char* expected;
  } cases[] = {
      {"\"flush\"", "\"straight\"", "line is \"straight\", which is no line"},
      {"\"5.00\"", "\"five\"", "by_wager.five is not the amount of a wager"},
      {"\"5.00\"", "\"0.00\"", "by_wager.0.00 is not the amount of a wager"},
      {"{ \"5.00\" = \"10.00\" }", "{ \"5.00\" = \"10.00\", \"5\" = \"20.00\" }",
       "by_wager.5.00 is a wager that stands here twice"},
      {"\"10.00\"", "\"10.001\"", "by_wager.5.00 is \"10.001\""},
      {"\"10.00\"", "\"0.00\"", "by_wager.5.00 is $0.00; leave out"},
      {"\"5.00\"", "\"or more\"", "by_wager.or more is not the amount of a wager"},
      {"\"5.00\"", "\"5.00 or less\"", "by_wager.5.00 or less is not the amount of a wager"},
      {"{ \"5.00\" = \"10.00\" }", "{ \"5.00\" = \"10.00\", \"5.00 or more\" = \"20.00\" }",
       "by_wager.5.00 or more is a wager that stands here twice"},
      {"{ \"5.00\" = \"10.00\" }", "{ \"5.00 or more\" = \"10.00\", \"9.00\" = \"20.00\" }",
       "by_wager.9.00 is a wager that \"5.00 or more\" covers"},
  };
  for (const auto& [from, to, expected] : cases) {
    CAPTURE_BINDING(to);
    const std::string violations = chapter_violations(small_chapter + replaced(envy, from, to));
    CAPTURE(violations);
    CHECK_NE(violations.find(place + expected), std::string::npos);
  }
}

TEST_CASE("all mistakes of all files are reported, and a game must be in one file") {
  const auto result = parse_catalogue(
      {{"a.toml", small_chapter}, {"b.toml", small_chapter}, {"c.toml", "x = 1"}, {"d.toml", "="}});
  REQUIRE(std::holds_alternative<Violations>(result));
  const Violations& violations = std::get<Violations>(result);
  CHECK_EQ(violations.front().text(),
           "b.toml:1: game is g, which another file of the catalogue has");
  CHECK_EQ(violations.back().file, "d.toml");
  std::size_t of_c = 0;
  for (const Violation& violation : violations) {
    if (violation.file == "c.toml") ++of_c;
  }
  CHECK_GT(of_c, 5);
}

TEST_CASE("a directory is read in name order, and an absent or empty one is refused") {
  const ScopedDirectory directory;
  CHECK(std::holds_alternative<Violations>(read_catalogue_texts(directory.path())));
  CHECK(std::holds_alternative<Violations>(read_catalogue_texts(directory.path() / "absent")));
  std::ofstream(directory.path() / "b.toml") << "b";
  std::ofstream(directory.path() / "a.toml") << "a";
  std::ofstream(directory.path() / "c.txt") << "c";
  const auto read = read_catalogue_texts(directory.path());
  REQUIRE(std::holds_alternative<std::vector<CatalogueText>>(read));
  const auto& texts = std::get<std::vector<CatalogueText>>(read);
  REQUIRE_EQ(texts.size(), 2);
  CHECK_EQ(texts[0].file, "a.toml");
  CHECK_EQ(texts[0].text, "a");
  CHECK_EQ(texts[1].file, "b.toml");
}

TEST_CASE("an empty chapter has no game; every unreadable file is named") {
  const ScopedDirectory directory;
  std::ofstream(directory.path() / "a.toml");
  const auto read = read_catalogue_texts(directory.path());
  REQUIRE(std::holds_alternative<std::vector<CatalogueText>>(read));
  CHECK_EQ(std::get<std::vector<CatalogueText>>(read).at(0).text, "");
  std::filesystem::create_directory(directory.path() / "b.toml");
  std::filesystem::create_symlink("nothing", directory.path() / "c.toml");
  const auto failed = read_catalogue_texts(directory.path());
  REQUIRE(std::holds_alternative<Violations>(failed));
  const auto& violations = std::get<Violations>(failed);
  REQUIRE_EQ(violations.size(), 2);
  for (std::size_t at = 0; at < 2; ++at) {
    const std::string name = at == 0 ? "b.toml" : "c.toml";
    CHECK_EQ(violations[at].text(),
             (directory.path() / name).string() + ": the file cannot be read");
  }
}

TEST_CASE("the catalogue is at $LINKMETER_CATALOGUE, else beside the program") {
  ::setenv("LINKMETER_CATALOGUE", "/somewhere/else", 1);
  CHECK_EQ(default_catalogue_directory(), "/somewhere/else");
  ::setenv("LINKMETER_CATALOGUE", "", 1);
  CHECK_NE(default_catalogue_directory(), "");
  ::unsetenv("LINKMETER_CATALOGUE");
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  CHECK_EQ(default_catalogue_directory(),
           program.parent_path().parent_path() / "share" / "linkmeter" / "catalogue");
}

TEST_CASE("a key with too many parts is refused without recursion") {
  std::string key = "a";
  for (int part = 0; part < 50'000; ++part) key += ".a";
  const std::string violations =
      chapter_violations(replaced(small_chapter, "status = ", key + " = "));
  CHECK(violations.find("game.toml:6: has more than 32 dots") != std::string::npos);
}

}  // namespace linkmeter::catalogue_format_test
