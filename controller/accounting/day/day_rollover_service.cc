#include "controller/accounting/day/day_rollover_service.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "controller/store/config_history.h"
#include "proto/host/fault.h"

namespace linkmeter {

using std::chrono::milliseconds;

DayRolloverService::DayRolloverService(Controller& controller, const Journal& journal,
                                       Calendar calendar)
    : controller_(controller),
      journal_(journal),
      calendar_(std::move(calendar)),
      since_(controller.state().configuration()) {}

void DayRolloverService::follow_parameters() {
  if (controller_.state().configuration() == since_) return;
  since_ = controller_.state().configuration();
  due_.reset();
  const Configuration now = configuration_in_force(journal_, controller_.state());
  const auto read = resolve_again(now.floor_text, now.catalogue_texts);
  const auto* floor = std::get_if<FloorFile>(&read);
  if (floor == nullptr) return;  // parameters that do not resolve are not confirmed
  try {
    calendar_ = Calendar(floor->timezone, floor->gaming_day_start);
  } catch (const Fault& fault) {
    // The parameters are in force, but this system cannot use their time zone. Days end by the
    // calendar of before.
    spdlog::error("gaming days end as before: {}", fault.what());
  }
}

void DayRolloverService::serve(const ShownAmounts& shown, Timestamp now,
                               std::optional<std::chrono::microseconds> clock_set) {
  if (clock_set) {
    spdlog::warn("clock changed by_us={}; recorded times go on and never back", clock_set->count());
    controller_.record_clock_change(*clock_set, now);
  }
  follow_parameters();
  if (controller_.state().clock().doubt || (due_ && now < *due_)) return;
  for (const GamingDay day : controller_.end_days(calendar_, shown, now)) {
    spdlog::info("gaming day {} ended", text(day));
  }
  due_ = controller_.day_ends_at(calendar_);
}

milliseconds DayRolloverService::time_until_due(Timestamp now) const {
  constexpr milliseconds doubted_interval{1'000};  // to notice that the clock is right again
  if (controller_.state().clock().doubt) return doubted_interval;
  if (!due_ || *due_ <= now) return milliseconds(0);
  const std::chrono::microseconds left(due_->microseconds() - now.microseconds());
  return std::chrono::ceil<milliseconds>(left);
}

}  // namespace linkmeter
