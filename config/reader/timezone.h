// Timezone: checks that a name is in this system's tz database, and computes when a day begins
// there. A misspelt name would move the gaming day silently.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

#include "meters/values/timestamp.h"

namespace linkmeter {

inline constexpr const char* system_zones = "/usr/share/zoneinfo";

// `zones` holds one file for each name. If it does not exist, every relative path that stays inside
// it is accepted.
bool is_timezone(std::string_view name, const std::filesystem::path& zones);

// The moment at which the day begins in the zone. If a clock change skips midnight, the moment of
// the change. nullopt: this system does not have the zone, or the day is after 2037.
std::optional<Timestamp> midnight(std::string_view name, std::chrono::year_month_day day);

}  // namespace linkmeter
