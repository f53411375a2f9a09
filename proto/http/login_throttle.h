// LoginThrottle: whose PINs were tried wrongly, from where, and how long the next try waits.
//
// The rule. Wrong PINs lock a person (lock_out.h), so anybody who may try them could lock the whole
// house. Therefore a wrong PIN counts to the lock, and is an entry of its own, only where the
// person is at home: at an address (or a table, or as a user of the machine) from which the
// person's right PIN came within the last week, and at a screen where this very person is signed
// in. Whose session it is otherwise does not matter.
//
// At home nothing waits: the lock is the bound. Anywhere else a wrong PIN locks nobody, but the
// next one waits: after three from one address for one badge a minute, twice as long after each
// further one, up to fifteen minutes. Two bounds hold for a badge over all addresses:
//   - after ten wrong PINs from addresses that the house does not know, a minute, up to an hour;
//   - after twenty from its stations, where right PINs came from within the week, the same.
// Strangers do not use up the second bound, so what they try keeps nobody away from a station. Who
// waits is told so before any PIN is looked at. Wrong tries are forgotten after a day.
//
// What is tried away from home is counted by badge, and the controller enters the counts
// (PinsTried). Homes outlast a restart: the program keeps the text that homes() makes.
//
// Laws: a try counts as wrong from when it is asked for until it turns out otherwise, so many at
// once are too many, too. What is remembered is bounded. A badge has at most 16 homes: one more
// takes the place of its own oldest one, and never of another badge's. No clock of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class LoginThrottle {
 public:
  using Uptime = std::chrono::microseconds;
  // How many wrong ones are free; how long the next waits then, and at most.
  struct Pace {
    unsigned free = 0;
    std::chrono::seconds first{};
    std::chrono::seconds most{};
  };
  static constexpr Pace of_place{3, std::chrono::seconds(60), std::chrono::seconds(900)};
  static constexpr Pace of_badge{10, std::chrono::seconds(60), std::chrono::seconds(3'600)};
  static constexpr Pace of_stations{20, std::chrono::seconds(60), std::chrono::seconds(3'600)};
  static constexpr std::chrono::hours at_home_for{7 * 24};
  static constexpr std::chrono::hours remembered_for{24};
  static constexpr std::size_t places_max = 8'192;  // that wrong PINs came from
  static constexpr std::size_t homes_of_badge_max = 16;

  // Did this person's right PIN come from there lately?
  [[nodiscard]] bool is_trusted_origin(const Badge& badge, const std::string& place,
                                       Uptime uptime) const;
  // Of who is not at home: how long until his PIN may be looked at; nullopt: now.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const Badge& badge,
                                                            const std::string& place,
                                                            Uptime uptime) const;
  // A PIN of somebody who is not at home is going to be looked at: wrong, until one of the others.
  void note_try(const Badge& badge, const std::string& place, Uptime uptime);
  // It was not looked at after all.
  void take_back(const Badge& badge, const std::string& place);
  // It was wrong: it is counted.
  void note_wrong(const Badge& badge);
  // It was right: a home from now on. Of somebody who was at home already, too.
  void note_right(const Badge& badge, const std::string& place, Uptime uptime);
  // The wrong ones since the last call, by badge.
  [[nodiscard]] std::map<Badge, std::uint64_t> take_counts() { return std::exchange(counts_, {}); }
  [[nodiscard]] bool has_counts() const { return !counts_.empty(); }

  // Homes as a text: a line for each, with tabs between badge, place and the microseconds since
  // 1970 of its last right PIN.
  [[nodiscard]] std::string homes(Uptime uptime, Timestamp now) const;
  // Takes what homes() made. False: it is no such text, and nothing is taken.
  [[nodiscard]] bool take_homes(std::string_view text, Uptime uptime, Timestamp now);
  // Another one when homes() says something new: a home more, or one used an hour later.
  [[nodiscard]] std::uint64_t homes_version() const { return homes_version_; }

 private:
  struct Wrong {
    unsigned count = 0;
    Uptime last{};
    bool is_of_station = false;  // the last one
  };
  using Pair = std::pair<Badge, std::string>;
  // Did anybody's right PIN come from there lately?
  [[nodiscard]] bool is_shared_terminal(const std::string& place, Uptime uptime) const;
  void make_room_for_home(const Badge& badge, const std::string& place);
  static std::chrono::microseconds left(const Wrong& wrong, const Pace& pace, Uptime uptime);

  std::map<Pair, Wrong> by_place_;
  std::map<Badge, Wrong> by_badge_;           // from addresses that are no stations
  std::map<Badge, Wrong> by_badge_stations_;  // from stations
  std::map<Badge, std::uint64_t> counts_;
  std::uint64_t homes_version_ = 0;
  std::map<Pair, Uptime> homes_;  // the last right PIN
};

}  // namespace linkmeter
