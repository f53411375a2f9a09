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

// Day fact JSON: entries about gaming days, as exported.

// [{"link":"C4-MEGA","levels":[{"level":"mega","amount":"...","shown":"...",...}],"tables":[...]}]
Json reading_json(const Reading& reading, const Floor& floor);

// Each adds its keys to the entry's object.
void add_day_fact(const DayEnded& ended, const Floor& floor, Json& entry);
void add_day_fact(const ReadingTaken& taken, const Floor& floor, Json& entry);
void add_day_fact(const CountersReported& told, const Floor& floor, Json& entry);
void add_day_fact(const CountRecorded& count, const Floor& floor, Json& entry);
void add_day_fact(const VarianceExplained& explained, const Floor& floor, Json& entry);
void add_day_fact(const DaySigned& first, const Floor& floor, Json& entry);
void add_day_fact(const DayClosed& closed, const Floor& floor, Json& entry);
void add_day_fact(const FundMoved& moved, const Floor& floor, Json& entry);
void add_day_fact(const DisplayAdjusted& adjusted, const Floor& floor, Json& entry);

}  // namespace linkmeter
