// Clock doubt: the system's clock shows a time that is not trusted. Entries then carry the last
// trusted time plus the time that the steady clock has measured since, no gaming day ends, and
// every link is suspended (L3). A doubt ends when the clock returns, or when two managers confirm
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "meters/facts/fields.h"
#include "meters/values/identity.h"

namespace linkmeter {

// The journal holds these numbers: they never change.
enum class ClockFault : std::uint8_t {
  stepped = 1,  // it differed from the steady clock while the controller ran
  behind = 2,   // at a start: before the last entry
  ahead = 3,    // at a start: too long after the last entry
  unsynchronised =
      4,  // at a start: not synchronised, according to the kernel, but synchronised before
};

// The controller doubts the system's clock. A new doubt with another difference replaces the
// previous one.
struct ClockDoubted {
  ClockFault fault = ClockFault::stepped;
  std::int64_t by_us = 0;  // the system's clock minus the trusted time, in microseconds
  friend bool operator==(const ClockDoubted&, const ClockDoubted&) = default;

  static constexpr std::string_view fact_name = "clock_doubted";
  static auto fields(auto& fact) {
    return std::tuple(field("fault", fact.fault), field("by_us", fact.by_us));
  }
};

// The clock is right again: the doubt ends without a person.
struct ClockReturned {
  EntryNumber doubted;  // the entry of ClockDoubted
  friend bool operator==(const ClockReturned&, const ClockReturned&) = default;

  static constexpr std::string_view fact_name = "clock_returned";
  static auto fields(auto& fact) { return std::tuple(field("doubted", fact.doubted)); }
};

// Two persons confirm that the system's clock is right.
struct ConfirmClock {
  EntryNumber doubted;     // the entry of ClockDoubted
  std::int64_t by_us = 0;  // the difference in that entry
  std::string note = {};
  friend bool operator==(const ConfirmClock&, const ConfirmClock&) = default;
};

// A doubt that has not ended.
struct ClockDoubt {
  EntryNumber entry;  // of ClockDoubted
  ClockDoubted fact;
  std::vector<LinkIndex> suspended = {};  // by this doubt; other links were suspended already
  friend bool operator==(const ClockDoubt&, const ClockDoubt&) = default;
};

struct ClockStanding {
  std::optional<ClockDoubt> doubt;
  // How far recorded times are ahead of the system's clock after two managers have confirmed a
  // clock that is behind the last entry: recorded times never go back. 0: not ahead.
  std::int64_t lead_us = 0;
  friend bool operator==(const ClockStanding&, const ClockStanding&) = default;
};

// "30 d 02:00:01 ahead", "0 d 01:00:00 behind"
std::string clock_difference_text(std::int64_t by_us);
// The reason of the suspensions, for the sign, the tables and the journal.
std::string suspension_reason(EntryNumber doubted, const ClockDoubted& fact);
// "confirm the system's clock, 30 d 00:00:00 ahead of the trusted time (entry 12)"
std::string summary(const ConfirmClock& confirm);
// "stepped"
std::string_view name(ClockFault fault);

}  // namespace linkmeter
