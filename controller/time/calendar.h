// Calendar: when gaming days begin and end, in local time.
//
// Laws: a day begins at the configured start time on its date and ends when the next day begins, so
// days follow each other without a gap. A day may have 23 or 25 hours. A start time that the clock
// change skips becomes the first moment after the gap; one that occurs twice is the first of the
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
  // zone, or if `start` is not a time of day.
  Calendar(std::string zone, std::string_view start);

  [[nodiscard]] Timestamp begin(GamingDay day) const;
  [[nodiscard]] Timestamp end(GamingDay day) const { return begin(day.next()); }
  // The day that contains the moment.
  [[nodiscard]] GamingDay day_of(Timestamp moment) const;
  [[nodiscard]] const std::string& zone() const { return zone_; }

 private:
  std::string zone_;
  std::chrono::minutes start_{};
};

}  // namespace linkmeter
