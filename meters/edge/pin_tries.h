// PinTries: whose PINs were tried wrongly, from where, and how long the next try waits.
//
// The rule. A person is locked after five wrong PINs in a row, and only two managers unlock him: so
// a stranger who may try could lock the whole house. Therefore a wrong PIN counts to the lock only
// where the person is at home, and is an entry of the journal only there:
//   - at a screen where somebody is signed in, who answers for what is typed there;
//   - at an address from which this person's right PIN came within the last week;
//   - at this machine itself, whose users the house has chosen.
// At home nothing waits: the lock is the bound. From anywhere else a wrong PIN locks nobody and is
// no entry, but the next one waits: after three from one address for one badge a minute, twice as
// long after each further one, up to fifteen minutes; and after ten for one badge from wherever a
// minute, up to an hour, so that many addresses find out no more than a few. Who waits is told so
// before any PIN is looked at. What is tried elsewhere concerns nobody at home, nor at any other
// address from which somebody's right PIN came within the week: it is a station of the house, and
// knows only its own wrong tries. Those are forgotten after a day. A restart forgets all of it: a
// right PIN makes a home again.
//
// Laws: a try counts as wrong from when it is asked for until it turns out otherwise, so many at
// once are too many, too. What is remembered is bounded. No clock of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "meters/identity.h"

namespace linkmeter {

class PinTries {
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
  static constexpr std::chrono::hours at_home_for{7 * 24};
  static constexpr std::chrono::hours remembered_for{24};
  static constexpr std::size_t places_max = 8'192;

  // Did this person's right PIN come from there lately?
  [[nodiscard]] bool is_at_home(const Badge& badge, const std::string& place, Uptime uptime) const;
  // Of who is not at home: how long until his PIN may be looked at; nullopt: now.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const Badge& badge,
                                                            const std::string& place,
                                                            Uptime uptime) const;
  // A PIN of somebody who is not at home is going to be looked at: wrong, until one of the others.
  void note_try(const Badge& badge, const std::string& place, Uptime uptime);
  // It was not looked at after all.
  void take_back(const Badge& badge, const std::string& place);
  // It was right: his home from now on. Of who was at home already, too.
  void note_right(const Badge& badge, const std::string& place, Uptime uptime);

 private:
  struct Wrong {
    unsigned count = 0;
    Uptime last{};
  };
  using Pair = std::pair<Badge, std::string>;
  [[nodiscard]] bool is_station(const std::string& place, Uptime uptime) const;
  static std::chrono::microseconds left(const Wrong& wrong, const Pace& pace, Uptime uptime);

  std::map<Pair, Wrong> by_place_;
  std::map<Badge, Wrong> by_badge_;
  std::map<Pair, Uptime> homes_;            // the last right PIN
  std::map<std::string, Uptime> stations_;  // anybody's
};

}  // namespace linkmeter
