// An entry as one line of JSON, with names instead of indexes: the output of `linkmeter export`. An
// index that the floor does not have, as in a forged entry, is printed as "#999".
#pragma once

#include <string>

#include "controller/view/json.h"
#include "meters/facts/day_facts.h"
#include "meters/facts/entry.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// `floor` is the floor in force at the entry (entry 1: its own).
std::string entry_json(const Entry& entry, const Floor& floor, const Digest& hash);

// [{"link":"C4-MEGA","levels":[{"level":"mega","amount":"...","shown":"...",...}],"tables":[...]}]
Json reading_json(const Reading& reading, const Floor& floor);

}  // namespace linkmeter
