#include "proto/host/local_registry.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "proto/host/fault.h"
#include "tests/support/process_limit.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::local_registry_test {
namespace {

using std::filesystem::path;

// Sets an environment variable while the object lives; nullptr: unset.
class Word {
 public:
  Word(const char* name, const char* value) : name_(name) {
    if (const char* before = ::getenv(name)) before_ = before;
    say(value);
  }
  Word(const Word&) = delete;
  Word& operator=(const Word&) = delete;
  ~Word() { say(before_ ? before_->c_str() : nullptr); }

 private:
  void say(const char* value) {
    if (value == nullptr) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, value, 1);
    }
  }
  const char* name_;
  std::optional<std::string> before_;
};

// This user's state folder.
class StateHome {
 public:
  [[nodiscard]] const path& folder() const { return folder_.path(); }

 private:
  ScopedDirectory folder_;
  Word state_{"XDG_STATE_HOME", folder_.path().c_str()};
};

}  // namespace

TEST_CASE("a controller is found by the endpoint at which it listens") {
  const StateHome home;
  CHECK_FALSE(registered_controller("tcp://127.0.0.1:7001").has_value());
  register_controller("tcp://127.0.0.1:7001", "/data/one");
  register_controller("tcp://10.0.0.1:7001", "/data/two");
  CHECK(registered_controller("tcp://127.0.0.1:7001") == path("/data/one"));
  CHECK(registered_controller("tcp://10.0.0.1:7001") == path("/data/two"));
  CHECK_FALSE(registered_controller("tcp://127.0.0.1:7002").has_value());
  CHECK_FALSE(registered_controller("tcp://10.0.0.2:7001").has_value());
  CHECK(std::filesystem::is_directory(home.folder() / "linkmeter" / "controllers"));
}

TEST_CASE("the last controller that listened at an endpoint counts") {
  const StateHome home;
  register_controller("tcp://127.0.0.1:7001", "/data/one");
  register_controller("tcp://127.0.0.1:7001", "/data/two");
  CHECK(registered_controller("tcp://127.0.0.1:7001") == path("/data/two"));
}

TEST_CASE("all names of this machine are equal") {
  const StateHome home;
  register_controller("tcp://0.0.0.0:7001", "/data/one");
  for (const char* host : {"127.0.0.1", "localhost", "*", "0.0.0.0", "[::1]", "[::]"}) {
    CAPTURE(host);
    CHECK(registered_controller(std::string("tcp://") + host + ":7001") == path("/data/one"));
    CHECK_FALSE(registered_controller(std::string("tcp://") + host + ":7002").has_value());
  }
}

TEST_CASE("a Unix socket is found from any folder, also if two paths differ only by a slash") {
  const StateHome home;
  const path here = std::filesystem::current_path();
  register_controller("ipc://see-it/in", "see-it/floor");
  CHECK(registered_controller("ipc://" + (here / "see-it" / "in").string()) ==
        here / "see-it" / "floor");
  CHECK(registered_controller("ipc://./see-it/../see-it/in") == here / "see-it" / "floor");
  CHECK_FALSE(registered_controller("ipc://see-it/out").has_value());
  register_controller("ipc:///a/b", "/data/one");
  register_controller("ipc:///a%2Fb", "/data/two");
  CHECK(registered_controller("ipc:///a/b") == path("/data/one"));
  CHECK(registered_controller("ipc:///a%2Fb") == path("/data/two"));
}

TEST_CASE("without $XDG_STATE_HOME the registry is in the user's home") {
  const ScopedDirectory home;
  const Word at_home("HOME", home.path().c_str());
  for (const char* state : {static_cast<const char*>(nullptr), "", "relative/state"}) {
    const Word nowhere("XDG_STATE_HOME", state);
    register_controller("tcp://127.0.0.1:7001", "/data/one");
    CHECK(registered_controller("tcp://127.0.0.1:7001") == path("/data/one"));
    const path made = home.path() / ".local" / "state" / "linkmeter";
    CHECK(std::filesystem::is_directory(made / "controllers"));
    std::filesystem::remove_all(made);
    // Without a valid home in the environment, the system's home is used. The test only reads it.
    for (const char* none : {static_cast<const char*>(nullptr), "", "relative"}) {
      const Word homeless("HOME", none);
      CHECK_FALSE(registered_controller("ipc://" + (home.path() / "in").string()).has_value());
    }
  }
}

TEST_CASE("a user without a home folder gets an error") {
  const Word nowhere("XDG_STATE_HOME", nullptr);
  const Word homeless("HOME", nullptr);
  // The system's list of users cannot be opened.
  const auto ask = [] { static_cast<void>(registered_controller("tcp://127.0.0.1:7001")); };
  CHECK_THROWS_WITH_AS(under_limit(RLIMIT_NOFILE, 0, ask), "this user has no home folder", Fault);
}

TEST_CASE("a registry file's name contains no control byte") {
  const StateHome home;
  register_controller("ipc:///a\x1b[2Jb", "/data/one");
  CHECK(registered_controller("ipc:///a\x1b[2Jb") == path("/data/one"));
  CHECK(std::filesystem::exists(home.folder() / "linkmeter/controllers/ipc:%2Fa%1B[2Jb"));
}

TEST_CASE("a registry file that cannot be replaced is reported; an empty one names no folder") {
  const StateHome home;
  const path place = home.folder() / "linkmeter/controllers/tcp:7001";
  std::filesystem::create_directories(place / "in the way");
  CHECK_THROWS_WITH_AS(register_controller("tcp://127.0.0.1:7001", "/data"),
                       doctest::Contains("tcp:7001: cannot write it: "), Fault);
  std::filesystem::remove_all(place);
  std::ofstream(place) << "\n";
  CHECK_FALSE(registered_controller("tcp://127.0.0.1:7001").has_value());
}

TEST_CASE("a registry that cannot be written is reported") {
  const StateHome home;
  std::filesystem::create_directories(home.folder() / "linkmeter");
  std::filesystem::create_symlink("/nonexistent/folder", home.folder() / "linkmeter/controllers");
  CHECK_THROWS_AS(register_controller("tcp://127.0.0.1:7001", "/data"), Fault);
  CHECK_FALSE(registered_controller("tcp://127.0.0.1:7001").has_value());
}

}  // namespace linkmeter::local_registry_test
