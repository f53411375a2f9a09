// Pace: how many entries a table's messages may make. With a stolen table key somebody can invent
// rounds and wrong messages as fast as a network carries them. Each such round raises the meters,
// and each entry takes room in the journal. A table with a dealer is much slower.
//
// Laws:
// 1. A table may begin as many rounds at once as its pace allows in one shift of eight hours, and
//    then one each time that its pace allows one more. A lock, a wrong count and a pot begin a
//    round.
// 2. For each of those rounds the table may make messages_per_round shows, and have as many
//    messages refused, with the depth of the same shift. One round could repeat them without end.
//    They are counted apart, so refused messages keep no hand from being shown.
// 3. A resolved count, a close and a void are always taken. Each of them happens once to a round,
//    or once to a seat of a round, so law 1 bounds them. A frozen table, or one whose key floods,
//    can end what is open.
// 4. What is beyond that is refused as pace_exceeded: no entry, its message number is not used up,
//    and the table says it again.
// Only entries count, by recorded time, so replay gives the same.
//
// These bounds are token buckets. Each is kept as one moment per table (the generic cell rate
// algorithm): the moment up to which the entries so far have used the pace up.
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

// In one round each seat may show alone, then the dealer, five community cards and two draws may
// come one by one; and where all of that is refused, the lock, the resolved count, a close and a
// void are refused as well.
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

// How much of a shift is used up at this moment. Nobody can use up more than a shift: then two
// managers have set the time back meanwhile, and the table begins anew.
[[nodiscard]] inline std::int64_t used_us(Timestamp until, Timestamp now) {
  if (until <= now) return 0;
  // Unsigned: the difference of any two moments.
  const std::uint64_t used = static_cast<std::uint64_t>(until.microseconds()) -
                             static_cast<std::uint64_t>(now.microseconds());
  return used > static_cast<std::uint64_t>(shift_us) ? 0 : static_cast<std::int64_t>(used);
}

// Up to when a bucket is used up once it has given this much at this moment.
[[nodiscard]] inline Timestamp used_until(Timestamp until, std::int64_t interval_us,
                                          Timestamp now) {
  constexpr std::int64_t last_us = std::numeric_limits<std::int64_t>::max();
  const std::int64_t used = used_us(until, now) + interval_us;
  return now.microseconds() > last_us - used ? now : now.after(used);
}

// Would one more round at this moment be one too many?
[[nodiscard]] inline bool exceeds_pace(const TableConfig& terms, const TableSession& desk,
                                       Timestamp now) {
  return used_us(desk.paced_until(), now) > shift_us - round_interval_us(terms.pace);
}

// Up to when the pace is used up once a round has begun at this moment.
[[nodiscard]] inline Timestamp paced_after(const TableConfig& terms, const TableSession& desk,
                                           Timestamp now) {
  return used_until(desk.paced_until(), round_interval_us(terms.pace), now);
}

// Up to when the bucket of the fact is used up; nullopt: the fact does not count (law 2).
[[nodiscard]] inline std::optional<Timestamp> messages_paced_until(const TableSession& desk,
                                                                   const Fact& fact) {
  if (std::holds_alternative<MessageRefused>(fact)) return desk.refusals_paced_until();
  if (std::holds_alternative<HandsShown>(fact)) return desk.shows_paced_until();
  return std::nullopt;
}

// Would this, as an entry of the table at this moment, be one message too many?
[[nodiscard]] inline bool exceeds_message_pace(const TableConfig& terms, const TableSession& desk,
                                               const Fact& fact, Timestamp now) {
  const std::optional<Timestamp> until = messages_paced_until(desk, fact);
  return until && used_us(*until, now) > shift_us - message_interval_us(terms.pace);
}

// Up to when a bucket of law 2 is used up once another message of it has become an entry.
[[nodiscard]] inline Timestamp messages_paced_after(const TableConfig& terms, Timestamp until,
                                                    Timestamp now) {
  return used_until(until, message_interval_us(terms.pace), now);
}

}  // namespace linkmeter
