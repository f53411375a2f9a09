// Files of new keys: what happens to a file that nobody confirms.
#include "controller/integrity/key_rotation.h"

#include <doctest/doctest.h>
#include <chrono>
#include <filesystem>
#include <string>
#include <variant>

#include "controller/store/data_folder.h"
#include "meters/values/limits.h"
#include "tests/support/controller_house.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::key_rotation_test {
namespace {

// A manager has proposed another PIN key.
struct House : ControllerHouse {
  ScopedDirectory folder;
  KeyRotation session{folder.path()};
  std::filesystem::path file;

  House() {
    std::filesystem::create_directories(keys_path(folder.path()));
    PersonMessage message{Badge("TGM-1"), Propose{ReplaceKey{KeyKind::pin, "", "", ""}}};
    REQUIRE_EQ(session.prepare(state(), message), "");
    const DualControlCommand& proposed = std::get<Propose>(message.act).act;
    file = next_key_path(folder.path(), std::get<ReplaceKey>(proposed));
    REQUIRE(std::filesystem::exists(file));
    ask("TGM-1", message.act);
  }
  void make_older(std::chrono::minutes by) const {
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - by);
  }
  [[nodiscard]] bool is_there_after_settling(Timestamp at) const {
    CHECK(session.settle(state(), at, /*is_start=*/false).empty());
    return std::filesystem::exists(file);
  }
};

}  // namespace

TEST_CASE("the file of a key that nobody confirmed in time is removed after five minutes") {
  House house;
  const Timestamp last_moment = house.now.after(limits::confirmation_us_max);
  house.make_older(std::chrono::minutes(4));
  CHECK(house.is_there_after_settling(last_moment.after(1)));
  house.make_older(std::chrono::minutes(2));
  CHECK(house.is_there_after_settling(last_moment));  // it can still be confirmed
  CHECK_FALSE(house.is_there_after_settling(last_moment.after(1)));
}

TEST_CASE("the file of a key that is confirmed takes its place, however old it is") {
  House house;
  house.make_older(std::chrono::minutes(6));
  house.ask("FM-1",
            Confirm{house.state().last_proposal(), summary(house.state().proposals().back().act)});
  const auto later = house.now.after(2 * limits::confirmation_us_max);
  CHECK(house.session.settle(house.state(), later, /*is_start=*/false).contains(KeyKind::pin));
  CHECK(std::filesystem::exists(key_path(house.folder.path(), KeyKind::pin)));
}

}  // namespace linkmeter::key_rotation_test
