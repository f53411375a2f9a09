// Bundles: evidence that proves itself, in which every changed byte is detected.
#include "controller/accounting/evidence/bundle.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "controller/accounting/evidence/bundle_audit.h"
#include "controller/accounting/evidence/check_attestation.h"
#include "controller/store/hash_chain.h"
#include "proto/host/atomic_file.h"
#include "tests/support/memory_journal.h"
#include "tests/support/one_table_house.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/staff.h"

namespace linkmeter::bundle_test {
namespace {

const GamingDay first_day = GamingDay::from_number(20'000);

void store(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

FloorOpened staffed_floor() {
  FloorOpened opened = one_table_floor();
  opened.people = standard_staff();
  return opened;
}

// Two days: a claim that is raised on the first day and gets its slip on the second.
struct House {
  MemoryJournal journal;
  ScopedDirectory directory;
  std::filesystem::path data = directory.path() / "data";
  std::filesystem::path folder = directory.path() / "evidence";
  OneTableHouse house{journal, staffed_floor()};
  const std::string pdf = "%PDF the slip", report = R"({"report":"linkmeter-day 1"})";

  House() {
    house.lock("r0");  // entry 2
    house.close("r0");
    house.lock("r1");  // entry 4
    house.win("r1");
    house.close("r1");
    house.end_day(first_day);                                 // 7
    house.say(ClaimValidated{ClaimNumber(1), Badge("F-1")});  // 8
    const Amount amount = house.state().claims()[0].amount;
    house.say(SlipIssued{SlipNumber(1), ClaimNumber(1), PaymentSource::hand_pay, amount,
                         house.state().claims()[0].wager, false, std::nullopt, Badge("C-1")});
    house.say(SlipStored{SlipNumber(1), sha256(pdf)});  // 10
    house.close_day(first_day, sha256(report));         // 11, 12
    house.end_day(first_day.next());                    // 13
    house.lock("r2");                                   // 14
    store(data / "slips" / "000001.pdf", pdf);
    store(data / "days" / (text(first_day) + ".json"), report);
  }
  BundleResult make(const BundleRequest& asked) {
    return make_bundle(journal, house.state(), data, asked, folder, Timestamp());
  }
  BundleResult make_claim() { return make({ClaimNumber(1), {}}); }
  BundleResult make_day(GamingDay day) { return make({{}, day}); }
  [[nodiscard]] std::string wrong() const { return some_of(audit_bundle(folder).wrong); }
};

bool has_line(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(), [&part](const std::string& line) {
    return line.find(part) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("a claim's bundle extends from its round's lock to the end of its last day") {
  House house;
  const BundleResult made = house.make_claim();
  CHECK(made.segment.before.entry == EntryNumber(3));
  CHECK(made.segment.last.entry == EntryNumber(13));
  CHECK(made.missing.empty());
  const BundleReport report = audit_bundle(house.folder);
  CHECK(some_of(report.wrong) == "");
  CHECK(has_line(report.timeline, "claim 1 raised at T-01 seat 2, round r1: "));
  CHECK(has_line(report.timeline, "claim 1 validated by F-1"));
  CHECK(has_line(report.timeline, "slips/000001.pdf is that slip"));
  CHECK(report.timeline.size() == 5);
}

TEST_CASE("the bundle of a claim whose last day has not ended extends to the head") {
  House house;
  house.house.lock("r3");
  house.house.win("r3");
  const BundleResult made = house.make({ClaimNumber(2), {}});
  CHECK(made.segment.before.entry == EntryNumber(14));
  CHECK(made.segment.last == house.journal.head());
  CHECK(house.wrong() == "");
}

TEST_CASE("a day's bundle contains its entries, its closing and the signed report") {
  House house;
  const BundleResult made = house.make_day(first_day);
  CHECK(made.segment.before.entry == EntryNumber());
  CHECK(made.segment.last.entry == EntryNumber(12));
  CHECK(house.wrong() == "");
  CHECK(read_file(house.folder / report_file(first_day)) == house.report);
  std::filesystem::remove_all(house.folder);
  CHECK(house.make_day(first_day.next()).segment.before.entry == EntryNumber(7));
  CHECK(house.wrong() == "");
}

namespace {

// Writes a new manifest, as a forger would to pass the bundle off as another one.
void list_again(const std::filesystem::path& folder, const Json& changes = Json::object()) {
  const std::filesystem::path manifest = folder / bundle_names::manifest;
  FileManifest list = read_file_manifest(manifest, bundle_names::kind);
  list.about.update(changes);
  store(manifest, text(list_pieces(folder, bundle_names::manifest, bundle_names::kind,
                                   std::move(list.about))));
}

// Also a forgery: other entries of the true journal, with matching statements everywhere.
void put_entries(const House& house, std::uint64_t first, std::uint64_t last,
                 const Head& made_at = {}) {
  const std::filesystem::path journal = house.folder / bundle_names::journal;
  const Segment run = write_segment(house.journal, EntryNumber(first), EntryNumber(last), journal);
  AttestationCheck vouching;
  read_segment(journal, [&](const StoredEntry& stored) {
    vouching.add(decode_entry(stored.bytes).value(), stored.hash);
    return true;
  });
  Json heads = Json::parse(read_file(house.folder / bundle_names::heads).value());
  heads.update({{"before", head_json(run.before)},
                {"last", head_json(run.last)},
                {"vouching", vouching.json()}});
  if (made_at != Head{}) heads["head"] = head_json(made_at);
  store(house.folder / bundle_names::heads, heads.dump());
  list_again(house.folder, {{"first", first}, {"last", last}});
}

}  // namespace

TEST_CASE("a day's bundle begins with the first entry of that day") {
  House house;
  house.make_day(first_day.next());
  CHECK(std::filesystem::exists(house.folder / bundle_names::day_before));
  CHECK(house.wrong() == "");
  SUBCASE("as the manifest says") {
    for (const Json& day : {Json(text(first_day)), Json("2030-01-01"), Json("?"), Json()}) {
      CAPTURE(day);
      list_again(house.folder, {{"day", day}});
      CHECK(house.wrong().starts_with("journal.segment: not what manifest.json says: "));
    }
    list_again(house.folder, {{"day", text(first_day.next())}, {"claim", 1}});
    CHECK_FALSE(house.wrong().empty());
  }
  SUBCASE("its first entries are not there") {
    put_entries(house, 9, 13);
    CHECK(house.wrong().find("day_before.segment: its entry is not the one before") !=
          std::string::npos);
    write_segment(house.journal, EntryNumber(8), EntryNumber(8),
                  house.folder / bundle_names::day_before);
    list_again(house.folder);
    CHECK(house.wrong().find("it does not begin where the gaming day") != std::string::npos);
    std::filesystem::remove(house.folder / bundle_names::day_before);
    list_again(house.folder);
    CHECK(house.wrong().find("it does not begin where the gaming day") != std::string::npos);
  }
  SUBCASE("it begins a day too early") {
    put_entries(house, 1, 13);
    CHECK(house.wrong().find("the first gaming day that ends in it") != std::string::npos);
  }
  SUBCASE("its last entry is any") {
    put_entries(house, 8, 14);
    CHECK(house.wrong().find("its last entry, 14, neither ends") != std::string::npos);
    put_entries(house, 8, 12);
    CHECK(house.wrong().find("does not end in it") != std::string::npos);
  }
}

TEST_CASE("a day's bundle says whether the day is closed in it") {
  House house;
  house.make_day(first_day);
  CHECK_FALSE(has_line(audit_bundle(house.folder).notes, "later steps"));
  put_entries(house, 1, 7);
  std::filesystem::remove_all(house.folder / "reports");
  std::filesystem::remove_all(house.folder / "slips");
  list_again(house.folder);
  const BundleReport report = audit_bundle(house.folder);
  CHECK(some_of(report.wrong) == "");
  CHECK(has_line(report.notes, "is not closed; later steps of it are not shown"));
}

TEST_CASE("a shortened claim bundle is detected, or says that later steps are not shown") {
  House house;
  house.house.lock("r3");  // 15
  const ClaimNumber claim = house.house.win("r3");
  house.house.end_day(first_day.next().next());  // 17
  house.house.say(ClaimValidated{claim, Badge("F-1")});
  house.house.pay(claim);
  house.house.end_day(first_day.next().next().next());  // 20
  house.make({claim, {}});
  const BundleReport whole = audit_bundle(house.folder);
  CHECK(whole.segment.before.entry == EntryNumber(14));
  CHECK(whole.segment.last.entry == EntryNumber(20));
  CHECK(some_of(whole.wrong) == "");
  CHECK(has_line(whole.timeline, "claim 2 paid by C-1"));
  CHECK_FALSE(has_line(whole.notes, "later steps"));
  SUBCASE("behind an entry") {
    put_entries(house, 15, 16);
    CHECK(house.wrong().find("it ends before the gaming day does, with entry 16") !=
          std::string::npos);
  }
  SUBCASE("and the journal is said to have ended there") {
    put_entries(house, 15, 16, head_at(house.journal, EntryNumber(16)));
    const BundleReport report = audit_bundle(house.folder);
    CHECK(some_of(report.wrong) == "");
    CHECK(has_line(report.notes, "it ends before the gaming day does"));
    CHECK(has_line(report.notes, "later steps are not shown"));
  }
  SUBCASE("behind an earlier day") {
    put_entries(house, 15, 17);
    const BundleReport report = audit_bundle(house.folder);
    CHECK(some_of(report.wrong) == "");
    CHECK(has_line(report.notes, "neither paid nor rejected; later steps are not shown"));
  }
  SUBCASE("in front") {
    for (const std::uint64_t first : {14U, 16U}) {
      put_entries(house, first, 20);
      CHECK(house.wrong().find("its first entry, " + std::to_string(first) +
                               ", is not the lock of the claim's round") != std::string::npos);
    }
  }
}

TEST_CASE("a pipe or symbolic link in a bundle is named and never read") {
  House house;
  house.make_claim();
  for (const std::string& file : files_below(house.folder, "")) {
    CAPTURE(file);
    const std::filesystem::path path = house.folder / file, aside = house.folder.string() + "-one";
    std::filesystem::rename(path, aside);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK(house.wrong().find(file) != std::string::npos);
    std::filesystem::remove(path);
    std::filesystem::create_symlink(aside, path);
    CHECK(house.wrong().find(file) != std::string::npos);
    std::filesystem::remove(path);
    std::filesystem::rename(aside, path);
  }
  CHECK(house.wrong() == "");
}

TEST_CASE("a bundle with an altered manifest is not clean") {
  House house;
  house.make_claim();
  store(house.folder / bundle_names::manifest, "altered");
  const BundleReport report = audit_bundle(house.folder);
  CHECK_FALSE(report.is_clean());
  CHECK(report.asked == Json{{"claim", nullptr}, {"day", nullptr}});
}

TEST_CASE("there is no bundle of a missing claim or day, and none replaces a file") {
  House house;
  CHECK_THROWS_WITH_AS(house.make({ClaimNumber(7), {}}), "there is no claim 7", Fault);
  CHECK_THROWS_AS(house.make_day(first_day.next().next()), Fault);
  CHECK_FALSE(std::filesystem::exists(house.folder));
  house.make_claim();
  CHECK_THROWS_AS(house.make_claim(), Fault);
}

TEST_CASE("any changed byte of any file is found, and the file is named") {
  House house;
  house.make_claim();
  std::vector<std::string> files = files_below(house.folder, "");
  CHECK(files.size() == 9);
  for (const std::string& file : files) {
    CAPTURE(file);
    const std::string whole = read_file(house.folder / file).value();
    const std::size_t step = std::max<std::size_t>(1, whole.size() / 24);
    for (std::size_t at = 0; at < whole.size(); at += step) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      store(house.folder / file, changed);
      CAPTURE(at);
      CHECK(house.wrong().find(file) != std::string::npos);
    }
    store(house.folder / file, whole + "\n");
    CHECK(house.wrong().find(file) != std::string::npos);
    std::filesystem::remove(house.folder / file);
    CHECK(house.wrong().find(file) != std::string::npos);
    store(house.folder / file, whole);
  }
  store(house.folder / "slips" / "000002.pdf", "%PDF");
  CHECK(house.wrong() == "slips/000002.pdf: extra: it does not belong here");
  std::filesystem::remove(house.folder / "slips" / "000002.pdf");
  CHECK(house.wrong() == "");
}

TEST_CASE("a file that was altered and listed again contradicts the entries") {
  House house;
  house.make_claim();
  const auto found_in = [&](const std::string& file, const std::string& bytes) {
    const std::string whole = read_file(house.folder / file).value();
    store(house.folder / file, bytes);
    list_again(house.folder);
    const std::string wrong = house.wrong();
    store(house.folder / file, whole);
    list_again(house.folder);
    CHECK(house.wrong() == "");
    return wrong;
  };
  CHECK(found_in("slips/000001.pdf", "%PDF another") ==
        "slips/000001.pdf: altered: its SHA-256 is not the one that the journal names");
  CHECK(
      found_in(bundle_names::floor, "another floor").starts_with("configuration/floor.toml: alt"));
  CHECK(found_in(bundle_names::heads, "{}").starts_with("heads.json: altered"));
  CHECK(found_in(report_file(first_day), "{}").starts_with("reports/"));
  std::string entries = read_file(house.folder / bundle_names::journal).value();
  entries[200] = static_cast<char>(entries[200] ^ 1);
  CHECK(
      found_in(bundle_names::journal, entries).starts_with("journal.segment: the first bad entry"));
}

TEST_CASE("a bundle is compared with an entry that is known from another source") {
  House house;
  house.make_claim();
  const Head known = head_at(house.journal, EntryNumber(9));
  CHECK(audit_bundle(house.folder, known).is_clean());
  const Head other{EntryNumber(9), sha256("another history")};
  CHECK(has_line(audit_bundle(house.folder, other).wrong, "this is another history"));
  const Head outside = head_at(house.journal, EntryNumber(14));
  CHECK(has_line(audit_bundle(house.folder, outside).wrong, "entry 14 is not in this bundle"));
}

TEST_CASE("a slip that is lost or altered on the controller's disk is not given out as evidence") {
  House house;
  store(house.data / "slips" / "000001.pdf", "%PDF altered");
  const BundleResult made = house.make_claim();
  REQUIRE(made.missing.size() == 1);
  CHECK(made.missing[0].starts_with("slips/000001.pdf: what is on the controller's disk is not"));
  const BundleReport report = audit_bundle(house.folder);
  CHECK(some_of(report.wrong) == "");
  CHECK(report.missing == made.missing);
}

}  // namespace linkmeter::bundle_test
