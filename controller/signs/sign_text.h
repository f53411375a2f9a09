// SignText: the text that a one-line sign shows for a link, and how long it is valid.
//
// Laws: an amount is shown only as the controller published it, in whole cents, and only within its
// maximum age; an older update never replaces a newer one. If the link is stale, suspended or waits
// for an adjustment, words replace the amount. A sign keeps the last text it received, so its
// driver must remove the amount before it stops.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meters/values/timestamp.h"

namespace linkmeter {

// The parts of a MeterUpdate of the feed (proto/wire.proto) that a text sign shows.
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
    bool is_pending = false;   // raised, not validated yet
    bool is_rejected = false;  // it is not a win
    friend bool operator==(const Award&, const Award&) = default;
  };
  std::string link;
  std::uint64_t sequence = 0;
  Timestamp as_of;
  std::uint32_t maximum_age_ms = 0;
  bool is_suspended = false;
  bool waits_for_adjustment = false;
  std::vector<Level> levels;
  std::vector<Award> awards;  // latest first
  bool is_stopped = false;    // wagers no longer contribute
  bool has_ended = false;
  std::string went_to = {};  // the destination of its amount: "POKER-2 main"
  friend bool operator==(const SignUpdate&, const SignUpdate&) = default;
};

class SignText {
 public:
  // How long a win is shown, and how long at a time if there are several wins: each win gets its
  // first turn in full, one after the other.
  static constexpr std::int64_t win_us = 30'000'000, turn_us = 10'000'000;

  // `level`: only this one; "": all.
  explicit SignText(std::string level = "") : level_(std::move(level)) {}

  // `uptime` measures the update's age since its arrival; `wall`, this machine's clock, detects an
  // update that was delayed. Updates older than the present one are ignored.
  void note(const SignUpdate& update, Timestamp uptime, Timestamp wall);
  // "MEGA $50,000.90  MAJOR $5,000.70", "C4-MEGA NOT AVAILABLE".
  [[nodiscard]] std::string words(Timestamp uptime) const;
  // Whether no update came yet, or the last one is too old.
  [[nodiscard]] bool is_stale(Timestamp uptime) const;
  [[nodiscard]] const std::optional<SignUpdate>& latest() const { return latest_; }

 private:
  struct Win {
    std::uint64_t claim = 0;
    Timestamp begins, until;
  };
  void note_wins(Timestamp uptime);
  // The win to show; nullptr: none.
  [[nodiscard]] const SignUpdate::Award* win_at(Timestamp uptime) const;
  [[nodiscard]] const SignUpdate::Award* award(std::uint64_t claim) const;

  std::string level_;
  std::optional<SignUpdate> latest_;
  Timestamp came_at_;
  // Awards of the first update precede this sign and are not shown as wins.
  std::uint64_t known_claim_ = 0;
  std::vector<Win> wins_;  // still shown, in order of arrival
};

}  // namespace linkmeter
