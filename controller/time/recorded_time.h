// RecordedTime: the moments that entries carry, made of two clocks: the system's, which people and
// networks may set, and the steady one, which only runs.
//
// Laws: what it says never goes back, and between two changes it goes at the pace of the steady
// clock: a system clock that is set back neither stops it nor stretches or shortens a span of time
// (so that two minutes of dual control stay two minutes). One that is set ahead by no more than
// step_max is followed. It is the steady clock plus the largest difference that was ever trusted
// between the two; so who sets the clock ahead and back again leaves it ahead. Recorded times are
// evidence, so a change of more than a second, at once or bit by bit, is told: take_change().
//
// A system clock that differs from the trusted time by more than step_max is in doubt
// (clock_doubt.h): recorded time goes on by the steady clock alone until the clock has been back
// for settled_after, or is confirmed. What is trusted follows the system's clock at one part in
// drift_share of the time that passes, so many small steps do not add up to a large one.
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
    bool is_synchronised = false;  // the kernel says so of the system's clock
  };
  // What a start knows.
  struct Terms {
    Timestamp not_before = {};  // the last recorded time; the beginning of time: there is none
    std::chrono::microseconds lead{0};  // the books are ahead of the system's clock by so much
    std::chrono::microseconds step_max = step_default;
    // How long a house is closed. A clock that is farther ahead of the last entry is in doubt.
    std::chrono::microseconds closed_max = closed_default;
    // At the last start the kernel called the clock synchronised: one that it does not is in doubt
    // if it differs by more than step_max. A machine that never was synchronised is left alone.
    bool was_synchronised = false;
  };
  struct Doubt {
    ClockFault fault = ClockFault::stepped;
    std::chrono::microseconds by{};  // the system's clock minus the trusted time, now
  };

  RecordedTime(Moment start, const Terms& terms);

  [[nodiscard]] Timestamp at(Moment moment);
  // As of the last at().
  [[nodiscard]] std::optional<Doubt> doubt() const;
  // The system's clock is right where it differs by so much: the next at() follows it.
  void confirm(std::chrono::microseconds by);
  // How far the system's clock was set since this was last told; negative: back. Nothing while it
  // is in doubt.
  [[nodiscard]] std::optional<std::chrono::microseconds> take_change();

 private:
  [[nodiscard]] std::optional<ClockFault> fault_at(const Moment& moment) const;
  void follow(std::chrono::microseconds steady);

  std::chrono::microseconds step_max_, closed_max_;
  bool needs_synchronised_;
  bool is_starting_ = true;               // no system clock was trusted yet
  std::chrono::microseconds ahead_;       // of the steady clock: what is recorded
  std::chrono::microseconds told_;        // of the steady clock: the system's, when last told
  std::chrono::microseconds difference_;  // of the steady clock: the system's, now
  std::chrono::microseconds trusted_;     // of the steady clock: where the system's is believed
  std::chrono::microseconds drifted_at_;  // by the steady clock
  std::optional<ClockFault> fault_;
  std::chrono::microseconds wrong_at_{};  // by the steady clock: when it last differed
  Timestamp last_;
};

}  // namespace linkmeter
