// Clock doubt: the system's clock says a time that nobody may believe yet. Entries then carry the
// last trusted time plus the time that has passed since by the steady clock, no gaming day ends,
// and every link is suspended (L3). A doubt ends when the clock returns, or when two managers
// confirm it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meters/values/identity.h"

namespace linkmeter {

// Numbers are in the journal: for ever.
enum class ClockFault : std::uint8_t {
  stepped = 1,         // while the controller ran, against the steady clock
  behind = 2,          // at a start: before the last entry
  ahead = 3,           // at a start: longer after the last entry than a house is closed
  unsynchronised = 4,  // at a start: the kernel calls it unsynchronised, and did not before
};

// The controller doubts the system's clock. Said again with another difference, it replaces the
// doubt before it.
struct ClockDoubted {
  ClockFault fault = ClockFault::stepped;
  std::int64_t by_us = 0;  // the system's clock minus the trusted time, in microseconds
  friend bool operator==(const ClockDoubted&, const ClockDoubted&) = default;
};

// The clock is as it was: the doubt ends by itself.
struct ClockReturned {
  EntryNumber doubted;  // the entry of ClockDoubted
  friend bool operator==(const ClockReturned&, const ClockReturned&) = default;
};

// By two persons: the time that the system's clock says is right.
struct ConfirmClock {
  EntryNumber doubted;     // the entry of ClockDoubted, and
  std::int64_t by_us = 0;  // what it says
  std::string note = {};
  friend bool operator==(const ConfirmClock&, const ConfirmClock&) = default;
};

// A doubt that has not ended.
struct ClockDoubt {
  EntryNumber entry;  // of ClockDoubted
  ClockDoubted fact;
  std::vector<LinkIndex> suspended = {};  // by it; the others were already
  friend bool operator==(const ClockDoubt&, const ClockDoubt&) = default;
};

struct ClockStanding {
  std::optional<ClockDoubt> doubt;
  // How far the books are ahead of the system's clock since two managers confirmed one that is
  // behind the last entry: recorded times never go back. 0: not at all.
  std::int64_t lead_us = 0;
  friend bool operator==(const ClockStanding&, const ClockStanding&) = default;
};

// "30 d 02:00:01 ahead", "0 d 01:00:00 behind"
std::string clock_difference_text(std::int64_t by_us);
// Why a link is suspended by it: for the sign, the tables and the journal.
std::string suspension_reason(EntryNumber doubted, const ClockDoubted& fact);
// "confirm the system's clock, 30 d 00:00:00 ahead of the trusted time (entry 12)"
std::string summary(const ConfirmClock& confirm);
// "stepped"
std::string_view name(ClockFault fault);

}  // namespace linkmeter
