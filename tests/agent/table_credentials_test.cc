#include "table-agent/link/table_credentials.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "proto/host/fault.h"
#include "proto/host/local_registry.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::table_credentials_test {
namespace {

using std::filesystem::path;

const std::string endpoint = "tcp://127.0.0.1:7001";

struct Places {
  ScopedDirectory folder;
  path given = folder.path() / "given", own = folder.path() / "own" / "C4-01.credentials";
  path controllers = folder.path() / "data" / "credentials" / "C4-01.credentials";
  std::vector<std::string> told;

  Places() {
    ::setenv("XDG_STATE_HOME", (folder.path() / "state").c_str(), 1);
    std::filesystem::create_directories(own.parent_path());
    std::filesystem::create_directories(controllers.parent_path());
  }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places() { ::unsetenv("XDG_STATE_HOME"); }

  [[nodiscard]] TableCredentials source(bool is_given = false) {
    return TableCredentials("C4-01", {is_given ? given : path(), own.parent_path(), {endpoint}},
                            [this](const std::string& line) { told.push_back(line); });
  }
};

Credentials write(const path& file, const std::string& table = "C4-01") {
  Credentials made{"table", table, make_key_pair(), make_key_pair().public_key};
  std::filesystem::remove(file);
  write_credentials(file, made);
  return made;
}

}  // namespace

TEST_CASE("named credentials come first, then copied ones, then the controller's own folder") {
  Places at;
  register_controller(endpoint, at.folder.path() / "data");
  const Credentials controllers = write(at.controllers);
  CHECK(at.source()() == controllers);
  const Credentials own = write(at.own);
  CHECK(at.source()() == own);
  const Credentials given = write(at.given);
  CHECK(at.source(true)() == given);
  CHECK(at.told.empty());
}

TEST_CASE("with several controllers on this machine, the first folder with credentials counts") {
  Places at;
  const path other = at.folder.path() / "other";
  std::filesystem::create_directories(other / "credentials");
  register_controller(endpoint, other);
  register_controller("tcp://127.0.0.1:7002", at.folder.path() / "data");
  const Credentials second = write(at.controllers);
  TableCredentials source(
      "C4-01",
      {path(), at.own.parent_path(), {"tcp://127.0.0.1:7000", endpoint, "tcp://127.0.0.1:7002"}},
      [](const std::string&) {});
  CHECK(source() == second);
  const Credentials first = write(other / "credentials" / "C4-01.credentials");
  CHECK(source() == first);
}

TEST_CASE("without credentials the agent logs once where it looks, and keeps looking") {
  Places at;
  TableCredentials source = at.source();
  for (int look = 0; look < 3; ++look) CHECK_FALSE(source().has_value());
  REQUIRE(at.told.size() == 1);
  CHECK(at.told[0].starts_with("no credentials yet: copy the table's file to " + at.own.string() +
                               ", or name it with --credentials"));
  const Credentials own = write(at.own);
  CHECK(source() == own);
}

TEST_CASE("a file that is not this table's credentials ends a starting agent and is named") {
  Places at;
  CHECK_THROWS_WITH_AS(at.source(true)(),
                       (at.given.string() + ": cannot read it: No such file or directory").c_str(),
                       Fault);
  write(at.own, "C4-02");
  CHECK_THROWS_WITH_AS(at.source()(),
                       (at.own.string() + ": is for table C4-02, not for table C4-01").c_str(),
                       Fault);
  write(at.own);
  ::chmod(at.own.c_str(), 0640);
  CHECK_THROWS_AS(at.source()(), Fault);
}

// A file may be incomplete while it is copied: half of it is there, or its mode is still wrong.
TEST_CASE("such a file does not end a running agent, which logs it once") {
  Places at;
  TableCredentials source = at.source();
  CHECK_FALSE(source().has_value());
  std::ofstream(at.own) << "linkmeter";
  for (int look = 0; look < 3; ++look) CHECK_FALSE(source().has_value());
  CHECK(at.told.size() == 2);
  const Credentials own = write(at.own);
  CHECK(source() == own);
}

}  // namespace linkmeter::table_credentials_test
