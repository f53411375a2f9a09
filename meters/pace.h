// Pace: how many rounds a table may begin. A stolen table key can invent rounds as fast as a
// network carries them, and each one raises the meters; a table with a dealer cannot.
//
// Laws: a table may begin as many rounds at once as its pace allows in one shift of eight hours,
// and then one each time that its pace allows one more. What is counted are the locks, wrong counts
// and pots that became entries, by recorded time, so replay gives the same. A round beyond that is
// refused as pace_exceeded: no entry, its message number is not used up, and the table says it
// again.
//
// It is a token bucket, kept as one moment per table (the generic cell rate algorithm): up to when
// the rounds so far have used the pace up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "meters/desk.h"
#include "meters/floor.h"
#include "meters/timestamp.h"

namespace linkmeter {

inline constexpr std::int64_t shift_us = std::int64_t{8} * 3'600 * 1'000'000;

// REQUIRES: 1 <= pace.
constexpr std::int64_t round_interval_us(std::uint32_t pace) {
  constexpr std::int64_t hour_us = std::int64_t{3'600} * 1'000'000;
  return hour_us / pace;
}

// Would one more round at this moment be one too many?
[[nodiscard]] inline bool exceeds_pace(const TableTerms& terms, const Desk& desk, Timestamp now) {
  if (desk.paced_until() <= now) return false;
  // Unsigned: the difference of any two moments.
  const std::uint64_t used_us = static_cast<std::uint64_t>(desk.paced_until().microseconds()) -
                                static_cast<std::uint64_t>(now.microseconds());
  return used_us > static_cast<std::uint64_t>(shift_us - round_interval_us(terms.pace));
}

// Up to when the pace is used up once a round has begun at this moment.
[[nodiscard]] inline Timestamp paced_after(const TableTerms& terms, const Desk& desk,
                                           Timestamp now) {
  const Timestamp from = std::max(desk.paced_until(), now);
  constexpr std::int64_t last_us = std::numeric_limits<std::int64_t>::max();
  const std::int64_t interval_us = round_interval_us(terms.pace);
  return from.microseconds() > last_us - interval_us ? from : from.after(interval_us);
}

}  // namespace linkmeter
