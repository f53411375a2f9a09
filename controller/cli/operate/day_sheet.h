// Day sheet: the report of a gaming day as text, with its open items first and zeros left out.
#pragma once

#include <string>

#include "controller/accounting/day/day_report.h"

namespace linkmeter::cli {

// `zone`: the house's time zone; "": not known.
std::string day_sheet(const DayReport& report, const std::string& zone);

}  // namespace linkmeter::cli
