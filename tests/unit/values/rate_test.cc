#include "meters/values/rate.h"

#include "meters/values/limits.h"

#include <doctest/doctest.h>

namespace linkmeter::rate_test {

TEST_CASE("a rate is read with up to four decimals") {
  CHECK_EQ(parse_rate("12%"), Rate::from_ppm(120'000));
  CHECK_EQ(parse_rate("14.25%"), Rate::from_ppm(142'500));
  CHECK_EQ(parse_rate("0.0001%"), Rate::from_ppm(1));
  CHECK_EQ(parse_rate("1.2.3%"), std::nullopt);
  CHECK_EQ(parse_rate(".5%"), std::nullopt);
  CHECK_EQ(parse_rate("0%"), Rate());
  CHECK_EQ(parse_rate("100%"), Rate::from_ppm(1'000'000));
  CHECK_EQ(parse_rate("100.0000%"), Rate::from_ppm(1'000'000));
}

TEST_CASE("any other text is not a rate") {
  for (const char* text :
       {"", "%", "12", "12 %", " 12%", "-1%", "+1%", "101%", "100.0001%", "0.00001%", "1.%", ".5%",
        "1,5%", "1%%", "1e1%", "0.14", "999999999999999%", "99999999999999999999999%"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_rate(text).has_value());
  }
}

TEST_CASE("a rate is printed without needless zeros") {
  CHECK_EQ(text(Rate::from_ppm(142'500)), "14.25%");
  CHECK_EQ(text(Rate::from_ppm(120'000)), "12%");
  CHECK_EQ(text(Rate::from_ppm(100'000)), "10%");
  CHECK_EQ(text(Rate::from_ppm(1)), "0.0001%");
  CHECK_EQ(text(Rate()), "0%");
  CHECK_EQ(text(Rate::from_ppm(1'000'000)), "100%");
}

TEST_CASE("M1: a contribution is exact to a millionth of a cent") {
  // 1 cent x 0.0001% = 10^-8 dollar, the smallest amount there is.
  CHECK_EQ(contribution(Amount::cents(1), Rate::from_ppm(1)), Amount::from_units(1));
  CHECK_EQ(contribution(Amount::dollars(5), Rate::from_ppm(90'000)), Amount::cents(45));
  CHECK_EQ(contribution(Amount::dollars(1), Rate::from_ppm(142'500)),
           Amount::from_units(14'250'000));
  CHECK_EQ(contribution(limits::wager_max, Rate::from_ppm(1'000'000)), limits::wager_max);
  CHECK_EQ(contribution(Amount::dollars(5), Rate()), Amount());
}

TEST_CASE("M5: a share of a meter is whole cents, rounded down") {
  const Rate tenth = Rate::from_ppm(100'000);
  CHECK_EQ(share_in_whole_cents(Amount::dollars(50'000), tenth), Amount::dollars(5'000));
  // $123.45678901 x 10% = $12.345678901.
  CHECK_EQ(share_in_whole_cents(Amount::from_units(12'345'678'901), tenth), Amount::cents(1'234));
  CHECK_EQ(share_in_whole_cents(Amount::cents(9), tenth), Amount());
  CHECK_EQ(share_in_whole_cents(Amount::cents(10), tenth), Amount::cents(1));
  // A fraction of a cent below the cent is not a cent: $0.09999999 x 100%.
  CHECK_EQ(share_in_whole_cents(Amount::from_units(9'999'999), Rate::from_ppm(1'000'000)),
           Amount::cents(9));
  // Where units x ppm would not fit into 64 bits.
  CHECK_EQ(share_in_whole_cents(limits::meter_max, tenth), Amount::dollars(1'000'000'000));
}

}  // namespace linkmeter::rate_test
