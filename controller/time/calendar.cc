#include "controller/time/calendar.h"

#include <date/tz.h>

#include <stdexcept>
#include <utility>

#include "meters/values/number.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// "06:00"
std::optional<std::chrono::minutes> time_of_day(std::string_view text) {
  constexpr std::size_t length = 5, colon = 2;
  if (text.size() != length || text[colon] != ':') return std::nullopt;
  const auto hours = parse_number(text.substr(0, 2), 23);
  const auto minutes = parse_number(text.substr(colon + 1), 59);
  if (!hours || !minutes) return std::nullopt;
  return std::chrono::hours(static_cast<int>(*hours)) +
         std::chrono::minutes(static_cast<int>(*minutes));
}

date::sys_time<std::chrono::microseconds> moment_of(Timestamp moment) {
  return date::sys_time<std::chrono::microseconds>(
      std::chrono::microseconds(moment.microseconds()));
}

}  // namespace

Calendar::Calendar(std::string zone, std::string_view start) : zone_(std::move(zone)) {
  try {
    date::locate_zone(zone_);
  } catch (const std::runtime_error&) {
    throw Fault("this system does not know the timezone " + zone_);
  }
  const auto read = time_of_day(start);
  if (!read) throw Fault("gaming_day_start is not a time of day: " + std::string(start));
  start_ = *read;
}

Timestamp Calendar::begin(GamingDay day) const {
  const date::local_time<std::chrono::minutes> local =
      date::local_days(date::days(day.number())) + start_;
  const auto begins = date::locate_zone(zone_)->to_sys(local, date::choose::earliest);
  return Timestamp::from_microseconds(std::chrono::microseconds(begins.time_since_epoch()).count());
}

GamingDay Calendar::day_of(Timestamp moment) const {
  const auto local = date::locate_zone(zone_)->to_local(moment_of(moment));
  const auto date = date::floor<date::days>(local).time_since_epoch().count();
  GamingDay day = GamingDay::from_number(static_cast<std::int32_t>(date));
  // Near the start of a day, and near a clock change, the date alone does not decide.
  while (moment < begin(day)) day = day.previous();
  while (moment >= end(day)) day = day.next();
  return day;
}

}  // namespace linkmeter
