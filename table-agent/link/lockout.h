// Lockout: may this table take progressive wagers at this moment, and if not, why not (L5, L3). It
// is for the sensors, the play and people; the base game goes on whatever it says.
//
// Laws: no wager is begun while the table is locked: before the controller's first Welcome, when
// nothing was heard from it for the floor's lost_after, and from then on until a new Welcome came
// and everything that was said before is acknowledged. A suspended link locks its own wagers alone.
// Rounds that are locked already go on in all of this, and are delivered once. A table that is
// frozen, or that has played faster than its pace, begins no round either.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meters/values/identity.h"
#include "meters/values/timestamp.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

struct Lockout {
  enum class Cause : std::uint8_t {
    none,           // open
    no_controller,  // not heard yet, or not for lost_after
    catching_up,    // welcome again, but not everything that was said before is acknowledged
    configuration_differs,  // the controller has other terms of this table in force
    history_not_accepted,   // it was restored from a backup, and nobody has accepted that yet
    frozen,                 // a person, or the controller itself, froze the table
    another_agent,          // that one is connected with the table's key, and is served
    pace_exceeded,          // it said more than its pace allows; what comes next waits
  };
  Cause cause = Cause::no_controller;
  std::vector<SuspendedLink> suspended = {};  // of the table's links, as last told
  std::string frozen = {};                    // why; "": it is not frozen
  friend bool operator==(const Lockout&, const Lockout&) = default;

  [[nodiscard]] bool is_open() const { return cause == Cause::none; }
  // Is the controller there and serves this table?
  [[nodiscard]] bool is_linked() const {
    return is_open() || cause == Cause::catching_up || cause == Cause::frozen ||
           cause == Cause::pace_exceeded;
  }
  // May a wager on this link be accepted now?
  [[nodiscard]] bool may_accept(const LinkId& link) const;
};

// "no_controller"
std::string_view name(Lockout::Cause cause);

// What people are told of a table's lock-out: one plain line at each change.
class LockoutChange {
 public:
  // `lost_after`: as the agent was made with.
  LockoutChange(TableId table, std::int64_t lost_after_us)
      : table_(std::move(table)), lost_after_us_(lost_after_us) {}

  // The lines for what changed since the last call; `now` as the agent's moments. Nothing is told
  // of a table that has not been open yet but which links are suspended.
  [[nodiscard]] std::vector<std::string> note(const Lockout& lockout, Timestamp now);

 private:
  TableId table_;
  Lockout last_;
  bool was_open_ = false;
  Timestamp locked_at_;
  std::int64_t lost_after_us_;
};

// "2 s", "0.25 s": whole milliseconds, rounded down.
std::string text_seconds(std::int64_t microseconds);

}  // namespace linkmeter
