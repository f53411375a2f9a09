#include "controller/turn/day_rollover.h"

#include <algorithm>

#include "controller/store/config_history.h"
#include "meters/values/time_text.h"

namespace linkmeter {
namespace {

constexpr std::int64_t least_us = 1;  // the resolution of timestamps

}  // namespace

DayEnd running_day(const State& state, const Calendar& calendar) {
  if (state.days().empty()) {
    const GamingDay day = calendar.day_of(state.moments().opened_at);
    return {day, calendar.end(day), {}};
  }
  const DayRecord& last = state.days().back();
  const GamingDay day = last.day.next();
  return {day, std::max(calendar.end(day), last.ends_at.after(least_us)), {}};
}

std::optional<DayEnd> day_over(const State& state, const Calendar& calendar, Timestamp now) {
  DayEnd end = running_day(state, calendar);
  if (end.ends_at > now) return std::nullopt;
  end.ends_at = std::max(end.ends_at, state.moments().moved_at.after(least_us));
  if (end.ends_at > now) return std::nullopt;
  return end;
}

Json running_day_json(const State& state, const Calendar& calendar) {
  const DayEnd running = running_day(state, calendar);
  const Timestamp begins_at =
      state.days().empty() ? calendar.begin(running.day) : state.days().back().ends_at;
  return Json{{"day", text(running.day)},
              {"begins_at", text(begins_at)},
              {"ends_at", text(running.ends_at)}};
}

std::string first_day_text(const Journal& journal, const State& state) {
  if (!state.days().empty()) return "";
  const HouseTimes times = times_of(configuration_in_force(journal, state));
  if (times.zone.empty()) return "";
  return text(running_day(state, Calendar(times.zone, times.start)).day);
}

}  // namespace linkmeter
