// Uptime: a clock that only goes forward, independent of the wall clock. It measures deadlines and
// intervals and is never stored.
#pragma once

#include <chrono>

namespace linkmeter {

inline std::chrono::microseconds uptime() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace linkmeter
