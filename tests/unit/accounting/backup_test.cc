// What a restored folder may not hold: if it cannot be removed, nothing is restored.
#include "controller/accounting/evidence/backup.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>

#include "controller/store/cluster_key.h"
#include "controller/store/data_folder.h"
#include "controller/store/lmdb_journal.h"
#include "controller/store/own_node.h"
#include "meters/rules/decide.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/whole_state.h"
#include "proto/host/fault.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::backup_test {
namespace {

constexpr Timestamp now = Timestamp::from_microseconds(9'000'000);

// The backup of a node's folder.
struct House {
  ScopedDirectory folder;
  const std::filesystem::path data = folder.path() / "data", backup = folder.path() / "backup",
                              restored = folder.path() / "restored";

  House() {
    std::filesystem::create_directories(keys_path(data));
    const MixedFloor floor;
    LmdbJournal::create(journal_path(data));
    LmdbJournal::open(journal_path(data))->commit({encode(floor.opening)}, rows_of(floor.state));
    make_cluster_key(data);
    write_own_node(data, {"a", true});
    static_cast<void>(back_up(data, backup, now));
  }
  // Puts a folder with a file into the place of that file, as soon as it was copied.
  [[nodiscard]] Steps in_the_way(const std::string& name) const {
    return [this, name](const std::string& step, std::uint64_t, std::uint64_t) {
      if (step != "copy") return;
      for (const auto& found : std::filesystem::directory_iterator(folder.path())) {
        const std::filesystem::path place = found.path() / name;
        if (!found.path().filename().string().starts_with("restored.new-")) continue;
        if (!std::filesystem::is_regular_file(place)) continue;
        std::filesystem::remove(place);
        std::filesystem::create_directory(place);
        std::ofstream(place / "file") << "x";
      }
    };
  }
};

}  // namespace

TEST_CASE("a folder that is no node has no name of a node and no cluster key") {
  const House house;
  REQUIRE(has_cluster_key(house.backup));
  static_cast<void>(restore(house.backup, house.restored, "", now));
  CHECK_FALSE(has_cluster_key(house.restored));
  CHECK_FALSE(read_own_node(house.restored));
}

TEST_CASE(
    "a file of the node before that cannot be removed: it is named, and nothing is restored") {
  const House house;
  std::string name;
  SUBCASE("the cluster key") { name = "keys/cluster.key"; }
  SUBCASE("the node's name") { name = "node"; }
  CHECK_THROWS_WITH_AS(
      static_cast<void>(restore(house.backup, house.restored, "", now, house.in_the_way(name))),
      doctest::Contains((name + ": cannot remove it: ").c_str()), Fault);
  CHECK_FALSE(std::filesystem::exists(house.restored));
  for (const auto& found : std::filesystem::directory_iterator(house.folder.path())) {
    CHECK_MESSAGE((found.path() == house.data || found.path() == house.backup),
                  found.path().string());
  }
}

}  // namespace linkmeter::backup_test
