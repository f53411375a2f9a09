// RecordedTime: computes the timestamps of entries from two clocks: the system clock, which people
// and networks may set, and the steady clock, which only runs.
//
// Laws: recorded time never goes back. Between two changes it runs at the pace of the steady clock:
// a system clock that is set back neither stops it nor stretches or shortens an interval (two
// minutes of dual control stay two minutes). If the system clock is set ahead by no more than
// step_max, recorded time follows it. Recorded time is the steady clock plus the largest difference
// that was ever trusted between the two, so setting the clock ahead and back again leaves it ahead.
// Recorded times are evidence, so take_change() reports a change of more than a second, at once or
// gradual.
//
// A system clock that differs from the trusted time by more than step_max is in doubt
// (clock_doubt.h): recorded time follows the steady clock alone until the system clock has been
// back for settled_after, or is confirmed. Trusted time drifts towards the system clock by at most
// one part in drift_share of the elapsed time, so many small steps do not add up to a large one.
#pragma once

#include <chrono>
#include <optional>

#include "meters/facts/clock_doubt.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class RecordedTime {
 public:
  static constexpr std::chrono::microseconds change_told{1'000'000};
  static constexpr std::chrono::microseconds step_default{std::chrono::hours(1)};
  static constexpr std::chrono::microseconds closed_default{std::chrono::hours(24 * 7)};
  static constexpr std::chrono::microseconds settled_after{5'000'000};
  static constexpr std::int64_t drift_share = 100;

  // Both clocks, read together.
  struct Moment {
    Timestamp system;
    std::chrono::microseconds steady{};
    bool is_synchronised = false;  // whether the kernel reports the system clock as synchronised
  };
  // What is known at the start.
  struct Terms {
    Timestamp not_before = {};          // the last recorded time; Timestamp(): none
    std::chrono::microseconds lead{0};  // how far recorded time is ahead of the system clock
    std::chrono::microseconds step_max = step_default;
    // The longest time a house is closed. A system clock further ahead of the last entry is in
    // doubt.
    std::chrono::microseconds closed_max = closed_default;
    // The kernel reported the clock as synchronised at the last start. Then an unsynchronised clock
    // is in doubt if it is ahead by more than step_max. A machine that was never synchronised is
    // exempt.
    bool was_synchronised = false;
  };
  struct Doubt {
    ClockFault fault = ClockFault::stepped;
    std::chrono::microseconds by{};  // the system clock minus the trusted time, now
  };

  RecordedTime(Moment start, const Terms& terms);

  [[nodiscard]] Timestamp at(Moment moment);
  // Whether no system clock was trusted yet. Only then does at() use Moment::is_synchronised.
  [[nodiscard]] bool is_starting() const { return is_starting_; }
  // As of the last at().
  [[nodiscard]] std::optional<Doubt> doubt() const;
  // Accepts the system clock at this difference: the next at() follows it.
  void confirm(std::chrono::microseconds by);
  // How far the system clock was set since the last report. Negative: set back. nullopt while the
  // clock is in doubt.
  [[nodiscard]] std::optional<std::chrono::microseconds> take_change();

 private:
  [[nodiscard]] std::optional<ClockFault> fault_at(const Moment& moment) const;
  void follow(std::chrono::microseconds steady);

  std::chrono::microseconds step_max_, closed_max_;
  bool needs_synchronised_;
  bool is_starting_ = true;               // no system clock was trusted yet
  std::chrono::microseconds ahead_;       // recorded time minus the steady clock
  std::chrono::microseconds told_;        // system minus steady clock, as last reported
  std::chrono::microseconds difference_;  // system minus steady clock, now
  std::chrono::microseconds trusted_;     // trusted time minus the steady clock
  std::chrono::microseconds drifted_at_;  // steady time of the last drift step
  std::optional<ClockFault> fault_;
  std::chrono::microseconds wrong_at_{};  // steady time at which the clocks last differed
  Timestamp last_;
};

}  // namespace linkmeter
