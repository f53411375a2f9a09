#include "controller/clock.h"

namespace linkmeter {

using std::chrono::duration_cast;
using std::chrono::microseconds;

Clock::Clock(Timestamp not_before) : recorded_(moment(), not_before) {}

Timestamp Clock::now() { return recorded_.at(moment()); }

microseconds Clock::uptime() const {
  return duration_cast<microseconds>(std::chrono::steady_clock::now() - started_);
}

RecordedTime::Moment Clock::moment() const {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return {Timestamp::from_microseconds(duration_cast<microseconds>(since_1970).count()), uptime()};
}

}  // namespace linkmeter
