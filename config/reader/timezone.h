// Timezone: is a name one of the tz database, as this system has it? A misspelt name would move the
// gaming day without a word. And when does a day begin there?
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

#include "meters/values/timestamp.h"

namespace linkmeter {

inline constexpr const char* system_zones = "/usr/share/zoneinfo";

// `zones` holds one file for each name. Where it does not exist every relative path will do that
// does not leave it.
bool is_timezone(std::string_view name, const std::filesystem::path& zones);

// When the day begins in the zone; where a clock change leaves its midnight out, with the change.
// nullopt: this system does not have the zone, or the day is after 2037.
std::optional<Timestamp> midnight(std::string_view name, std::chrono::year_month_day day);

}  // namespace linkmeter
