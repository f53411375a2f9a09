#include "config/reader/timezone.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/scoped_directory.h"
#include "tests/support/small_floor.h"

namespace linkmeter::timezone_test {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("a timezone is a file of the system's zones") {
  const ScopedDirectory directory;
  const std::filesystem::path zones = directory.path() / "zoneinfo";
  write(zones / "America/New_York", "TZif2...");
  write(zones / "UTC", "TZif2");
  write(zones / "zone.tab", "# no zone");
  write(zones / "empty", "");
  write(directory.path() / "outside", "TZif2");
  for (const char* name : {"America/New_York", "UTC"}) {
    CAPTURE(name);
    CHECK(is_timezone(name, zones));
  }
  const std::string absolute = (directory.path() / "outside").string();
  for (const std::string& name :
       {std::string("Mars/Olympus"), std::string("America"), std::string("America/"),
        std::string("zone.tab"), std::string("empty"), std::string(""), std::string("../outside"),
        std::string("America/../UTC"), std::string("America/.."), std::string("./UTC"),
        std::string("America//New_York"), std::string("/UTC"), absolute}) {
    CAPTURE(name);
    CHECK_FALSE(is_timezone(name, zones));
  }
}

TEST_CASE("without a zone database any plausible name is accepted") {
  const ScopedDirectory directory;
  const std::filesystem::path absent = directory.path() / "zoneinfo";
  CHECK(is_timezone("Mars/Olympus", absent));
  CHECK_FALSE(is_timezone("../outside", absent));
  CHECK_FALSE(is_timezone("/etc/passwd", absent));
  CHECK_FALSE(is_timezone("", absent));
}

TEST_CASE("a floor file names a timezone of this system") {
  const ScopedDirectory directory;
  const auto path = directory.path() / "floor.toml";
  const auto read = [&](const std::string& timezone) {
    const std::string text = replaced(floor_text, "America/New_York", timezone);
    std::ofstream(path) << text;
    const auto result = read_floor(path, LINKMETER_SOURCE_DIR "/config/catalogue");
    const auto* const violations = std::get_if<Violations>(&result);
    if (violations == nullptr) return std::string();
    REQUIRE_EQ(violations->size(), 1);
    CHECK_EQ(violations->front().line, line_of(text, timezone));
    return violations->front().message;
  };
  const std::string sentence =
      R"(house.timezone is "../UTC"; it is a name of the tz database, "America/New_York")";
  CHECK_EQ(read("../UTC"), sentence);
  CHECK_EQ(read("America/New_York"), "");
  const bool zones_known = std::filesystem::is_directory(system_zones);
  CHECK_EQ(read("Mars/Olympus").empty(), !zones_known);
}

// Reading a journaled floor does not depend on the timezones that this system knows.
TEST_CASE("a floor that is only parsed may name any timezone") {
  CHECK(violations_of(replaced(floor_text, "America/New_York", "Mars/Olympus")).empty());
}

}  // namespace linkmeter::timezone_test
