#include "config/reader/timezone.h"

#include <date/tz.h>

#include <array>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace linkmeter {
namespace {

// "America/New_York": no part is empty, "." or "..", so that the path stays inside the directory.
bool is_inside(std::string_view name) {
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

}  // namespace

bool is_timezone(std::string_view name, const std::filesystem::path& zones) {
  if (!is_inside(name)) return false;
  std::error_code error;
  if (!std::filesystem::is_directory(zones, error)) return true;
  const std::filesystem::path path = zones / name;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  // The directory also contains lists. A zone file begins with these four letters (RFC 8536).
  constexpr std::string_view magic = "TZif";
  std::array<char, magic.size()> head{};
  std::ifstream stream(path, std::ios::binary);
  return stream.read(head.data(), head.size()) &&
         std::string_view(head.data(), head.size()) == magic;
}

std::optional<Timestamp> midnight(std::string_view name, std::chrono::year_month_day day) {
  // Zone files list transitions up to this year; the library applies no daylight saving time after
  // it.
  constexpr std::chrono::year last_year{2037};
  if (day.year() > last_year) return std::nullopt;
  try {
    const date::local_days local(std::chrono::sys_days(day).time_since_epoch());
    const auto begins = date::locate_zone(std::string(name))->to_sys(local, date::choose::earliest);
    return Timestamp::from_microseconds(
        std::chrono::microseconds(begins.time_since_epoch()).count());
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

}  // namespace linkmeter
