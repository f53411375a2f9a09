// The laws of controller/store/journal.h as test cases for every kind of journal. They justify the
// use of the journal in memory by the simulation.
#pragma once

#include <doctest/doctest.h>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller/store/hash_chain.h"
#include "controller/store/journal.h"

namespace linkmeter {

inline std::vector<StoredEntry> entries_from(const Journal& journal, std::uint64_t from) {
  std::vector<StoredEntry> all;
  journal.read(EntryNumber(from), [&](const StoredEntry& entry) {
    all.push_back(entry);
    return true;
  });
  return all;
}

// `make_journal` returns a new, empty journal at each call.
inline void journal_contract(const std::function<std::unique_ptr<Journal>()>& make_journal) {
  const std::unique_ptr<Journal> journal = make_journal();

  SUBCASE("a new journal is empty") {
    CHECK(journal->head() == Head{});
    CHECK(entries_from(*journal, 1).empty());
    CHECK(journal->rows().empty());
  }
  SUBCASE("entries are numbered from 1, chained, and read back as they were given") {
    journal->commit({"one", "two"}, {});
    journal->commit({"three"}, {});
    const Digest first = chain_hash(Digest{}, EntryNumber(1), "one");
    const Digest second = chain_hash(first, EntryNumber(2), "two");
    const Digest third = chain_hash(second, EntryNumber(3), "three");
    CHECK(journal->head() == Head{EntryNumber(3), third});
    const auto entries = entries_from(*journal, 1);
    REQUIRE(entries.size() == 3);
    CHECK(entries[0].number == EntryNumber(1));
    CHECK(entries[0].hash == first);
    CHECK(entries[0].bytes == "one");
    CHECK(entries[1].number == EntryNumber(2));
    CHECK(entries[1].hash == second);
    CHECK(entries[1].bytes == "two");
    CHECK(entries[2].number == EntryNumber(3));
    CHECK(entries[2].hash == third);
    CHECK(entries[2].bytes == "three");
  }
  SUBCASE("reading starts where it is told and stops when it is told") {
    journal->commit({"one", "two", "three"}, {});
    CHECK(entries_from(*journal, 0).size() == 3);
    const auto entries = entries_from(*journal, 3);
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].bytes == "three");
    CHECK(entries_from(*journal, 4).empty());
    int visited = 0;
    journal->read(EntryNumber(1), [&](const StoredEntry&) { return ++visited < 2; });
    CHECK(visited == 2);
  }
  SUBCASE("any bytes are an entry") {
    const std::string large(3'000'000, '\xff'), zeros(5, '\0');
    journal->commit({"", zeros, large}, {});
    const auto entries = entries_from(*journal, 1);
    REQUIRE(entries.size() == 3);
    CHECK(entries[0].bytes.empty());
    CHECK(entries[1].bytes == zeros);
    CHECK((entries[2].bytes == large));
  }
  SUBCASE("rows are written, written over and erased with the commit") {
    journal->commit({}, {{"b", "2"}, {"a", "1"}, {"c", "3"}});
    CHECK(journal->rows() == std::vector<Row>{{"a", "1"}, {"b", "2"}, {"c", "3"}});
    journal->commit({"entry"}, {{"b", "22"}, {"a", std::nullopt}, {"never there", std::nullopt}});
    CHECK(journal->rows() == std::vector<Row>{{"b", "22"}, {"c", "3"}});
    CHECK(journal->head().entry == EntryNumber(1));
  }
  SUBCASE("rows come back in the order of their bytes") {
    const std::vector<Row> ordered = {{std::string("a\0", 2), "0"},
                                      {"a\x01", "1"},
                                      {"a\x7f", "2"},
                                      {"a\x80", "3"},
                                      {"a\xff", "4"},
                                      {"b", "5"}};
    journal->commit({}, {ordered[5], ordered[2], ordered[0], ordered[4], ordered[1], ordered[3]});
    CHECK(journal->rows() == ordered);
  }
  SUBCASE("a commit of rows alone leaves the head") {
    journal->commit({"one"}, {});
    const Head head = journal->head();
    journal->commit({}, {{"key", "value"}});
    journal->commit({}, {});
    CHECK(journal->head() == head);
  }
  SUBCASE("how entries are spread over commits does not matter") {
    const auto other = make_journal();
    std::vector<std::string> all;
    for (int number = 0; number < 300; ++number) {
      all.push_back("entry " + std::to_string(number));
      journal->commit({all.back()}, {});
    }
    other->commit(all, {});
    CHECK(journal->head() == other->head());
    CHECK(journal->head().entry == EntryNumber(300));
  }
  SUBCASE("the head and the rows of one moment are read together") {
    CHECK(journal->stored().head == Head{});
    journal->commit({"one"}, {{"b", "2"}, {"a", "1"}});
    CHECK(journal->stored().head == journal->head());
    CHECK(journal->stored().rows == journal->rows());
  }
  SUBCASE("maintenance changes no entry and no row, and there is room for more") {
    journal->commit({"one"}, {{"key", "value"}});
    const Head head = journal->head();
    journal->maintain();
    CHECK(journal->head() == head);
    CHECK(entries_from(*journal, 1).size() == 1);
    CHECK(journal->rows() == std::vector<Row>{{"key", "value"}});
    CHECK(journal->room().bytes_free > 0);
    CHECK(journal->room().used_fraction >= 0);
    CHECK(journal->room().used_fraction < 1);
  }
  SUBCASE("a commit that cannot be done is a fault and leaves nothing behind") {
    journal->commit({"one"}, {{"key", "value"}});
    const Head head = journal->head();
    for (const std::string& key : {std::string(), std::string(512, 'k')}) {
      CHECK_THROWS_AS(journal->commit({"two"}, {{"other", "1"}, {key, "2"}}), Fault);
      CHECK(journal->head() == head);
      CHECK(entries_from(*journal, 1).size() == 1);
      CHECK(journal->rows() == std::vector<Row>{{"key", "value"}});
    }
  }
}

}  // namespace linkmeter
