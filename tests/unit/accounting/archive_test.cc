// Archives: closed days as signed segments, complete from entry 1 on, that prove themselves.
#include "controller/accounting/evidence/archive.h"

#include <doctest/doctest.h>
#include <fstream>
#include <string>

#include "controller/store/hash_chain.h"
#include "proto/host/atomic_file.h"
#include "tests/support/memory_journal.h"
#include "tests/support/one_table_house.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/staff.h"

namespace linkmeter::archive_test {
namespace {

const GamingDay first_day = GamingDay::from_number(20'000);

FloorOpened sealed_floor(const SigningKey& key) {
  FloorOpened opened = one_table_floor();
  opened.people = standard_staff();
  opened.seal_key = key.public_bytes();
  return opened;
}

struct House {
  SigningKey key = SigningKey::generate();
  MemoryJournal journal;
  ScopedDirectory directory;
  std::filesystem::path folder = directory.path() / "archive";
  OneTableHouse house{journal, sealed_floor(key)};
  GamingDay today = first_day;

  void play(const std::string& round) {
    house.lock(round);
    house.close(round);
  }
  void end() {
    house.end_day(today);
    today = today.next();
  }
  void close(GamingDay day) { house.close_day(day, sha256(text(day))); }
  // Three days; two of them are closed.
  House() {
    play("r1");
    end();
    play("r2");
    close(first_day);
    end();
    play("r3");
    close(first_day.next());
    end();
  }
  std::size_t archive() { return archive_days(journal, house.state(), folder, &key); }
  [[nodiscard]] std::string wrong() const { return some_of(verify_archive(folder).wrong); }
  [[nodiscard]] std::filesystem::path file(GamingDay day) const {
    return folder / (text(day) + ".segment");
  }
};

void flip(const std::filesystem::path& path, std::size_t at) {
  std::string bytes = read_file(path).value();
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace

TEST_CASE("closed days are archived in order, each once, and replay from entry 1") {
  House house;
  CHECK(house.archive() == 2);
  CHECK(house.archive() == 0);
  ArchiveReport report = verify_archive(house.folder);
  CHECK(some_of(report.wrong) == "");
  REQUIRE(report.days.size() == 2);
  CHECK(report.unsigned_days() == 0);
  CHECK(report.days[0].first == EntryNumber(1));
  CHECK(report.days[1].first == report.days[0].last.entry.next());
  CHECK(contradiction(report, house.journal) == "");
  AuditReport audited = audit_archive(house.folder, report);
  CHECK(audited.is_clean());
  CHECK(audited.entries_checked == report.head().entry.value());

  house.close(first_day.next().next());
  CHECK(house.archive() == 1);
  report = verify_archive(house.folder);
  CHECK(report.is_clean());
  CHECK(report.days.size() == 3);
  CHECK(audit_archive(house.folder, report).is_clean());
}

TEST_CASE(
    "without a closed day nothing is archived; without a key the chain of digests has no "
    "signature") {
  MemoryJournal journal;
  ScopedDirectory directory;
  FloorOpened opened = one_table_floor();
  opened.people = standard_staff();
  OneTableHouse house(journal, std::move(opened));
  house.end_day(first_day);
  const std::filesystem::path folder = directory.path() / "archive";
  CHECK(archive_days(journal, house.state(), folder, nullptr) == 0);
  house.close_day(first_day, Digest{});
  CHECK(archive_days(journal, house.state(), folder, nullptr) == 1);
  const ArchiveReport report = verify_archive(folder);
  CHECK(some_of(report.wrong) == "");
  CHECK(report.unsigned_days() == 1);
}

TEST_CASE("a changed, missing or added file is named, and nothing is added to such an archive") {
  House house;
  house.archive();
  for (const GamingDay day : {first_day, first_day.next()}) {
    const std::string name = text(day) + ".segment";
    const std::size_t size = std::filesystem::file_size(house.file(day));
    for (std::size_t at = 0; at < size; at += 1 + size / 20) {
      flip(house.file(day), at);
      CAPTURE(at);
      CHECK(house.wrong().find(name + ": altered") != std::string::npos);
      CHECK_THROWS_AS(house.archive(), Fault);
      flip(house.file(day), at);
    }
  }
  const std::filesystem::path list = house.folder / archive_list_name;
  const std::size_t size = std::filesystem::file_size(list);
  for (std::size_t at = 0; at < size; at += 7) {
    flip(list, at);
    CAPTURE(at);
    CHECK(house.wrong().find(archive_list_name) != std::string::npos);
    flip(list, at);
  }
  std::ofstream(house.folder / "note.txt") << "?";
  CHECK(house.wrong() == "note.txt: extra: it does not belong here");
  std::filesystem::remove(house.folder / "note.txt");
  std::filesystem::remove(house.file(first_day));
  CHECK(house.wrong().starts_with(text(first_day) + ".segment: missing"));
}

TEST_CASE("a rewritten list of an altered archive lacks the signature of the seal key") {
  House house;
  house.archive();
  const std::filesystem::path list = house.folder / archive_list_name;
  FileManifest pieces = read_file_manifest(list, "linkmeter-archive 1");
  pieces.about["days"][1]["signature"] = pieces.about["days"][0]["signature"];
  std::ofstream(list, std::ios::trunc) << text(pieces);
  CHECK(house.wrong() ==
        text(first_day.next()) +
            ".segment: its signature is not that of a seal key that the journal names");
}

TEST_CASE("an archive is compared with the journal that it was taken from") {
  House house;
  house.archive();
  House other;  // the same entries, but another signing key in entry 1
  const ArchiveReport report = verify_archive(house.folder);
  CHECK(contradiction(report, other.journal).find("another history") != std::string::npos);
  CHECK_THROWS_AS(archive_days(other.journal, other.house.state(), house.folder, &other.key),
                  Fault);
}

TEST_CASE("a day that a power cut interrupted is archived again") {
  House house;
  std::filesystem::create_directory(house.folder);
  std::ofstream(house.file(first_day)) << "half";
  CHECK(house.archive() == 2);
  CHECK(house.wrong() == "");
}

}  // namespace linkmeter::archive_test
