// Day rollover: when the running gaming day ends.
//
// Laws: each day ends after the day before it and after everything that moved money in it. The
// calendar decides, with one exception: if a parameter change moves the end of the running day into
// the past, the day ends at its last money entry. The first day is that of entry 1.
#pragma once

#include <optional>
#include <string>

#include "controller/store/journal.h"
#include "controller/time/calendar.h"
#include "controller/view/json.h"
#include "meters/facts/table_command.h"
#include "meters/state/state.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// The running day, and when the calendar ends it.
[[nodiscard]] DayEnd running_day(const State& state, const Calendar& calendar);

// The running day, if it is over.
[[nodiscard]] std::optional<DayEnd> day_over(const State& state, const Calendar& calendar,
                                             Timestamp now);

// The running day as JSON: "day", "begins_at", "ends_at".
[[nodiscard]] Json running_day_json(const State& state, const Calendar& calendar);

// The name of the running day while no day has ended; "" afterwards, and if the house's timezone is
// unknown. Throws Fault. REQUIRES: `state` is committed.
std::string first_day_text(const Journal& journal, const State& state);

}  // namespace linkmeter
