// Clock guard: keeps the journal and the recorded time of one mind about the system's clock
// (clock_doubt.h): a doubt becomes an entry, which suspends every link; so does its end, where the
// clock has returned; and where two managers have confirmed the clock, it is followed.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "controller/time/recorded_time.h"
#include "controller/turn/controller.h"
#include "meters/facts/clock_doubt.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class ClockGuard {
 public:
  // A doubt that has become another one is entered again, so often at most.
  static constexpr std::int64_t again_after_us = 60'000'000;

  // All must outlive this. `step_max`: as the recorded time has it.
  ClockGuard(Controller& controller, RecordedTime& recorded, std::chrono::microseconds step_max);

  // To be called with the `now` of the turn, before it and before days are ended. What changed is
  // on disk. Throws Fault: then the process must end.
  std::set<LinkIndex> serve(Timestamp now);
  // True once: the clock was confirmed, so what time it is is to be asked again.
  [[nodiscard]] bool take_confirmed() { return std::exchange(is_confirmed_, false); }

 private:
  Controller& controller_;
  RecordedTime& recorded_;
  std::chrono::microseconds step_max_;
  std::optional<ClockDoubt> known_;  // that has not ended, as this has last seen it
  std::optional<Timestamp> entered_at_;
  bool is_confirmed_ = false;
};

}  // namespace linkmeter
