// What a chapter may not say about levels, lines and paytables: each mistake has its message. Here
// a chapter may have further mistakes; catalogue_format_test.cc tests that one mistake causes one
// violation.
#include <doctest/doctest.h>
#include <algorithm>
#include <string>

#include "meters/values/limits.h"
#include "tests/support/capture_binding.h"
#include "tests/support/small_chapter.h"
#include "tests/support/small_floor.h"

namespace linkmeter::catalogue_levels_test {
namespace {

const std::string main_level =
    "{ id = \"main\", seed = \"10000 for 1\", reseed = \"0 for 1\", rate = \"13%\", section = "
    "\"s\" }";

std::string with(const std::string& from, const std::string& to) {
  return chapter_violations(replaced(small_chapter, from, to));
}

}  // namespace

TEST_CASE("mistakes of levels: seed or minimum seed, reseed, unique names, rates up to 100%") {
  const std::string second = ",\n  { id = \"minor\", rate = \"1%\", section = \"s\" }";
  const auto beside = [&](const std::string& from, const std::string& to) {
    return with(main_level, main_level + replaced(second, from, to));
  };
  const struct {
    std::string said, expected;
  } cases[] = {
      {with("seed = \"10000 for 1\", reseed = \"0 for 1\"",
            "seed = \"10000 for 1\", seed_at_least = [\"1000.00\"]"),
       "seed_at_least stands beside seed; a seed is fixed or has a minimum"},
      {with("seed = \"10000 for 1\", reseed", "reseed"),
       "reseed stands without seed; the text fixes both or neither"},
      {with("seed = \"10000 for 1\", reseed = \"0 for 1\"", "seed_at_least = [\"much\"]"),
       "seed_at_least holds \"much\"; it holds dollars"},
      {with("seed = \"10000 for 1\", reseed = \"0 for 1\"", "seed_at_least = [5]"),
       "seed_at_least holds"},
      {beside("\"minor\"", "\"reserve\""), "id is reserve, which is not a level"},
      {beside("\"minor\"", "\"main\""), "id is main a second time"},
      {beside("\"1%\"", "\"88%\""), "id is minor, whose rate takes the levels above 100%"},
      {with("\"10000 for 1\"", "\" for 1\""), "seed is \" for 1\""},
      {with("\"100% of main\"", "\"0% of main\""), "pays is \"0% of main\""},
      {with("\"100% of main\"", "\"half of main\""), "pays is \"half of main\""},
      {with("\"50 to 1\"", "\"0 for 1\""), "pays is \"0 for 1\""},
      {with("{ line = \"flush\", pays = \"50 to 1\", section = \"t\" }", "{ section = \"t\" }"),
       "lines[2].line is missing"},
      {with("lines = [\n", "lines = [ 5,\n"), "lines[1] must be a table"},
  };
  for (const auto& [said, expected] : cases) {
    CAPTURE_BINDING(said);
    CHECK_NE(said.find(expected), std::string::npos);
  }
  std::string many = main_level;
  for (std::size_t at = 0; at < limits::levels_max; ++at) {
    many += ",\n  { id = \"l" + std::to_string(at) + "\", rate = \"1%\", section = \"s\" }";
  }
  CHECK_NE(with(main_level, many).find("levels has more than 8"), std::string::npos);
}

TEST_CASE("mistakes of Envy, bonuses, paytables and wagers: each once and complete") {
  const auto said = [](const std::string& more) {
    return chapter_violations(small_chapter + more);
  };
  const std::string envy = "{ line = \"flush\", by_wager = { \"5.00\" = \"1.00\" } }";
  CHECK_NE(said("envy = [ " + envy + ", " + envy + " ]\n").find("line is flush a second time"),
           std::string::npos);
  CHECK_NE(said("envy = [ { line = \"flush\" } ]\n").find("by_wager is missing"),
           std::string::npos);
  CHECK_NE(said("envy = [ { by_wager = { \"5.00\" = \"1.00\" } } ]\n").find("line is missing"),
           std::string::npos);
  CHECK_NE(said("envy = [ { line = \"flush\", by_wager = { \"10000.01\" = \"1.00\" } } ]\n")
               .find("is not the amount of a wager"),
           std::string::npos);
  CHECK_NE(said("bonuses = [ { bonus = \"magic_card\" } ]\n").find("pays is missing"),
           std::string::npos);
  CHECK_NE(said("bonuses = [ { pays = \"5 for 1\" } ]\n").find("bonus is missing"),
           std::string::npos);
  const std::size_t paytable = small_chapter.find("[[wager.paytable]]");
  const std::string another = small_chapter.substr(paytable);
  CHECK_NE(said(another).find("id is \"A\" a second time"), std::string::npos);
  CHECK_NE(said(replaced(another, "id = \"A\"\n", "")).find("paytable"), std::string::npos);
  const std::size_t wager = small_chapter.find("[[wager]]");
  CHECK_NE(said(small_chapter.substr(wager)).find("id is g/w a second time"), std::string::npos);
}

TEST_CASE("a pot has no lines: its award has the name of the beaten hand") {
  const auto& texts = shipped_catalogue();
  const auto poker = std::find_if(texts.begin(), texts.end(), [](const CatalogueText& text) {
    return text.file == "poker.toml";
  });
  REQUIRE(poker != texts.end());
  CHECK_EQ(chapter_violations(poker->text), "");
  const std::string said =
      chapter_violations(poker->text + "lines = [ { line = \"flush\", pays = \"50 for 1\" } ]\n");
  CHECK_NE(said.find("lines stand here, but the award of a pot carries"), std::string::npos);
  CHECK_EQ(std::count(said.begin(), said.end(), '\n'), 1);
}

TEST_CASE("a value of the wrong type is named with its type") {
  CHECK_NE(with("title = \"G\"", "title = [1]").find("title is an array"), std::string::npos);
  CHECK_NE(with("title = \"G\"", "title = 2020-01-01").find("title is a date or time"),
           std::string::npos);
  CHECK_NE(with("title = \"G\"", "title = 12:00:00").find("title is a date or time"),
           std::string::npos);
  CHECK_NE(with("title = \"G\"", "title = 2020-01-01T12:00:00").find("title is a date or time"),
           std::string::npos);
  CHECK_NE(with("title = \"G\"", "title = { a = 1 }").find("title is a table"), std::string::npos);
  CHECK_NE(with("title = \"G\"", "title = 1.5").find("title is "), std::string::npos);
}

}  // namespace linkmeter::catalogue_levels_test
