#include <doctest/doctest.h>
#include <string>

#include "controller/store/lmdb_journal.h"
#include "tests/journal/journal_contract.h"
#include "tests/support/memory_journal.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::journal_contract_test {

TEST_CASE("the journal in memory passes the contract tests") {
  journal_contract([] { return std::make_unique<MemoryJournal>(); });
}

TEST_CASE("the journal on disk passes the contract tests") {
  const ScopedDirectory directory;
  int made = 0;
  journal_contract([&] {
    const auto path = directory.path() / std::to_string(++made);
    LmdbJournal::create(path);
    return LmdbJournal::open(path);
  });
}

TEST_CASE("the journal in memory fails one commit when it is told to") {
  MemoryJournal journal;
  journal.commit({"one"}, {{"key", "1"}});
  const Head head = journal.head();
  journal.fail_next_commit();
  CHECK_THROWS_AS(journal.commit({"two"}, {{"key", "2"}}), Fault);
  CHECK(journal.head() == head);
  CHECK(entries_from(journal, 1).size() == 1);
  CHECK(journal.rows() == std::vector<Row>{{"key", "1"}});
  journal.commit({"two"}, {{"key", "2"}});
  CHECK(journal.head().entry == EntryNumber(2));
}

}  // namespace linkmeter::journal_contract_test
