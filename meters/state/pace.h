// Pace: limits the number of entries that a table's messages may create. A holder of a stolen table
// key could invent rounds and wrong messages at network speed. Each such round raises the meters,
// and each entry takes journal space. A table with a dealer is much slower.
//
// Laws:
// 1. A table may begin as many rounds at once as its pace allows in one shift of eight hours, and
//    then one more each time its pace allows one. A lock, a wrong count and a pot each begin a
//    round.
// 2. For each of those rounds the table may send messages_per_round shows and have as many messages
//    refused, with the depth of the same shift. Otherwise one round could repeat them without end.
//    Shows and refusals are counted separately, so refused messages never block a show.
// 3. A resolved count, a close and a void are always accepted. Each occurs once per round, or once
//    per seat of a round, so law 1 bounds them. A frozen table, or one whose key floods, can still
//    end its open rounds.
// 4. A message beyond these limits is refused as pace_exceeded. There is no entry and its message
//    number is not used up, so the table resends it.
// Only entries count, at their recorded time, so replay gives the same result.
//
// These limits are token buckets. Each is stored as one timestamp per table (the generic cell rate
// algorithm): the moment up to which the entries so far have used up the pace.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "meters/facts/entry.h"
#include "meters/floor/floor.h"
#include "meters/state/table_session.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// Default rounds per hour, for tables whose floor file does not state a pace. A fast dealer with a
// shuffler deals one player about this many rounds an hour: Blackjack 400, Three Card Prime 200,
// Crazy 4 Poker and Raise It Up 180, Pai Gow Poker 90, poker 120. Each default is more than twice
// that. A journal without a stated pace means these defaults, so changing a number requires a new
// state_version.
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

// In one round each seat may show alone; the dealer, five community cards and two draws may come
// one by one. If all of these are refused, the lock, the resolved count, a close and a void may be
// refused as well.
inline constexpr std::int64_t messages_per_round = 24;
static_assert(messages_per_round >= limits::seats_max + 1 + 5 + 2 + 4);

// REQUIRES: 1 <= pace.
constexpr std::int64_t round_interval_us(std::uint32_t pace) {
  constexpr std::int64_t hour_us = std::int64_t{3'600} * 1'000'000;
  return hour_us / pace;
}
// REQUIRES: 1 <= pace.
constexpr std::int64_t message_interval_us(std::uint32_t pace) {
  return round_interval_us(pace) / messages_per_round;
}
static_assert(message_interval_us(limits::pace_max) > 0);

// The used part of a shift at this moment. It never exceeds a shift in normal operation. If it
// does, two managers have set the clock back since, and the table starts from zero.
[[nodiscard]] inline std::int64_t used_us(Timestamp until, Timestamp now) {
  if (until <= now) return 0;
  // Unsigned arithmetic, so that the difference of any two timestamps is defined.
  const std::uint64_t used = static_cast<std::uint64_t>(until.microseconds()) -
                             static_cast<std::uint64_t>(now.microseconds());
  return used > static_cast<std::uint64_t>(shift_us) ? 0 : static_cast<std::int64_t>(used);
}

// The new fill mark of a bucket that spends `interval_us` at this moment.
[[nodiscard]] inline Timestamp used_until(Timestamp until, std::int64_t interval_us,
                                          Timestamp now) {
  constexpr std::int64_t last_us = std::numeric_limits<std::int64_t>::max();
  const std::int64_t used = used_us(until, now) + interval_us;
  return now.microseconds() > last_us - used ? now : now.after(used);
}

// Whether one more round at this moment would exceed the pace.
[[nodiscard]] inline bool exceeds_pace(const TableConfig& terms, const TableSession& session,
                                       Timestamp now) {
  return used_us(session.paced_until(), now) > shift_us - round_interval_us(terms.pace);
}

// The new fill mark after a round begins at this moment.
[[nodiscard]] inline Timestamp paced_after(const TableConfig& terms, const TableSession& session,
                                           Timestamp now) {
  return used_until(session.paced_until(), round_interval_us(terms.pace), now);
}

// The fill mark of the bucket that counts this fact; nullopt: the fact does not count (law 2).
[[nodiscard]] inline std::optional<Timestamp> messages_paced_until(const TableSession& session,
                                                                   const Fact& fact) {
  if (std::holds_alternative<MessageRefused>(fact)) return session.refusals_paced_until();
  if (std::holds_alternative<HandsShown>(fact)) return session.shows_paced_until();
  return std::nullopt;
}

// Whether this fact, entered for the table at this moment, would exceed its bucket.
[[nodiscard]] inline bool exceeds_message_pace(const TableConfig& terms,
                                               const TableSession& session, const Fact& fact,
                                               Timestamp now) {
  const std::optional<Timestamp> until = messages_paced_until(session, fact);
  return until && used_us(*until, now) > shift_us - message_interval_us(terms.pace);
}

// The new fill mark of a bucket of law 2 after one more of its messages.
[[nodiscard]] inline Timestamp messages_paced_after(const TableConfig& terms, Timestamp until,
                                                    Timestamp now) {
  return used_until(until, message_interval_us(terms.pace), now);
}

}  // namespace linkmeter
