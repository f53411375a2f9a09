// A journal of an older release with entries that no release would enter today: a table reported
// impossible counters. It opens and passes the audit, and every reader of it gets an answer.
#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "controller/accounting/export/export_text.h"
#include "controller/store/audit.h"
#include "controller/store/journal_reader.h"
#include "controller/view/entry_json.h"
#include "controller/web/accounting_views.h"
#include "controller/web/accounting_worker.h"
#include "meters/values/invariant.h"
#include "tests/support/day_house.h"
#include "tests/support/description.h"

namespace linkmeter::impossible_counters_test {
namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

// A day with one wager of $5.00 at RIU-01; then its agent reports once for each of the counts.
struct House : DayHouse {
  explicit House(const std::vector<LinkCount>& told) {
    take("RIU-01", raise_it_up("r1", 1));
    day = end_day();
    const TableIndex table = place_of("RIU-01");
    for (LinkCount count : told) {
      std::vector<LinkCount> counted = counts_of(state(), table);
      REQUIRE_EQ(counted.size(), 1);
      count.link = counted[0].link;
      note(
          CountersReported{table, MessageNumber(1), MessageNumber(1), {count}, std::move(counted)});
    }
  }
  [[nodiscard]] std::string difference() const {
    return one_of(json_of(day).at("items"), "kind", "counters").at("difference");
  }
  GamingDay day;
};

LinkCount told(std::int64_t units, std::uint64_t rounds = 1, std::uint64_t wagers = 1) {
  return {LinkIndex(0), rounds, wagers, Amount::from_units(units)};
}

void reads_everything(const House& house) {
  const AuditReport report = audit(house.journal());
  CHECK_FALSE(report.bad.has_value());
  CHECK_EQ(report.wrong_state, "");
  const Floor& floor = house.state().floor();
  house.journal().read(EntryNumber(1), [&](const StoredEntry& stored) {
    const Entry entry = decode_entry(stored.bytes).value();
    CHECK_FALSE(description(entry, floor).empty());
    CHECK(Json::parse(entry_json(entry, floor, stored.hash)).is_object());
    return true;
  });
  for (const char* format : {"entries", "postings", "ledger"}) {
    ExportRequest asked;
    asked.format = format;
    ExportText text(asked, house.state(), "");
    ExportTotals totals;
    std::string all = text.head();
    const ExportRange range = export_range(asked, house.state());
    read_between(
        house.journal(), range.first, range.last,
        [&](const Entry& entry, const Digest& hash) { all += text.of(entry, hash, totals); });
    CHECK_FALSE((all + text.end(totals)).empty());
  }
  const std::atomic<bool> stops = false;
  const Json page = journal_json(house.journal(), floor, {EntryNumber(1), 200, ""}, stops);
  CHECK_EQ(page.at("entries").size(), house.state().last_entry().value());
}

}  // namespace

TEST_CASE(
    "impossible counters in an old journal: the day's report is exact, and everything is "
    "readable") {
  struct Case {
    std::vector<LinkCount> told;
    const char* difference;
  };
  for (const Case& one :
       std::vector<Case>{{{told(1)}, "-4.99999999"},
                         {{told(-1'000'000)}, "-5.01"},
                         {{told(smallest)}, "-92233720373.54775808"},
                         {{told(largest)}, "92233720363.54775807"},
                         {{told(smallest), told(largest), told(smallest)}, "-92233720373.54775808"},
                         {{told(500'000'000, most, 1)}, "-2 rounds"},
                         {{told(500'000'000, 1, most)}, "-2 wagers"}}) {
    CAPTURE(one.difference);
    const House house(one.told);
    CHECK_EQ(house.difference(), one.difference);
    reads_everything(house);
  }
}

TEST_CASE("the journal's page shows impossible counters as they were reported") {
  const House house({told(smallest, most, 7)});
  const std::atomic<bool> stops = false;
  const Json page = journal_json(house.journal(), house.state().floor(),
                                 {house.state().last_entry(), 1, "counters_told"}, stops);
  const Json& said = page.at("entries").at(0).at("told").at(0);
  CHECK_EQ(said.at("handle"), "-92233720368.54775808");
  CHECK_EQ(said.at("rounds"), most);
}

TEST_CASE("a broken law in a page's worker is that page's error, and the worker continues") {
  std::mutex mutex;
  std::condition_variable comes;
  std::vector<int> statuses;
  AccountingWorker session(
      [&](RequestId, const WebResponse& response) {
        const std::lock_guard held(mutex);
        statuses.push_back(response.status);
        comes.notify_one();
      },
      [](RequestId) { return false; });
  session.ask("A-1", {1}, [](const auto&) -> WebResponse {
    static_cast<void>(Amount::from_units(smallest) - Amount::cents(1));
    return {};
  });
  session.ask("A-1", {2}, [](const auto&) { return WebResponse(); });
  std::unique_lock held(mutex);
  REQUIRE(comes.wait_for(held, std::chrono::seconds(60), [&] { return statuses.size() == 2; }));
  CHECK((statuses == std::vector<int>{500, 200}));
}

TEST_CASE("a broken law is reported with its text and place, also in nested scopes") {
  const ReadingScope outer;
  try {
    const ReadingScope inner;
    static_cast<void>(Amount::from_units(largest) + Amount::cents(1));
    FAIL("nothing was thrown");
  } catch (const BrokenLaw& broken) {
    CHECK(std::string(broken.what()).starts_with("broken law: !__builtin_add_overflow"));
    CHECK(std::string(broken.what()).find("amount.h:") != std::string::npos);
  }
  CHECK_THROWS_AS(static_cast<void>(Amount::from_units(1).in_cents()), BrokenLaw);
}

}  // namespace linkmeter::impossible_counters_test
