#include "controller/time/time_text.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace linkmeter {

std::string text(Timestamp moment) {
  constexpr std::int64_t per_second = 1'000'000;
  std::int64_t seconds = moment.microseconds() / per_second;
  std::int64_t rest = moment.microseconds() % per_second;
  if (rest < 0) {
    rest += per_second;
    --seconds;
  }
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  if (gmtime_r(&time, &parts) == nullptr) return "?";
  std::array<char, 64> buffer{};
  const auto length = std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%06dZ", static_cast<int>(rest));
  return std::string(buffer.data(), length) + fraction.data();
}

std::optional<Timestamp> parse_moment(std::string_view text) {
  constexpr std::string_view shape = "0000-00-00T00:00:00.000000Z";
  if (text.size() != shape.size()) return std::nullopt;
  for (std::size_t at = 0; at < shape.size(); ++at) {
    const bool is_digit = text[at] >= '0' && text[at] <= '9';
    if (shape[at] == '0' ? !is_digit : text[at] != shape[at]) return std::nullopt;
  }
  const auto number = [text](std::size_t from, std::size_t count) {
    int value = 0;
    for (const char digit : text.substr(from, count)) value = 10 * value + (digit - '0');
    return value;
  };
  namespace chrono = std::chrono;
  const chrono::year_month_day date{chrono::year(number(0, 4)),
                                    chrono::month(static_cast<unsigned>(number(5, 2))),
                                    chrono::day(static_cast<unsigned>(number(8, 2)))};
  if (!date.ok()) return std::nullopt;
  const auto at = chrono::sys_days(date) + chrono::hours(number(11, 2)) +
                  chrono::minutes(number(14, 2)) + chrono::seconds(number(17, 2)) +
                  chrono::microseconds(number(20, 6));
  const Timestamp moment = Timestamp::from_microseconds(at.time_since_epoch().count());
  return linkmeter::text(moment) == text ? std::optional(moment) : std::nullopt;
}

}  // namespace linkmeter
