// TwoDays: an ActingHouse in which two gaming days have ended, and whose people see a report.
#pragma once

#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <variant>

#include "meters/rules/laws.h"
#include "tests/support/acting_house.h"

namespace linkmeter::two_days {

inline const GamingDay first_day = day_named("2026-11-20");
inline const GamingDay second_day = first_day.next();
inline const GamingDay third_day = second_day.next();
inline const Timestamp first_end = moment(2026, 11, 21, 11);
inline const Timestamp second_end = moment(2026, 11, 22, 11);
inline constexpr Digest read_report{1, 2, 3};
inline constexpr Digest other_report{3, 2, 1};
inline const LinkId c4("C4");
inline const LinkId poker("POKER");

// Two days have ended, and people see a report without open items.
struct TwoDays : ActingHouse {
  TwoDays() {
    end_day("2026-11-20", first_end);
    end_day("2026-11-21", second_end);
    finding.report = read_report;
  }
  // The result of decide(). The entry is applied; it must also be valid for a restart.
  std::string says(const std::string& badge, const OperatorCommand& act) {
    const Entry entry = asked(badge, act, sees ? &finding : nullptr, &shown);
    REQUIRE_EQ(validate_entry(state, entry).value_or("it fits"), "it fits");
    state.apply(entry);
    REQUIRE_EQ(law_violation(state).value_or("lawful"), "lawful");
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    if (no == nullptr) return "none";
    return std::string(name(no->refusal)) + (no->about.empty() ? "" : " " + no->about);
  }
  void close(GamingDay day) {
    REQUIRE_EQ(says("A-1", SignDay{day, read_report}), "none");
    REQUIRE_EQ(says("FM-1", CloseDay{day, read_report}), "none");
  }
  void has_item(const std::string& item, bool is_open, bool is_claim = false) {
    finding.items[item] = {"-1.00", is_open, is_claim};
  }
  [[nodiscard]] Entry fact(Fact fact) const {
    return Entry{state.last_entry().next(), now, std::nullopt, std::move(fact), {}};
  }
  // Why the fact cannot be the next entry.
  [[nodiscard]] std::string unfit(Fact of) const {
    return validate_entry(state, fact(std::move(of))).value_or("it fits");
  }

  DayFinding finding;
  ShownAmounts shown;
  bool sees = true;
};

inline RecordCount box(GamingDay day) {
  return {day,          CountKind::poker_box, TableId("P-01"),   poker, Amount::dollars(12), "",
          Badge("F-1"), "R. Diaz, 06:10",     "camera 12, 06:12"};
}

inline ExplainVariance explanation(GamingDay day) {
  return {day, "box/POKER/P-01", "-1.00", "a chip behind the box", {}};
}

inline TwoDays with_item() {
  TwoDays house;
  house.has_item("box/POKER/P-01", true);
  return house;
}

}  // namespace linkmeter::two_days
