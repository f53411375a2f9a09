// The JSON of a day's report (day_report.h): keys in a fixed order, and only what the book, the
// attestations and the items contain.
#pragma once

#include <vector>

#include "controller/accounting/day/day_attestations.h"
#include "controller/accounting/day/day_book.h"
#include "controller/accounting/day/day_variances.h"
#include "controller/view/json.h"

namespace linkmeter {

Json day_report_json(const DayBook& book, const DayAttestations& statements,
                     const std::vector<DayItem>& items);

}  // namespace linkmeter
