// Days of 23, 24 and 25 hours. The expected times follow the law (15 U.S.C. § 260a: clocks go ahead
// at 2:00 on the second Sunday of March and back at 2:00 on the first Sunday of November), in UTC.
#include "controller/time/calendar.h"

#include <doctest/doctest.h>
#include <string>

#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter::calendar_test {
namespace {

GamingDay day(const std::string& text) {
  const auto parsed = parse_gaming_day(text);
  REQUIRE(parsed.has_value());
  return *parsed;
}

std::int64_t hours(const Calendar& calendar, const std::string& text) {
  const std::int64_t us =
      calendar.end(day(text)).microseconds() - calendar.begin(day(text)).microseconds();
  CHECK_EQ(us % 3'600'000'000, 0);
  return us / 3'600'000'000;
}

std::string begin(const Calendar& calendar, const std::string& text_of_day) {
  return text(calendar.begin(day(text_of_day)));
}

}  // namespace

TEST_CASE("a gaming day begins at the house's start in local time") {
  const Calendar calendar("America/New_York", "06:00");
  CHECK_EQ(begin(calendar, "2026-01-15"), "2026-01-15T11:00:00.000000Z");
  CHECK_EQ(begin(calendar, "2026-07-15"), "2026-07-15T10:00:00.000000Z");
  CHECK_EQ(hours(calendar, "2026-01-15"), 24);
}

TEST_CASE(
    "the day on which the clocks go forward has 23 hours; the day on which they go back has 25") {
  const Calendar calendar("America/New_York", "06:00");
  CHECK_EQ(hours(calendar, "2026-03-07"), 23);  // Saturday: clocks change in its night
  CHECK_EQ(hours(calendar, "2026-03-08"), 24);
  CHECK_EQ(hours(calendar, "2026-10-31"), 25);
  CHECK_EQ(hours(calendar, "2026-11-01"), 24);
  const Calendar midnight("America/New_York", "00:00");
  CHECK_EQ(hours(midnight, "2026-03-08"), 23);
  CHECK_EQ(hours(midnight, "2026-11-01"), 25);
}

TEST_CASE(
    "a skipped start is the first moment after the gap; a repeated one is the first of the two") {
  const Calendar skipped("America/New_York", "02:30");
  CHECK_EQ(begin(skipped, "2026-03-08"), "2026-03-08T07:00:00.000000Z");
  CHECK_EQ(begin(skipped, "2026-03-09"), "2026-03-09T06:30:00.000000Z");
  const Calendar twice("America/New_York", "01:30");
  CHECK_EQ(begin(twice, "2026-11-01"), "2026-11-01T05:30:00.000000Z");
}

TEST_CASE("every moment of a year is in exactly one day, without gaps") {
  for (const char* start : {"00:00", "01:30", "02:30", "06:00", "23:59"}) {
    const Calendar calendar("America/New_York", start);
    for (GamingDay one = day("2026-01-01"); one < day("2027-01-02"); one = one.next()) {
      CAPTURE(text(one));
      CHECK_LT(calendar.begin(one), calendar.end(one));
      CHECK_EQ(calendar.day_of(calendar.begin(one)), one);
      CHECK_EQ(calendar.day_of(calendar.begin(one).after(-1)), one.previous());
      CHECK_EQ(calendar.day_of(calendar.begin(one).after(3'600'000'000)), one);
      CHECK_EQ(calendar.day_of(calendar.end(one).after(-1)), one);
    }
  }
}

TEST_CASE("an unknown zone or an invalid start is a Fault that says so") {
  CHECK_THROWS_AS(Calendar("Mars/Olympus", "06:00"), Fault);
  for (const char* start : {"", "6:00", "24:00", "06:60", "06-00", "ab:cd", "06:000"}) {
    CHECK_THROWS_AS(Calendar("America/New_York", start), Fault);
  }
}

TEST_CASE("a gaming day is parsed as it is printed") {
  for (const char* good : {"1970-01-01", "2024-02-29", "2026-11-21", "9999-12-31"}) {
    CHECK_EQ(text(day(good)), good);
  }
  for (const char* bad : {"", "2026-2-1", "2026-02-29", "2026-13-01", "2026-00-10", "1969-12-31",
                          "2026-11-21 ", "20261121", "2026/11/21", "+026-11-21"}) {
    CHECK_FALSE(parse_gaming_day(bad).has_value());
  }
  CHECK_EQ(day("9999-12-31").number(), GamingDay::last_number);
}

}  // namespace linkmeter::calendar_test
