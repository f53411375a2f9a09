// Judge of days: the part of the judge that looks at gaming days: the entries about them, and what
// is known of those that have ended.
#pragma once

#include "meters/facts/entry.h"
#include "meters/state/state.h"
#include "tests/property/difference.h"
#include "tests/property/naive_model.h"

namespace linkmeter {

// Of a fact that is no day's, too.
Difference difference_of_day(const Verdict& expected, const Fact& fact);
Difference difference_of_days(const NaiveModel& model, const State& state);

}  // namespace linkmeter
