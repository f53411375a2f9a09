#include "controller/time/recorded_time.h"

#include <algorithm>

namespace linkmeter {
namespace {

using std::chrono::microseconds;

microseconds difference(const RecordedTime::Moment& moment) {
  return microseconds(moment.system.microseconds()) - moment.steady;
}

}  // namespace

RecordedTime::RecordedTime(Moment start, const Terms& terms)
    : step_max_(terms.step_max),
      closed_max_(terms.closed_max),
      needs_synchronised_(terms.was_synchronised),
      ahead_(microseconds(terms.not_before.microseconds()) - start.steady),
      told_(ahead_ - terms.lead),
      difference_(difference(start)),
      trusted_(told_),
      drifted_at_(start.steady),
      wrong_at_(start.steady),
      last_(terms.not_before) {
  if (terms.not_before == Timestamp()) {
    is_starting_ = false;
    ahead_ = told_ = trusted_ = difference_;
  }
  static_cast<void>(at(start));
}

Timestamp RecordedTime::at(Moment moment) {
  difference_ = difference(moment);
  if (const auto fault = fault_at(moment)) {
    if (!fault_) fault_ = fault;
    wrong_at_ = moment.steady;
  } else if (!fault_ || moment.steady - wrong_at_ >= settled_after) {
    fault_.reset();
    follow(moment.steady);
  }
  last_ = std::max(last_, Timestamp::from_microseconds((ahead_ + moment.steady).count()));
  return last_;
}

std::optional<ClockFault> RecordedTime::fault_at(const Moment& moment) const {
  const microseconds step = difference_ - trusted_;
  if (!is_starting_) {
    return step > step_max_ || step < -step_max_ ? std::optional(ClockFault::stepped)
                                                 : std::nullopt;
  }
  if (step < -step_max_) return ClockFault::behind;
  if (step > std::max(closed_max_, step_max_)) return ClockFault::ahead;
  if (needs_synchronised_ && !moment.is_synchronised && step > step_max_) {
    return ClockFault::unsynchronised;
  }
  return std::nullopt;
}

void RecordedTime::follow(microseconds steady) {
  if (is_starting_) {
    // A clock that is later than the last entry is valid, however long the controller was down.
    is_starting_ = false;
    told_ = std::max(told_, difference_);
    trusted_ = difference_;
    drifted_at_ = steady;
  }
  ahead_ = std::max(ahead_, difference_);
  const microseconds most = (steady - drifted_at_) / drift_share;
  if (most <= microseconds(0)) return;
  trusted_ += std::clamp(difference_ - trusted_, -most, most);
  drifted_at_ += most * drift_share;
}

std::optional<RecordedTime::Doubt> RecordedTime::doubt() const {
  if (!fault_) return std::nullopt;
  return Doubt{*fault_, difference_ - trusted_};
}

void RecordedTime::confirm(microseconds by) {
  trusted_ += by;
  told_ = trusted_;
  is_starting_ = false;
  fault_.reset();
}

std::optional<microseconds> RecordedTime::take_change() {
  if (fault_) return std::nullopt;
  const microseconds change = difference_ - told_;
  if (change <= change_told && change >= -change_told) return std::nullopt;
  told_ = difference_;
  return change;
}

}  // namespace linkmeter
