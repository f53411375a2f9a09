// Day rollover service: ends gaming days in the running controller, by the calendar of the
// parameters in force.
//
// Laws: serve() runs before anything is entered with the same `now`, so no entry that moves money
// is recorded in a day that is over but has not ended. A change of the system clock is entered
// before the days that end by it: in the day that ran when it was set, whose report then shows why
// it ended.
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
  // `calendar`: by the parameters in force. Both must outlive this.
  DayRolloverService(Controller& controller, const Journal& journal, Calendar calendar);

  // Ends every day that is over, in a commit of its own. Throws Fault if that fails: then the
  // process must end. `shown`: what the signs were last sent. `clock_set`: how far the system clock
  // was set since the last time, as of `now` (Clock::take_change()). While the clock is in doubt no
  // day ends; days that are over end when the doubt does.
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
