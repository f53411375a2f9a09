#include "controller/odds/rational.h"

#include <doctest/doctest.h>

namespace linkmeter::odds::odds_exact_test {
namespace {

TEST_CASE("a decimal is rounded to nearest, halves away from zero") {
  CHECK(decimal(ratio(1, 3), 4) == "0.3333");
  CHECK(decimal(ratio(2, 3), 4) == "0.6667");
  CHECK(decimal(ratio(1, 8), 2) == "0.13");
  CHECK(decimal(Rational(-ratio(1, 8)), 2) == "-0.13");
  CHECK(decimal(ratio(5, 2), 0) == "3");
  CHECK(decimal(ratio(999'999, 1'000'000), 3) == "1.000");
  CHECK(decimal(ratio(1, 1'000'000), 3) == "0.000");
  CHECK(decimal(Rational(-ratio(1, 1'000'000)), 3) == "0.000");
  CHECK(decimal(ratio(154'143'080, 228), 2) == "676066.14");
}

TEST_CASE("a fraction is in lowest terms") {
  CHECK(text(ratio(4, 2'598'960)) == "1/649740");
  CHECK(text(ratio(8, 4)) == "2");
  CHECK(text(ratio(0, 7)) == "0");
}

TEST_CASE("dollars and rates are exact fractions") {
  CHECK(text(in_dollars(Amount::cents(1))) == "1/100");
  CHECK(text(in_dollars(Amount::from_units(1))) == "1/100000000");
  CHECK(text(fraction(Rate::from_ppm(142'500))) == "57/400");
}

}  // namespace
}  // namespace linkmeter::odds::odds_exact_test
