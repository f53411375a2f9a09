// GamingDay: the accounting day of the house, named by the calendar date on which it begins:
// "2026-11-21". The controller computes when it begins (controller/time/calendar.h).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linkmeter {

class GamingDay {
 public:
  // The first valid day is "1970-01-01", the last is "9999-12-31".
  constexpr GamingDay() = default;
  static constexpr std::int32_t last_number = 2'932'896;
  // The number of days since 1970-01-01. REQUIRES: 0 to last_number.
  static constexpr GamingDay from_number(std::int32_t number) { return GamingDay(number); }
  [[nodiscard]] constexpr std::int32_t number() const { return number_; }
  [[nodiscard]] constexpr GamingDay next() const { return GamingDay(number_ + 1); }
  [[nodiscard]] constexpr GamingDay previous() const { return GamingDay(number_ - 1); }
  friend constexpr auto operator<=>(GamingDay, GamingDay) = default;

 private:
  constexpr explicit GamingDay(std::int32_t number) : number_(number) {}
  std::int32_t number_ = 0;
};

// "2026-11-21"
std::string text(GamingDay day);
// nullopt: not of this form, or not a date of the calendar.
std::optional<GamingDay> parse_gaming_day(std::string_view text);

}  // namespace linkmeter
