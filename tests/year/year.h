// Year: many gaming days of a large house, closed one by one, with faults planted on random days.
//
// The judge: a day's report names the faults that were planted on that day, and nothing else. A day
// without faults is signed and closed as it is; any other day once every item is explained.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/year/year_house.h"

namespace linkmeter {

struct YearPlan {
  int days = 365;
  int rounds_per_table = 20;  // and day
  std::uint64_t seed = 1;
  int faults_of_a_kind = 3;
};

struct YearTold {
  std::vector<std::string> wrong;      // what the judge found; a sentence each
  std::map<std::string, int> planted;  // by kind: how many were found as expected
  std::uint64_t rounds = 0;
  std::uint64_t claims = 0;
  std::vector<std::chrono::microseconds> report_took;  // for each day
};

// `told` is called after every day.
YearTold live_a_year(
    YearHouse& house, const YearPlan& plan, const std::function<void(int day)>& told = [](int) {});

}  // namespace linkmeter
