#include "controller/integrity/clock_guard.h"

#include <spdlog/spdlog.h>

#include <string>

namespace linkmeter {

using std::chrono::microseconds;

ClockGuard::ClockGuard(Controller& controller, RecordedTime& recorded, microseconds step_max)
    : controller_(controller),
      recorded_(recorded),
      step_max_(step_max),
      known_(controller.state().clock().doubt) {}

void ClockGuard::begin() {
  known_ = controller_.state().clock().doubt;
  entered_at_.reset();
  is_confirmed_ = false;
}

std::set<LinkIndex> ClockGuard::serve(Timestamp now) {
  const std::optional<ClockDoubt>& standing = controller_.state().clock().doubt;
  if (known_ && !standing) {  // this guard has not journaled its end
    spdlog::warn("clock confirmed by two managers: {}", clock_difference_text(known_->fact.by_us));
    recorded_.confirm(microseconds(known_->fact.by_us));
    known_.reset();
    is_confirmed_ = true;
    return {};
  }
  const auto doubt = recorded_.doubt();
  std::set<LinkIndex> changed;
  if (!doubt) {
    if (!standing) return {};
    changed = controller_.record_clock_return(ClockReturned{standing->entry}, now).changed;
    spdlog::warn("clock trusted again: it has returned");
  } else {
    const microseconds known(standing ? standing->fact.by_us : 0);
    const bool is_known =
        standing && doubt->by - known <= step_max_ && known - doubt->by <= step_max_;
    const bool is_too_soon = standing && entered_at_ &&
                             now.microseconds() - entered_at_->microseconds() < again_after_us;
    if (is_known || is_too_soon) return {};
    changed =
        controller_.record_clock_doubt(ClockDoubted{doubt->fault, doubt->by.count()}, now).changed;
    entered_at_ = now;
    // After the commit: a reader of this line finds the links suspended.
    spdlog::error(
        "clock in doubt: {}; no day ends and every link is suspended until it returns, or "
        "two managers confirm it: linkmeter clock confirm",
        clock_difference_text(doubt->by.count()));
  }
  known_ = controller_.state().clock().doubt;
  return changed;
}

ClockGuard::TrustedTime ClockGuard::trusted_now(Clock& clock) {
  const Timestamp now = clock.now();
  std::set<LinkIndex> changed = serve(now);
  if (!take_confirmed()) return {now, std::move(changed)};
  const Timestamp confirmed = clock.now();
  changed.merge(serve(confirmed));
  return {confirmed, std::move(changed)};
}

}  // namespace linkmeter
