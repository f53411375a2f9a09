// An entry as one line of JSON, with names instead of indexes: the output of `linkmeter export`. An
// index that the floor does not have, as in a forged entry, is printed as "#999".
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "controller/view/json.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/entry.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// `floor` is the floor in force at the entry (entry 1: its own).
std::string entry_json(const Entry& entry, const Floor& floor, const Digest& hash);

// The amounts of a pool that postings change, by their names in a reading.
inline constexpr std::array<std::pair<const char*, Amount PoolBalances::*>, 9> pool_amounts{
    {{"amount", &PoolBalances::held},
     {"withheld", &PoolBalances::withheld},
     {"pending", &PoolBalances::pending},
     {"paid", &PoolBalances::paid},
     {"contributed", &PoolBalances::contributed},
     {"seeded", &PoolBalances::seeded},
     {"corrected", &PoolBalances::corrected},
     {"transferred", &PoolBalances::transferred},
     {"overflowed", &PoolBalances::overflowed}}};

// [{"link":"C4-MEGA","levels":[{"level":"mega","amount":"...","shown":"...",...}],"tables":[...]}]
Json reading_json(const Reading& reading, const Floor& floor);

Json table_counts_json(const std::vector<TableCount>& counts, const Floor& floor);

}  // namespace linkmeter
