#include "meters/values/amount.h"

#include <doctest/doctest.h>
#include <limits>

#include "meters/values/limits.h"

namespace linkmeter::amount_test {

TEST_CASE("an amount is read from dollars with at most two decimals") {
  CHECK_EQ(parse_cents("12"), Amount::dollars(12));
  CHECK_EQ(parse_cents("12.5"), Amount::cents(1250));
  CHECK_EQ(parse_cents("12.50"), Amount::cents(1250));
  CHECK_EQ(parse_cents("0.01"), Amount::cents(1));
  CHECK_EQ(parse_cents("0"), Amount());
  CHECK_EQ(parse_cents("1000000000.00"), limits::amount_max);
}

TEST_CASE("any other text is not an amount") {
  for (const char* text : {"",
                           ".",
                           ".5",
                           "5.",
                           "5.005",
                           "-1",
                           "+1",
                           " 1",
                           "1 ",
                           "1,000",
                           "1e3",
                           "0x10",
                           "$5",
                           "1..2",
                           "1.2.3",
                           "five",
                           "1000000000.01",
                           "1000000001",
                           "9223372036854775808",
                           "99999999999999999999999999999999999999999999999999"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_cents(text).has_value());
  }
}

TEST_CASE("an exact amount has a sign or none and at most eight decimals") {
  CHECK_EQ(parse_exact("12.5"), Amount::cents(1250));
  CHECK_EQ(parse_exact("-5.001"), Amount::from_units(-500'100'000));
  CHECK_EQ(parse_exact("+0.00000001"), Amount::from_units(1));
  CHECK_EQ(parse_exact("92233720368.54775807"),
           Amount::from_units(std::numeric_limits<std::int64_t>::max()));
  for (const char* text : {"", "-", "+", ".5", "5.", "0.000000001", "--1", "1,000", " 1", "1e3",
                           "92233720368.54775808", "-92233720368.54775809"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_exact(text).has_value());
  }
  // A sum may be more than an amount holds.
  CHECK_EQ(text_exact(Int128{123'456'789'012} * 1'000'000'000'000), "1234567890120000.00000000");
  CHECK_EQ(text_exact(parse_units("-123456789012345678901.00000001").value()),
           "-123456789012345678901.00000001");
  CHECK_FALSE(parse_units(std::string(29, '9')).has_value());
}

TEST_CASE("money is displayed with groups of three digits") {
  CHECK_EQ(money_text(Amount::cents(123'456'789)), "$1,234,567.89");
  CHECK_EQ(money_text(Amount::from_units(1'999'999)), "$0.01");  // rounded down (M2)
  CHECK_EQ(money_text(Amount::cents(-100'050)), "-$1,000.50");
  CHECK_EQ(money_text("999.00"), "$999.00");
  CHECK_EQ(grouped("2598960"), "2,598,960");
}

TEST_CASE("an exact text has all eight decimals, also for negative and extreme amounts") {
  CHECK_EQ(text_exact(Amount::dollars(10'000) + Amount::cents(14)), "10000.14000000");
  CHECK_EQ(text_exact(Amount::from_units(1)), "0.00000001");
  CHECK_EQ(text_exact(Amount::from_units(-1)), "-0.00000001");
  CHECK_EQ(text_exact(Amount()), "0.00000000");
  CHECK_EQ(text_exact(Amount::from_units(std::numeric_limits<std::int64_t>::max())),
           "92233720368.54775807");
  CHECK_EQ(text_exact(Amount::from_units(std::numeric_limits<std::int64_t>::min())),
           "-92233720368.54775808");
}

TEST_CASE("a text in cents has two decimals") {
  CHECK_EQ(text_cents(Amount::cents(1'000'014)), "10000.14");
  CHECK_EQ(text_cents(Amount::cents(5)), "0.05");
  CHECK_EQ(text_cents(Amount::cents(-5)), "-0.05");
  CHECK_EQ(text_cents(Amount()), "0.00");
}

TEST_CASE("any amount has a text: in cents where it is whole cents, else exactly") {
  CHECK_EQ(text_cents(Amount::from_units(1)), "0.00000001");
  CHECK_EQ(text_cents(Amount::from_units(-1)), "-0.00000001");
  CHECK_EQ(text_cents(Amount::from_units(std::numeric_limits<std::int64_t>::min())),
           "-92233720368.54775808");
  CHECK_EQ(text_cents(Amount::from_units(std::numeric_limits<std::int64_t>::max())),
           "92233720368.54775807");
  CHECK_EQ(text_cents(Int128{std::numeric_limits<std::int64_t>::min()} * 2),
           "-184467440737.09551616");
  CHECK_EQ(text_cents(Int128{-1'000'000}), "-0.01");
}

TEST_CASE("every number of cents is parsed as it was printed") {
  for (std::int64_t cents = 0; cents < 20'000; cents += 7) {
    CHECK_EQ(parse_cents(text_cents(Amount::cents(cents))), Amount::cents(cents));
  }
}

TEST_CASE("M2: shown amounts are whole cents, rounded down") {
  CHECK_EQ(Amount::from_units(1'999'999).whole_cents(), Amount::cents(1));
  CHECK_EQ(Amount::from_units(999'999).whole_cents(), Amount());
  CHECK_EQ(Amount::cents(3).whole_cents(), Amount::cents(3));
}

}  // namespace linkmeter::amount_test
