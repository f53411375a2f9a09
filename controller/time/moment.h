// Moment: the current time on two clocks. The wall clock is for display and records, the steady
// clock for durations and deadlines.
#pragma once

#include <chrono>

#include "meters/values/timestamp.h"

namespace linkmeter {

struct Moment {
  Timestamp as_of;
  std::chrono::microseconds uptime{};
};

}  // namespace linkmeter
