// Staging directories: what a killed process left beside a path is removed, and nothing else.
#include "controller/store/staging_directory.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/scoped_directory.h"

namespace linkmeter::staging_directory_test {
namespace {

std::vector<std::filesystem::path> drafts_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> drafts;
  for (const auto& found : std::filesystem::directory_iterator(folder)) {
    if (found.path().filename().string().find(".new-") != std::string::npos) {
      drafts.push_back(found.path());
    }
  }
  return drafts;
}

void killed_in_the_making_of(const std::filesystem::path& place) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const StagingDirectory draft(place);
    std::ofstream(draft.path() / "seal.key") << "secret";
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
}

}  // namespace

TEST_CASE("a staging folder left by a killed process is removed, with a message") {
  const ScopedDirectory directory;
  const std::filesystem::path place = directory.path() / "backup";
  killed_in_the_making_of(place);
  const auto left = drafts_in(directory.path());
  REQUIRE(left.size() == 1);
  CHECK(std::filesystem::exists(left[0] / "seal.key"));
  CHECK(clear_leftovers(place.string() + "/") ==
        std::vector<std::string>{left[0].string() +
                                 ": left behind by an interrupted program; removed"});
  CHECK(drafts_in(directory.path()).empty());
  CHECK(clear_leftovers(place).empty());
}

TEST_CASE("a staging folder in use is left alone and finally moved to its place") {
  const ScopedDirectory directory;
  const std::filesystem::path place = directory.path() / "backup";
  {
    StagingDirectory draft(place);
    CHECK(clear_leftovers(place).empty());
    CHECK(std::filesystem::exists(draft.path()));
    draft.move_to(place);
  }
  CHECK(std::filesystem::exists(place));
  { const StagingDirectory given_up(place); }
  CHECK(drafts_in(directory.path()).empty());
}

TEST_CASE("a staging folder of another target is named but not touched") {
  const ScopedDirectory directory;
  killed_in_the_making_of(directory.path() / "backup-monday");
  const auto left = drafts_in(directory.path());
  REQUIRE(left.size() == 1);
  const auto told = clear_leftovers(directory.path() / "backup-tuesday");
  REQUIRE(told.size() == 1);
  CHECK(told[0].starts_with(left[0].string() + ": probably left behind"));
  CHECK(std::filesystem::exists(left[0] / "seal.key"));
}

TEST_CASE("other names, files, and folders open to others are not leftovers") {
  const ScopedDirectory directory;
  const std::filesystem::path place = directory.path() / "backup";
  for (const char* name : {"backup.new-", "backup.new-AbC12", "backup.new-AbC1234",
                           "backup.new-AbC-23", "backup.old-AbC123", ".new-AbC123"}) {
    REQUIRE(::mkdir((directory.path() / name).c_str(), 0700) == 0);
  }
  REQUIRE(::mkdir((directory.path() / "backup.new-Open12").c_str(), 0755) == 0);
  std::ofstream(directory.path() / "backup.new-File12") << "?";
  std::filesystem::create_directory_symlink("backup.new-", directory.path() / "backup.new-Link12");
  CHECK(clear_leftovers(place).empty());
  CHECK(drafts_in(directory.path()).size() == 8);
}

}  // namespace linkmeter::staging_directory_test
