// Clock watch: what a controller may record, by a watch of the judge's own: the system's clock is
// the steady one and a difference that people set; recorded times are never before it, never go
// back, and a difference of more than a second is told.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "meters/timestamp.h"
#include "tests/simulation/finding.h"

namespace linkmeter {

class ClockWatch {
 public:
  // The two clocks, now.
  void set(std::int64_t steady_us, std::int64_t ahead_us) {
    steady_us_ = steady_us;
    ahead_us_ = ahead_us;
    highest_us_ = std::max(highest_us_, ahead_us_);
  }
  // A controller starts, and goes on from the last recorded time.
  void start(Timestamp last_recorded) {
    highest_us_ = std::max(ahead_us_, last_recorded.microseconds() - steady_us_);
    told_us_ = highest_us_;
  }
  Finding entry(Timestamp recorded_at, Timestamp before) {
    if (recorded_at < before) return "clock: a recorded time goes back";
    if (recorded_at.microseconds() == steady_us_ + highest_us_) return std::nullopt;
    return "clock: recorded at another moment than the clocks say, by " +
           std::to_string(recorded_at.microseconds() - steady_us_ - highest_us_) + " us";
  }
  Finding changed(std::int64_t by_us) {
    if (by_us != ahead_us_ - told_us_) return "clock: the clock was not set by so much";
    told_us_ = ahead_us_;
    return std::nullopt;
  }
  [[nodiscard]] std::int64_t highest_us() const { return highest_us_; }
  // After days were looked at.
  [[nodiscard]] Finding finish() const {
    if (std::abs(ahead_us_ - told_us_) <= 1'000'000) return std::nullopt;
    return "clock: the clock was set, and no entry says so";
  }

 private:
  std::int64_t steady_us_ = 0;
  std::int64_t ahead_us_ = 0;    // the system's, of the steady one
  std::int64_t highest_us_ = 0;  // ever, since the controller started
  std::int64_t told_us_ = 0;
};

}  // namespace linkmeter
