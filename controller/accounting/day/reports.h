// Reports: the function that makes the report of a gaming day, and the entry as of which people
// sign it. The controller and the tool use both.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "controller/accounting/day/day_report.h"
#include "controller/store/journal.h"
#include "meters/facts/day_facts.h"
#include "meters/values/gaming_day.h"

namespace linkmeter {

// The report of an ended day as of an entry: later facts are not in it. Calls `progress` now and
// then with the number of entries read. Throws Fault, and what `progress` throws.
using MakeReport = std::function<DayReport(
    const Journal& journal, const std::vector<DayRecord>& days, GamingDay day, EntryNumber as_of,
    const std::function<void(std::uint64_t)>& progress)>;

inline MakeReport report_maker() { return day_report; }

// The entry as of which people sign the report: it includes everything recorded of the day.
inline EntryNumber report_as_of(const DayRecord& record) {
  return record.facts.empty() ? record.ended : record.facts.back();
}

}  // namespace linkmeter
