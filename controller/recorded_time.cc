#include "controller/recorded_time.h"

#include <algorithm>

namespace linkmeter {
namespace {

using std::chrono::microseconds;

microseconds difference(const RecordedTime::Moment& moment) {
  return microseconds(moment.system.microseconds()) - moment.steady;
}

}  // namespace

RecordedTime::RecordedTime(Moment start, Timestamp not_before)
    : ahead_(std::max(difference(start), microseconds(not_before.microseconds()) - start.steady)),
      told_(ahead_),
      difference_(difference(start)),
      last_(not_before) {}

Timestamp RecordedTime::at(Moment moment) {
  difference_ = difference(moment);
  ahead_ = std::max(ahead_, difference_);
  last_ = std::max(last_, Timestamp::from_microseconds((ahead_ + moment.steady).count()));
  return last_;
}

std::optional<microseconds> RecordedTime::take_change() {
  const microseconds change = difference_ - told_;
  if (change <= change_told && change >= -change_told) return std::nullopt;
  told_ = difference_;
  return change;
}

}  // namespace linkmeter
