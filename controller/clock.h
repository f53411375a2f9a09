// Clock: the one wall clock of the program. It never goes backwards, and a system clock that is set
// back does not stop it (recorded_time.h).
#pragma once

#include <chrono>
#include <optional>

#include "controller/recorded_time.h"
#include "meters/timestamp.h"

namespace linkmeter {

class Clock {
 public:
  // Goes on from `not_before`: the last recorded time, after a restart.
  explicit Clock(Timestamp not_before = {});

  [[nodiscard]] Timestamp now();
  // Time since this clock was made; knows nothing of dates and runs on when the system's clock is
  // set.
  [[nodiscard]] std::chrono::microseconds uptime() const;
  // How far the system's clock was set, as of the last now(); told once. Negative: back.
  [[nodiscard]] std::optional<std::chrono::microseconds> take_change() {
    return recorded_.take_change();
  }

 private:
  [[nodiscard]] RecordedTime::Moment moment() const;

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  RecordedTime recorded_;
};

}  // namespace linkmeter
