// Day ends: when the running gaming day is over.
//
// Laws: each day ends after the one before it, and after everything that moved money in it, so that
// the calendar is followed wherever it can be: only where other parameters have set it, so that the
// running day would be over already, that day ends with its last entry of money. A journal without
// any day begins its first one with entry 1: usually the day of that entry; where entries of money
// were made before days were ended, the day of the last of these.
#pragma once

#include <optional>
#include <string>

#include "controller/accounting/calendar.h"
#include "controller/journal.h"
#include "meters/command.h"
#include "meters/entry.h"
#include "meters/state.h"
#include "meters/timestamp.h"

namespace linkmeter {

class DayEnds {
 public:
  // `journal` must outlive this.
  explicit DayEnds(const Journal& journal) : journal_(journal) {}

  // An entry that was made since.
  void note(const Entry& entry);
  // The running day, and when the calendar ends it. REQUIRES: `state` is what is committed.
  [[nodiscard]] DayEnd running(const State& state, const Calendar& calendar);
  // The running day, if it is over. REQUIRES: likewise.
  [[nodiscard]] std::optional<DayEnd> over(const State& state, const Calendar& calendar,
                                           Timestamp now);

 private:
  // When money was last moved in the running day. Reads that day once, if nothing was noted of it.
  [[nodiscard]] Timestamp moved(const State& state);

  const Journal& journal_;
  std::optional<Timestamp> moved_;
  std::optional<Timestamp> first_;  // a moment of the first day
};

// While no day has ended: what the running one is called. "" afterwards, and where the house's zone
// is not known. Throws Fault. REQUIRES: `state` is what is committed.
std::string first_day_text(const Journal& journal, const State& state);

}  // namespace linkmeter
