// The judge's part for gaming days: the entries about them, and the state of days that have ended.
#pragma once

#include "meters/facts/entry.h"
#include "meters/state/state.h"
#include "tests/property/difference.h"
#include "tests/property/naive_model.h"

namespace linkmeter {

// Also for a fact that is not about a day.
Difference difference_of_day(const Verdict& expected, const Fact& fact);
Difference difference_of_days(const NaiveModel& model, const State& state);

}  // namespace linkmeter
