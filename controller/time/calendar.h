// Calendar: when gaming days begin and end, by the clock on the wall of the house.
//
// Laws: a day begins at the house's start time on its date and ends where the next one begins, so
// days follow each other without a gap, and one of 23 or 25 hours is as good as any other. A start
// that the clocks skip is the first moment after the gap; one that comes twice is the first of the
// two.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "meters/values/gaming_day.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class Calendar {
 public:
  // `zone`: "America/New_York"; `start`: "06:00". Throws Fault if this system does not know the
  // zone, or the start is no time of day.
  Calendar(std::string zone, std::string_view start);

  [[nodiscard]] Timestamp begin(GamingDay day) const;
  [[nodiscard]] Timestamp end(GamingDay day) const { return begin(day.next()); }
  // The day that the moment falls in.
  [[nodiscard]] GamingDay day_of(Timestamp moment) const;
  [[nodiscard]] const std::string& zone() const { return zone_; }

 private:
  std::string zone_;
  std::chrono::minutes start_{};
};

}  // namespace linkmeter
