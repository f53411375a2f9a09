// Floor file: reads the house's Rules Submission from TOML into Floor and FloorRules, and validates
// it against the catalogue. All violations are reported at once, each with file, line, field and
// section.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/reader/catalogue_file.h"
#include "config/reader/violation.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// The addresses of the controller, the feed and the pages; no effect on money.
struct Endpoints {
  std::string controller = "tcp://127.0.0.1:6057";  // ROUTER; with several nodes, the first one's
  std::string feed = "tcp://127.0.0.1:6058";        // XPUB
  std::string web = {};  // address of the pages (web_address.h); "": not in the file
  // Where tables connect: one for each controller of the house. The first is `controller`.
  std::vector<std::string> controllers = {controller};
};
inline constexpr std::string_view web_default = "http://127.0.0.1:6059";

// Texts for the signs; no effect on money.
struct Notices {
  std::vector<std::string> house;
  std::vector<std::vector<std::string>> links;  // by link index
};

struct FloorFile {
  Floor floor;
  FloorRules rules;
  Endpoints endpoints;
  Notices notices;
  std::chrono::milliseconds lost_after{2'000};  // L5: silence after which a table counts as lost;
                                                // no effect on money
  // A system clock that differs from the trusted time by more than this is in doubt
  // (recorded_time.h).
  std::chrono::seconds clock_step_max{3'600};
  std::string timezone;
  std::string gaming_day_start;
  std::string text;                          // as read
  std::vector<std::string> catalogue_texts;  // as read
};

// Parses and resolves a floor. `file` is used in messages only. Floors of a journal are resolved by
// this function, so it does not depend on the timezones that this system has.
std::variant<FloorFile, Violations> parse_floor(const std::string& file, std::string_view text,
                                                const std::vector<CatalogueText>& catalogue);
// Reads `floor` and the catalogue directory, then calls parse_floor(). This system must also have
// the timezone.
std::variant<FloorFile, Violations> read_floor(const std::filesystem::path& floor,
                                               const std::filesystem::path& catalogue_directory);
// Like read_floor(), for a floor that is to be opened or changed: a Bad Beat must name its approved
// procedure of discontinuation (§ 553.20(i)). read_floor() does not require it, so that a house
// whose floor was opened without one can still start.
std::variant<FloorFile, Violations> read_new_floor(
    const std::filesystem::path& floor, const std::filesystem::path& catalogue_directory);

}  // namespace linkmeter
