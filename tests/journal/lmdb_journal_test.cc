#include "controller/store/lmdb_journal.h"

#include <doctest/doctest.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <utility>

#include "tests/journal/journal_contract.h"
#include "tests/journal/lmdb_store.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::lmdb_journal_test {
namespace {

struct NewJournal {
  ScopedDirectory directory;
  std::filesystem::path path = directory.path() / "journal";
  explicit NewJournal(std::size_t map_bytes = LmdbJournal::map_bytes_default) {
    LmdbJournal::create(path, map_bytes);
  }
};

// LMDB forbids a process to open one store twice, so a reader beside a writer needs its own
// process.
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

// A process that runs to a point, reports it, and continues on a signal.
class OtherProcess {
 public:
  class Child {
   public:
    Child(int told, int heard) : told_(told), heard_(heard) {}
    void tell() const {
      if (::write(told_, "x", 1) != 1) ::_exit(1);
    }
    void tell_and_wait() const {
      tell();
      char byte = 0;
      if (::read(heard_, &byte, 1) != 1) ::_exit(1);
    }

   private:
    int told_, heard_;
  };

  explicit OtherProcess(const std::function<bool(Child&)>& work) {
    // Writing to a process that has ended then fails, instead of ending this one.
    std::signal(SIGPIPE, SIG_IGN);
    CHECK(::pipe(said_) == 0);
    CHECK(::pipe(heard_) == 0);
    child_ = ::fork();
    CHECK(child_ >= 0);
    if (child_ > 0) {
      // Otherwise reads would never report the end of the other side.
      ::close(said_[1]);
      ::close(heard_[0]);
      return;
    }
    std::signal(SIGABRT, SIG_DFL);  // otherwise doctest would report the abort as its own
    Child child(said_[1], heard_[0]);
    bool held = false;
    try {
      held = work(child);
    } catch (...) {
      held = false;
    }
    ::_exit(held ? 0 : 1);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;
  ~OtherProcess() {
    kill();
    ::close(said_[0]);
    ::close(heard_[1]);
  }

  void await() const {
    char byte = 0;
    CHECK(::read(said_[0], &byte, 1) == 1);
  }
  bool go_on_to_end() {
    CHECK(::write(heard_[1], "x", 1) == 1);
    const int status = end();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  int end_signal() {
    const int status = end();
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
  void kill() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    end();
  }

 private:
  int end() {
    int status = 0;
    CHECK(::waitpid(std::exchange(child_, 0), &status, 0) > 0);
    return status;
  }

  int said_[2] = {}, heard_[2] = {};
  pid_t child_ = 0;
};

// Every commit frees pages; without readers, the commit after the next one reuses them.
void rewrite_rows(LmdbJournal& journal) {
  for (int time = 0; time < 200; ++time) {
    journal.commit({}, {{"key", std::string(1'000, static_cast<char>('a' + time % 26))}});
  }
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

TEST_CASE("the LMDB flags keep full durability") {
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

TEST_CASE("committed entries are still there after the journal was closed") {
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
  CHECK(entries_from(*journal, 3).at(0).hash == chain_hash(head.hash, EntryNumber(3), "three"));
  CHECK(journal->rows() == std::vector<Row>{{"key", "value"}});
}

TEST_CASE("a journal is created only where nothing exists, and opened only where one exists") {
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

TEST_CASE("a second writer is refused while the first one runs") {
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
  CHECK(journal->room().used_fraction > 0.5);
  CHECK(journal->room().used_fraction <= 1.0);
  CHECK(journal->head().entry == EntryNumber(2 * committed));

  journal.reset();
  journal = LmdbJournal::open(fresh.path);
  CHECK(journal->room().used_fraction < 0.01);
  CHECK(journal->head().entry == EntryNumber(2 * committed));
  CHECK(entries_from(*journal, 1).size() == 2 * committed);
  CHECK(journal->rows() == std::vector<Row>{{"committed", std::to_string(committed)}});
  journal->commit({"more room"}, {});
  CHECK(journal->head().entry == EntryNumber(2 * committed + 1));
}

TEST_CASE("a reader works beside the writer and sees one snapshot") {
  const NewJournal fresh;
  const auto writer = LmdbJournal::open(fresh.path);
  writer->commit({"one"}, {{"key", "1"}});
  CHECK(holds_in_another_process([&] {
    const auto reader = LmdbJournal::open_to_read(fresh.path);
    return reader->head() == writer->head() && entries_from(*reader, 1).size() == 1;
  }));

  OtherProcess earlier([&](OtherProcess::Child& child) {
    const auto reader = LmdbJournal::open_to_read(fresh.path);
    child.tell_and_wait();
    return reader->head().entry == EntryNumber(1) &&
           reader->rows() == std::vector<Row>{{"key", "1"}} && entries_from(*reader, 1).size() == 1;
  });
  earlier.await();
  writer->commit({"two"}, {{"key", "2"}});
  CHECK(earlier.go_on_to_end());

  CHECK(holds_in_another_process([&] {
    const auto reader = LmdbJournal::open_to_read(fresh.path);
    return reader->head().entry == EntryNumber(2) &&
           reader->rows() == std::vector<Row>{{"key", "2"}};
  }));
}

TEST_CASE("a reader that pauses between entries does not make the writer's file grow") {
  const NewJournal fresh;
  const auto writer = LmdbJournal::open(fresh.path);
  writer->commit(std::vector<std::string>(3'000, "entry"), {});
  rewrite_rows(*writer);
  const auto bytes_before = std::filesystem::file_size(fresh.path / "data.mdb");

  OtherProcess reader([&](OtherProcess::Child& child) {
    const auto journal = LmdbJournal::open_to_read(fresh.path);
    std::uint64_t visited = 0;
    journal->read(EntryNumber(1), [&](const StoredEntry& entry) {
      ++visited;
      if (visited == 1'500) child.tell_and_wait();
      return entry.number == EntryNumber(visited) && entry.bytes == "entry";
    });
    return visited == 3'000;  // and not entries after its opening
  });
  reader.await();
  writer->commit({"not for this reader"}, {});
  rewrite_rows(*writer);
  CHECK(std::filesystem::file_size(fresh.path / "data.mdb") < 2 * bytes_before);
  CHECK(reader.go_on_to_end());
}

TEST_CASE("a killed reader is cleared, and its pages are reused") {
  const NewJournal fresh;
  const auto writer = LmdbJournal::open(fresh.path);
  rewrite_rows(*writer);
  const auto bytes_before = std::filesystem::file_size(fresh.path / "data.mdb");
  OtherProcess reader([&](OtherProcess::Child& child) {
    const auto journal = LmdbJournal::open_to_read(fresh.path);
    child.tell_and_wait();
    return true;
  });
  reader.await();
  reader.kill();
  writer->maintain();
  rewrite_rows(*writer);
  CHECK(std::filesystem::file_size(fresh.path / "data.mdb") < 2 * bytes_before);
}

TEST_CASE("a reader may read repeatedly, from any entry, over many chunks") {
  const NewJournal fresh;
  {
    std::vector<std::string> bytes;
    for (int number = 1; number <= 5'000; ++number) bytes.push_back(std::to_string(number));
    LmdbJournal::open(fresh.path)->commit(bytes, {});
  }
  const auto reader = LmdbJournal::open_to_read(fresh.path);
  for (const std::uint64_t from : {1U, 2U, 1'024U, 1'025U, 4'999U, 5'000U, 5'001U}) {
    CAPTURE(from);
    const auto entries = entries_from(*reader, from);
    REQUIRE(entries.size() == 5'001 - from);
    for (std::size_t at = 0; at < entries.size(); ++at) {
      REQUIRE(entries[at].number == EntryNumber(from + at));
      REQUIRE(entries[at].bytes == std::to_string(from + at));
    }
  }
}

TEST_CASE("a reader has no rows any more after it has read entries") {
  const NewJournal fresh;
  LmdbJournal::open(fresh.path)->commit({"one"}, {{"key", "1"}});
  OtherProcess reader([&](OtherProcess::Child& child) {
    const auto journal = LmdbJournal::open_to_read(fresh.path);
    const bool had_rows = journal->rows().size() == 1 && entries_from(*journal, 1).size() == 1;
    if (had_rows) child.tell();
    return !journal->rows().empty();
  });
  reader.await();
  CHECK(reader.end_signal() == SIGABRT);
}

TEST_CASE("a head that is not the last entry stops the writer but not the auditor") {
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

}  // namespace linkmeter::lmdb_journal_test
