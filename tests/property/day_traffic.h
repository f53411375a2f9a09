// DayTraffic: gaming days of a floor, from a seed: they end, mostly on time; tables report their
// counts; people read, count, explain, sign and close, in order and out of it, with the current
// report or with another one.
//
// Reports are made up: what happens to a day does not depend on the contents of its report, but on
// whether it is the report that was read, and on which items are open.
#pragma once

#include <string>

#include "tests/property/dice.h"
#include "tests/property/naive_model.h"
#include "tests/property/timed_input.h"

namespace linkmeter {

class DayTraffic {
 public:
  explicit DayTraffic(Dice dice) : dice_(dice) {}

  TimedInput next(const NaiveModel& model, Timestamp now);
  // The running day, over at `now` or a little earlier; or an invalid end of a day.
  DayEnd end(const NaiveModel& model, Timestamp now);
  TableCounters counters(const NaiveModel& model);
  void spoil(LinkCount& told);

 private:
  [[nodiscard]] Badge one_with(const NaiveModel& model, Role role);
  [[nodiscard]] GamingDay day(const NaiveModel& model);
  [[nodiscard]] ShownAmounts shown(const NaiveModel& model);
  [[nodiscard]] Amount amount();
  [[nodiscard]] std::string note();
  [[nodiscard]] LinkId link(const NaiveModel& model);
  [[nodiscard]] OperatorCommand reading(const NaiveModel& model);
  [[nodiscard]] OperatorCommand count(const NaiveModel& model);
  // The report as it would be made now, and an act that is based on it.
  [[nodiscard]] DayFinding finding(GamingDay day);
  [[nodiscard]] OperatorCommand explanation(const NaiveModel& model, const DayFinding& finding,
                                            GamingDay day);
  [[nodiscard]] TimedInput upon_report(const NaiveModel& model, Timestamp now);

  Dice dice_;
};

}  // namespace linkmeter
