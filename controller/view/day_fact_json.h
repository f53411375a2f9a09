// Day fact JSON: what an entry about gaming days says, as export tells it.
#pragma once

#include "controller/view/json.h"
#include "meters/facts/day_facts.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// [{"link":"C4-MEGA","levels":[{"level":"mega","amount":"...","shown":"...",...}],"tables":[...]}]
Json reading_json(const Reading& reading, const Floor& floor);

// Each adds its keys to the entry's object.
void tell_day_fact(const DayEnded& ended, const Floor& floor, Json& entry);
void tell_day_fact(const ReadingTaken& taken, const Floor& floor, Json& entry);
void tell_day_fact(const CountersReported& told, const Floor& floor, Json& entry);
void tell_day_fact(const CountRecorded& count, const Floor& floor, Json& entry);
void tell_day_fact(const VarianceExplained& explained, const Floor& floor, Json& entry);
void tell_day_fact(const DaySigned& first, const Floor& floor, Json& entry);
void tell_day_fact(const DayClosed& closed, const Floor& floor, Json& entry);
void tell_day_fact(const FundMoved& moved, const Floor& floor, Json& entry);
void tell_day_fact(const DisplayAdjusted& adjusted, const Floor& floor, Json& entry);

}  // namespace linkmeter
