// Clock: the program's only wall clock. It never goes backwards, and it keeps running when the
// system clock is set back (recorded_time.h).
#pragma once

#include <chrono>
#include <optional>

#include "controller/time/recorded_time.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class Clock {
 public:
  // Continues from terms.not_before, the last recorded time, after a restart.
  explicit Clock(const RecordedTime::Terms& terms = {});

  [[nodiscard]] Timestamp now();
  // Time since this clock was made. Monotonic: setting the system clock does not change it.
  [[nodiscard]] std::chrono::microseconds uptime() const;
  // How far the system clock was set, as of the last now(). Each change is returned once. Negative:
  // set back.
  [[nodiscard]] std::optional<std::chrono::microseconds> take_change() {
    return recorded_.take_change();
  }
  // Restarts recorded time from `terms`. uptime() continues.
  void begin(const RecordedTime::Terms& terms) { recorded_ = RecordedTime(moment(true), terms); }
  [[nodiscard]] RecordedTime& recorded() { return recorded_; }
  // Whether the kernel reports the system clock as synchronised. False also if it reports nothing.
  [[nodiscard]] static bool is_synchronised();

 private:
  // A question to the kernel costs a system call, and a turn reads the clock many times. So
  // is_synchronised is read only while it is used.
  [[nodiscard]] static RecordedTime::Moment moment(bool is_starting);

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  RecordedTime recorded_;
};

}  // namespace linkmeter
