#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/every_wager_floor.h"

namespace linkmeter::link_limits_test {

TEST_CASE("a limit is by level, or one amount for the only level") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  CHECK_EQ(link_of(file, "RIU").terms.levels.at(0).limit, Amount::dollars(20'000));
  CHECK_EQ(link_of(file, "POKER").terms.levels.at(0).limit, Amount::dollars(100'000));
  const LinkConfig five = link_of(file, "C4-FIVE").terms;
  CHECK_EQ(five.levels.at(0).limit, Amount::dollars(20'000));
  CHECK_FALSE(five.levels.at(1).limit.has_value());
  CHECK_EQ(five.levels.at(2).limit, Amount::dollars(250));  // a limit equal to the seed is allowed
  CHECK_FALSE(link_of(file, "BJ-RUN").terms.levels.at(0).limit.has_value());
}

TEST_CASE("a payout limit is the link's, and caps a meter only if the link says so") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  CHECK_EQ(link_of(file, "PG-PROG").terms.payout_limit, Amount::dollars(50'000));
  CHECK(link_of(file, "PG-PROG").terms.payout_limit_caps_meter);
  CHECK_EQ(link_of(file, "PG-FORTUNE").terms.payout_limit, Amount::dollars(50'000));
  CHECK_FALSE(link_of(file, "PG-FORTUNE").terms.payout_limit_caps_meter);
  CHECK_FALSE(link_of(file, "PG-EMPEROR").terms.payout_limit.has_value());
  const std::string silent =
      replaced(every_wager_floor_text, "payout_limit_caps_meter = true\n", "");
  CHECK_FALSE(link_of(silent, "PG-PROG").terms.payout_limit_caps_meter);
}

TEST_CASE("mistakes of limits") {
  check_floor_mistakes({
      {"limit = \"20000.00\"\nfolded", "limit = \"999.99\"\nfolded", "999.99",
       "[[link]] RIU: limit is $999.99 for main, below the seed of $1000.00",
       "§ 669a.12(e)(1), (3)"},
      {"rates = { main = \"14%\" }\nlimit = \"20000.00\"",
       "rates = { main = \"14%\" }\nreseed = \"5000.00\"\nlimit = \"4999.99\"", "4999.99",
       "[[link]] RIU: limit is $4999.99 for main, below the reseed of $5000.00",
       "§ 669a.12(e)(1), (3)"},
      {"minor = \"250.00\"", "minor = \"249.99\"", "249.99",
       "[[link]] C4-FIVE: limit is $249.99 for minor, below the seed of $250.00",
       "§ 657a.12(e)(3)"},
      {"limit = { mega = \"20000.00\", minor = \"250.00\" }", "limit = \"20000.00\" # one", "# one",
       "[[link]] C4-FIVE: limit is one amount for several levels", ""},
      {"minor = \"250.00\"", "main = \"250.00\"", "main = \"250.00\"",
       "[[link]] C4-FIVE: limit.main is not known here", ""},
      {"limit = \"100000.00\"", "limit = 100000", "limit = 100000",
       "[[link]] POKER: limit is a whole number", ""},
  });
  const std::string no_seed =
      replaced(every_wager_floor_text, "seed = \"500.00\"", "seed = \"0.00\"");
  const Violations violations =
      violations_of(replaced(no_seed, "limit = \"100000.00\"", "limit = \"0.00\""));
  REQUIRE_EQ(violations.size(), 1);
  CHECK_EQ(violations[0].message,
           "[[link]] POKER: limit is $0.00 for main; a limit is above $0.00");
}

TEST_CASE("mistakes of payout limits") {
  const std::string fortune = "maximum = \"100.00\"\npayout_limit = \"50000.00\"";
  check_floor_mistakes({
      {fortune, "maximum = \"100.00\"\npayout_limit = \"49999.99\"", "49999.99",
       "[[link]] PG-FORTUNE: payout_limit is $49999.99; the chapter asks at least $50000.00",
       "§ 645a.13(f)"},
      {"maximum = \"500.00\"\npayout_limit = \"50000.00\"",
       "maximum = \"500.00\"\npayout_limit = \"1.00\"", "\"1.00\"\ntables = [\"TCP",
       "[[link]] TCP: payout_limit is $1.00; the chapter asks at least $50000.00", "§ 679a.12(h)"},
      {"payout_limit = \"50000.00\"\npayout_limit_caps", "payout_limit_caps", "payout_limit_caps",
       "[[link]] PG-PROG: payout_limit_caps_meter is true, but the link has no payout_limit",
       "§ 645a.13(f)"},
      {"payout_limit = \"50000.00\"\npayout_limit_caps", "payout_limit = 5\npayout_limit_caps",
       "payout_limit = 5", "[[link]] PG-PROG: payout_limit is a whole number", ""},
  });
  // no limit in these chapters.
  const struct {
    const char* link;
    const char* section;
  } unlimited[] = {
      {"RIU", "§ 669a.7(d)(4)"},     {"C4-FOUR", "§ 657a.7(d)(3)"}, {"C4-FIVE", "§ 657a.7(d)(4)"},
      {"C4-HAND", "§ 657a.7(d)(5)"}, {"BJ-BAD", "§ 633a.6(e)(8)"},  {"BJ-RUN", "§ 633a.6(e)(10)"},
      {"POKER", "§ 553.20"},
  };
  for (const auto& link : unlimited) {
    const std::string id_line = "id = \"" + std::string(link.link) + "\"\n";
    check_floor_mistakes({{id_line, id_line + "payout_limit = \"90000.00\"\n", "90000.00",
                           "[[link]] " + std::string(link.link) +
                               ": payout_limit stands here, but the chapter limits no",
                           link.section}});
  }
}

// § 645a.13(f): at least "the amount that one patron could win per round when betting the minimum
// permissible wager". At PG-01 that is 8,000 x the Fortune Bonus and 500 x the Progressive; at
// PG-02 the Fortune Bonus alone.
TEST_CASE("a payout limit covers what the smallest wagers of a table win together") {
  const std::string fortune = "paytable = \"A\"\nminimum = \"1.00\"";
  const auto with_minimum = [&](const std::string& minimum) {
    return replaced(every_wager_floor_text, fortune,
                    "paytable = \"A\"\nminimum = \"" + minimum + "\"");
  };
  // 8,000 x 6.18 + 500 x 1.00 = 49,940; 8,000 x 6.19 + 500 = 50,020.
  CHECK(violations_of(with_minimum("6.18")).empty());
  const std::string text = with_minimum("6.19");
  const Violations both = violations_of(text);
  REQUIRE_EQ(both.size(), 2);
  for (const Violation& violation : both) CHECK_EQ(violation.section, "§ 645a.13(f)");
  CHECK_EQ(both[0].message,
           "[[link]] PG-PROG: payout_limit is $50000.00, but the smallest wagers of PG-01 can win "
           "$50020.00");
  CHECK_EQ(both[0].line, line_of(text, "payout_limit = \"50000.00\"\npayout_limit_caps"));
  CHECK_EQ(both[1].message,
           "[[link]] PG-FORTUNE: payout_limit is $50000.00, but the smallest wagers of PG-01 can "
           "win $50020.00");
  CHECK_EQ(both[1].line,
           line_of(text,
                   "payout_limit = \"50000.00\"\ntables = [\"PG-01\"]\n\n[[link]]\nid = "
                   "\"PG-EMP"));

  // A limit equal to the possible win is enough; a cent less is not. Each link has its own limit.
  const std::string prog = "payout_limit = \"50000.00\"\npayout_limit_caps";
  const std::string raised = replaced(text, prog, "payout_limit = \"50020.00\"\npayout_limit_caps");
  CHECK_EQ(violations_of(raised).size(), 1);
  CHECK(violations_of(replaced(raised, "payout_limit = \"50000.00\"\ntables = [\"PG-01\"]",
                               "payout_limit = \"50020.00\"\ntables = [\"PG-01\"]"))
            .empty());
  CHECK_EQ(violations_of(replaced(raised, "payout_limit = \"50000.00\"\ntables = [\"PG-01\"]",
                                  "payout_limit = \"50019.99\"\ntables = [\"PG-01\"]"))
               .size(),
           1);
}

TEST_CASE("a payout limit does not cover links without a limit or links of other tables") {
  // Emperor's Treasure C at $5, 5,000 to 1, has no limit: 25,000 more would be above each.
  const std::string limited =
      replaced(every_wager_floor_text, "unit = \"5.00\"\ntables = [\"PG-01\", \"PG-02\"]",
               "minimum = \"9.00\"\nmaximum = \"20.00\"\n"
               "payout_limit = \"53500.00\"\ntables = [\"PG-01\"]");
  const Violations violations = violations_of(limited);
  REQUIRE_EQ(violations.size(), 2);  // 8,000 + 500 + 45,000 = 53,500: enough for the third
  CHECK_NE(violations[0].message.find("PG-PROG"), std::string::npos);
  CHECK_NE(violations[1].message.find("PG-FORTUNE"), std::string::npos);
  CHECK_NE(violations[1].message.find("of PG-01 can win $53500.00"), std::string::npos);
  // At another table it is the only wager: 45,000.
  CHECK(violations_of(replaced(limited, "\"53500.00\"\ntables = [\"PG-01\"]",
                               "\"50000.00\"\ntables = [\"PG-02\"]"))
            .empty());
}

// Each unit of a wager has its own link and limit. The limit covers what that unit can win, and
// what the smallest unit of every other wager can win.
TEST_CASE("a payout limit covers its own link's unit, not a larger one of the same wager") {
  const auto fortune = [](const std::string& id, const std::string& unit) {
    return "[[link]]\nid = \"" + id +
           "\"\nwager = \"pai-gow-poker/fortune-bonus\"\npaytable = \"A\"\nunit = \"" + unit +
           "\"\npayout_limit = \"50000.00\"\ntables = [\"PG-01\"]\n";
  };
  const std::string table = "[[table]]\nid = \"PG-01\"\ngame = \"pai-gow-poker\"\nseats = 6\n";
  // 8,000 x 6.00 = 48,000 and 8,000 x 5.00 = 40,000, but not both.
  CHECK(violations_of(fortune("SIX", "6.00") + fortune("FIVE", "5.00") + table).empty());
  const Violations violations =
      violations_of(fortune("SEVEN", "7.00") + fortune("FIVE", "5.00") + table);
  REQUIRE_EQ(violations.size(), 1);
  CHECK_EQ(violations[0].message,
           "[[link]] SEVEN: payout_limit is $50000.00, but the smallest wagers of PG-01 can win "
           "$56000.00");
  const std::string progressive =
      "[[link]]\nid = \"PROG\"\nwager = \"pai-gow-poker/progressive\"\nunit = \"1.00\"\n"
      "seed = \"2000.00\"\nrates = { main = \"20%\" }\npayout_limit = \"50000.00\"\n"
      "tables = [\"PG-01\"]\n";
  // 500 x 1.00 and 8,000 x 5.00 = 40,500, whatever 8,000 x 6.00 is; SIX itself: 48,500.
  CHECK(violations_of(fortune("SIX", "6.00") + fortune("FIVE", "5.00") + progressive + table)
            .empty());
  // 500 + 49,600 = 50,100 is too much for SIX alone.
  const Violations more =
      violations_of(fortune("SIX", "6.20") + fortune("FIVE", "5.00") + progressive + table);
  REQUIRE_EQ(more.size(), 1);
  CHECK_NE(more[0].message.find("SIX: payout_limit is $50000.00, but"), std::string::npos);
  CHECK_NE(more[0].message.find("PG-01 can win $50100.00"), std::string::npos);
}

TEST_CASE("a payout limit is checked at the table where most can be won") {
  const auto link = [](const std::string& id, const std::string& wager, const std::string& stakes,
                       const std::string& limit, const std::string& tables) {
    return "[[link]]\nid = \"" + id + "\"\nwager = \"pai-gow-poker/" + wager + "\"\n" + stakes +
           "\npayout_limit = \"" + limit + "\"\ntables = [" + tables + "]\n";
  };
  const auto table = [](const std::string& id) {
    return "[[table]]\nid = \"" + id + "\"\ngame = \"pai-gow-poker\"\nseats = 6\n";
  };
  const Violations violations =
      violations_of(link("FB", "fortune-bonus", "paytable = \"A\"\nunit = \"7.00\"", "50000.00",
                         "\"PG-01\", \"PG-02\"") +
                    link("ET", "emperors-treasure", "paytable = \"C\"\nunit = \"1.00\"", "90000.00",
                         "\"PG-02\"") +
                    table("PG-01") + table("PG-02"));
  REQUIRE_EQ(violations.size(), 1);
  // 8,000 x 7.00 at PG-01; 2,500 or more x 1.00 beside it at PG-02.
  CHECK_NE(violations[0].message.find("FB: payout_limit is $50000.00, but the smallest wagers of "
                                      "PG-02 can win"),
           std::string::npos);
}

}  // namespace linkmeter::link_limits_test
