// The self-check over a journal in memory: what passes, what fails and under which name, and what a
// quick check trusts.
#include "controller/integrity/self_check.h"

#include <doctest/doctest.h>
#include <optional>
#include <string>

#include "proto/codec/journal_codec.h"
#include "tests/support/memory_journal.h"
#include "tests/support/one_table_house.h"

namespace linkmeter::self_check_test {
namespace {

// The link's row with other balances, as a correct program would encode it.
Row other_link_row(const State& state) {
  LinkBalances book = state.link(LinkIndex(0));
  book.levels[0].hits += 1;
  const State other = State::restored(state.last_entry(), state.floor(), {book},
                                      {state.session(TableIndex(0))}, state.claims());
  Changes changes;
  changes.links.insert(LinkIndex(0));
  return rows_for(other, changes).front();
}

State state_of(const Journal& journal) {
  return read_state(journal.head().entry, journal.rows()).state.value();
}

// An entry with the rows that it changes, as a controller writes it.
void append(Journal& journal, const Fact& fact) {
  State state = state_of(journal);
  Entry entry;
  entry.number = journal.head().entry.next();
  entry.fact = fact;
  state.apply(entry);
  journal.commit({encode(entry)}, rows_for(state, state.take_changes()));
}

// The entry that a controller appends after its check.
void append_check(Journal& journal, const std::vector<Check>& checks) {
  append(journal, fact_of(checks, Digest{}, journal.head(), false, "test"));
}

std::optional<LastPassed> last_of(const Journal& journal) {
  return last_passed(journal, state_of(journal));
}

ProofSettings quickly(const Digest& manifest = {}) { return {manifest}; }

const std::vector<Check> passed{{"journal", "", ""}};
const std::vector<Check> failed{{"journal", "", ""}, {"balances", "LINK differs", ""}};

}  // namespace

TEST_CASE("a sound journal passes the full and the quick check") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  house.lock("r1");
  for (const ProofSettings& terms : {ProofSettings(), quickly()}) {
    const JournalProof proof = prove(journal, terms);
    CHECK(failure_text({proof.journal, proof.balances}) == "");
    REQUIRE(proof.state);
    CHECK(*proof.state == house.state());
  }
}

TEST_CASE("a wrong state that breaks no law is found by the full check") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  house.lock("r1");
  journal.commit({}, {other_link_row(house.state())});
  const JournalProof proof = prove(journal);
  CHECK(proof.journal.failure == "");
  CHECK(proof.balances.failure.find("link LINK differs") != std::string::npos);
  CHECK_FALSE(proof.state);
}

TEST_CASE("a quick check begins at the last check if that one passed") {
  MemoryJournal journal;
  const OneTableHouse house(journal);
  CHECK_FALSE(last_of(journal));
  append_check(journal, failed);
  CHECK_FALSE(last_of(journal));
  const Head before = journal.head();
  append_check(journal, passed);
  CHECK(last_of(journal).value().head == before);
  CHECK(prove(journal, quickly()).is_quick);
  // A quick check is trusted only with trusts_quick; otherwise the whole journal might never be
  // proved.
  append(journal, fact_of(passed, Digest{}, journal.head(), true, "test"));
  CHECK_FALSE(prove(journal, quickly()).is_quick);
  ProofSettings believing = quickly();
  believing.trusts_quick = true;
  CHECK(prove(journal, believing).is_quick);
  // The entry does not say what failed, so everything is checked again.
  append_check(journal, failed);
  CHECK_FALSE(last_of(journal));
  const JournalProof proof = prove(journal, quickly());
  CHECK_FALSE(proof.is_quick);
  CHECK(failure_text({proof.journal, proof.balances}) == "");
  REQUIRE(proof.state);
  CHECK(proof.state->last_entry() == EntryNumber(5));
}

TEST_CASE("a quick check verifies the chain of all entries after the last check, and no others") {
  MemoryJournal journal;
  const OneTableHouse house(journal);
  const Head before = journal.head();
  append_check(journal, passed);
  std::vector<std::string> entries;
  Entry entry;
  constexpr std::uint64_t until = 5'000;
  for (std::uint64_t number = 3; number <= until; ++number) {
    entry.number = EntryNumber(number);
    entry.fact = ClockChanged{1};
    entries.push_back(encode(entry));
  }
  journal.commit(entries, {});
  CHECK(last_of(journal).value().head == before);
  const JournalProof whole = prove(journal, quickly());
  CHECK(whole.state.value().last_entry() == EntryNumber(until));
  CHECK_EQ(whole.journal.summary, "5000 entries, chained from 1 on");
  ProofSettings terms = quickly();
  terms.chained_most = 100;
  const JournalProof part = prove(journal, terms);
  CHECK(part.is_quick);
  CHECK(part.state.value().last_entry() == EntryNumber(until));
  CHECK_EQ(part.journal.summary, "5000 entries, chained from 4900 on");
}

TEST_CASE("a recorded check of another entry than the one before it is not trusted") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  house.lock("r1");
  append(journal, fact_of(passed, Digest{}, Head{EntryNumber(1), Digest{}}, false, "test"));
  CHECK_FALSE(last_of(journal));
  CHECK(prove(journal).journal.failure.find("entry 3") != std::string::npos);
  CHECK(prove(journal, quickly()).journal.failure.find("entry 3") != std::string::npos);
}

TEST_CASE("with another manifest than at the last check, everything is checked") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  Digest sealed{};
  sealed[0] = 1;
  append(journal, fact_of(passed, sealed, journal.head(), false, "test"));
  CHECK(prove(journal, quickly(sealed)).is_quick);
  CHECK_FALSE(prove(journal, quickly()).is_quick);
  CHECK_FALSE(prove(journal).is_quick);
}

TEST_CASE("messages that quote malformed text can be read back from the journal") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  // A file name may have any bytes; and a text may be cut in the middle of a character.
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

TEST_CASE("a recorded check of another hash is not trusted") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  append(journal, fact_of(passed, Digest{}, Head{EntryNumber(1), Digest{}}, false, "test"));
  for (const ProofSettings& terms : {ProofSettings(), quickly()}) {
    CHECK(prove(journal, terms).journal.failure.find("entry 2") != std::string::npos);
  }
}

TEST_CASE("the failures are journaled up to the size limit of an entry") {
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
