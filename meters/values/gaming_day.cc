#include "meters/values/gaming_day.h"

#include <chrono>

#include "meters/values/number.h"
#include "meters/values/text.h"

namespace linkmeter {
std::string text(GamingDay day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day.number()))};
  return padded(static_cast<int>(date.year()), 4) + "-" +
         padded(static_cast<unsigned>(date.month()), 2) + "-" +
         padded(static_cast<unsigned>(date.day()), 2);
}

std::optional<GamingDay> parse_gaming_day(std::string_view text) {
  constexpr std::size_t length = 10, first_dash = 4, second_dash = 7;
  if (text.size() != length || text[first_dash] != '-' || text[second_dash] != '-') {
    return std::nullopt;
  }
  const auto year = parse_number(text.substr(0, first_dash));
  const auto month = parse_number(text.substr(first_dash + 1, 2));
  const auto day = parse_number(text.substr(second_dash + 1));
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const auto number = std::chrono::sys_days(date).time_since_epoch().count();
  if (number < 0) return std::nullopt;
  return GamingDay::from_number(static_cast<std::int32_t>(number));
}

}  // namespace linkmeter
