// Clock: the one wall clock of the program. It never goes backwards within a process: if the
// system's clock is set back, it stands still until the system's clock has caught up.
#pragma once

#include <chrono>

#include "meters/timestamp.h"

namespace linkmeter {

class Clock {
 public:
  // The later of the system's clock and the last answer.
  [[nodiscard]] Timestamp now();
  // Time since this clock was made; knows nothing of dates and runs on when the system's clock is
  // set.
  [[nodiscard]] std::chrono::microseconds uptime() const;

 private:
  Timestamp last_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace linkmeter
