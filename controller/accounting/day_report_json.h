// The JSON of a day's report (day_report.h): keys in a fixed order, and nothing in it that the
// book, the statements and the items do not say.
#pragma once

#include <vector>

#include "controller/accounting/day_book.h"
#include "controller/accounting/day_statements.h"
#include "controller/accounting/day_variances.h"
#include "controller/json.h"

namespace linkmeter {

Json day_report_json(const DayBook& book, const DayStatements& statements,
                     const std::vector<DayItem>& items);

}  // namespace linkmeter
