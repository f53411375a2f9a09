#include "controller/lmdb_journal.h"

#include <lmdb.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "tests/journal/journal_contract.h"
#include "tests/journal/lmdb_store.h"
#include "tests/support/scoped_directory.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter {
namespace {

struct NewJournal {
  ScopedDirectory directory;
  std::filesystem::path path = directory.path() / "journal";
  explicit NewJournal(std::size_t map_bytes = LmdbJournal::map_bytes_default) {
    LmdbJournal::create(path, map_bytes);
  }
};

// LMDB forbids a process to open one store twice, so readers beside a writer are processes.
template <class Work>
bool holds_in_another_process(Work work) {
  const pid_t child = ::fork();
  CHECK(child >= 0);
  if (child == 0) {
    bool held = false;
    try {
      held = work();
    } catch (...) {
      held = false;
    }
    ::_exit(held ? 0 : 1);
  }
  int status = 0;
  CHECK(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("no durability is traded for speed") {
  const NewJournal fresh;
  constexpr unsigned int bargains = MDB_NOSYNC | MDB_NOMETASYNC | MDB_WRITEMAP | MDB_MAPASYNC;
  const auto journal = LmdbJournal::open(fresh.path);
  CHECK((journal->environment_flags() & bargains) == 0);
  CHECK((journal->environment_flags() & (MDB_NOLOCK | MDB_RDONLY)) == 0);
}

TEST_CASE("only the owner may read the files") {
  const NewJournal fresh;
  for (const char* name : {"data.mdb", "lock.mdb", "controller.lock"}) {
    struct stat status {};
    REQUIRE(::stat((fresh.path / name).c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600U);
  }
}

TEST_CASE("what was committed is there after the journal was closed") {
  const NewJournal fresh;
  Head head;
  {
    const auto journal = LmdbJournal::open(fresh.path);
    journal->commit({"one", "two"}, {{"key", "value"}});
    head = journal->head();
  }
  const auto journal = LmdbJournal::open(fresh.path);
  CHECK(journal->head() == head);
  journal->commit({"three"}, {});
  CHECK(entries_from(*journal, 1).size() == 3);
  CHECK(entries_from(*journal, 3).at(0).hash == seal(head.hash, EntryNumber(3), "three"));
  CHECK(journal->rows() == std::vector<Row>{{"key", "value"}});
}

TEST_CASE("a journal is made only where nothing is, and opened only where one is") {
  const NewJournal fresh;
  CHECK(contains(fault_of([&] { LmdbJournal::create(fresh.path); }), fresh.path.string()));
  const auto nowhere = fresh.directory.path() / "nowhere";
  CHECK(contains(fault_of([&] { LmdbJournal::open(nowhere); }), "no journal"));
  CHECK(contains(fault_of([&] { LmdbJournal::open_to_read(nowhere); }), "no journal"));
  CHECK_FALSE(std::filesystem::exists(nowhere));

  const auto garbage = fresh.directory.path() / "garbage";
  std::filesystem::create_directory(garbage);
  std::ofstream(garbage / "data.mdb") << std::string(20'000, 'x');
  CHECK(contains(fault_of([&] { LmdbJournal::open(garbage); }), garbage.string()));
}

TEST_CASE("a second writer is refused as long as the first is there") {
  const NewJournal fresh;
  auto first = LmdbJournal::open(fresh.path);
  CHECK(contains(fault_of([&] { LmdbJournal::open(fresh.path); }), "another controller"));
  CHECK(holds_in_another_process([&] {
    return contains(fault_of([&] { LmdbJournal::open(fresh.path); }), "another controller");
  }));
  first->commit({"the first goes on"}, {});
  first.reset();
  CHECK(LmdbJournal::open(fresh.path)->head().entry == EntryNumber(1));
}

TEST_CASE("a full map is a fault, and nothing of that commit is written") {
  const NewJournal fresh(std::size_t{256} << 10U);
  auto journal = LmdbJournal::open(fresh.path, std::size_t{256} << 10U);
  const std::string bytes(20'000, 'x');
  std::string fault;
  std::uint64_t committed = 0;
  while (committed < 100 && fault.empty()) {
    fault = fault_of([&] {
      journal->commit({bytes, bytes}, {{"committed", std::to_string(committed + 1)}});
      ++committed;
    });
  }
  CHECK(contains(fault, "map is full"));
  REQUIRE(committed > 0);
  CHECK(journal->map_used_fraction() > 0.5);
  CHECK(journal->map_used_fraction() <= 1.0);
  CHECK(journal->head().entry == EntryNumber(2 * committed));

  journal.reset();
  journal = LmdbJournal::open(fresh.path);
  CHECK(journal->map_used_fraction() < 0.01);
  CHECK(journal->head().entry == EntryNumber(2 * committed));
  CHECK(entries_from(*journal, 1).size() == 2 * committed);
  CHECK(journal->rows() == std::vector<Row>{{"committed", std::to_string(committed)}});
  journal->commit({"more room"}, {});
  CHECK(journal->head().entry == EntryNumber(2 * committed + 1));
}

TEST_CASE("a reader works beside the writer and sees one moment") {
  const NewJournal fresh;
  const auto writer = LmdbJournal::open(fresh.path);
  writer->commit({"one"}, {{"key", "1"}});
  CHECK(holds_in_another_process([&] {
    const auto reader = LmdbJournal::open_to_read(fresh.path);
    return reader->head() == writer->head() && entries_from(*reader, 1).size() == 1;
  }));

  // The child opens, tells, waits until the writer has committed, and looks again.
  int opened[2] = {}, committed[2] = {};
  REQUIRE(::pipe(opened) == 0);
  REQUIRE(::pipe(committed) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const auto reader = LmdbJournal::open_to_read(fresh.path);
    char byte = 'x';
    bool held = ::write(opened[1], &byte, 1) == 1 && ::read(committed[0], &byte, 1) == 1;
    held = held && reader->head().entry == EntryNumber(1) && entries_from(*reader, 1).size() == 1 &&
           reader->rows() == std::vector<Row>{{"key", "1"}};
    ::_exit(held ? 0 : 1);
  }
  char byte = 0;
  REQUIRE(::read(opened[0], &byte, 1) == 1);
  writer->commit({"two"}, {{"key", "2"}});
  REQUIRE(::write(committed[1], &byte, 1) == 1);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  for (const int file : {opened[0], opened[1], committed[0], committed[1]}) ::close(file);

  CHECK(holds_in_another_process([&] {
    const auto reader = LmdbJournal::open_to_read(fresh.path);
    return reader->head().entry == EntryNumber(2) &&
           reader->rows() == std::vector<Row>{{"key", "2"}};
  }));
}

TEST_CASE("a head that is not the last entry keeps the writer out, but not the auditor") {
  const NewJournal fresh;
  LmdbJournal::open(fresh.path)->commit({"one", "two", "three"}, {});
  {
    LmdbStore store(fresh.path);
    auto entries = store.records("journal");
    entries.pop_back();
    store.replace("journal", entries);
  }
  CHECK(contains(fault_of([&] { LmdbJournal::open(fresh.path); }), "the last entry is 2"));
  const auto reader = LmdbJournal::open_to_read(fresh.path);
  CHECK(reader->head().entry == EntryNumber(3));
  CHECK(entries_from(*reader, 1).size() == 2);
}

TEST_CASE("a journal of another format is not touched") {
  const NewJournal fresh;
  {
    LmdbStore store(fresh.path);
    auto meta = store.records("meta");
    REQUIRE(meta.at(0).first == "format");
    meta[0].second.back() = 2;
    store.replace("meta", meta);
  }
  CHECK(contains(fault_of([&] { LmdbJournal::open(fresh.path); }), "format"));
  CHECK(contains(fault_of([&] { LmdbJournal::open_to_read(fresh.path); }), "format"));
}

}  // namespace linkmeter
