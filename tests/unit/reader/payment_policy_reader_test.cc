#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "config/reader/timezone.h"
#include "meters/floor/payment_policy.h"
#include "meters/rules/claim_need.h"
#include "meters/values/limits.h"
#include "tests/support/every_wager_floor.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::payment_policy_reader_test {
namespace {

constexpr std::int64_t hour_us = 3'600'000'000;

std::string house(const std::string& lines) {
  return "[house]\n" + lines + "\n" + every_wager_floor_text;
}

// The one violation of a [house] with this line.
std::string mistake(const std::string& line) {
  const Violations violations = violations_of(house(line));
  REQUIRE_EQ(violations.size(), 1);
  CHECK_EQ(violations[0].line, 2);
  return violations[0].message;
}

std::optional<std::int64_t> hours_after(const char* zone, std::chrono::year_month_day day) {
  const auto begins = midnight(zone, day);
  if (!begins) return std::nullopt;
  const auto days = std::chrono::sys_days(day).time_since_epoch().count();
  CHECK_EQ(begins->microseconds() % hour_us, 0);
  return begins->microseconds() / hour_us - 24 * days;
}

}  // namespace

TEST_CASE("second_signature and taxable are read from [house]") {
  const Floor floor =
      parsed_floor(house("second_signature = [{ from = \"1200.00\", roles = [\"floorperson\", "
                         "\"table_games_manager\"] }, { from = \"10000.00\", roles = "
                         "[\"table_games_manager\"] }]\ntaxable = [{ since = \"2025-07-04\", "
                         "amount = \"1200.00\", ratio = 300 }, { since = \"2026-01-01\", amount = "
                         "\"2000.00\", ratio = 0 }]"))
          .floor;
  CHECK_EQ(text(floor.second_signature),
           "$1200.00 floorperson table_games_manager, $10000.00 table_games_manager");
  CHECK_EQ(
      text(floor.taxable),
      "2025-07-04 $1200.00 and 300 times the wager, 2026-01-01 $2000.00 and 0 times the wager");
  REQUIRE_EQ(floor.taxable.size(), 2);
  // Four and five hours behind UTC, in summer and winter.
  CHECK_EQ(floor.taxable[0].since.microseconds(), 1'751'601'600'000'000);
  CHECK_EQ(floor.taxable[1].since.microseconds(), 1'767'243'600'000'000);
  const Floor plain = parsed_floor(every_wager_floor_text).floor;
  CHECK_EQ(text(plain.second_signature), "none");
  CHECK_EQ(text(plain.taxable), "none");
}

TEST_CASE("mistakes of second_signature and taxable") {
  const std::string roles = "roles = [\"table_games_manager\"] }";
  CHECK_EQ(mistake("second_signature = [{ from = \"5.00\", " + roles + ", { from = \"5.00\", " +
                   roles + "]"),
           "house.second_signature[2].from is $5.00, not above that of the step before it; "
           "the ladder rises");
  CHECK_EQ(mistake("second_signature = [{ from = \"5.00\", roles = [\"cashier\"] }]"),
           "house.second_signature[1].roles holds \"cashier\"; a second signature is a "
           "floorperson's or a "
           "table_games_manager's");
  CHECK_EQ(mistake("second_signature = [{ from = \"5.00\", roles = [] }]"),
           "house.second_signature[1].roles is empty; nobody could sign");
  CHECK_EQ(mistake("second_signature = [{ from = \"5.00\", who = 1, " + roles + "]"),
           "house.second_signature[1].who is not known here; known are from, roles");
  CHECK_EQ(mistake("second_signature = \"5.00\""),
           "house.second_signature is a text; it must be an array of tables");
  const std::string rest = "amount = \"5.00\", ratio = 300 }";
  for (const char* day : {"2026-02-29", "2026-1-1", "01/01/2026", "2026-01/01", "2026-01-0x",
                          "2026-01-/1", "1969-12-31", "2026-01-01 "}) {
    CHECK_EQ(mistake("taxable = [{ since = \"" + std::string(day) + "\", " + rest + "]"),
             "house.taxable[1].since is \"" + std::string(day) + "\"; it is a day, \"2026-01-01\"");
  }
  CHECK_EQ(mistake("taxable = [{ since = \"2026-01-01\", " + rest + ", { since = \"2026-01-01\", " +
                   rest + "]"),
           "house.taxable[2].since is \"2026-01-01\", not after the one before it; they "
           "rise");
  CHECK_EQ(violations_of(house("taxable = [{ since = \"2026-01-01\", amount = \"5.00\", "
                               "ratio = -1 }]"))
               .size(),
           1);
  // A missing or unreadable key is reported once, and nothing is computed from the rest.
  CHECK_EQ(mistake("second_signature = [{ " + roles + "]"),
           "house.second_signature[1].from is missing");
  CHECK_EQ(mistake("taxable = [{ " + rest + "]"), "house.taxable[1].since is missing");
  CHECK_EQ(mistake("taxable = [{ since = \"2026-01-01\", ratio = 300 }]"),
           "house.taxable[1].amount is missing");
  CHECK_EQ(mistake("taxable = [{ since = \"2026-01-01\", amount = \"5.00\" }]"),
           "house.taxable[1].ratio is missing");
  // Summer time has no end, but the tables of the system do.
  CHECK_EQ(mistake("taxable = [{ since = \"2090-07-01\", " + rest + "]"),
           "house.taxable[1].since is \"2090-07-01\"; this system's tz database does not "
           "say when that day begins in America/New_York");
}

TEST_CASE("the steps of second_signature and taxable are bounded") {
  const auto steps = [](std::size_t count) {
    std::string ladder = "second_signature = [", taxable = "taxable = [";
    for (std::size_t at = 1; at <= count; ++at) {
      const std::string number = std::to_string(at);
      ladder += "{ from = \"" + number + ".00\", roles = [\"table_games_manager\"] },";
      taxable += "{ since = \"" + std::to_string(2'000 + at) + "-01-01\", amount = \"5.00\", " +
                 "ratio = 300 },";
    }
    return house(ladder + "]\n" + taxable + "]");
  };
  const Floor floor = parsed_floor(steps(limits::payment_policy_steps_max)).floor;
  CHECK_EQ(floor.second_signature.size(), limits::payment_policy_steps_max);
  CHECK_EQ(floor.taxable.size(), limits::payment_policy_steps_max);
  const Violations violations = violations_of(steps(limits::payment_policy_steps_max + 1));
  REQUIRE_EQ(violations.size(), 2);
  CHECK_EQ(violations[0].message, "house.second_signature has more than 16 steps");
  CHECK_EQ(violations[1].message, "house.taxable has more than 16 steps");
}

TEST_CASE("a tax day begins at local midnight, or at the first moment after it") {
  using std::chrono::day;
  using std::chrono::month;
  using std::chrono::year;
  CHECK_EQ(hours_after("America/New_York", year(2026) / month(1) / day(1)), 5);
  CHECK_EQ(hours_after("America/New_York", year(2026) / month(7) / day(4)), 4);
  // The days on which clocks change, at two in the morning, and the days after.
  CHECK_EQ(hours_after("America/New_York", year(2026) / month(3) / day(8)), 5);
  CHECK_EQ(hours_after("America/New_York", year(2026) / month(3) / day(9)), 4);
  CHECK_EQ(hours_after("America/New_York", year(2026) / month(11) / day(1)), 4);
  CHECK_EQ(hours_after("America/New_York", year(2026) / month(11) / day(2)), 5);
  CHECK_EQ(hours_after("Etc/UTC", year(2036) / month(7) / day(1)), 0);
  CHECK_EQ(hours_after("America/New_York", year(2037) / month(7) / day(1)), 4);
  CHECK_EQ(hours_after("Australia/Sydney", year(2026) / month(1) / day(1)), -11);
  // 2018-11-04 had no midnight in Sao Paulo: the day began at one; before, it was three hours
  // behind UTC.
  CHECK_EQ(hours_after("America/Sao_Paulo", year(2018) / month(11) / day(4)), 3);
  CHECK_FALSE(hours_after("America/New_York", year(2090) / month(7) / day(1)));
  CHECK_FALSE(hours_after("Mars/Olympus", year(2026) / month(1) / day(1)));
  CHECK_FALSE(hours_after("../passwd", year(2026) / month(1) / day(1)));
}

TEST_CASE("a payout is taxable from the amount and the multiple of its wager on") {
  const auto at = [](std::int64_t moment) { return Timestamp::from_microseconds(moment); };
  const std::vector<TaxThreshold> thresholds{{at(100), "a", Amount::dollars(2'000), 300},
                                             {at(200), "b", Amount::dollars(600), 0}};
  CHECK(threshold_at(thresholds, at(99)) == nullptr);
  CHECK_EQ(threshold_at(thresholds, at(100))->date, "a");
  CHECK_EQ(threshold_at(thresholds, at(199))->date, "a");
  CHECK_EQ(threshold_at(thresholds, at(200))->date, "b");
  const TaxThreshold& first = thresholds[0];
  CHECK(first.taxes(Amount::dollars(2'000), Amount::dollars(5)));
  CHECK_FALSE(first.taxes(Amount::cents(199'999), Amount::dollars(5)));
  CHECK(first.taxes(Amount::dollars(3'000), Amount::dollars(10)));
  CHECK_FALSE(first.taxes(Amount::cents(299'999), Amount::dollars(10)));
  CHECK(first.taxes(Amount::dollars(2'000), Amount()));  // for a pot
  CHECK(thresholds[1].taxes(Amount::dollars(600), Amount::dollars(10'000)));
}

TEST_CASE("a step of the ladder begins with its amount") {
  const std::vector<SignatureStep> ladder{{Amount::dollars(10), {Role::floorperson}},
                                          {Amount::dollars(20), {Role::table_games_manager}}};
  CHECK(step_for(ladder, Amount::cents(999)) == nullptr);
  CHECK_EQ(step_for(ladder, Amount::dollars(10))->from, Amount::dollars(10));
  CHECK_EQ(step_for(ladder, Amount::cents(1'999))->from, Amount::dollars(10));
  CHECK_EQ(step_for(ladder, Amount::dollars(20))->from, Amount::dollars(20));
  for (const Role role : {Role::dealer, Role::poker_shift_supervisor, Role::cashier,
                          Role::accountant, Role::finance_manager, Role::auditor}) {
    CHECK_FALSE(may_countersign(role));
  }
}

TEST_CASE("what a claim waits for at each step") {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1)}));
  floor.take("C4-01", royal_flush_of("r1", 1));
  const auto need = [&floor] {
    return name(need_of(floor.state, *floor.state.find_claim(ClaimNumber(1))));
  };
  CHECK_EQ(need(), "validation");
  floor.take("F-1", ValidateClaim{ClaimNumber(1)});
  CHECK_EQ(need(), "slip");  // this house has no signature ladder
  floor.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  CHECK_EQ(need(), "payment");
  floor.take("F-1", VoidSlip{SlipNumber(1), VoidReason::misprint, ""});
  CHECK_EQ(need(), "slip");
  floor.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  floor.take("C-1", PayClaim{ClaimNumber(1), PaymentSource::hand_pay, SlipNumber(2)});
  CHECK_EQ(need(), "");
}

}  // namespace linkmeter::payment_policy_reader_test
