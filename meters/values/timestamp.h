// Timestamp: microseconds since 1970-01-01 UTC. Callers pass it in; the core cannot read a clock.
#pragma once

#include <compare>
#include <cstdint>

namespace linkmeter {

class Timestamp {
 public:
  constexpr Timestamp() = default;
  static constexpr Timestamp from_microseconds(std::int64_t value) { return Timestamp(value); }
  [[nodiscard]] constexpr std::int64_t microseconds() const { return microseconds_; }
  [[nodiscard]] constexpr Timestamp after(std::int64_t interval_us) const {
    return Timestamp(microseconds_ + interval_us);
  }
  friend constexpr auto operator<=>(Timestamp, Timestamp) = default;

 private:
  constexpr explicit Timestamp(std::int64_t value) : microseconds_(value) {}
  std::int64_t microseconds_ = 0;
};

// The same moment, or the nearest one from 1970 to the end of 9999. For moments from outside: a
// clock that was never set must not stop a table, and its time must be printable as a date.
constexpr Timestamp within_calendar(Timestamp moment) {
  constexpr std::int64_t last_us = 253'402'300'799'999'999;  // 9999-12-31T23:59:59.999999Z
  if (moment < Timestamp()) return {};
  return moment.microseconds() > last_us ? Timestamp::from_microseconds(last_us) : moment;
}

// Whether at least this interval has passed since then. Also true if the clock was set back, so
// that nothing waits for ever.
constexpr bool has_passed(Timestamp since, std::int64_t interval_us, Timestamp now) {
  return now < since || now.microseconds() - since.microseconds() >= interval_us;
}

}  // namespace linkmeter
