// GamingDay: the accounting day of the house, named by the date of the house's calendar on which it
// begins: "2026-11-21". When that is, the edge knows (controller/time/calendar.h).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace linkmeter {

class GamingDay {
 public:
  // The first one that can be named, "1970-01-01"; and the last, "9999-12-31".
  constexpr GamingDay() = default;
  static constexpr std::int32_t last_number = 2'932'896;
  // REQUIRES: 0 to last_number: days since 1970-01-01.
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
// Nullopt: no date of that form, or none that there is.
std::optional<GamingDay> parse_gaming_day(std::string_view text);

}  // namespace linkmeter
