#include <optional>
#include <string>
#include <vector>

#include "tests/support/every_wager_floor.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter {

TEST_CASE("a limit is by level, or one amount for the only level") {
  const FloorFile file = parsed_floor(every_wager_floor_text);
  CHECK_EQ(link_of(file, "RIU").terms.levels.at(0).limit, Amount::dollars(20'000));
  CHECK_EQ(link_of(file, "POKER").terms.levels.at(0).limit, Amount::dollars(100'000));
  const LinkTerms five = link_of(file, "C4-FIVE").terms;
  CHECK_EQ(five.levels.at(0).limit, Amount::dollars(20'000));
  CHECK_FALSE(five.levels.at(1).limit.has_value());
  CHECK_EQ(five.levels.at(2).limit, Amount::dollars(250));  // as high as the seed: allowed
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
      // 8,000 to 1 on the smallest wager of $6.26 is above $50,000.
      {"paytable = \"A\"\nminimum = \"1.00\"", "paytable = \"A\"\nminimum = \"6.26\"",
       fortune.substr(fortune.find("payout")) + "\ntables = [\"PG-01\"]\n\n[[link]]\nid = \"PG-EMP",
       "[[link]] PG-FORTUNE: payout_limit is $50000.00, but the smallest wager of $6.26 can win "
       "$50080.00",
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
  // On the smallest wager that $50,000 just covers, 8,000 to 1, the limit stands.
  CHECK(violations_of(replaced(every_wager_floor_text, "paytable = \"A\"\nminimum = \"1.00\"",
                               "paytable = \"A\"\nminimum = \"6.25\""))
            .empty());
}

}  // namespace linkmeter
