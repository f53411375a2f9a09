// The desk that makes the reports of gaming days, with a stand-in for how they are made.
#include "controller/accounting/day/day_report_worker.h"

#include <poll.h>
#include <sys/stat.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "controller/store/hash_chain.h"
#include "proto/host/atomic_file.h"
#include "tests/support/acting_house.h"
#include "tests/support/memory_journal.h"
#include "tests/support/scoped_directory.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter::day_report_worker_test {
namespace {

using std::chrono::seconds;

constexpr int patience_ms = 60'000;  // for what takes moments

// A stand-in for a report: it says its day, and as of which entry it is.
class Maker {
 public:
  DayReport operator()(GamingDay day, EntryNumber as_of) {
    if (fails) throw std::runtime_error("the disk is gone");
    const std::scoped_lock lock(mutex_);
    made_.push_back(text(day) + " " + std::to_string(as_of.value()));
    DayReport report;
    report.json = "{\"day\":\"" + made_.back() + "\"}";
    report.digest = sha256(report.json);
    report.finding.report = report.digest;
    report.finding.items["balance/" + text(day)] = {"0.01", true, false};
    return report;
  }
  // "2026-11-20 2": what was made, in order.
  std::vector<std::string> made() {
    const std::scoped_lock lock(mutex_);
    return made_;
  }
  std::atomic<bool> fails = false;

 private:
  std::mutex mutex_;
  std::vector<std::string> made_;
};

struct TableSession {
  explicit TableSession(int days = 1) {
    for (int day = 0; day < days; ++day) end_day();
    open();
  }
  void end_day() {
    const GamingDay day = GamingDay::from_number(first.number() + ended);
    ++ended;
    house.end_day(text(day), house.now.after(86'400'000'000));
  }
  void open() {
    desk.emplace(
        folder.path(), journal,
        [this](const Journal&, const std::vector<DayRecord>&, GamingDay day, EntryNumber as_of,
               const std::function<void(std::uint64_t)>&) { return maker(day, as_of); });
  }
  void serve() { desk->serve(house.state, uptime); }
  // Until there is nothing more to do.
  void settle() {
    for (serve(); desk->is_busy(); serve()) {
      pollfd ready{desk->descriptor(), POLLIN, 0};
      REQUIRE_EQ(::poll(&ready, 1, patience_ms), 1);
    }
  }
  void apply(Fact fact) {
    house.state.apply(
        Entry{house.state.last_entry().next(), house.now, std::nullopt, std::move(fact), {}});
  }
  void explain(GamingDay day) {
    apply(VarianceExplained{day, "balance/" + text(day), "0.01", "a slip", {}, Badge("A-1")});
  }
  void close(GamingDay day, const Digest& report) {
    apply(DaySigned{day, report, Badge("A-1")});
    apply(DayClosed{day, report, Badge("FM-1")});
  }
  const DayFinding* finding(const OperatorCommand& act) {
    PersonMessage message{Badge("A-1"), act};
    desk->fill(house.state, message);
    return message.finding;
  }
  [[nodiscard]] bool is_ready(GamingDay day) { return desk->report(house.state, day) != nullptr; }

  ScopedDirectory folder;
  ActingHouse house;
  MemoryJournal journal;
  Maker maker;
  std::chrono::microseconds uptime{0};
  GamingDay first = day_named("2026-11-20");
  int ended = 0;
  std::optional<DayReportWorker> desk;
};

}  // namespace

TEST_CASE("the report of an ended day is made by itself, and is what a person finds") {
  TableSession desk;
  CHECK(desk.finding(SignDay{desk.first, {}}) == nullptr);
  desk.settle();
  const DayFinding* found = desk.finding(SignDay{desk.first, {}});
  REQUIRE(found != nullptr);
  CHECK_EQ(found->items.count("balance/2026-11-20"), 1);
  CHECK(desk.finding(SignDay{desk.first.next(), {}}) == nullptr);
  CHECK(desk.finding(SignDay{desk.first.previous(), {}}) == nullptr);
  CHECK(desk.finding(TakeReading{}) == nullptr);
  CHECK_EQ(desk.maker.made().size(), 1);
}

TEST_CASE("what is said of a day makes its report anew; to sign it, one waits for that") {
  TableSession desk;
  desk.settle();
  desk.explain(desk.first);
  CHECK(desk.finding(SignDay{desk.first, {}}) == nullptr);
  // Who explains the next difference need not wait.
  CHECK(desk.finding(ExplainVariance{desk.first, "", "", "", {}}) != nullptr);
  desk.settle();
  CHECK(desk.finding(SignDay{desk.first, {}}) != nullptr);
  const std::string fact = std::to_string(desk.house.state.last_entry().value());
  CHECK_EQ(desk.maker.made().back(), "2026-11-20 " + fact);
  // A signature is no fact of the report.
  desk.apply(DaySigned{desk.first, {}, Badge("A-1")});
  CHECK(desk.is_ready(desk.first));
}

TEST_CASE("the report of a closed day is stored as it was signed, and anew after a restart") {
  TableSession desk;
  desk.settle();
  const DayReport signed_report = *desk.desk->report(desk.house.state, desk.first);
  desk.close(desk.first, signed_report.digest);
  CHECK_FALSE(desk.is_ready(desk.first));
  desk.settle();
  const auto path = desk.folder.path() / "days" / "2026-11-20.json";
  CHECK_EQ(read_whole(path), signed_report.json);
  struct stat file {};
  struct stat folder {};
  REQUIRE_EQ(::stat(path.c_str(), &file), 0);
  REQUIRE_EQ(::stat(path.parent_path().c_str(), &folder), 0);
  CHECK_EQ(file.st_mode & 07777U, 0600U);
  CHECK_EQ(folder.st_mode & 07777U, 0700U);
  CHECK(desk.desk->take_troubles().empty());

  const std::size_t made = desk.maker.made().size();
  desk.open();
  desk.settle();
  CHECK_EQ(desk.maker.made().size(), made);  // it is there
  std::filesystem::remove(path);
  desk.open();
  desk.settle();
  CHECK_EQ(read_whole(path), signed_report.json);
}

TEST_CASE("a report that is not the signed one is told once and not stored") {
  TableSession desk;
  desk.settle();
  desk.close(desk.first, Digest{7});
  desk.settle();
  CHECK_FALSE(std::filesystem::exists(desk.desk->path(desk.first)));
  const auto troubles = desk.desk->take_troubles();
  REQUIRE_EQ(troubles.size(), 1);
  CHECK(troubles[0].find("NOT THE ONE THAT WAS SIGNED") != std::string::npos);
  desk.settle();
  CHECK(desk.desk->take_troubles().empty());
  CHECK_FALSE(desk.desk->due().has_value());
}

TEST_CASE("what cannot be made is told, and tried again after a while") {
  TableSession desk;
  desk.maker.fails = true;
  desk.settle();
  CHECK_EQ(desk.desk->take_troubles().size(), 1);
  CHECK_EQ(desk.desk->due(), DayReportWorker::again_after);
  desk.maker.fails = false;
  desk.settle();
  CHECK_FALSE(desk.is_ready(desk.first));  // not yet
  desk.uptime = DayReportWorker::again_after;
  desk.settle();
  CHECK(desk.is_ready(desk.first));
  CHECK_FALSE(desk.desk->due().has_value());
}

TEST_CASE("a folder that takes nothing is trouble, and stops nobody") {
  TableSession desk;
  desk.settle();
  const Digest report = desk.desk->report(desk.house.state, desk.first)->digest;
  write_whole(desk.folder.path() / "days", "a file is in the way", readable_by_owner);
  desk.close(desk.first, report);
  desk.end_day();
  desk.settle();
  CHECK_EQ(desk.desk->take_troubles().size(), 1);
  CHECK(desk.is_ready(desk.first.next()));
  std::filesystem::remove(desk.folder.path() / "days");
  desk.uptime = DayReportWorker::again_after;
  desk.settle();
  CHECK(std::filesystem::exists(desk.desk->path(desk.first)));
}

// Days are closed in order: so the oldest ones are always to be had, and any other for the asking.
TEST_CASE("it knows the oldest and the newest of many open days, and what somebody asks for") {
  const int days = 60;
  TableSession desk(days);
  desk.settle();
  CHECK_EQ(desk.maker.made().size(), DayReportWorker::reports_max);
  CHECK(desk.is_ready(desk.first));
  CHECK(desk.is_ready(GamingDay::from_number(desk.first.number() + days - 1)));
  const GamingDay between = GamingDay::from_number(desk.first.number() + 15);
  CHECK_FALSE(desk.is_ready(between));
  desk.settle();
  CHECK(desk.is_ready(between));
}

TEST_CASE("without anybody who makes reports no day is ready") {
  TableSession desk;
  DayReportWorker idle(desk.folder.path(), desk.journal, {});
  idle.serve(desk.house.state, seconds(0));
  CHECK(idle.report(desk.house.state, desk.first) == nullptr);
}

TEST_CASE("the end of the program does not wait for a report") {
  TableSession desk;
  desk.desk.emplace(desk.folder.path(), desk.journal,
                    [](const Journal&, const std::vector<DayRecord>&, GamingDay, EntryNumber,
                       const std::function<void(std::uint64_t)>& progress) -> DayReport {
                      for (std::uint64_t entry = 0;; ++entry) progress(entry);
                    });
  desk.serve();
  desk.desk.reset();
  CHECK(true);
}

}  // namespace linkmeter::day_report_worker_test
