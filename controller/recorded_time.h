// RecordedTime: the moments that entries carry, made of two clocks: the system's, which people and
// networks may set, and the steady one, which only runs.
//
// Laws: what it says never goes back, and between two changes it goes at the pace of the steady
// clock: a system clock that is set back neither stops it nor stretches or shortens a span of time
// (so that two minutes of dual control stay two minutes). One that is set ahead is followed. It is
// the steady clock plus the largest difference that there ever was between the two; so who sets the
// clock ahead and back again leaves it ahead. Recorded times are evidence, so a change of more than
// a second, at once or bit by bit, is told: take_change().
#pragma once

#include <chrono>
#include <optional>

#include "meters/timestamp.h"

namespace linkmeter {

class RecordedTime {
 public:
  static constexpr std::chrono::microseconds change_told{1'000'000};

  // Both clocks, read together.
  struct Moment {
    Timestamp system;
    std::chrono::microseconds steady{};
  };

  // Goes on from `not_before`, the last recorded time; a system clock that is before it is a change
  // already.
  RecordedTime(Moment start, Timestamp not_before);

  [[nodiscard]] Timestamp at(Moment moment);
  // How far the system's clock was set since this was last told; negative: back.
  [[nodiscard]] std::optional<std::chrono::microseconds> take_change();

 private:
  std::chrono::microseconds ahead_;       // of the steady clock: what is recorded
  std::chrono::microseconds told_;        // of the steady clock: the system's, when last told
  std::chrono::microseconds difference_;  // of the steady clock: the system's, now
  Timestamp last_;
};

}  // namespace linkmeter
