#include "meters/edge/local_register.h"

#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <string>

#include "meters/edge/fault.h"
#include "tests/support/scoped_directory.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter::local_register_test {
namespace {

using std::filesystem::path;

// This user's state, for as long as the test lasts.
class StateHome {
 public:
  StateHome() {
    if (const char* before = ::getenv("XDG_STATE_HOME")) before_ = before;
    ::setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
  }
  StateHome(const StateHome&) = delete;
  StateHome& operator=(const StateHome&) = delete;
  ~StateHome() {
    if (before_) {
      ::setenv("XDG_STATE_HOME", before_->c_str(), 1);
    } else {
      ::unsetenv("XDG_STATE_HOME");
    }
  }
  [[nodiscard]] const path& folder() const { return folder_.path(); }

 private:
  ScopedDirectory folder_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("a controller is found where it listens, and nowhere else") {
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

TEST_CASE("the last controller that listened there counts") {
  const StateHome home;
  register_controller("tcp://127.0.0.1:7001", "/data/one");
  register_controller("tcp://127.0.0.1:7001", "/data/two");
  CHECK(registered_controller("tcp://127.0.0.1:7001") == path("/data/two"));
}

TEST_CASE("all names of this machine are one") {
  const StateHome home;
  register_controller("tcp://0.0.0.0:7001", "/data/one");
  for (const char* host : {"127.0.0.1", "localhost", "*", "0.0.0.0", "[::1]", "[::]"}) {
    CAPTURE(host);
    CHECK(registered_controller(std::string("tcp://") + host + ":7001") == path("/data/one"));
    CHECK_FALSE(registered_controller(std::string("tcp://") + host + ":7002").has_value());
  }
}

TEST_CASE("a Unix socket is found from whatever folder, also where only a slash tells two apart") {
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

TEST_CASE("what cannot be written down is said") {
  const StateHome home;
  std::filesystem::create_directories(home.folder() / "linkmeter");
  std::filesystem::create_symlink("/nonexistent/folder", home.folder() / "linkmeter/controllers");
  CHECK_THROWS_AS(register_controller("tcp://127.0.0.1:7001", "/data"), Fault);
  CHECK_FALSE(registered_controller("tcp://127.0.0.1:7001").has_value());
}

}  // namespace linkmeter::local_register_test
