// YearFund: a day's work of the house's people on its funds of pots (§ 553.20): they adjust the
// display, count the boxes, carry them to the cage and verify them there; and the faults planted in
// that.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/property/dice.h"
#include "tests/year/year_fault.h"
#include "tests/year/year_house.h"

namespace linkmeter {

class YearFund {
 public:
  YearFund(YearHouse& house, Dice& dice, const std::set<YearFault>& faults)
      : house_(house), dice_(dice), faults_(faults) {}

  [[nodiscard]] std::vector<LinkIndex> funds() const;
  // Before the day ends: each day, to what finance keeps (§ 553.20(h)).
  void adjust_displays();
  // After the day: box by box, and all of a fund to the cage in one container (§ 553.20(d), (e)).
  void count_boxes(GamingDay day);
  // What the day's report must say about the planted faults.
  [[nodiscard]] const std::map<std::string, YearFault>& expected() const { return expected_; }

 private:
  [[nodiscard]] bool has(YearFault fault) const { return faults_.contains(fault); }
  void expect(YearFault fault, const std::string& item) { expected_.emplace(item, fault); }
  TableIndex any_table();
  void carry(const std::map<LinkIndex, MoveFund>& containers);
  void count_funds(GamingDay day);

  YearHouse& house_;
  Dice& dice_;
  const std::set<YearFault>& faults_;
  std::map<std::string, YearFault> expected_;
};

}  // namespace linkmeter
