// Upgrades and rollbacks: a store whose state rows another release has written. The journal is
// whole, so its entries give the state; nothing is wrong, and nothing is suspended. version-7/ was
// written by a release whose rows have version 7: a demo floor on which three tables have dealt.
#include <filesystem>
#include <string>

#include "controller/lmdb_journal.h"
#include "controller/self_check.h"
#include "meters/codec/journal_codec.h"
#include "meters/codec/state_row.h"
#include "meters/codec/whole_state.h"
#include "proto/journal.pb.h"
#include "proto/state.pb.h"
#include "tests/support/scoped_directory.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter::upgrade_test {
namespace {

const std::filesystem::path version_7 = LINKMETER_SOURCE_DIR "/tests/journal/version-7/data.mdb";
constexpr std::uint64_t entries_of_version_7 = 115;

// A copy of the recorded store, which a test may write to.
struct OldStore {
  ScopedDirectory directory;
  std::filesystem::path path = directory.path() / "journal";
  OldStore() {
    std::filesystem::create_directory(path);
    std::filesystem::copy_file(version_7, path / "data.mdb");
  }
};

// The row as a release with another version of rows would have written it.
Row floor_row_of(const Journal& journal, std::uint32_t version) {
  state::Floor floor;
  const std::string value = journal.row("floor").value();
  REQUIRE(floor.ParseFromString(value.substr(row_checksum_size)));
  floor.set_version(version);
  const std::string content = floor.SerializeAsString();
  return Row{"floor", row_checksum("floor", content) + content};
}

bool operates(const State& state) {
  for (std::uint32_t at = 0; at < state.floor().links.size(); ++at) {
    if (!state.link(LinkPlace(at)).suspended.empty()) return false;
  }
  return true;
}

// What a start writes where it makes the rows anew.
void make_rows(Journal& journal, const State& state) {
  journal.commit({}, rows_to_mend(journal.rows(), rows_of(state)));
}

}  // namespace

TEST_CASE("a store of version 7 gives its state, and the rows made of it are believed") {
  const OldStore store;
  const auto journal = LmdbJournal::open(store.path);
  REQUIRE_EQ(journal->head().entry, EntryNumber(entries_of_version_7));
  const StateRead read = read_state(journal->head().entry, journal->rows());
  CHECK(read.is_other_version);
  CHECK_EQ(read.why,
           "the state is of version 7, and this release keeps " + std::to_string(state_version));
  std::uint64_t told = 0;
  const JournalProof proof = prove(*journal, {}, [&told](std::uint64_t now) { told = now; });
  CHECK_EQ(failure_text({proof.journal, proof.balances}), "");
  CHECK(proof.makes_rows);
  REQUIRE(proof.state);
  CHECK(operates(*proof.state));
  make_rows(*journal, *proof.state);
  const JournalProof again = prove(*journal);
  CHECK_EQ(failure_text({again.journal, again.balances}), "");
  CHECK_FALSE(again.makes_rows);
  CHECK(*again.state == *proof.state);
}

TEST_CASE(
    "back to an older release, or on to a newer one: the same, also where rows were damaged") {
  for (const std::uint32_t version : {0U, state_version - 1, state_version + 1, 4'000'000'000U}) {
    CAPTURE(version);
    const OldStore store;
    const auto journal = LmdbJournal::open(store.path);
    const State state = prove(*journal).state.value();
    make_rows(*journal, state);
    // Rows of the other release are nothing that this one could read.
    journal->commit({},
                    {floor_row_of(*journal, version), Row{"moments", "x"}, Row{"of/later", "y"}});
    const JournalProof proof = prove(*journal);
    CHECK_EQ(failure_text({proof.journal, proof.balances}), "");
    CHECK(proof.makes_rows);
    CHECK(*proof.state == state);
    make_rows(*journal, state);
    CHECK_FALSE(prove(*journal).makes_rows);
  }
}

TEST_CASE("rows of this release that are damaged are no upgrade") {
  const OldStore store;
  const auto journal = LmdbJournal::open(store.path);
  make_rows(*journal, prove(*journal).state.value());
  journal->commit({}, {Row{"moments", "x"}});
  const JournalProof proof = prove(*journal);
  CHECK_FALSE(proof.makes_rows);
  CHECK_NE(proof.balances.failure.find("linkmeter rebuild"), std::string::npos);
}

TEST_CASE("an entry of a newer release is named with the release that it needs") {
  const OldStore store;
  const auto journal = LmdbJournal::open(store.path);
  const std::string number = std::to_string(entries_of_version_7 + 1);
  journal::Entry entry;
  entry.set_number(entries_of_version_7 + 1);
  entry.set_recorded_at_us(4'000'000'000'000'000);
  entry.set_needs_reader(journal_reader + 1);
  entry.set_needs_release("9.1.0");
  journal->commit({entry.SerializeAsString()}, {});
  const JournalProof proof = prove(*journal);
  CHECK_EQ(proof.journal.failure, "the first bad entry is entry " + number +
                                      ": it needs release 9.1.0 or later; this is " +
                                      std::string(journal_reader_release));
}

TEST_CASE("an entry with a field that is not known here is not read by half") {
  const OldStore store;
  const auto journal = LmdbJournal::open(store.path);
  const State state = prove(*journal).state.value();
  const std::string bytes = encode(Entry{state.last_entry().next(),
                                         Timestamp::from_microseconds(4'000'000'000'000'000),
                                         std::nullopt,
                                         ClockChanged{7},
                                         {}});
  journal::Entry message;
  REQUIRE(message.ParseFromString(bytes));
  // by_us, and a field 99 that is not known.
  REQUIRE(message.mutable_clock_changed()->ParseFromString(std::string("\x08\x0e\x98\x06\x01", 5)));
  journal->commit({message.SerializeAsString()}, {});
  CHECK_EQ(prove(*journal).journal.failure,
           "the first bad entry is entry " + std::to_string(entries_of_version_7 + 1) +
               ": it holds what this release does not know: a newer release has written it");
}

}  // namespace linkmeter::upgrade_test
