// Moment: the current time on two clocks. The wall clock is for display and records, the steady
// clock for durations and deadlines.
#pragma once

#include <chrono>

#include "meters/values/timestamp.h"

namespace linkmeter {

struct Moment {
  Timestamp as_of;
  std::chrono::microseconds uptime{};
  // How long ago the state was complete. A standby may lack the writer's last entries; anywhere
  // else it is 0.
  std::chrono::microseconds behind{};

  // The time of what signs and pages show of the state: they call it stale when this is too old.
  [[nodiscard]] Timestamp shown_as_of() const {
    return Timestamp::from_microseconds(as_of.microseconds() - behind.count());
  }
};

}  // namespace linkmeter
