// Day codec: the number of a gaming day, and what the state tables keep of a day.
#pragma once

#include <optional>

#include "meters/facts/day_facts.h"

namespace linkmeter::state {
class DayRecord;
}  // namespace linkmeter::state

namespace linkmeter::parts {

void encode_day_record(const DayRecord& record, state::DayRecord& message);
std::optional<DayRecord> decode_day_record(const state::DayRecord& message);

// Days since 1970-01-01. nullopt: no number of a day.
std::uint32_t number_of(GamingDay day);
std::optional<GamingDay> decode_day(std::uint32_t number);

}  // namespace linkmeter::parts
