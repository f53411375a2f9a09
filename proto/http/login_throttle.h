// LoginThrottle: wrong PINs by badge and origin, and how long the next try must wait.
//
// Wrong PINs lock an account (account_lock.h), so anybody who can try PINs could lock the whole
// house. Therefore a wrong PIN counts toward the lock, and is journaled, only from a trusted origin
// of the person: an address (or a table, or a user of the machine) from which the person's right
// PIN came within the last week, or a browser at which the same person is signed in. Another
// person's session makes no difference.
//
// From a trusted origin no try waits: the lock is the limit. From any other origin a wrong PIN
// locks nobody, but the next try waits: after three wrong PINs of one badge from one address one
// minute, and twice as long after each further one, up to fifteen minutes. Two limits apply to a
// badge over all addresses:
//   - after ten wrong PINs from addresses without anybody's right PIN, one minute, up to an hour;
//   - after twenty from shared terminals, one minute, up to an hour. A shared terminal is an
//     address from which anybody's right PIN came within the last week.
// Unknown addresses do not use up the second limit, so their tries keep nobody away from a
// terminal. A try that must wait is refused before its PIN is verified. Wrong tries are forgotten
// after a day.
//
// Wrong PINs from origins that are not trusted are counted by badge, and the controller journals
// the counts (PinsTried). Trusted origins outlast a restart: the program stores the text of
// trusted_origins().
//
// Laws: a try counts as wrong from when it is made until its PIN turns out to be right, so parallel
// tries do not exceed a limit. All tables are bounded. A badge has at most 16 trusted origins; one
// more replaces its own oldest one, and never another badge's. No clock of its own.
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
  // The number of wrong PINs that cause no wait, the first wait, and the longest one.
  struct Pace {
    unsigned free = 0;
    std::chrono::seconds first{};
    std::chrono::seconds most{};
  };
  static constexpr Pace per_origin{3, std::chrono::seconds(60), std::chrono::seconds(900)};
  static constexpr Pace per_badge{10, std::chrono::seconds(60), std::chrono::seconds(3'600)};
  static constexpr Pace per_badge_at_terminals{20, std::chrono::seconds(60),
                                               std::chrono::seconds(3'600)};
  static constexpr std::chrono::hours trusted_for{7 * 24};
  static constexpr std::chrono::hours remembered_for{24};
  static constexpr std::size_t origins_max = 8'192;  // origins of wrong PINs
  static constexpr std::size_t origins_of_badge_max = 16;

  // Whether this person's right PIN came from there within the last week.
  [[nodiscard]] bool is_trusted_origin(const Badge& badge, const std::string& origin,
                                       Uptime uptime) const;
  // How long the PIN must wait if the origin is not trusted; nullopt: not at all.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const Badge& badge,
                                                            const std::string& origin,
                                                            Uptime uptime) const;
  // A PIN from an origin that is not trusted will be verified. It counts as wrong until one of the
  // next three functions is called.
  void note_try(const Badge& badge, const std::string& origin, Uptime uptime);
  // The PIN was not verified, or it was right.
  void take_back(const Badge& badge, const std::string& origin);
  // The PIN was wrong: adds it to the counts.
  void note_wrong(const Badge& badge);
  // The PIN was right: the origin is trusted from now on. Also call it for a trusted origin.
  void note_right(const Badge& badge, const std::string& origin, Uptime uptime);
  // The wrong PINs since the last call, by badge.
  [[nodiscard]] std::map<Badge, std::uint64_t> take_counts() { return std::exchange(counts_, {}); }
  [[nodiscard]] bool has_counts() const { return !counts_.empty(); }

  // The trusted origins as a text: one a line, with tabs between the badge, the origin, and the
  // time of the last right PIN in microseconds since 1970.
  [[nodiscard]] std::string trusted_origins(Uptime uptime, Timestamp now) const;
  // Reads the text of trusted_origins(). False: it is malformed, and nothing is taken.
  [[nodiscard]] bool read_trusted_origins(std::string_view text, Uptime uptime, Timestamp now);
  // Changes if trusted_origins() changed enough to be stored: a new origin, or one used an hour
  // later.
  [[nodiscard]] std::uint64_t trusted_origins_version() const { return trusted_origins_version_; }

 private:
  struct Wrong {
    unsigned count = 0;
    Uptime last{};
    bool is_at_terminal = false;  // the last one
  };
  using Pair = std::pair<Badge, std::string>;
  // Whether anybody's right PIN came from there within the last week.
  [[nodiscard]] bool is_shared_terminal(const std::string& origin, Uptime uptime) const;
  void make_room_for_origin(const Badge& badge, const std::string& origin);
  static std::chrono::microseconds left(const Wrong& wrong, const Pace& pace, Uptime uptime);

  std::map<Pair, Wrong> by_origin_;
  std::map<Badge, Wrong> by_badge_;               // not from shared terminals
  std::map<Badge, Wrong> by_badge_at_terminals_;  // from shared terminals
  std::map<Badge, std::uint64_t> counts_;
  std::uint64_t trusted_origins_version_ = 0;
  std::map<Pair, Uptime> trusted_origins_;  // with the time of the last right PIN
};

}  // namespace linkmeter
