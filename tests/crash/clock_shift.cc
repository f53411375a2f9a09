// Preloaded into a program (LD_PRELOAD): its wall clock is wrong by the number of nanoseconds in
// the file $LINKMETER_CLOCK_SHIFT (preloaded.h), which is read at every call. Clocks for intervals
// are not changed, just as setting a system's clock does not change them.
#include <time.h>

#include "tests/crash/preloaded.h"

extern "C" int clock_gettime(clockid_t clock, timespec* moment) {
  static const auto next = linkmeter::original<decltype(clock_gettime)>("clock_gettime");
  static const volatile std::int64_t* const shift =
      linkmeter::ruling_number("LINKMETER_CLOCK_SHIFT");
  const int result = next(clock, moment);
  if (result != 0 || clock != CLOCK_REALTIME) return result;
  constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
  const std::int64_t shifted = moment->tv_sec * nanoseconds_per_second + moment->tv_nsec + *shift;
  moment->tv_sec = shifted / nanoseconds_per_second;
  moment->tv_nsec = shifted % nanoseconds_per_second;
  return result;
}
