// The outbox on disk: which table owns it, that it is synced, and what happens to a damaged or
// unfinished one.
#include <lmdb.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "proto/host/fault.h"
#include "table-agent/link/lmdb_outbox.h"
#include "tests/support/scoped_directory.h"

#include <doctest/doctest.h>

namespace linkmeter::lmdb_outbox_test {
namespace {

const TableId table("C4-01");

class Place {
 public:
  [[nodiscard]] std::filesystem::path outbox() const { return folder_.path() / "C4-01.outbox"; }

 private:
  ScopedDirectory folder_;
};

}  // namespace

TEST_CASE("LMDB outbox: no flag weakens the sync") {
  const Place place;
  const LmdbOutbox outbox(place.outbox(), table);
  CHECK((outbox.environment_flags() &
         (MDB_NOSYNC | MDB_NOMETASYNC | MDB_WRITEMAP | MDB_MAPASYNC)) == 0);
}

TEST_CASE("LMDB outbox: the folder is the owner's alone") {
  const Place place;
  const LmdbOutbox outbox(place.outbox(), table);
  using std::filesystem::perms;
  const perms others = perms::group_all | perms::others_all;
  CHECK((std::filesystem::status(place.outbox()).permissions() & others) == perms::none);
}

TEST_CASE("LMDB outbox: a second agent is refused until the first one has ended") {
  const Place place;
  auto first = std::make_unique<LmdbOutbox>(place.outbox(), table);
  CHECK_THROWS_WITH_AS(LmdbOutbox(place.outbox(), table), doctest::Contains("another agent"),
                       Fault);
  first.reset();
  CHECK_NOTHROW(LmdbOutbox(place.outbox(), table));
}

TEST_CASE("LMDB outbox: another table's outbox is refused") {
  const Place place;
  { const LmdbOutbox outbox(place.outbox(), table); }
  CHECK_THROWS_WITH_AS(LmdbOutbox(place.outbox(), TableId("C4-02")),
                       doctest::Contains("outbox of table C4-01"), Fault);
}

// After a power cut the file name may be on disk and its contents not.
TEST_CASE("LMDB outbox: an outbox whose creation was interrupted is created again") {
  const Place place;
  const auto unfinished = place.outbox() / "unfinished";
  std::filesystem::create_directories(unfinished);
  std::ofstream(unfinished / "data.mdb", std::ios::binary) << std::string(8192, '\0');
  {
    LmdbOutbox outbox(place.outbox(), table);
    outbox.append({{MessageNumber(1), "a frame"}}, {"script/a", "1"});
  }
  CHECK_FALSE(std::filesystem::exists(unfinished));
  CHECK(LmdbOutbox(place.outbox(), table).last_number() == MessageNumber(1));
}

TEST_CASE("LMDB outbox: a stored message that was damaged is not sent") {
  const Place place;
  const std::string frame = "the very frame that was stored";
  {
    LmdbOutbox outbox(place.outbox(), table);
    outbox.append({{MessageNumber(1), frame}}, {"script/a", "1"});
  }
  const auto path = place.outbox() / "data.mdb";
  std::ifstream in(path, std::ios::binary);
  std::ostringstream whole;
  whole << in.rdbuf();
  in.close();
  std::string bytes = whole.str();
  // LMDB copies pages: every copy of the frame is damaged.
  std::size_t found_count = 0;
  for (auto at = bytes.find(frame); at != std::string::npos; at = bytes.find(frame, at)) {
    bytes[at] = 'T';
    ++found_count;
  }
  REQUIRE(found_count > 0);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  CHECK_THROWS_WITH_AS(LmdbOutbox(place.outbox(), table),
                       doctest::Contains("damaged: stored message 1"), Fault);
}

}  // namespace linkmeter::lmdb_outbox_test
