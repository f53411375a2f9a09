// Timezone: is a name one of the tz database, as this system has it? A misspelt name would move the
// gaming day without a word.
#pragma once

#include <filesystem>
#include <string_view>

namespace linkmeter {

inline constexpr const char* system_zones = "/usr/share/zoneinfo";

// `zones` holds one file for each name. Where it does not exist every relative path will do that
// does not leave it.
bool is_timezone(std::string_view name, const std::filesystem::path& zones);

}  // namespace linkmeter
