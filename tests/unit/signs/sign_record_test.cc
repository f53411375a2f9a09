#include "controller/signs/sign_record.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/scoped_directory.h"

namespace linkmeter::sign_record_test {
namespace {

// A record as a file, with these two timestamps.
std::optional<SignRecord> read_back(const std::string& sent_at, const std::string& written_at) {
  const ScopedDirectory directory;
  const std::filesystem::path path = directory.path() / "BAR-1.json";
  std::ofstream(path) << R"({"sign":"BAR-1","link":"L","port":"p","driver":"plain","sent_at_us":)"
                      << sent_at << R"(,"text":"t","trouble":"","written_at_us":)" << written_at
                      << R"(,"is_live":true})";
  return read_sign_record(path);
}

}  // namespace

TEST_CASE("a sign record is read back") {
  const ScopedDirectory directory;
  const std::filesystem::path path = directory.path() / "BAR-1.json";
  const SignRecord record{"BAR-1",
                          "L",
                          "p",
                          "plain",
                          Timestamp::from_microseconds(7),
                          "text",
                          "",
                          Timestamp::from_microseconds(8),
                          true};
  write_sign_record(path, record);
  CHECK((read_sign_record(path) == record));
}

TEST_CASE("a sign record with an invalid time is rejected") {
  const auto early = read_back("-9223372036854775808", "18446744073709551615");
  REQUIRE(early.has_value());
  CHECK_EQ(early->sent_at, Timestamp());
  CHECK_GE(early->written_at, Timestamp());
  const auto late = read_back("9223372036854775807", "1");
  REQUIRE(late.has_value());
  // Its age can be computed: the difference of the two timestamps does not overflow.
  CHECK_EQ(late->sent_at, within_calendar(late->sent_at));
  CHECK_LT(age_ms(late->sent_at, Timestamp()), 0);
  for (const char* moment : {"1e300", "-1e300", "0.5", "\"7\"", "null", "true"}) {
    CAPTURE(moment);
    CHECK_FALSE(read_back(moment, "1").has_value());
    CHECK_FALSE(read_back("1", moment).has_value());
  }
}

}  // namespace linkmeter::sign_record_test
