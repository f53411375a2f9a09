// Tests the judge of gaming days: wrong entries about them, and wrong decisions, planted between
// the core and the trial. Each must be reported, and at the first one that it affects.

#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <variant>

#include "tests/property/expect_caught.h"
#include "tests/property/planted.h"

namespace linkmeter::day_canary_test {
namespace {

template <class Asked>
Asked* asked(TimedInput& heard) {
  auto* message = std::get_if<PersonMessage>(&heard.said);
  return message == nullptr ? nullptr : std::get_if<Asked>(&message->act);
}

bool reading_a_unit_more(Entry& entry) {
  auto* ended = std::get_if<DayEnded>(&entry.fact);
  if (ended == nullptr || ended->reading.empty()) return false;
  LinkBalances& book = ended->reading.back().book;
  book.reserve.contributed += Amount::from_units(1);
  return true;
}

bool another_sign(Entry& entry) {
  auto* taken = std::get_if<ReadingTaken>(&entry.fact);
  if (taken == nullptr || taken->reading.empty() || taken->reading[0].shown.empty()) return false;
  std::optional<Amount>& shown = taken->reading[0].shown[0];
  shown = shown.value_or(Amount()) + Amount::cents(1);
  return true;
}

bool day_left_out(Entry& entry) {
  auto* ended = std::get_if<DayEnded>(&entry.fact);
  if (ended == nullptr) return false;
  ended->day = ended->day.next();
  return true;
}

bool ends_a_moment_early(Entry& entry) {
  auto* ended = std::get_if<DayEnded>(&entry.fact);
  if (ended == nullptr) return false;
  ended->ends_at = ended->ends_at.after(-1);
  return true;
}

bool table_told_what_was_counted(Entry& entry) {
  auto* told = std::get_if<CountersReported>(&entry.fact);
  if (told == nullptr || told->reported == told->counted) return false;
  told->reported = told->counted;
  return true;
}

bool count_of_another(Entry& entry) {
  auto* count = std::get_if<CountRecorded>(&entry.fact);
  if (count == nullptr) return false;
  count->by = count->witness;
  return true;
}

bool signed_under_another_report(Entry& entry) {
  auto* first = std::get_if<DaySigned>(&entry.fact);
  if (first == nullptr) return false;
  first->report[31] ^= 1U;
  return true;
}

// The person who signed first closes the day in another person's name.
std::optional<TimedInput> closed_by_one(const State& state, TimedInput heard) {
  const auto* close = asked<CloseDay>(heard);
  const DayRecord* record = close == nullptr ? nullptr : state.find_day(close->day);
  auto* message = std::get_if<PersonMessage>(&heard.said);
  if (record == nullptr || message->by != record->signed_by) return std::nullopt;
  message->by = Badge("FM-1");
  return heard;
}

std::optional<TimedInput> signed_with_an_open_item(const State&, TimedInput heard) {
  if (asked<SignDay>(heard) == nullptr || !heard.finding) return std::nullopt;
  heard.finding->items.clear();
  return heard;
}

std::optional<TimedInput> signed_unread(const State&, TimedInput heard) {
  auto* sign = asked<SignDay>(heard);
  if (sign == nullptr || !heard.finding) return std::nullopt;
  heard.finding->report = sign->report;
  return heard;
}

std::optional<TimedInput> closed_without_the_days_before(const State& state, TimedInput heard) {
  auto* close = asked<CloseDay>(heard);
  if (close == nullptr) return std::nullopt;
  for (const DayRecord& day : state.days()) {
    if (day.is_closed()) continue;
    close->day = day.day;
    close->report = day.report;
    return heard;
  }
  return std::nullopt;
}

std::optional<TimedInput> counted_alone(const State&, TimedInput heard) {
  auto* record = asked<RecordCount>(heard);
  if (record == nullptr) return std::nullopt;
  record->witness = Badge("S-1");
  return heard;
}

std::optional<TimedInput> explained_as_it_was_not_read(const State&, TimedInput heard) {
  auto* explain = asked<ExplainVariance>(heard);
  if (explain == nullptr || !heard.finding) return std::nullopt;
  const auto item = heard.finding->items.find(explain->item);
  if (item == heard.finding->items.end()) return std::nullopt;
  item->second.difference = explain->difference;
  return heard;
}

// The next day ends before its time.
std::optional<TimedInput> ended_too_soon(const State&, TimedInput heard) {
  auto* end = std::get_if<DayEnd>(&heard.said);
  if (end == nullptr || end->ends_at <= heard.now) return std::nullopt;
  end->ends_at = heard.now;
  return heard;
}

}  // namespace

TEST_CASE("a wrong entry about a day is caught") {
  expect_caught("a reading of a unit more", Alter(reading_a_unit_more));
  expect_caught("another sign", Alter(another_sign));
  expect_caught("a day left out", Alter(day_left_out));
  expect_caught("an end a moment early", Alter(ends_a_moment_early));
  expect_caught("the table told what was counted", Alter(table_told_what_was_counted));
  expect_caught("a count of another", Alter(count_of_another));
  expect_caught("a signature under another report", Alter(signed_under_another_report));
}

TEST_CASE("a wrong decision about a day is caught") {
  expect_caught("closed by one person", MishearPerson(closed_by_one));
  expect_caught("signed with an open item", MishearPerson(signed_with_an_open_item));
  expect_caught("signed unread", MishearPerson(signed_unread));
  expect_caught("closed out of order", MishearPerson(closed_without_the_days_before));
  expect_caught("counted alone", MishearPerson(counted_alone));
  expect_caught("another difference explained", MishearPerson(explained_as_it_was_not_read));
  expect_caught("ended too soon", MishearPerson(ended_too_soon));
}

}  // namespace linkmeter::day_canary_test
