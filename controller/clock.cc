#include "controller/clock.h"

#include <algorithm>

namespace linkmeter {

Timestamp Clock::now() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(since_1970);
  last_ = std::max(last_, Timestamp::from_microseconds(microseconds.count()));
  return last_;
}

std::chrono::microseconds Clock::uptime() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               started_);
}

}  // namespace linkmeter
