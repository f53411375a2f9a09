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
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "meters/desk.h"
#include "meters/floor.h"
#include "meters/identity.h"
#include "meters/limits.h"
#include "meters/timestamp.h"

namespace linkmeter {

// Rounds an hour where the floor file says none. A fast dealer with a shuffler deals one player
// about this many an hour, and each default is more than twice that: Blackjack 400, Three Card
// Prime 200, Crazy 4 Poker and Raise It Up 180, Pai Gow Poker 90, poker 120. A journal that says no
// pace means these, so another number here needs another state_version.
inline constexpr auto game_paces = std::to_array<std::pair<std::string_view, std::uint32_t>>({
    {"blackjack", 1'000},
    {"three-card-prime", 600},
    {"crazy-4", 600},
    {"raise-it-up", 600},
    {"pai-gow-poker", 300},
    {"poker", 300},
});

[[nodiscard]] inline std::uint32_t default_pace(const GameId& game) {
  const auto found = std::find_if(game_paces.begin(), game_paces.end(),
                                  [&game](const auto& one) { return one.first == game.text(); });
  return found == game_paces.end() ? limits::pace_default : found->second;
}

inline constexpr std::int64_t shift_us = std::int64_t{8} * 3'600 * 1'000'000;

// REQUIRES: 1 <= pace.
constexpr std::int64_t round_interval_us(std::uint32_t pace) {
  constexpr std::int64_t hour_us = std::int64_t{3'600} * 1'000'000;
  return hour_us / pace;
}

// How much of a shift's rounds is used up at this moment. Nobody can use up more than a shift: then
// two managers have set the time back meanwhile, and the table begins anew.
[[nodiscard]] inline std::int64_t used_us(const Desk& desk, Timestamp now) {
  if (desk.paced_until() <= now) return 0;
  // Unsigned: the difference of any two moments.
  const std::uint64_t used = static_cast<std::uint64_t>(desk.paced_until().microseconds()) -
                             static_cast<std::uint64_t>(now.microseconds());
  return used > static_cast<std::uint64_t>(shift_us) ? 0 : static_cast<std::int64_t>(used);
}

// Would one more round at this moment be one too many?
[[nodiscard]] inline bool exceeds_pace(const TableTerms& terms, const Desk& desk, Timestamp now) {
  return used_us(desk, now) > shift_us - round_interval_us(terms.pace);
}

// Up to when the pace is used up once a round has begun at this moment.
[[nodiscard]] inline Timestamp paced_after(const TableTerms& terms, const Desk& desk,
                                           Timestamp now) {
  constexpr std::int64_t last_us = std::numeric_limits<std::int64_t>::max();
  const std::int64_t used = used_us(desk, now) + round_interval_us(terms.pace);
  return now.microseconds() > last_us - used ? now : now.after(used);
}

}  // namespace linkmeter
