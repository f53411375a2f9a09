// Moment: one now by two clocks: the wall clock for what is shown and recorded, the steady one for
// how long things take and when they are due.
#pragma once

#include <chrono>

#include "meters/values/timestamp.h"

namespace linkmeter {

struct Moment {
  Timestamp as_of;
  std::chrono::microseconds uptime{};
};

}  // namespace linkmeter
