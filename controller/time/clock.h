// Clock: the one wall clock of the program. It never goes backwards, and a system clock that is set
// back does not stop it (recorded_time.h).
#pragma once

#include <chrono>
#include <optional>

#include "controller/time/recorded_time.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class Clock {
 public:
  // Goes on from terms.not_before: the last recorded time, after a restart.
  explicit Clock(const RecordedTime::Terms& terms = {});

  [[nodiscard]] Timestamp now();
  // Time since this clock was made; knows nothing of dates and runs on when the system's clock is
  // set.
  [[nodiscard]] std::chrono::microseconds uptime() const;
  // How far the system's clock was set, as of the last now(); told once. Negative: back.
  [[nodiscard]] std::optional<std::chrono::microseconds> take_change() {
    return recorded_.take_change();
  }
  // Recorded time begins anew, by what is known now. uptime() goes on.
  void begin(const RecordedTime::Terms& terms) { recorded_ = RecordedTime(moment(), terms); }
  [[nodiscard]] RecordedTime& recorded() { return recorded_; }
  // The kernel says that the system's clock is synchronised. False: it does not, or does not tell.
  [[nodiscard]] static bool is_synchronised();

 private:
  [[nodiscard]] RecordedTime::Moment moment() const;

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  RecordedTime recorded_;
};

}  // namespace linkmeter
