// Day watch: ends gaming days in the running controller, by the calendar of the parameters in
// force.
//
// Laws: serve() comes before whatever is entered with the same `now`; so no entry that moves money
// is recorded in a day that is over and has no end yet. A clock that was set is entered before the
// days that it ends: in the day that ran when it was set, whose report then says why it ended.
#pragma once

#include <chrono>
#include <optional>

#include "controller/store/journal.h"
#include "controller/time/calendar.h"
#include "controller/turn/controller.h"
#include "meters/facts/table_command.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class DayRolloverService {
 public:
  // `calendar` is that of the parameters in force. Both must outlive this.
  DayRolloverService(Controller& controller, const Journal& journal, Calendar calendar);

  // Ends every day that is over, in a commit of its own. Throws Fault if that fails: then the
  // process must end. `shown`: what the signs were told last. `clock_set`: how far the system's
  // clock was set since the last time, known as of `now` (Clock::take_change()). While the clock is
  // in doubt no day ends; those that are over end when the doubt does.
  void serve(const ShownAmounts& shown, Timestamp now,
             std::optional<std::chrono::microseconds> clock_set = {});
  [[nodiscard]] std::chrono::milliseconds time_until_due(Timestamp now) const;
  [[nodiscard]] const Calendar& calendar() const { return calendar_; }

 private:
  void follow_parameters();

  Controller& controller_;
  const Journal& journal_;
  Calendar calendar_;
  EntryNumber since_;             // the parameters that the calendar is of
  std::optional<Timestamp> due_;  // nothing: not known
};

}  // namespace linkmeter
