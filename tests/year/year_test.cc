// A small year: all kinds of faults on a small floor, each found on its day, and nothing else.
#include "tests/year/year.h"

#include <doctest/doctest.h>
#include <string>
#include <variant>

#include "controller/store/audit.h"
#include "tests/support/memory_journal.h"
#include "tests/year/year_floor.h"

namespace linkmeter::year_test {
namespace {

FloorFile year_floor(int tables) {
  const auto catalogue =
      read_catalogue_texts(std::string(LINKMETER_SOURCE_DIR) + "/config/catalogue");
  auto read = parse_floor("year.toml", year_floor_text(tables),
                          std::get<std::vector<CatalogueText>>(catalogue));
  REQUIRE(std::holds_alternative<FloorFile>(read));
  return std::get<FloorFile>(std::move(read));
}

}  // namespace

TEST_CASE("each planted fault is named in its day's report, and nothing else") {
  MemoryJournal journal;
  // Over both nights in which the clocks change.
  YearHouse house(journal, year_floor(10), parse_gaming_day("2026-10-20").value(), 7);
  YearPlan plan;
  plan.days = 40;
  plan.rounds_per_table = 12;
  plan.faults_of_a_kind = 2;
  const YearTold told = live_a_year(house, plan);
  for (const std::string& wrong : told.wrong) FAIL_CHECK(wrong);
  CHECK_GE(told.planted.size(), 18);  // of 20 kinds: random numbers may leave out a few
  CHECK(house.state().days().size() == 40);
  for (const DayRecord& day : house.state().days()) CHECK(day.is_closed());
  const AuditReport report = audit(journal);
  CHECK_MESSAGE(report.is_clean(), text(report));
}

}  // namespace linkmeter::year_test
