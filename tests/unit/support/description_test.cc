// Printed lines that occur in no ledger: of days and funds, of checks, and of discontinuations.
#include "tests/support/description.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "tests/support/mixed_floor.h"

namespace linkmeter::description_test {
namespace {

const LinkIndex poker(3);
const TableIndex p_01(4);
const Badge clerk("C-1"), floorperson("F-1"), accountant("A-1");
constexpr std::int32_t day_number = 20'777;

// "#2 " and the printed fact.
std::string told(const Fact& fact) {
  const MixedFloor floor;
  std::string text =
      description(Entry{EntryNumber(2), {}, std::nullopt, fact, {}}, floor.state.floor());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

TEST_CASE("days, counts and funds are described with who, what and how much") {
  const GamingDay day = GamingDay::from_number(day_number);
  const std::string date = text(day);
  CHECK_EQ(told(DayEnded{day, {}, {}}), "#2 day_ended " + date);
  CHECK_EQ(told(ReadingTaken{{}, {}, "before the count", accountant}),
           "#2 reading_taken by A-1 \"before the count\"");
  CHECK_EQ(told(CountersReported{
               p_01, MessageNumber(3), MessageNumber(9), {{poker, 7, 6, Amount::dollars(6)}}, {}}),
           "#2 counters_told P-01 messages 3 to 9\n  POKER rounds=7 wagers=6 handle=6.00");
  CHECK_EQ(told(CountRecorded{day, CountKind::poker_box, p_01, poker, Amount::cents(1250), "",
                              floorperson, clerk}),
           "#2 count_recorded " + date + " poker_box POKER P-01 12.50 by C-1 before F-1");
  CHECK_EQ(told(CountRecorded{
               day, CountKind::fund_kept, {}, poker, Amount::dollars(500), "", floorperson, clerk}),
           "#2 count_recorded " + date + " fund_kept POKER 500.00 by C-1 before F-1");
  CHECK_EQ(told(VarianceExplained{day, "box/POKER/P-01", "-1.00", "a chip", {}, accountant}),
           "#2 variance_explained " + date + " box/POKER/P-01 -1.00 by A-1 \"a chip\"");
  CHECK_EQ(
      told(FundMoved{day, poker, {p_01}, Amount::dollars(12), "", floorperson, accountant, clerk}),
      "#2 fund_moved " + date + " POKER P-01 12.00 by C-1 carried by F-1 accounted for by A-1");
  CHECK_EQ(
      told(FundMoved{day, poker, {p_01}, {}, "", floorperson, accountant, clerk}),
      "#2 fund_moved " + date + " POKER P-01 uncounted by C-1 carried by F-1 accounted for by A-1");
  CHECK_EQ(told(DisplayAdjusted{poker, Amount::dollars(500), Amount::dollars(499), "", floorperson,
                                clerk}),
           "#2 display_adjusted POKER shown 500.00 kept 499.00 by C-1 before F-1");
  CHECK_EQ(told(DaySigned{day, {}, accountant}), "#2 day_signed " + date + " by A-1");
  CHECK_EQ(told(DayClosed{day, {}, accountant}), "#2 day_closed " + date + " by A-1");
}

TEST_CASE("checks are described with what failed, and suspensions with the person, if any") {
  SelfChecked checked;
  CHECK_EQ(told(checked), "#2 self_checked passed");
  checked.failures = {{"journal", "entry 7 is not chained"}, {"software", "another manifest"}};
  CHECK_EQ(
      told(checked),
      "#2 self_checked failed\n  journal: entry 7 is not chained\n  software: another manifest");
  CHECK_EQ(told(ClockChanged{-1500}), "#2 clock_changed by -1500 us");
  CHECK_EQ(told(LinkSuspended{poker, "a fault", {}}), "#2 link_suspended POKER \"a fault\"");
  CHECK_EQ(told(LinkSuspended{poker, "a fault", floorperson}),
           "#2 link_suspended POKER by F-1 \"a fault\"");
  CHECK_EQ(told(TableFrozen{TableIndex(1), "no seal", floorperson}),
           "#2 table_frozen C4-01 by F-1 \"no seal\"");
}

TEST_CASE("a restored history is described with its end, its time and the backup's time") {
  // 2026-11-21 09:00:05 UTC is 20,778 days, nine hours and five seconds after the beginning of
  // 1970.
  constexpr std::int64_t restored_at_s = 20'778LL * 86'400 + 9 * 3'600 + 5;
  const auto at = [](std::int64_t seconds) {
    return Timestamp::from_microseconds(seconds * 1'000'000);
  };
  CHECK_EQ(told(HistoryRestored{EntryNumber(812), {}, at(restored_at_s), at(restored_at_s - 6)}),
           "#2 history_restored up to #812 at 2026-11-21 09:00:05 UTC from a backup of "
           "2026-11-21 08:59:59 UTC");
}

}  // namespace linkmeter::description_test
