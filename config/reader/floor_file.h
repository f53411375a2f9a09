// Floor file: the house's Rules Submission as TOML -> Floor and FloorRules, held
// against the catalogue. All violations are reported at once, each with file, line, field and
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

// How an agent finds its controller, and the feed; not part of the money.
struct Endpoints {
  std::string controller = "tcp://127.0.0.1:6057";  // ROUTER
  std::string feed = "tcp://127.0.0.1:6058";        // XPUB
  std::string web = {};  // where the pages are (web_address.h); "": the file does not say
};
inline constexpr std::string_view web_default = "http://127.0.0.1:6059";

// What the house says on its signs, not part of the money either.
struct Notices {
  std::vector<std::string> house;
  std::vector<std::vector<std::string>> links;  // by place
};

struct FloorFile {
  Floor floor;
  FloorRules rules;
  Endpoints endpoints;
  Notices notices;
  std::chrono::milliseconds lost_after{2'000};  // L5: silence that makes a lost table; no money
  // A system clock that differs from the trusted time by more is in doubt (recorded_time.h).
  std::chrono::seconds clock_step_max{3'600};
  std::string timezone;
  std::string gaming_day_start;
  std::string text;                          // as read
  std::vector<std::string> catalogue_texts;  // as read
};

// Parses and resolves a floor. `file` is used in messages only. What a journal holds is resolved
// so: it does not hang on the timezones that this system happens to know.
std::variant<FloorFile, Violations> parse_floor(const std::string& file, std::string_view text,
                                                const std::vector<CatalogueText>& catalogue);
// Reads `floor` and the catalogue directory and does all of the above; the timezone must be one
// that this system knows.
std::variant<FloorFile, Violations> read_floor(const std::filesystem::path& floor,
                                               const std::filesystem::path& catalogue_directory);
// The same for a floor that is to be opened or changed: a Bad Beat must name its approved procedure
// of discontinuation (§ 553.20(i)). read_floor() does not ask that, so that a house whose floor was
// opened without one can still start.
std::variant<FloorFile, Violations> read_new_floor(
    const std::filesystem::path& floor, const std::filesystem::path& catalogue_directory);

}  // namespace linkmeter
