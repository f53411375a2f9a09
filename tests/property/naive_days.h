// What the model keeps of an ended gaming day, and what an entry about a day must contain.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/values/gaming_day.h"
#include "meters/values/timestamp.h"
#include "tests/property/naive_link.h"

namespace linkmeter {

struct NaiveDay {
  GamingDay day;
  std::uint64_t ended = 0;  // the entry
  Timestamp ends_at;
  std::vector<std::uint64_t> facts;  // entries with reports, counts and explanations of the day
  // How often a person has stated one thing: "C-1 box 3 2".
  std::map<std::string, int> said;
  std::string signed_by, closed_by;
  std::uint64_t signed_with = 0, closed_with = 0;  // entries; 0: not signed
  Digest report{};

  // Nothing was stated about it since it was signed.
  [[nodiscard]] bool stands() const {
    return signed_with != 0 && (facts.empty() || facts.back() < signed_with);
  }
};

struct NaiveDaySaid {
  GamingDay day;
  Timestamp ends_at;
  std::vector<NaiveBook> books;  // of a reading, by link
  ShownAmounts shown;            // by link and level, in the size of the floor
  std::vector<SeenAmount> seen = {};
  std::uint32_t table = 0;
  std::uint64_t from = 0, up_to = 0;
  // On each link of the table, in the floor's order.
  std::vector<LinkCount> reported = {};
  std::vector<LinkCount> counted = {};
};

}  // namespace linkmeter
