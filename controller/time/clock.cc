#include "controller/time/clock.h"

#include <sys/timex.h>
#include <time.h>

namespace linkmeter {

using std::chrono::duration_cast;
using std::chrono::microseconds;

namespace {

// Includes the time that the machine sleeps, so that waking up does not look like a clock change.
microseconds since_boot() {
  timespec moment{};
  if (::clock_gettime(CLOCK_BOOTTIME, &moment) != 0) {
    return duration_cast<microseconds>(std::chrono::steady_clock::now().time_since_epoch());
  }
  return std::chrono::seconds(moment.tv_sec) +
         duration_cast<microseconds>(std::chrono::nanoseconds(moment.tv_nsec));
}

}  // namespace

Clock::Clock(const RecordedTime::Terms& terms) : recorded_(moment(true), terms) {}

Timestamp Clock::now() { return recorded_.at(moment(recorded_.is_starting())); }

microseconds Clock::uptime() const {
  return duration_cast<microseconds>(std::chrono::steady_clock::now() - started_);
}

bool Clock::is_synchronised() {
  timex asked{};  // modes 0: read only
  const int state = ::adjtimex(&asked);
  return state >= 0 && state != TIME_ERROR && (asked.status & STA_UNSYNC) == 0;
}

RecordedTime::Moment Clock::moment(bool is_starting) {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return {Timestamp::from_microseconds(duration_cast<microseconds>(since_1970).count()),
          since_boot(), is_starting && is_synchronised()};
}

}  // namespace linkmeter
