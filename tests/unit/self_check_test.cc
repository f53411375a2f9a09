// The self-check over a journal in memory: what passes, what fails and by which name, and what a
// quick check believes.
#include "controller/self_check.h"

#include <optional>
#include <string>

#include "controller/memory_journal.h"
#include "meters/codec/journal_codec.h"
#include "tests/support/one_table_house.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter::self_check_test {
namespace {

// The link's row with another book in it, as if a sound program had written it.
Row other_link_row(const State& state) {
  LinkBook book = state.link(LinkPlace(0));
  book.levels[0].hits += 1;
  const State other = State::restored(state.last_entry(), state.floor(), {book},
                                      {state.desk(TablePlace(0))}, state.claims());
  Changes changes;
  changes.links.insert(LinkPlace(0));
  return rows_for(other, changes).front();
}

// What a controller appends when its check is over.
void append_check(Journal& journal, const std::vector<Check>& checks) {
  const Head head = journal.head();
  Entry entry;
  entry.number = head.entry.next();
  entry.fact = fact_of(checks, Digest{}, head, false, "test");
  journal.commit({encode(entry)}, {});
}

const std::vector<Check> passed{{"journal", "", ""}};
const std::vector<Check> failed{{"journal", "", ""}, {"balances", "LINK differs", ""}};

}  // namespace

TEST_CASE("a sound journal passes, fully and quickly, with the state that it gives") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  house.lock("r1");
  for (const auto& quick : {std::optional<Digest>(), std::optional<Digest>(Digest{})}) {
    const JournalProof proof = prove(journal, quick);
    CHECK(failure_text({proof.journal, proof.balances}) == "");
    REQUIRE(proof.state);
    CHECK(*proof.state == house.state());
  }
}

TEST_CASE("a state that is another, though every law holds, is found by the full check") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  house.lock("r1");
  journal.commit({}, {other_link_row(house.state())});
  const JournalProof proof = prove(journal);
  CHECK(proof.journal.failure == "");
  CHECK(proof.balances.failure.find("link LINK differs") != std::string::npos);
  CHECK_FALSE(proof.state);
}

TEST_CASE("a quick check goes from the last check that passed, past those that failed") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  CHECK_FALSE(last_passed(journal));
  append_check(journal, failed);
  CHECK_FALSE(last_passed(journal));
  const Head before = journal.head();
  append_check(journal, passed);
  CHECK(last_passed(journal).value().head == before);
  append_check(journal, failed);
  CHECK(last_passed(journal).value().head == before);
  const JournalProof proof = prove(journal, Digest{});
  CHECK(failure_text({proof.journal, proof.balances}) == "");
  REQUIRE(proof.state);
  CHECK(proof.state->last_entry() == EntryNumber(4));
}

TEST_CASE("the last passed check is found however many entries came after it") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  const Head before = journal.head();
  append_check(journal, passed);
  Entry entry;
  for (const std::uint64_t until : {1'025U, 1'026U, 5'000U}) {
    std::vector<std::string> entries;
    while (journal.head().entry.value() + entries.size() < until) {
      entry.number = EntryNumber(journal.head().entry.value() + entries.size() + 1);
      entry.fact = ClockChanged{1};
      entries.push_back(encode(entry));
    }
    journal.commit(entries, {});
    CAPTURE(until);
    CHECK(last_passed(journal).value().head == before);
    CHECK(prove(journal, Digest{}).state.value().last_entry() == EntryNumber(until));
  }
}

TEST_CASE("a check that vouches for another entry than the one before it is not believed") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  house.lock("r1");
  Entry entry;
  entry.number = EntryNumber(3);
  entry.fact = fact_of(passed, Digest{}, Head{EntryNumber(1), Digest{}}, false, "test");
  journal.commit({encode(entry)}, {});
  CHECK_FALSE(last_passed(journal));
  CHECK(prove(journal).journal.failure.find("entry 3") != std::string::npos);
  CHECK(prove(journal, Digest{}).journal.failure.find("entry 3") != std::string::npos);
}

TEST_CASE("with another manifest than the last check's, everything is checked") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  Entry entry;
  entry.number = EntryNumber(2);
  Digest sealed{};
  sealed[0] = 1;
  entry.fact = fact_of(passed, sealed, journal.head(), false, "test");
  journal.commit({encode(entry)}, {});
  CHECK(prove(journal, sealed).is_quick);
  CHECK_FALSE(prove(journal, Digest{}).is_quick);
  CHECK_FALSE(prove(journal).is_quick);
}

TEST_CASE("words that repeat what is no text can be read again from the journal") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  // A file's name is whatever bytes it is; and words may be cut in the middle of a character.
  for (const std::string& words : {std::string("caf\xe9.toml: is not there"),
                                   std::string(limits::check_words_max - 1, 'x') + "\u30ea"}) {
    Entry entry;
    entry.number = journal.head().entry.next();
    entry.fact = fact_of({{"software", words, ""}}, Digest{}, journal.head(), false, "test");
    const std::optional<Entry> again = decode_entry(encode(entry));
    REQUIRE(again);
    CHECK(again->fact == entry.fact);
  }
}

TEST_CASE("a check that vouches for another hash is not believed either") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  Entry entry;
  entry.number = EntryNumber(2);
  entry.fact = fact_of(passed, Digest{}, Head{EntryNumber(1), Digest{}}, false, "test");
  journal.commit({encode(entry)}, {});
  for (const auto& quick : {std::optional<Digest>(), std::optional<Digest>(Digest{})}) {
    CHECK(prove(journal, quick).journal.failure.find("entry 2") != std::string::npos);
  }
}

TEST_CASE("what failed is told, and how much of it an entry may hold") {
  const std::vector<Check> checks{{"software", "", "9 files"}, {"balances", "LINK differs", ""}};
  CHECK(table(checks) ==
        "self-check software       ok      9 files\nself-check balances       FAILED\n");
  CHECK(failure_text(checks) ==
        "the self-check failed, so nothing operates: balances: LINK differs");
  const Head head{EntryNumber(7), Digest{}};
  const SelfChecked fact = fact_of(checks, Digest{}, head, true, "1.2");
  CHECK(fact.failures == std::vector<SelfChecked::Failure>{{"balances", "LINK differs"}});
  CHECK(fact.verified == EntryNumber(7));
  CHECK(fact.quick);
  const SelfChecked cut =
      fact_of({{"software", std::string(5'000, 'x'), ""}}, Digest{}, head, false, "");
  CHECK(cut.failures.at(0).words == std::string(limits::check_words_max, 'x'));
}

}  // namespace linkmeter::self_check_test
