// Exports of a journal with gaming days: the day of each entry, a ledger that balances every day, a
// file that continues after any interruption, and a file that is read back.
#include "controller/accounting/export/export_file.h"
#include "controller/store/journal_reader.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "controller/accounting/export/import_check.h"
#include "meters/rules/decide_day.h"
#include "proto/codec/journal_codec.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::export_test {
namespace {

using Records = std::vector<std::vector<std::string>>;

// Three days of Raise It Up with a round each; the third is open. Day N ends with entry 2 N + 1.
class House {
 public:
  explicit House(std::size_t rounds = 1) : rounds_(rounds) {
    write(floor_.opening);
    for (int day = 0; day < 3; ++day) {
      for (std::size_t round = 0; round < rounds_; ++round) {
        const std::string id = std::to_string(day) + "-" + std::to_string(round);
        write(floor_.take("RIU-01", lock_of(id, {{Seat(3), WagerId("raise-it-up/progressive"),
                                                  Amount::dollars(5)}})));
        write(floor_.take("RIU-01", CloseRound{RoundId(id), Badge("D-1")}));
      }
      if (day == 2) break;
      Entry entry;
      entry.number = floor_.state.last_entry().next();
      entry.recorded_at = Timestamp::from_microseconds(3'000'000);
      entry.fact = DayEnded{GamingDay::from_number(20'000 + day), entry.recorded_at,
                            reading_of(floor_.state, {})};
      floor_.state.apply(entry);
      write(entry);
    }
  }
  [[nodiscard]] const State& state() const { return floor_.state; }
  [[nodiscard]] const Journal& journal() const { return journal_; }
  [[nodiscard]] std::string exported(const ExportRequest& asked) const {
    ExportText text(asked, state(), "");
    ExportTotals totals;
    std::string all = text.head();
    const ExportRange range = export_range(asked, state());
    read_between(journal_, range.first, range.last, [&](const Entry& entry, const Digest& hash) {
      all += text.of(entry, hash, totals);
    });
    return all + text.end(totals);
  }
  [[nodiscard]] Records records(const ExportRequest& asked) const {
    std::istringstream in(exported(asked));
    CsvReader reader(in);
    Records all;
    while (auto record = reader.next()) all.push_back(std::move(*record));
    CHECK(reader.ended_well());
    return all;
  }
  void write_to(const std::filesystem::path& file, const ExportRequest& asked,
                bool replaces = false) const {
    export_to_file(journal_, state(), asked, file, replaces);
  }
  // Fails at an entry in the middle.
  void fail_to(const std::filesystem::path& file, const ExportRequest& asked,
               bool replaces = false) const {
    const auto fail = [](std::uint64_t entry) {
      if (entry == 9) throw Fault("interrupted");
    };
    CHECK_THROWS_AS(export_to_file(journal_, state(), asked, file, replaces, fail), Fault);
  }

 private:
  void write(const Entry& entry) { journal_.commit({encode(entry)}, {}); }

  std::size_t rounds_;
  MixedFloor floor_;
  MemoryJournal journal_;
};

ExportRequest asked_for(const std::string& format) {
  ExportRequest asked;
  asked.format = format;
  return asked;
}

TEST_CASE("an entry belongs to the day that ended after it, or to the open day") {
  const House house;
  // 1 opens, 2 and 3 play, 4 ends 2024-10-04; 7 ends 2024-10-05; 8 and 9 are in the open day.
  const std::vector<DayRecord>& days = house.state().days();
  CHECK_EQ(day_text(days, EntryNumber(1)), "2024-10-04");
  CHECK_EQ(day_text(days, EntryNumber(4)), "2024-10-04");
  CHECK_EQ(day_text(days, EntryNumber(5)), "2024-10-05");
  CHECK_EQ(day_text(days, EntryNumber(8)), "2024-10-06");
  CHECK_EQ(day_text({}, EntryNumber(8), "2024-10-04"), "2024-10-04");
  ExportRequest asked = asked_for("postings");
  asked.day = GamingDay::from_number(20'001);
  for (const auto& row : house.records(asked)) {
    if (row[0] == "linkmeter-postings 1") continue;
    CHECK_EQ(row[0], "5");
    CHECK_EQ(row[2], "2024-10-05");
    CHECK_EQ(row[3], "round_locked");
    CHECK_EQ(row[4], "RIU-01");
    CHECK_EQ(row[5], "1-0");
    CHECK_EQ(row[6], "3");
  }
  asked.day = GamingDay::from_number(20'002);
  CHECK_EQ(export_range(asked, house.state()), ExportRange{EntryNumber(8), EntryNumber(9)});
  asked.day = GamingDay::from_number(20'003);
  CHECK_THROWS_AS(export_range(asked, house.state()), Fault);
}

TEST_CASE("a ledger balances every day and contains each contribution to the last unit") {
  const House house;
  const Records ledger = house.records(asked_for("ledger"));
  // $5 at 14 % to the meter, at 2 % to the reserve.
  const std::vector<std::string> meter{"line", "2024-10-05", "RIU", "main", "meter",
                                       "0",    "70000000",   "1",   "USD"};
  const std::vector<std::string> day{"day",      "2024-10-05", "",  "",   "",
                                     "80000000", "80000000",   "4", "USD"};
  CHECK_EQ(std::count(ledger.begin(), ledger.end(), meter), 1);
  CHECK_EQ(std::count(ledger.begin(), ledger.end(), day), 1);
  CHECK_EQ(ledger.back()[0], "total");
  CHECK_EQ(ledger.back()[5], ledger.back()[6]);
}

TEST_CASE("a failed export leaves no file, and the next export is the same as without it") {
  const House house(20);
  for (const std::string format : {"postings", "entries", "ledger"}) {
    const ScopedDirectory folder;
    const auto file = folder.path() / "file";
    house.fail_to(file, asked_for(format));
    CHECK(std::filesystem::is_empty(folder.path()));
    // A killed program leaves a part.
    std::ofstream(file.string() + ".part", std::ios::binary) << "cut";
    house.write_to(file, asked_for(format));
    CHECK_EQ(read_file(file).value(), house.exported(asked_for(format)));
    CHECK_FALSE(std::filesystem::exists(file.string() + ".part"));
    const ImportCheck check = check_import(file, house.journal(), house.state());
    CHECK_EQ(check.why, "");
    if (format == "postings") {
      CHECK((check.balances.at({"RIU", "main", "meter"}) ==
             house.state().link(LinkIndex(0)).levels[0].pool.held.units()));
    }
  }
}

TEST_CASE("a complete export is replaced only on request, and only by a complete one") {
  const House house, other(2);
  const ScopedDirectory folder;
  const auto file = folder.path() / "file";
  house.write_to(file, asked_for("postings"));
  CHECK_THROWS_AS(house.write_to(file, asked_for("postings")), Fault);
  CHECK_EQ(check_import(file, house.journal(), house.state()).why, "");
  CHECK_NE(check_import(file, other.journal(), other.state()).why, "");
  other.fail_to(file, asked_for("postings"), true);
  CHECK_EQ(check_import(file, house.journal(), house.state()).why, "");
  other.write_to(file, asked_for("postings"), true);
  CHECK_EQ(check_import(file, other.journal(), other.state()).why, "");
  CHECK_NE(check_import(file, house.journal(), house.state()).why, "");
}

}  // namespace
TEST_CASE("an export is never written through a symbolic or hard link") {
  const House house;
  const ScopedDirectory folder;
  const std::filesystem::path victim = folder.path() / "victim", out = folder.path() / "out.jsonl";
  const std::filesystem::path part = out.string() + ".part";
  const std::string treasure = "not an export\n";
  const auto put_treasure = [&] { std::ofstream(victim, std::ios::binary) << treasure; };
  put_treasure();
  for (const bool is_hard : {false, true}) {
    CAPTURE(is_hard);
    const auto lay = [&] {
      std::filesystem::remove(part);
      is_hard ? std::filesystem::create_hard_link(victim, part)
              : std::filesystem::create_symlink(victim, part);
    };
    lay();
    CHECK_THROWS_AS(house.write_to(out, {}), Fault);
    CHECK_EQ(read_file(victim), treasure);
    lay();
    // Starts from the beginning: the link is removed, its target stays.
    house.write_to(out, {}, true);
    CHECK_EQ(read_file(victim), treasure);
    CHECK_EQ(read_file(out), house.exported({}));
    CHECK_FALSE(std::filesystem::is_symlink(out));
    CHECK_EQ(std::filesystem::hard_link_count(out), 1);
    std::filesystem::remove(out);
  }
  std::filesystem::create_symlink(folder.path() / "nowhere", part);
  CHECK_THROWS_AS(house.write_to(out, {}), Fault);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "nowhere"));
}

TEST_CASE("a dangling link at the path of an export or its totals is replaced only on request") {
  const House house;
  const ScopedDirectory folder;
  const std::filesystem::path out = folder.path() / "out.jsonl";
  for (const std::string& path : {out.string(), out.string() + ".totals.json"}) {
    CAPTURE(path);
    std::filesystem::create_symlink(folder.path() / "nowhere", path);
    CHECK_THROWS_AS(house.write_to(out, {}), Fault);
    CHECK(std::filesystem::is_symlink(path));
    std::filesystem::remove(path);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

TEST_CASE("two exports to one file do not mix") {
  const House house(20);
  const ScopedDirectory folder;
  const std::filesystem::path out = folder.path() / "out.jsonl";
  const std::string part = out.string() + ".part";
  std::ofstream(part, std::ios::binary) << "theirs";
  {
    const FileDescriptor other(::open(part.c_str(), O_RDONLY | O_CLOEXEC));
    REQUIRE_EQ(::flock(other.get(), LOCK_EX), 0);  // as by an export that runs
    for (const bool replaces : {false, true}) {
      CHECK_THROWS_WITH_AS(house.write_to(out, {}, replaces),
                           doctest::Contains("another export is writing it"), Fault);
    }
    CHECK_EQ(read_file(part).value(), "theirs");
  }
  // The part is replaced while this export writes: its bytes are not attested, and not removed.
  const auto replace = [&](std::uint64_t /*entry*/) {
    std::filesystem::remove(part);
    std::ofstream(part, std::ios::binary) << "theirs";
  };
  CHECK_THROWS_WITH_AS(
      export_to_file(house.journal(), house.state(), ExportRequest(), out, false, replace),
      doctest::Contains("another program has replaced it"), Fault);
  CHECK_EQ(read_file(part).value(), "theirs");
  CHECK_FALSE(std::filesystem::exists(out));
  CHECK_FALSE(std::filesystem::exists(out.string() + ".totals.json"));
}

TEST_CASE("another user's file is replaced only on request") {
  // Only root can create files of other users; otherwise there is no such file to refuse.
  if (::geteuid() != 0) return;
  constexpr uid_t nobody = 65'534;
  const House house;
  const ScopedDirectory folder;
  const std::filesystem::path out = folder.path() / "out.csv";
  const std::string part = out.string() + ".part";
  std::ofstream(part, std::ios::binary) << "theirs";
  REQUIRE_EQ(::chown(part.c_str(), nobody, nobody), 0);
  CHECK_THROWS_WITH_AS(house.write_to(out, asked_for("postings")),
                       doctest::Contains("another user's file"), Fault);
  CHECK_EQ(read_file(part).value(), "theirs");
  CHECK_FALSE(std::filesystem::exists(out));
  house.write_to(out, asked_for("postings"), true);
  CHECK_EQ(read_file(out).value(), house.exported(asked_for("postings")));
  struct stat status {};
  REQUIRE_EQ(::stat(out.c_str(), &status), 0);
  CHECK_EQ(status.st_uid, ::geteuid());
}

}  // namespace linkmeter::export_test
