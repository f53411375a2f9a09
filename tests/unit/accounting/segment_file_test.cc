// Segments: entries as stored, in a file that shows where it is damaged.
#include "controller/accounting/evidence/segment_file.h"

#include <doctest/doctest.h>
#include <fstream>
#include <string>
#include <vector>

#include "proto/host/atomic_file.h"
#include "tests/support/memory_journal.h"
#include "tests/support/one_table_house.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::segment_file_test {
namespace {

struct House {
  MemoryJournal journal;
  ScopedDirectory directory;
  std::filesystem::path path = directory.path() / "run.segment";
  std::vector<StoredEntry> entries;

  House() {
    OneTableHouse house(journal);
    house.lock("r1");
    house.win("r1");
    house.close("r1");
    house.lock("r2");
    house.close("r2");
    journal.read(EntryNumber(1), [&](const StoredEntry& stored) {
      entries.push_back(stored);
      return true;
    });
  }
  void store(const std::string& bytes) const {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
};

}  // namespace

TEST_CASE("a segment returns the entries exactly as stored") {
  const House house;
  const Segment written = write_segment(house.journal, EntryNumber(2), EntryNumber(5), house.path);
  CHECK(written.before == Head{EntryNumber(1), house.entries[0].hash});
  CHECK(written.last == Head{EntryNumber(5), house.entries[4].hash});
  CHECK(written.entries == 4);
  std::vector<StoredEntry> read;
  const SegmentReading reading = read_segment(house.path, [&](const StoredEntry& stored) {
    read.push_back(stored);
    return true;
  });
  CHECK(reading.wrong == "");
  CHECK(reading.segment == written);
  REQUIRE(read.size() == 4);
  for (std::size_t at = 0; at < 4; ++at) {
    CHECK(read[at].number == house.entries[at + 1].number);
    CHECK(read[at].hash == house.entries[at + 1].hash);
    CHECK(read[at].bytes == house.entries[at + 1].bytes);
  }
}

TEST_CASE("the whole journal is a segment that begins with zeros") {
  const House house;
  const Segment written = write_segment(house.journal, EntryNumber(1), EntryNumber(6), house.path);
  CHECK(written.before == Head{});
  CHECK(read_segment(house.path).wrong == "");
}

TEST_CASE("every changed byte, cut and extension of a segment file is detected") {
  const House house;
  write_segment(house.journal, EntryNumber(2), EntryNumber(5), house.path);
  const std::string whole = read_file(house.path).value();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    house.store(changed);
    CAPTURE(at);
    CHECK(read_segment(house.path).wrong != "");
    house.store(whole.substr(0, at));
    CHECK(read_segment(house.path).wrong != "");
  }
  house.store(whole + '\0');
  CHECK(read_segment(house.path).wrong == "1 bytes follow its end");
}

TEST_CASE("the first bad entry is named by its number") {
  const House house;
  write_segment(house.journal, EntryNumber(2), EntryNumber(5), house.path);
  const std::string whole = read_file(house.path).value();
  // The header; then for each entry before: mark, number, length, bytes, hash.
  const std::size_t header = 20 + 8 + 32;
  const std::size_t second = header + 1 + 8 + 4 + house.entries[1].bytes.size() + 32;
  std::string changed = whole;
  changed[second + 13] = static_cast<char>(changed[second + 13] ^ 0x40);
  house.store(changed);
  SegmentReading reading = read_segment(house.path);
  REQUIRE(reading.bad);
  CHECK(reading.bad->number == EntryNumber(3));
  CHECK(reading.segment.last.entry == EntryNumber(2));
  CHECK(reading.wrong.starts_with("the first bad entry is entry 3: its hash does not match"));

  // An entry is removed.
  const std::size_t third = second + 1 + 8 + 4 + house.entries[2].bytes.size() + 32;
  house.store(whole.substr(0, second) + whole.substr(third));
  reading = read_segment(house.path);
  REQUIRE(reading.bad);
  CHECK(*reading.bad == BadEntry{EntryNumber(3), "it is missing"});
  house.store(whole.substr(0, third + 5));
  CHECK(read_segment(house.path).bad.value().number == EntryNumber(4));
}

TEST_CASE("only the next entry of the chain is written, and an unfinished file leaves nothing") {
  const House house;
  {
    SegmentWriter writer(house.path, Head{EntryNumber(1), house.entries[0].hash});
    writer.add(house.entries[1]);
    CHECK_THROWS_AS(writer.add(house.entries[3]), Fault);
  }
  CHECK(std::filesystem::is_empty(house.directory.path()));
  CHECK_THROWS_WITH_AS(write_segment(house.journal, EntryNumber(5), EntryNumber(9), house.path),
                       "the journal does not have entry 7", Fault);
  CHECK(std::filesystem::is_empty(house.directory.path()));
}

TEST_CASE("a file that is not a segment, or promises more than it has, is rejected") {
  const House house;
  CHECK(read_segment(house.directory.path() / "none").wrong == "cannot read it");
  house.store("linkmeter segment 2\n");
  CHECK(read_segment(house.path).wrong.starts_with("not a journal segment"));
  std::string promise = "linkmeter segment 1\n" + std::string(7, '\0') + "\1" +
                        std::string(32, '\0') + "e" + std::string(7, '\0') + "\1" +
                        "\xff\xff\xff\xff";
  house.store(promise);
  CHECK(read_segment(house.path).bad.value().number == EntryNumber(1));
}

}  // namespace linkmeter::segment_file_test
