#include "meters/values/time_text.h"

#include <chrono>

#include "meters/values/text.h"

namespace linkmeter {
namespace {

struct UtcTexts {
  std::string date;      // "2026-03-01"
  std::string time;      // "14:05:09"
  std::string fraction;  // "000123"
};

UtcTexts utc_texts(Timestamp moment) {
  using std::chrono::days, std::chrono::floor, std::chrono::hh_mm_ss, std::chrono::microseconds,
      std::chrono::sys_time, std::chrono::year_month_day;
  const sys_time<microseconds> at{microseconds(moment.microseconds())};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  return {padded(int{date.year()}, 4) + "-" + padded(unsigned{date.month()}, 2) + "-" +
              padded(unsigned{date.day()}, 2),
          padded(time.hours().count(), 2) + ":" + padded(time.minutes().count(), 2) + ":" +
              padded(time.seconds().count(), 2),
          padded(time.subseconds().count(), 6)};
}

}  // namespace

std::string text(Timestamp moment) {
  const UtcTexts utc = utc_texts(moment);
  return utc.date + "T" + utc.time + "." + utc.fraction + "Z";
}

std::string text_seconds(Timestamp moment) {
  const UtcTexts utc = utc_texts(moment);
  return utc.date + "T" + utc.time + "Z";
}

std::string utc_text(Timestamp moment) {
  const UtcTexts utc = utc_texts(moment);
  return utc.date + " " + utc.time + " UTC";
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
