// Lockout: whether this table may take progressive wagers now, and if not, why (L5, L3). Sensors,
// drivers and people follow it. The base game always continues.
//
// Laws: a locked table begins no round. It is locked before the controller's first Welcome, and
// from a silence of the floor's lost_after until a new Welcome has come and every earlier message
// is acknowledged. It is also locked while it is frozen, and when it has exceeded its pace. A
// suspended link locks its own wagers only. Rounds that have begun always continue, and are
// delivered once.
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
    none,                   // open
    no_controller,          // no message from it yet, or none for lost_after
    catching_up,            // welcome again, but an earlier message is not acknowledged
    configuration_differs,  // the controller has other parameters of this table in force
    history_not_accepted,   // it was restored from a backup, and that is not accepted yet
    frozen,                 // a person, or the controller itself, froze the table
    another_agent,          // another agent with the table's key is connected
    pace_exceeded,          // the table sent more than its pace allows; later messages wait
  };
  Cause cause = Cause::no_controller;
  std::vector<SuspendedLink> suspended = {};  // of the table's links, as reported last
  std::string frozen = {};                    // why; "": it is not frozen
  friend bool operator==(const Lockout&, const Lockout&) = default;

  [[nodiscard]] bool is_open() const { return cause == Cause::none; }
  // Whether the controller is connected and serves this table.
  [[nodiscard]] bool is_linked() const {
    return is_open() || cause == Cause::catching_up || cause == Cause::frozen ||
           cause == Cause::pace_exceeded;
  }
};

// "no_controller"
std::string_view name(Lockout::Cause cause);

// The log lines about a table's lock-out: one line for each change.
class LockoutChange {
 public:
  // `lost_after_us`: as in Connection::Intervals.
  LockoutChange(TableId table, std::int64_t lost_after_us)
      : table_(std::move(table)), lost_after_us_(lost_after_us) {}

  // The lines for the changes since the last call; `now` measures intervals only. Until the table
  // was open once, the only lines are about causes that people must remove, and suspended links.
  [[nodiscard]] std::vector<std::string> note(const Lockout& lockout, Timestamp now);

 private:
  // Why the table is locked; "": the reason is the connection.
  [[nodiscard]] std::string cause_text(const Lockout& lockout) const;

  TableId table_;
  Lockout last_;
  bool was_open_ = false;
  Timestamp locked_at_;
  std::int64_t lost_after_us_;
};

// "2 s", "0.25 s": whole milliseconds, rounded down.
std::string text_seconds(std::int64_t microseconds);

}  // namespace linkmeter
