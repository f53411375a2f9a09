// Uptime: time that only goes forward, whatever becomes of the clock on the wall. For what is due
// and what is over; never written down.
#pragma once

#include <chrono>

namespace linkmeter {

inline std::chrono::microseconds uptime() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace linkmeter
