// ClockGuard: keeps the journal and RecordedTime in agreement about the system clock
// (clock_doubt.h). A doubt becomes an entry, which suspends every link; so does the end of the
// doubt when the clock has returned. When two managers have confirmed the clock, recorded time
// follows it.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "controller/time/clock.h"
#include "controller/time/recorded_time.h"
#include "controller/turn/controller.h"
#include "meters/facts/clock_doubt.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class ClockGuard {
 public:
  // The shortest interval between entries about a doubt that changed.
  static constexpr std::int64_t again_after_us = 60'000'000;

  // All arguments must outlive this. `step_max`: the same as RecordedTime's.
  ClockGuard(Controller& controller, RecordedTime& recorded, std::chrono::microseconds step_max);

  // This controller decides from now on: what the guard has seen is what the state says now.
  void begin();
  // Call before the turn and before day ends, with the turn's `now`. The changes are on disk.
  // Throws Fault: then the process must end.
  std::set<LinkIndex> serve(Timestamp now);
  // Reads the time and calls serve() with it; once more if that call saw the clock confirmed.
  // `changed`: the links that changed.
  struct TrustedTime {
    Timestamp now;
    std::set<LinkIndex> changed;
  };
  TrustedTime trusted_now(Clock& clock);
  // True once after the clock was confirmed: the caller must read the time again.
  [[nodiscard]] bool take_confirmed() { return std::exchange(is_confirmed_, false); }

 private:
  Controller& controller_;
  RecordedTime& recorded_;
  std::chrono::microseconds step_max_;
  std::optional<ClockDoubt> known_;  // not ended, as last seen
  std::optional<Timestamp> entered_at_;
  bool is_confirmed_ = false;
};

}  // namespace linkmeter
