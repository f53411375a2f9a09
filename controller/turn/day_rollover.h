// Day ends: when the running gaming day is over.
//
// Laws: each day ends after the one before it, and after everything that moved money in it, so that
// the calendar is followed wherever it can be: only where other parameters have set it, so that the
// running day would be over already, that day ends with its last entry of money. The first day is
// that of entry 1.
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

// The running day as people and programs are told of it: "day", "begins_at", "ends_at".
[[nodiscard]] Json running_day_json(const State& state, const Calendar& calendar);

// While no day has ended: what the running one is called. "" afterwards, and where the house's zone
// is not known. Throws Fault. REQUIRES: `state` is what is committed.
std::string first_day_text(const Journal& journal, const State& state);

}  // namespace linkmeter
