#include "config/reader/floor_file.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "tests/support/small_floor.h"

namespace linkmeter::floor_mistakes_test {
namespace {

// One change of the floor above, and the one violation that it must cause.
struct Mistake {
  std::string from;
  std::string to;
  std::string at;       // a part of the line that the violation names
  std::string message;  // the beginning
  std::string section;
};

void check_mistakes(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    CAPTURE(mistake.from);
    CAPTURE(mistake.to);
    const std::string text = replaced(floor_text, mistake.from, mistake.to);
    const Violations violations = violations_of(text);
    REQUIRE_FALSE(violations.empty());
    const Violation& first = violations.front();
    CAPTURE(first.text());
    CHECK_EQ(violations.size(), 1);
    CHECK_EQ(first.file, "floor.toml");
    CHECK_EQ(first.line, line_of(text, mistake.at));
    CHECK_EQ(first.message.substr(0, mistake.message.size()), mistake.message);
    CHECK_EQ(first.section, mistake.section);
  }
}

}  // namespace

TEST_CASE("lost_after is a time in seconds, of whole milliseconds") {
  for (const std::string wrong : {"\"2\"", "\"20\"", "\"2 s\"", "\"2ms\"", "\"s\"", "\"1.s\"",
                                  "\".5s\"", "\"-1s\"", "\"1e1s\"", "\"0.2000s\"", "\"0.199s\"",
                                  "\"60.001s\"", "\"99999999999999999999s\"", "\"\""}) {
    check_mistakes(
        {{"\"05:30\"", "\"05:30\"\nlost_after = " + wrong, "lost_after",
          "house.lost_after is " + wrong + "; it is a time in seconds, from \"0.2s\" to \"60s\"",
          ""}});
  }
  check_mistakes({{"\"05:30\"", "\"05:30\"\nlost_after = 2", "lost_after",
                   "house.lost_after is a whole number", ""}});
}

TEST_CASE("mistakes of [house] and [[table]]") {
  check_mistakes({
      {"\"05:30\"", "\"24:00\"", "24:00", "house.gaming_day_start is \"24:00\"", ""},
      {"\"05:30\"", "530", "530", "house.gaming_day_start is a whole number", ""},
      {"\"05:30\"", "\"5:30\"", "\"5:30\"", "house.gaming_day_start is \"5:30\"", ""},
      {"\"05:30\"", "\"05-30\"", "05-30", "house.gaming_day_start is \"05-30\"", ""},
      {"\"05:30\"", "\"/5:30\"", "/5:30", "house.gaming_day_start is \"/5:30\"", ""},
      {"\"05:30\"", "\"05:3x\"", "05:3x", "house.gaming_day_start is \"05:3x\"", ""},
      {"\"05:30\"", "\"05:60\"", "05:60", "house.gaming_day_start is \"05:60\"", ""},
      {"tcp://127.0.0.1:7001", "7001", "\"7001\"", "house.controller is \"7001\"", ""},
      {":7001", ":70010", ":70010", "house.controller is \"tcp://127.0.0.1:70010\"; a port", ""},
      {"127.0.0.1:7001", "*:7001", "*:7001", "house.controller is \"tcp://*:7001\"; a *", ""},
      {"name = \"Demo", "nmae = \"Demo", "nmae", "house.nmae is not known here", ""},
      {"[house]", "[hause]", "[hause]", "hause is not known here", ""},
      {"seats = 10\n", "seats = 10\n[[dealer]]\n", "[[dealer]]", "dealer is not known here", ""},
      {"seats = 4", "seats = 7", "seats = 7\n\n[[table]]\nid = \"BJ",
       "[[table]] RIU-01: seats is 7; a table has 1 to 6 seats", "§ 669a.2(a)"},
      {"seats = 7", "seats = 8", "seats = 8", "[[table]] BJ-01: seats is 8", "§ 633a.2(a)"},
      {"seats = 10", "seats = 11", "seats = 11", "[[table]] P-01: seats is 11",
       "§ 553.2(a); § 553.7(b)"},
      {"seats = 4", "seats = 0", "seats = 0", "[[table]] RIU-01: seats is 0", "§ 669a.2(a)"},
      {"seats = 4", "seats = -1", "seats = -1", "[[table]] RIU-01: seats is -1", "§ 669a.2(a)"},
      {"seats = 4", "seats = \"4\"", "seats = \"4\"", "[[table]] RIU-01: seats is a text", ""},
      {"seats = 4\n", "", "[[table]]\nid = \"RIU-01", "[[table]] RIU-01: seats is missing", ""},
      {"decks = 6", "decks = 9", "decks = 9", "[[table]] BJ-01: decks is 9; it is 1 to 8", ""},
      {"decks = 6", "decks = 0", "decks = 0",
       "[[table]] BJ-01: decks is 0; Blackjack is played with 1 or more", "§ 633a.3(a)"},
      {"decks = 6", "decks = \"6\"", "decks = \"6\"", "[[table]] BJ-01: decks is a text", ""},
      {"seats = 4\n", "seats = 4\ndecks = 2\n", "decks = 2",
       "[[table]] RIU-01: decks is 2; Raise It Up Stud Poker is played with 1",
       "§ 669a.3(a); § 669a.8(d)"},
      {"seats = 4\n", "seats = 4\ndecks = 9\n", "decks = 9",
       "[[table]] RIU-01: decks is 9; Raise It Up Stud Poker is played with 1",
       "§ 669a.3(a); § 669a.8(d)"},
      {"asset = ", "aset = ", "aset", "[[table]] C4-01: aset is not known here", ""},
      {"id = \"C4-02\"", "id = \"C4-02\"\nid = \"x\"", "id = \"x\"", "not TOML", ""},
      {"\"T-1041\"", "\"T\\u001b\"", "u001b", "[[table]] C4-01: asset has a control character", ""},
      {"\"T-1041\"", "\"" + std::string(limits::reason_length_max + 1, 'T') + "\"", "TTT",
       "[[table]] C4-01: asset is longer than 200 bytes", ""},
  });
  CHECK(violations_of(replaced(floor_text, "T-1041", std::string(limits::reason_length_max, 'T')))
            .empty());
  // For an unknown game, only mistakes that apply to all games are reported.
  const std::string strange =
      floor_text + "[[table]]\nid = \"W-01\"\ngame = \"war\"\nseats = 11\ndraw_rate = \"5%\"\n";
  const Violations violations = violations_of(strange);
  REQUIRE_EQ(violations.size(), 2);
  CHECK_EQ(violations[0].message.substr(0, 39), "[[table]] W-01: game is \"war\"; the cata");
  CHECK_EQ(violations[1].message, "[[table]] W-01: seats is 11; a table has 1 to 10 seats");
  CHECK_EQ(violations[1].section, "");
}

TEST_CASE("mistakes of a list of controllers name the wrong one, and what is allowed") {
  const std::string one = "\"tcp://127.0.0.1:7001\"";
  std::string many;
  for (std::size_t node = 0; node <= limits::nodes_max; ++node) {
    many += "\"tcp://n" + std::to_string(node) + ":6057\", ";
  }
  check_mistakes({
      {one, "[" + one + ",\n\"7001\"]", "\"7001\"",
       "house.controller is \"7001\"; an endpoint is tcp://HOST:PORT or ipc://PATH", ""},
      {one, "[" + one + ",\n\"tcp://*:7001\"]", "*:7001",
       "house.controller is \"tcp://*:7001\"; a * is only for who listens", ""},
      {one, "[" + one + ",\n\"tcp://" + std::string(300, 'x') + ":1\"]", "xxx",
       "house.controller holds a text that is longer than 255 bytes", ""},
      {one, "[" + one + ",\n7001]", "7001]",
       "house.controller holds a whole number; it must hold texts", ""},
      {one, "[]", "controller", "house.controller is empty; it is an endpoint, or a list of 1 to 8",
       ""},
      {one, "[" + one + ", " + one + "]", "controller",
       "house.controller has \"tcp://127.0.0.1:7001\" twice; each endpoint is named once", ""},
      {one, "[" + many + "]", "controller",
       "house.controller has 9 endpoints; at most 8 are allowed", ""},
      {one, "7001", "7001", "house.controller is a whole number; it must be a text", ""},
  });
}

TEST_CASE("mistakes of names and linked tables") {
  check_mistakes({
      {"\"HIT\"", "\"HIT RUN\"", "HIT RUN", "[[link]] HIT RUN: id is \"HIT RUN\"; a name has", ""},
      {"id = \"HIT\"\n", "", "[[link]]\nwager = \"black", "[[link]]: id is missing", ""},
      {"\"HIT\"", "\"RIU\"", "id = \"RIU\"\nwager = \"black", "[[link]] RIU: id is RIU, which", ""},
      {"[\"BJ-01\"]", "[]", "tables = []", "[[link]] HIT: tables holds no table", ""},
      {"tables = [\"BJ-01\"]", "tables = \"BJ-01\"", "tables = \"BJ-01\"",
       "[[link]] HIT: tables is a text", ""},
      {"[\"P-01\"]", "[\"P-01\",\n\"P-09\"]", "\"P-09\"",
       "[[link]] POKER-ROOM: tables holds \"P-09\"; the floor has no such", ""},
      {"[\"C4-01\", \"C4-02\"]", "[\"C4-01\",\n\"C4-01\" ]", "\"C4-01\" ]",
       "[[link]] C4-MEGA: tables holds \"C4-01\" a second time", ""},
      {"[\"C4-01\", \"C4-02\"]", "[\"C4-01\", \"P-01\"]", "\"P-01\"]",
       "[[link]] C4-MEGA: tables holds \"P-01\", a table of poker", "§ 657a.7(d)(4)"},
      {"\"blackjack/hit-and-run\"", "\"blackjack/war\"", "blackjack/war",
       "[[link]] HIT: wager is \"blackjack/war\"; the catalogue has", ""},
      {"wager = \"blackjack/hit-and-run\"\n", "", "[[link]]\nid = \"HIT",
       "[[link]] HIT: wager is missing", ""},
      {"maximum = \"25.00\"", "maximum = \"25.00\"\nmaxmum = \"1\"", "maxmum",
       "[[link]] HIT: maxmum is not known here", ""},
  });
  const std::string one_more = "[[table]]\nid = \"BJ-02\"\ngame = \"blackjack\"\nseats = 7\n";
  const std::string linked =
      replaced(floor_text + one_more, "[\"BJ-01\"]", "[\"BJ-01\", \"BJ-02\"]");
  const Violations violations = violations_of(linked);
  REQUIRE_EQ(violations.size(), 1);
  CHECK_EQ(violations[0].line, line_of(linked, "\"BJ-02\"]"));
  CHECK_EQ(violations[0].section, "§ 633a.2(d)");

  const std::string twice =
      floor_text + "\n[[table]]\nid = \"P-01\" # again\ngame = \"poker\"\nseats = 2\n";
  REQUIRE_EQ(violations_of(twice).size(), 1);
  CHECK_EQ(violations_of(twice)[0].line, line_of(twice, "# again"));
}

TEST_CASE("mistakes of paytables and wager amounts") {
  check_mistakes({
      {"paytable = \"C\"\n", "", "[[link]]\nid = \"C4",
       "[[link]] C4-MEGA: paytable is missing; the chapter has A, B, C, D", "§ 657a.12(e)(1)"},
      {"paytable = \"C\"", "paytable = \"E\"", "\"E\"",
       "[[link]] C4-MEGA: paytable is \"E\"; the chapter has A, B, C, D", "§ 657a.12(e)(1)"},
      {"paytable = \"C\"", "paytable = 3", "paytable = 3",
       "[[link]] C4-MEGA: paytable is a whole number", ""},
      {"unit = \"5.00\"\nseed", "paytable = \"A\"\nunit = \"5.00\"\nseed", "paytable = \"A\"",
       "[[link]] RIU: paytable stands here", "§ 669a.12(e)(1)"},
      {"paytable = \"C\"\nunit = \"5.00\"\n", "paytable = \"C\"\n", "[[link]]\nid = \"C4",
       "[[link]] C4-MEGA: unit is missing", "§ 657a.12(e)(3)"},
      {"unit = \"5.00\"", "unit = \"2.00\"", "unit = \"2.00\"",
       "[[link]] C4-MEGA: unit is $2.00; the chapter has Envy Bonuses for wagers of $1.00, $5.00",
       "§ 657a.12(e)(5)"},
      {"unit = \"5.00\"", "unit = 5.00", "unit = 5.00",
       "[[link]] C4-MEGA: unit is a number with a point", ""},
      {"unit = \"5.00\"", "unit = \"5.001\"", "unit = \"5.001\"",
       "[[link]] C4-MEGA: unit is \"5.001\"", ""},
      {"unit = \"5.00\"", "unit = \"0.00\"", "unit = \"0.00\"", "[[link]] C4-MEGA: unit is $0.00",
       ""},
      {"unit = \"5.00\"", "unit = \"10000.01\"", "unit = \"10000.01\"",
       "[[link]] C4-MEGA: unit is $10000.01; a wager is $0.01 to $10000.00", ""},
      {"minimum = \"1.00\"\nmaximum = \"25.00\"\n", "", "[[link]]\nid = \"HIT",
       "[[link]] HIT: unit is missing", ""},
      {"maximum = \"25.00\"\n", "", "[[link]]\nid = \"HIT", "[[link]] HIT: maximum is missing", ""},
      {"minimum = \"1.00\"\n", "", "[[link]]\nid = \"HIT", "[[link]] HIT: minimum is missing", ""},
      {"minimum = \"1.00\"", "minimum = \"25.01\"", "25.01",
       "[[link]] HIT: minimum is $25.01, above the maximum", "§ 633a.6(e)(10)"},
      {"maximum = \"25.00\"", "unit = \"1.00\"", "minimum = \"1.00\"",
       "[[link]] HIT: minimum stands beside unit", ""},
      {"seed = \"500.00\"", "seed = \"500.00\"\nunit = \"1.00\"", "unit = \"1.00\"",
       "[[link]] POKER-ROOM: unit is for wagers", "§ 553.20"},
  });
}

TEST_CASE("mistakes of seeds and rates") {
  check_mistakes({
      {"seed = \"6000.00\"\n", "", "[[link]]\nid = \"RIU", "[[link]] RIU: seed is missing",
       "§ 669a.12(e)(1), (3)"},
      {"seed = \"6000.00\"", "seed = \"4999.99\"", "4999.99",
       "[[link]] RIU: seed is $4999.99 for main; the chapter asks at least $5000.00",
       "§ 669a.12(e)(1), (3)"},
      {"reseed = \"5000.00\"", "reseed = \"4999.99\"", "4999.99",
       "[[link]] RIU: reseed is $4999.99 for main; the chapter asks at least $5000.00",
       "§ 669a.12(e)(1), (3)"},
      {"seed = \"1000.00\"", "seed = \"999.99\"", "999.99",
       "[[link]] HIT: seed is $999.99 for main; the chapter asks at least $1000.00",
       "§ 633a.13(l)(2)"},
      {"seed = \"1000.00\"", "seed = 1000", "seed = 1000",
       "[[link]] HIT: seed is a whole number; it must be a text in quotation marks", ""},
      {"paytable = \"C\"", "paytable = \"C\"\nseed = 50000", "seed = 50000",
       "[[link]] C4-MEGA: seed is a whole number; it must be a table of mega, major, minor with "
       "texts in quotation marks",
       ""},
      {"paytable = \"C\"", "paytable = \"C\"\nseed = { mega = 50000 }", "mega = 50000",
       "[[link]] C4-MEGA: seed.mega is a whole number; it must be a text in quotation marks", ""},
      {"reseed = \"5000.00\"", "reseed = 5000.00", "reseed = 5000.00",
       "[[link]] RIU: reseed is a number with a point; it must be a text in quotation marks", ""},
      {"seed = \"1000.00\"", "seed = { main = 1000 }", "main = 1000",
       "[[link]] HIT: seed.main is a whole number; it must be a text in quotation marks", ""},
      {"seed = \"1000.00\"", "seed = {}", "seed = {}",
       "[[link]] HIT: seed is missing for main; the chapter does not fix it", "§ 633a.13(l)(2)"},
      {"seed = \"1000.00\"", "seed = \"1000000000.01\"", "1000000000.01", "[[link]] HIT: seed is",
       ""},
      {"paytable = \"C\"", "paytable = \"C\"\nseed = \"50000.00\"", "seed = \"50000",
       "[[link]] C4-MEGA: seed is one amount for several levels", ""},
      {"paytable = \"C\"", "paytable = \"C\"\nseed = { mega = \"50000.01\" }", "50000.01",
       "[[link]] C4-MEGA: seed is $50000.01 for mega; the chapter fixes 10000 for 1, $50000.00",
       "§ 657a.12(e)(3)"},
      {"paytable = \"C\"", "paytable = \"C\"\nseed = { huge = \"5.00\" }", "huge",
       "[[link]] C4-MEGA: seed.huge is not known here", ""},
      {"\"14.25%\"", "\"101%\"", "101%", "[[link]] RIU: rates.main is \"101%\"; a rate is", ""},
      {"\"14.25%\"", "0.14", "0.14", "[[link]] RIU: rates.main is a number with a point", ""},
      {"\"14.25%\"", "\"13.9999%\"", "13.9999%",
       "[[link]] RIU: rates.main is 13.9999%; the chapter asks at least 14%",
       "§ 669a.12(e)(1), (3)"},
      {"rates = { main = \"12%\" }\n", "", "[[link]]\nid = \"HIT",
       "[[link]] HIT: rates.main is missing; the chapter does not fix it", "§ 633a.13(l)(2)"},
      {"rates = { main = \"12%\" }", "rates = { reserve = \"12%\" }", "reserve = \"12%\"",
       "[[link]] HIT: rates.main is missing; the chapter does not fix it", "§ 633a.13(l)(2)"},
      {"main = \"12%\"", "main = \"12%\", mega = \"1%\"", "mega = \"1%\"",
       "[[link]] HIT: rates.mega is not known here", ""},
      {"main = \"12%\"", "main = \"90%\", reserve = \"10.0001%\"", "10.0001%",
       "[[link]] HIT: rates come to more than 100%", "§ 633a.13(l)(1)"},
      {"main = \"12%\"", "main = \"0%\", reserve = \"12%\"", "main = \"0%\"",
       "[[link]] HIT: rates.main is 0%; a level has a rate of progression", "§ 633a.13(l)(2)"},
      {"paytable = \"C\"", "paytable = \"C\"\nrates = { mega = \"10%\" }", "mega = \"10%\"",
       "[[link]] C4-MEGA: rates.mega is 10%; the chapter fixes 9%", "§ 657a.12(e)(3)"},
      {"paytable = \"C\"", "paytable = \"C\"\nrates = { reserve = \"2%\" }", "reserve = \"2%\"",
       "[[link]] C4-MEGA: rates.reserve is 2%; the chapter fixes 0%", "§ 657a.12(e)(1)"},
      {"rates = { main = \"12%\" }", "rates = \"12%\"", "rates = \"12%\"",
       "[[link]] HIT: rates is a text", ""},
  });
}

// The default that replaces an unreadable value is not checked.
TEST_CASE("an unreadable seed or reseed is one violation and hides no other") {
  const std::string low = replaced(floor_text, "seed = \"6000.00\"", "seed = \"4999.99\"");
  const std::string text = replaced(low, "reseed = \"5000.00\"", "reseed = \"5,000\"");
  const Violations both = violations_of(text);
  REQUIRE_EQ(both.size(), 2);
  CHECK_EQ(both[0].message.substr(0, 29), "[[link]] RIU: seed is $4999.9");
  CHECK_EQ(both[1].message.substr(0, 32), "[[link]] RIU: reseed is \"5,000\";");

  const std::string no_seed = replaced(floor_text, "seed = \"6000.00\"", "seed = \"6,000\"");
  const Violations other =
      violations_of(replaced(no_seed, "reseed = \"5000.00\"", "reseed = \"4999.99\""));
  REQUIRE_EQ(other.size(), 2);
  CHECK_EQ(other[0].message.substr(0, 30), "[[link]] RIU: seed is \"6,000\";");
  CHECK_EQ(other[1].message.substr(0, 33), "[[link]] RIU: reseed is $4999.99 ");
}

TEST_CASE("mistakes of a Bad Beat fund") {
  CHECK(violations_of(replaced(floor_text, "main = \"80%\", reserve = \"20%\"", "main = \"100%\""))
            .empty());
  CHECK(violations_of(
            replaced(floor_text, "\"full_house\"", "{ category = \"full_house\", ranks = \"AT\" }"))
            .empty());
  // A floor that was opened without an approved procedure can still be read.
  CHECK(violations_of(replaced(floor_text, "discontinuation = \"Board order 2026-1\"\n", ""))
            .empty());
  check_mistakes({
      {"\"Board order 2026-1\"", "\"\"", "discontinuation",
       "[[link]] POKER-ROOM: discontinuation is empty", "§ 553.20"},
      {"\"Board order 2026-1\"", "true", "discontinuation",
       "[[link]] POKER-ROOM: discontinuation is true or false; it must be a text", ""},
      {"contribution = { minimum_pot = \"20.00\", amount = \"1.00\" }\n", "",
       "[[link]]\nid = \"POKER", "[[link]] POKER-ROOM: contribution is missing", "§ 553.20"},
      {"{ minimum_pot = \"20.00\", amount = \"1.00\" }", "\"1.00\"",
       "contribution = ", "[[link]] POKER-ROOM: contribution is a text; it must be a table", ""},
      {"{ minimum_pot = \"20.00\", amount = \"1.00\" }",
       "{ minimum_pot = \"20000.00\", amount = \"10000.01\" }", "10000.01",
       "[[link]] POKER-ROOM: contribution.amount is $10000.01; a contribution is $0.01 to "
       "$10000.00",
       "§ 553.20"},
      {"{ losing_hand = \"50%\", winning_hand = \"25%\", table = \"25%\" }", "\"50%\"",
       "split = ", "[[link]] POKER-ROOM: split is a text; it must be a table", ""},
      {"minimum_pot = \"20.00\", ", "", "amount = \"1.00\" }",
       "[[link]] POKER-ROOM: contribution.minimum_pot is missing", "§ 553.20"},
      {"amount = \"1.00\"", "amount = \"20.01\"", "20.01",
       "[[link]] POKER-ROOM: contribution.amount is $20.01, more than the smallest pot",
       "§ 553.20"},
      {"amount = \"1.00\"", "amount = \"0.00\"", "amount = \"0.00\"",
       "[[link]] POKER-ROOM: contribution.amount is $0.00", "§ 553.20"},
      {"amount = \"1.00\"", "amount = 1", "amount = 1",
       "[[link]] POKER-ROOM: contribution.amount is a whole number", ""},
      {"\"20.00\"", "\"10000000.01\"", "10000000.01",
       "[[link]] POKER-ROOM: contribution.minimum_pot is above the largest pot", "§ 553.20"},
      {"\"full_house\"", "\"six_cards\"", "six_cards",
       "[[link]] POKER-ROOM: qualifying is \"six_cards\"; it is one of royal_flush", "§ 553.20"},
      {"\"full_house\"", "{ category = \"six_cards\", ranks = \"A\" }", "six_cards",
       "[[link]] POKER-ROOM: qualifying.category is \"six_cards\"; it is one of", "§ 553.20"},
      {"\"full_house\"", "{ category = \"full_house\" }", "{ category",
       "[[link]] POKER-ROOM: qualifying.ranks is missing", ""},
      {"\"full_house\"", "{ ranks = \"A\" }", "{ ranks",
       "[[link]] POKER-ROOM: qualifying.category is missing", ""},
      {"\"full_house\"", "{ category = \"full_house\", ranks = \"\" }", "ranks",
       "[[link]] POKER-ROOM: qualifying.ranks is \"\", which no full house has; of each",
       "§ 553.20"},
      {"\"full_house\"", "{ category = \"full_house\", ranks = \"AAT\" }", "AAT",
       "[[link]] POKER-ROOM: qualifying.ranks is \"AAT\", which no full house has; of each",
       "§ 553.20"},
      {"\"full_house\"", "{ category = \"full_house\", ranks = \"A\", suit = \"s\" }", "suit",
       "[[link]] POKER-ROOM: qualifying.suit", ""},
      {"qualifying = \"full_house\"\n", "", "[[link]]\nid = \"POKER",
       "[[link]] POKER-ROOM: qualifying is missing", "§ 553.20"},
      {"table = \"25%\"", "table = \"25.01%\"", "25.01%",
       "[[link]] POKER-ROOM: split does not come to 100%", "§ 553.20"},
      {", table = \"25%\"", "", "winning_hand = \"25%\" }",
       "[[link]] POKER-ROOM: split.table is missing", "§ 553.20"},
      {"reserve = \"20%\"", "reserve = \"19.9999%\"", "19.9999%",
       "[[link]] POKER-ROOM: rates come to 99.9999% together; all of a contribution goes to the "
       "patrons, 100%",
       "§ 553.20(b), (i)"},
      {"main = \"80%\", reserve = \"20%\"", "main = \"90%\"", "main = \"90%\"",
       "[[link]] POKER-ROOM: rates come to 90% together", "§ 553.20(b), (i)"},
      {"reserve = \"20%\"", "reserve = \"20.0001%\"", "20.0001%",
       "[[link]] POKER-ROOM: rates come to more than 100%", "§ 553.20(b), (i)"},
      {"main = \"80%\", reserve = \"20%\"", "main = \"0%\", reserve = \"100%\"", "main = \"0%\"",
       "[[link]] POKER-ROOM: rates.main is 0%", "§ 553.20(b)"},
      // An unreadable rate is not a rate of 0%.
      {"reserve = \"20%\"", "reserve = \"20\"", "reserve = \"20\"",
       "[[link]] POKER-ROOM: rates.reserve is \"20\"", ""},
      {"main = \"80%\"", "main = \"80\"", "main = \"80\"",
       "[[link]] POKER-ROOM: rates.main is \"80\"", ""},
      {"maximum = \"25.00\"", "maximum = \"25.00\"\nqualifying = \"flush\"", "\"flush\"",
       "[[link]] HIT: qualifying is for funds of pot contributions only", "§ 633a.6(e)(10)"},
  });
}

}  // namespace linkmeter::floor_mistakes_test
