// Upgrades and rollbacks: a store whose state rows another release has written. The journal is
// complete, so its entries give the state; nothing is wrong, and nothing is suspended. version-7/
// was written by a release whose rows have version 7: a demo floor on which three tables have
// dealt.
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

#include "controller/integrity/self_check.h"
#include "controller/store/lmdb_journal.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/whole_state.h"
#include "proto/host/release.h"
#include "proto/journal.pb.h"
#include "proto/state.pb.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::upgrade_test {
namespace {

const std::filesystem::path version_7 = LINKMETER_SOURCE_DIR "/tests/journal/version-7/data.mdb";
constexpr std::uint64_t entries_of_version_7 = 115;

// A copy of the recorded store that a test may change.
struct OldStore {
  ScopedDirectory directory;
  std::filesystem::path path = directory.path() / "journal";
  OldStore() {
    std::filesystem::create_directory(path);
    std::filesystem::copy_file(version_7, path / "data.mdb");
  }
};

// The row as a release with another row version would have written it.
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
    if (!state.link(LinkIndex(at)).suspended.empty()) return false;
  }
  return true;
}

// Writes the rows that a start writes when it rebuilds them.
void make_rows(Journal& journal, const State& state) {
  journal.commit({}, rows_to_mend(journal.rows(), rows_of(state)));
}

}  // namespace

TEST_CASE("a journal of state version 7 gives its state, and the rebuilt rows are accepted") {
  const OldStore store;
  const auto journal = LmdbJournal::open(store.path);
  REQUIRE_EQ(journal->head().entry, EntryNumber(entries_of_version_7));
  const StateRead read = read_state(journal->head().entry, journal->rows());
  CHECK(read.is_other_version);
  CHECK_EQ(read.why, "the state is of version 7, and this release keeps " +
                         std::to_string(this_release().state_version));
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

TEST_CASE("after a downgrade or an upgrade the rows are rebuilt, also if rows were damaged") {
  const std::uint32_t ours = this_release().state_version;
  for (const std::uint32_t version : {0U, ours - 1, ours + 1, 4'000'000'000U}) {
    CAPTURE(version);
    const OldStore store;
    const auto journal = LmdbJournal::open(store.path);
    const State state = prove(*journal).state.value();
    make_rows(*journal, state);
    // This release cannot read rows of the other release.
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

TEST_CASE("damaged rows of this release are damage, not an upgrade") {
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
                                      std::string(this_release().name));
}

TEST_CASE("an entry may name a newer release than it needs, if this one is as new") {
  const Entry entry{EntryNumber(2), {}, std::nullopt, ClockChanged{7}, {}};
  journal::Entry message;
  REQUIRE(message.ParseFromString(encode(entry)));
  CHECK_EQ(message.needs_reader(), 0);  // every reader knows this fact
  message.set_needs_reader(journal_reader);
  message.set_needs_release("0.3.7");
  CHECK((decode_entry(message.SerializeAsString()) == entry));
  message.set_needs_reader(journal_reader + 1);
  CHECK_FALSE(decode_entry(message.SerializeAsString()).has_value());
}

TEST_CASE("an entry names the oldest release that knows its fact, and not the one that wrote it") {
  const Entry entry{EntryNumber(2), {}, std::nullopt, TableFrozen{}, {}};
  journal::Entry message;
  REQUIRE(message.ParseFromString(encode(entry)));
  CHECK_EQ(message.needs_reader(), 2);
  CHECK_EQ(message.needs_release(), "0.2.0");
  message.clear_needs_reader();
  message.clear_needs_release();
  CHECK_FALSE(decode_entry(message.SerializeAsString()).has_value());
}

TEST_CASE("an entry about a node needs the release that knows nodes") {
  const std::string key(40, 'k');
  const auto needs = [](Fact fact) {
    journal::Entry message;
    REQUIRE(message.ParseFromString(
        encode(Entry{EntryNumber(2), {}, std::nullopt, std::move(fact), {}})));
    return message.needs_release();
  };
  const auto proposed = [](DualControlCommand act) { return ActProposed{{}, std::move(act), {}}; };
  FloorOpened opened;
  opened.enrolments = {{EnrolmentKind::viewer, "feed", key}};
  CHECK_EQ(needs(opened), "");
  CHECK_EQ(needs(proposed(Enrol{{EnrolmentKind::viewer, "feed", key}})), "");
  CHECK_EQ(needs(proposed(Revoke{EnrolmentKind::table, "C4-01"})), "");
  opened.enrolments.push_back({EnrolmentKind::node, "a", key});
  CHECK_EQ(needs(opened), "0.3.0");
  CHECK_EQ(needs(proposed(Enrol{{EnrolmentKind::node, "a", key}})), "0.3.0");
  CHECK_EQ(needs(proposed(Revoke{EnrolmentKind::node, "a"})), "0.3.0");
  CHECK_EQ(needs(ActConfirmed{{}, Revoke{EnrolmentKind::node, "a"}, {}, {}}), "0.3.0");
  CHECK_EQ(needs(WriterChanged{"a", 1}), "0.3.0");
  CHECK_EQ(needs(proposed(LeaveCluster{"a", {}, {}})), "0.4.0");
}

TEST_CASE("an entry that names no release needs the one that the journal says was running") {
  const auto failure_after = [](const std::string& running) {
    const OldStore store;
    const auto journal = LmdbJournal::open(store.path);
    const State state = prove(*journal).state.value();
    const Head head = journal->head();
    const auto at = Timestamp::from_microseconds(4'000'000'000'000'000);
    const SelfChecked start{{}, {}, head.entry, head.hash, false, running};
    const std::string bytes =
        encode(Entry{head.entry.next().next(), at, std::nullopt, ClockChanged{7}, {}});
    journal->commit({encode(Entry{head.entry.next(), at, std::nullopt, start, {}}),
                     bytes + std::string("\xe2\x12\x01x", 4)},
                    {});
    return prove(*journal).journal.failure;
  };
  const std::string start_of_newer = encode(
      Entry{EntryNumber(2), {}, std::nullopt, SelfChecked{{}, {}, {}, {}, false, "9.1.0"}, {}});
  CHECK_EQ(why_unreadable(start_of_newer + std::string("\xe2\x12\x01x", 4)),
           "it needs release 9.1.0 or later; this is " + std::string(this_release().name));
  const std::string first = "the first bad entry is entry " +
                            std::to_string(entries_of_version_7 + 2) + ": ",
                    ours(this_release().name);
  for (const std::string& newer : {std::string("9.1.0"), std::string("0.10.0"), ours + ".1"}) {
    CHECK_EQ(failure_after(newer),
             first + "it needs release " + newer + " or later; this is " + ours);
  }
  for (const std::string& other : {ours, std::string("0.1.0"), std::string("nightly")}) {
    CHECK_EQ(failure_after(other),
             first + "it holds what this release does not know: a newer release has written it");
  }
}

TEST_CASE("an entry with an unknown field is not read in part") {
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
