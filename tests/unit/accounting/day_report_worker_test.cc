// The worker that makes the reports of gaming days, with a stand-in for making a report.
#include "controller/accounting/day/day_report_worker.h"

#include <doctest/doctest.h>
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

namespace linkmeter::day_report_worker_test {
namespace {

using std::chrono::seconds;

constexpr int patience_ms = 60'000;  // for work that takes moments

// A stand-in for a report: it contains its day and its last entry.
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
  // "2026-11-20 2": the reports in the order in which they were made.
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
    session.emplace(
        folder.path(), journal,
        [this](const Journal&, const std::vector<DayRecord>&, GamingDay day, EntryNumber as_of,
               const std::function<void(std::uint64_t)>&) { return maker(day, as_of); });
  }
  void serve() { session->serve(house.state, uptime); }
  // Waits until there is no more work.
  void settle() {
    for (serve(); session->is_busy(); serve()) {
      pollfd ready{session->descriptor(), POLLIN, 0};
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
    session->fill(house.state, message);
    return message.finding;
  }
  [[nodiscard]] bool is_ready(GamingDay day) {
    return session->report(house.state, day) != nullptr;
  }

  ScopedDirectory folder;
  ActingHouse house;
  MemoryJournal journal;
  Maker maker;
  std::chrono::microseconds uptime{0};
  GamingDay first = day_named("2026-11-20");
  int ended = 0;
  std::optional<DayReportWorker> session;
};

}  // namespace

TEST_CASE("the report of an ended day is made automatically, and people read that report") {
  TableSession session;
  CHECK(session.finding(SignDay{session.first, {}}) == nullptr);
  session.settle();
  const DayFinding* found = session.finding(SignDay{session.first, {}});
  REQUIRE(found != nullptr);
  CHECK_EQ(found->items.count("balance/2026-11-20"), 1);
  CHECK(session.finding(SignDay{session.first.next(), {}}) == nullptr);
  CHECK(session.finding(SignDay{session.first.previous(), {}}) == nullptr);
  CHECK(session.finding(TakeReading{}) == nullptr);
  CHECK_EQ(session.maker.made().size(), 1);
}

TEST_CASE("a new record of a day makes its report again, and a signature waits for it") {
  TableSession session;
  session.settle();
  session.explain(session.first);
  CHECK(session.finding(SignDay{session.first, {}}) == nullptr);
  // The explanation of the next difference need not wait.
  CHECK(session.finding(ExplainVariance{session.first, "", "", "", {}}) != nullptr);
  session.settle();
  CHECK(session.finding(SignDay{session.first, {}}) != nullptr);
  const std::string fact = std::to_string(session.house.state.last_entry().value());
  CHECK_EQ(session.maker.made().back(), "2026-11-20 " + fact);
  // A signature does not change the report.
  session.apply(DaySigned{session.first, {}, Badge("A-1")});
  CHECK(session.is_ready(session.first));
}

TEST_CASE("the report of a closed day is stored as signed, also after a restart") {
  TableSession session;
  session.settle();
  const DayReport signed_report = *session.session->report(session.house.state, session.first);
  session.close(session.first, signed_report.digest);
  CHECK_FALSE(session.is_ready(session.first));
  session.settle();
  const auto path = session.folder.path() / "days" / "2026-11-20.json";
  CHECK_EQ(read_file(path), signed_report.json);
  struct stat file {};
  struct stat folder {};
  REQUIRE_EQ(::stat(path.c_str(), &file), 0);
  REQUIRE_EQ(::stat(path.parent_path().c_str(), &folder), 0);
  CHECK_EQ(file.st_mode & 07777U, 0600U);
  CHECK_EQ(folder.st_mode & 07777U, 0700U);
  CHECK(session.session->take_errors().empty());

  const std::size_t made = session.maker.made().size();
  session.open();
  session.settle();
  CHECK_EQ(session.maker.made().size(), made);  // it exists already
  std::filesystem::remove(path);
  session.open();
  session.settle();
  CHECK_EQ(read_file(path), signed_report.json);
}

TEST_CASE("a report that differs from the signed one is logged once and not stored") {
  TableSession session;
  session.settle();
  session.close(session.first, Digest{7});
  session.settle();
  CHECK_FALSE(std::filesystem::exists(session.session->path(session.first)));
  const auto troubles = session.session->take_errors();
  REQUIRE_EQ(troubles.size(), 1);
  CHECK(troubles[0].find("NOT THE ONE THAT WAS SIGNED") != std::string::npos);
  session.settle();
  CHECK(session.session->take_errors().empty());
  CHECK_FALSE(session.session->due().has_value());
}

TEST_CASE("a report that cannot be made is logged and tried again later") {
  TableSession session;
  session.maker.fails = true;
  session.settle();
  CHECK_EQ(session.session->take_errors().size(), 1);
  CHECK_EQ(session.session->due(), DayReportWorker::again_after);
  session.maker.fails = false;
  session.settle();
  CHECK_FALSE(session.is_ready(session.first));  // not yet
  session.uptime = DayReportWorker::again_after;
  session.settle();
  CHECK(session.is_ready(session.first));
  CHECK_FALSE(session.session->due().has_value());
}

TEST_CASE("a folder that cannot be written is logged and blocks nobody") {
  TableSession session;
  session.settle();
  const Digest report = session.session->report(session.house.state, session.first)->digest;
  write_atomically(session.folder.path() / "days", "a file is in the way", readable_by_owner);
  session.close(session.first, report);
  session.end_day();
  session.settle();
  CHECK_EQ(session.session->take_errors().size(), 1);
  CHECK(session.is_ready(session.first.next()));
  std::filesystem::remove(session.folder.path() / "days");
  session.uptime = DayReportWorker::again_after;
  session.settle();
  CHECK(std::filesystem::exists(session.session->path(session.first)));
}

// Days are closed in order, so the oldest ones are always available; any other day is made on
// request.
TEST_CASE("the reports of the oldest, the newest and the requested open days are kept") {
  const int days = 60;
  TableSession session(days);
  session.settle();
  CHECK_EQ(session.maker.made().size(), DayReportWorker::reports_max);
  CHECK(session.is_ready(session.first));
  CHECK(session.is_ready(GamingDay::from_number(session.first.number() + days - 1)));
  const GamingDay between = GamingDay::from_number(session.first.number() + 15);
  CHECK_FALSE(session.is_ready(between));
  session.settle();
  CHECK(session.is_ready(between));
}

TEST_CASE("without a report maker no report is ready") {
  TableSession session;
  DayReportWorker idle(session.folder.path(), session.journal, {});
  idle.serve(session.house.state, seconds(0));
  CHECK(idle.report(session.house.state, session.first) == nullptr);
}

TEST_CASE("the end of the program does not wait for a report") {
  TableSession session;
  session.session.emplace(session.folder.path(), session.journal,
                          [](const Journal&, const std::vector<DayRecord>&, GamingDay, EntryNumber,
                             const std::function<void(std::uint64_t)>& progress) -> DayReport {
                            for (std::uint64_t entry = 0;; ++entry) progress(entry);
                          });
  session.serve();
  session.session.reset();
  CHECK(true);
}

}  // namespace linkmeter::day_report_worker_test
