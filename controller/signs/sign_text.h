// Sign text: what a sign with one line of letters says of a link, and for how long that is true.
//
// Laws: an amount is said only as the controller published it, whole cents, and only while it is
// not older than its maximum age; a newer one never gives way to an older. What is not fresh, is
// suspended, or waits for an adjustment, is said in plain words instead of an amount. A sign keeps
// what it was last told, so whoever drives it takes the amount away before he goes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meters/values/timestamp.h"

namespace linkmeter {

// A MeterUpdate of the feed (proto/wire.proto), as far as a sign with letters says it.
struct SignUpdate {
  struct Level {
    std::string level;
    std::int64_t amount_cents = 0;
    friend bool operator==(const Level&, const Level&) = default;
  };
  struct Award {
    std::uint64_t claim = 0;
    std::string table;
    std::int64_t amount_cents = 0;
    bool is_pending = false;   // raised, and not validated yet
    bool is_rejected = false;  // it was no win
    friend bool operator==(const Award&, const Award&) = default;
  };
  std::string link;
  std::uint64_t sequence = 0;
  Timestamp as_of;
  std::uint32_t maximum_age_ms = 0;
  bool is_suspended = false;
  bool waits_for_adjustment = false;
  std::vector<Level> levels;
  std::vector<Award> awards;  // the latest first
  bool is_stopped = false;    // no wager counts any more
  bool has_ended = false;
  std::string went_to = {};  // where its amount went: "POKER-2 main"
  friend bool operator==(const SignUpdate&, const SignUpdate&) = default;
};

class SignText {
 public:
  // How long a win stands on the sign, and how long at a time where several do: each has its first
  // turn whole, one after the other.
  static constexpr std::int64_t win_us = 30'000'000, turn_us = 10'000'000;

  // `level`: only this one; "": all.
  explicit SignText(std::string level = "") : level_(std::move(level)) {}

  // `uptime` measures how long ago it came; `wall` is this machine's clock, which tells of an
  // update that was long on its way. Older ones than it has are ignored.
  void note(const SignUpdate& update, Timestamp uptime, Timestamp wall);
  // "MEGA $50,000.90  MAJOR $5,000.70", "C4-MEGA NOT AVAILABLE".
  [[nodiscard]] std::string words(Timestamp uptime) const;
  // Nothing came yet, or what came is too old.
  [[nodiscard]] bool is_stale(Timestamp uptime) const;
  [[nodiscard]] const std::optional<SignUpdate>& latest() const { return latest_; }

 private:
  struct Win {
    std::uint64_t claim = 0;
    Timestamp begins, until;
  };
  void note_wins(Timestamp uptime);
  // The win whose turn it is; null: none stands on the sign.
  [[nodiscard]] const SignUpdate::Award* win_at(Timestamp uptime) const;
  [[nodiscard]] const SignUpdate::Award* award(std::uint64_t claim) const;

  std::string level_;
  std::optional<SignUpdate> latest_;
  Timestamp came_at_;
  std::uint64_t known_claim_ = 0;  // the awards of the first update were before this sign began
  std::vector<Win> wins_;          // that still stand, as they came
};

}  // namespace linkmeter
