// Which facts of gaming days cannot follow a journal, whoever wrote them.
#include "meters/rules/validate_day.h"

#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "meters/rules/laws.h"
#include "meters/values/limits.h"
#include "tests/support/two_days.h"

namespace linkmeter::validate_day_test {
namespace {

using namespace two_days;
using House = TwoDays;

}  // namespace

TEST_CASE("a day's fact comes from a person, not from a table, and moves no money") {
  const House house;
  Entry ended = house.fact(DayEnded{third_day, house.now, reading_of(house.state, {})});
  CHECK_EQ(validate_entry(house.state, ended), std::nullopt);
  ended.postings = house.opening.postings;
  CHECK_EQ(validate_entry(house.state, ended).value_or(""), "a day's fact moves money");
  ended.postings.clear();
  ended.origin = Origin{};
  CHECK(validate_entry(house.state, ended).has_value());
  CHECK_EQ(house.unfit(DaySigned{first_day, read_report, Badge("NOBODY")}),
           "nobody has that badge");
}

TEST_CASE("a day end before its time, out of order or with a wrong reading is invalid") {
  const House house;
  const Reading reading = reading_of(house.state, {});
  CHECK_EQ(house.unfit(DayEnded{third_day, house.now.after(1), reading}),
           "the day ends before its time");
  for (const GamingDay day : {first_day, second_day, third_day.next()}) {
    CHECK_EQ(house.unfit(DayEnded{day, house.now, reading}), "it is not the next gaming day");
  }
  CHECK_EQ(house.unfit(DayEnded{third_day, second_end, reading}), "the day ends before it begins");
  Reading forged = reading;
  forged[1].book.levels[0].pool.held += Amount::from_units(1);
  CHECK_EQ(house.unfit(DayEnded{third_day, house.now, forged}),
           "a reading that the books do not say");
  CHECK_EQ(house.unfit(ReadingTaken{forged, {}, "", Badge("A-1")}),
           "a reading that the books do not say");
  forged = reading;
  forged.pop_back();
  CHECK_EQ(house.unfit(DayEnded{third_day, house.now, forged}), "a reading of other links");
  forged = reading;
  forged[0].shown.push_back(Amount());
  CHECK_EQ(house.unfit(DayEnded{third_day, house.now, forged}), "a reading of other levels");
  CHECK_EQ(
      house.unfit(ReadingTaken{reading, {{LinkIndex(1), LevelIndex(3), {}}}, "", Badge("A-1")}),
      "a sign of an unknown level");
}

TEST_CASE("impossible counts and explanations are invalid") {
  House house;
  CountRecorded count{first_day,    CountKind::poker_box, TableIndex(4),
                      LinkIndex(3), Amount::dollars(1),   "",
                      Badge("F-1"), Badge("C-1")};
  CHECK_EQ(house.unfit(count), "it fits");
  const auto of = [&](const std::function<void(CountRecorded&)>& spoil) {
    CountRecorded spoilt = count;
    spoil(spoilt);
    return house.unfit(spoilt);
  };
  CHECK_EQ(of([](CountRecorded& one) { one.day = third_day; }), "the day has not ended");
  CHECK_EQ(of([](CountRecorded& one) { one.link = LinkIndex(99); }), "an unknown link");
  CHECK_EQ(of([](CountRecorded& one) { one.table = TableIndex(5); }),
           "a count at a table of other links");
  CHECK_EQ(of([](CountRecorded& one) { one.witness = Badge("NOBODY"); }),
           "a count before nobody's eyes");
  CHECK_EQ(of([](CountRecorded& one) { one.witness = one.by; }), "a count before one's own eyes");
  CHECK_EQ(of([](CountRecorded& one) { one.amount = limits::meter_max + Amount::cents(1); }),
           "no amount that was counted");
  const VarianceExplained good{first_day, "i", "1.00", "n", {}, Badge("A-1")};
  CHECK_EQ(house.unfit(good), "it fits");
  VarianceExplained spoilt = good;
  spoilt.note = "";
  CHECK_EQ(house.unfit(spoilt), "it explains nothing");
  spoilt = good;
  spoilt.corrected_by = house.state.last_entry().next();
  CHECK_EQ(house.unfit(spoilt), "put right by an entry that is to come");
  house.close(first_day);
  CHECK_EQ(house.unfit(good), "the day is closed");
  CHECK_EQ(house.unfit(count), "the day is closed");
  CHECK_EQ(house.unfit(DaySigned{first_day, read_report, Badge("A-1")}), "the day is closed");
}

TEST_CASE("impossible transfers to the cage and adjustments of the display are invalid") {
  House house;
  const FundMoved move{first_day, LinkIndex(3),  {TableIndex(4)}, Amount::dollars(12),
                       "",        Badge("SO-1"), Badge("F-1"),    Badge("C-1")};
  CHECK_EQ(house.unfit(move), "it fits");
  const auto of = [&](const std::function<void(FundMoved&)>& spoil) {
    FundMoved spoilt = move;
    spoil(spoilt);
    return house.unfit(spoilt);
  };
  CHECK_EQ(of([](FundMoved& one) { one.day = third_day; }), "the day has not ended");
  CHECK_EQ(of([](FundMoved& one) { one.link = LinkIndex(99); }), "an unknown link");
  CHECK_EQ(of([](FundMoved& one) { one.link = LinkIndex(0); }), "boxes of other tables");
  CHECK_EQ(of([](FundMoved& one) { one.tables = {}; }), "boxes of other tables");
  CHECK_EQ(of([](FundMoved& one) { one.tables.push_back(TableIndex(4)); }),
           "boxes of other tables");
  CHECK_EQ(of([](FundMoved& one) { one.by = Badge("NOBODY"); }), "nobody has that badge");
  CHECK_EQ(of([](FundMoved& one) { one.carried_by = Badge("NOBODY"); }),
           "carried by nobody, or accounted for by nobody");
  CHECK_EQ(of([](FundMoved& one) { one.accounted_by = one.by; }),
           "carried or accounted for by who took it over");
  CHECK_EQ(of([](FundMoved& one) { one.carried_by = one.accounted_by; }),
           "carried by who accounts for it");
  CHECK_EQ(of([](FundMoved& one) { one.verified = -Amount::cents(1); }),
           "no amount that was counted");
  const Amount shown = house.state.link(LinkIndex(3)).levels.at(0).pool.held.whole_cents();
  const DisplayAdjusted held{LinkIndex(3), shown, Amount(), "", Badge("F-1"), Badge("A-1")};
  CHECK_EQ(house.unfit(held), "it fits");
  const auto as = [&](const std::function<void(DisplayAdjusted&)>& spoil) {
    DisplayAdjusted spoilt = held;
    spoil(spoilt);
    return house.unfit(spoilt);
  };
  CHECK_EQ(as([](DisplayAdjusted& one) { one.shown += Amount::cents(1); }),
           "a display that shows another amount");
  CHECK_EQ(as([](DisplayAdjusted& one) { one.link = LinkIndex(99); }), "an unknown link");
  CHECK_EQ(as([](DisplayAdjusted& one) { one.link = LinkIndex(0); }),
           "a display of no fund of pots");
  CHECK_EQ(as([](DisplayAdjusted& one) { one.witness = Badge("NOBODY"); }),
           "a display before nobody's eyes");
  CHECK_EQ(as([](DisplayAdjusted& one) { one.witness = one.by; }),
           "a display before one's own eyes");
  CHECK_EQ(as([](DisplayAdjusted& one) { one.kept = -Amount::cents(1); }),
           "no amount that was counted");
}

TEST_CASE("an impossible closing of a day is invalid") {
  House house;
  const auto closes = [&house](GamingDay day, const char* badge, const Digest& report) {
    return house.unfit(DayClosed{day, report, Badge(badge)});
  };
  CHECK_EQ(closes(first_day, "FM-1", read_report), "it is not signed as it stands");
  REQUIRE_EQ(house.says("FM-2", SignDay{first_day, read_report}), "none");
  CHECK_EQ(closes(first_day, "FM-1", other_report), "another report than was signed");
  CHECK_EQ(closes(first_day, "FM-2", read_report), "both signatures are one person's");
  CHECK_EQ(closes(first_day, "FM-1", read_report), "it fits");
  REQUIRE_EQ(house.says("A-1", SignDay{second_day, read_report}), "none");
  CHECK_EQ(closes(second_day, "FM-1", read_report), "the day before it is open");
  REQUIRE_EQ(house.says("C-1", box(first_day)), "none");
  CHECK_EQ(closes(first_day, "FM-1", read_report), "it is not signed as it stands");
}

TEST_CASE("a table's counters are as of its last message and on its own links") {
  House house;
  house.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  const TableIndex table(1);
  TableCounters counters{table, MessageNumber(1), MessageNumber(1), {}};
  const auto says = [&house](const TableCounters& told) {
    const Decision decision = decide(house.state, FloorRules(), told, house.now);
    const auto* no = std::get_if<Refusal>(&decision);
    return std::string(no == nullptr ? "none" : name(*no));
  };
  counters.table = TableIndex(99);
  CHECK_EQ(says(counters), "table_unknown");
  counters.table = table;
  counters.up_to = MessageNumber(2);
  CHECK_EQ(says(counters), "message_out_of_order");
  counters.up_to = MessageNumber(1);
  counters.from = MessageNumber(3);
  CHECK_EQ(says(counters), "message_malformed");
  counters.from = MessageNumber(0);
  CHECK_EQ(says(counters), "message_malformed");
  counters.from = MessageNumber(1);
  constexpr std::uint64_t most = 1'000'000'000'000;
  for (const LinkCount& no : std::vector<LinkCount>{
           {LinkIndex(1), 1, 2, Amount::from_units(std::numeric_limits<std::int64_t>::min())},
           {LinkIndex(1), 1, 2, Amount::from_units(1)},
           {LinkIndex(1), 1, 2, Amount::cents(-1)},
           {LinkIndex(1), 1, 2, Amount::dollars(60'000'000'000) + Amount::cents(1)},
           {LinkIndex(1), most + 1, 2, Amount::dollars(10)},
           {LinkIndex(1), 1, most + 1, Amount::dollars(10)},
           {LinkIndex(7), 1, 2, Amount::from_units(1)}}) {  // of another's link too
    counters.reported = {{LinkIndex(1), 1, 2, Amount::dollars(10)}, no};
    CHECK_EQ(says(counters), "counters_out_of_range");
  }
  counters.reported = {{LinkIndex(1), most, most, Amount::dollars(60'000'000'000)}};
  CHECK_EQ(says(counters), "none");
  counters.reported = {{LinkIndex(1), 1, 2, Amount::dollars(10)}, {LinkIndex(7), 9, 9, {}}};
  const Entry told = std::get<Entry>(decide(house.state, FloorRules(), counters, house.now));
  const auto& fact = std::get<CountersReported>(told.fact);
  CHECK_EQ(validate_entry(house.state, told), std::nullopt);
  CHECK_EQ(fact.reported.size(), 1);  // what it says of another link it cannot know
  CHECK((fact.reported == fact.counted));
  const auto unfit = [&](const std::function<void(CountersReported&)>& spoil) {
    CountersReported spoilt = fact;
    spoil(spoilt);
    return house.unfit(spoilt);
  };
  CHECK_EQ(unfit([](CountersReported& one) { one.table = TableIndex(99); }), "an unknown table");
  CHECK_EQ(unfit([](CountersReported& one) { one.up_to = MessageNumber(2); }),
           "counters of other messages");
  CHECK_EQ(unfit([](CountersReported& one) { one.from = MessageNumber(0); }),
           "counters of no messages");
  CHECK_EQ(unfit([](CountersReported& one) { one.counted[0].wagers = 3; }),
           "the journal has counted otherwise");
  CHECK_EQ(unfit([](CountersReported& one) { one.reported[0].link = LinkIndex(2); }),
           "counters of other links");
}

TEST_CASE("facts about days from a table, without a person, or with postings are invalid") {
  House house;
  house.close(first_day);
  const Reading reading = reading_of(house.state, {});
  const TableIndex table(4);
  const MessageNumber last = house.state.session(table).last_number();
  const LinkIndex fund(3);
  struct Of {
    Fact good;
    Fact nobodys;
  };
  const Badge none("X-1");
  const auto counts = counts_of(house.state, table);
  const CountersReported told{table, last.next(), last, counts, counts};
  std::vector<Of> facts = {
      {DayEnded{third_day, house.now, reading}, {}},
      {told, {}},
      {ReadingTaken{reading, {}, "", Badge("A-1")}, ReadingTaken{reading, {}, "", none}},
      {CountRecorded{second_day, CountKind::poker_box, table, fund, Amount::dollars(1), "",
                     Badge("F-1"), Badge("C-1")},
       CountRecorded{second_day, CountKind::poker_box, table, fund, Amount::dollars(1), "",
                     Badge("F-1"), none}},
      {VarianceExplained{second_day, "box", "-1.00", "a chip", {}, Badge("A-1")},
       VarianceExplained{second_day, "box", "-1.00", "a chip", {}, none}},
      {DaySigned{second_day, read_report, Badge("A-1")}, DaySigned{second_day, read_report, none}}};
  for (std::size_t at = 0; at < facts.size(); ++at) {
    CAPTURE(at);
    REQUIRE_EQ(house.unfit(facts[at].good), "it fits");
    Entry entry = house.fact(facts[at].good);
    entry.origin = Origin{table, last.next(), {}, {}};
    CHECK_EQ(validate_entry(house.state, entry), "a day's fact from a table");
    entry.origin.reset();
    entry.postings = house.opening.postings;
    CHECK_EQ(validate_entry(house.state, entry), "a day's fact moves money");
    if (at >= 2) CHECK_EQ(house.unfit(facts[at].nobodys), "nobody has that badge");
  }
  CHECK_EQ(house.unfit(DisplayAdjusted{fund, {}, {}, "", Badge("F-1"), none}),
           "nobody has that badge");
  CHECK_EQ(house.unfit(DayClosed{second_day, read_report, none}), "nobody has that badge");
  CHECK_EQ(house.unfit(DayClosed{third_day, read_report, Badge("FM-1")}), "the day has not ended");
  CHECK_EQ(house.unfit(DayClosed{first_day, read_report, Badge("FM-1")}), "the day is closed");
  // Beyond the last message, past the floor's links, and of no item.
  CHECK_EQ(house.unfit(CountersReported{table, last.next().next(), last, counts, counts}),
           "counters of no messages");
  CHECK_EQ(
      house.unfit(ReadingTaken{reading, {{LinkIndex(99), LevelIndex(0), {}}}, "", Badge("A-1")}),
      "a sign of an unknown level");
  CHECK_EQ(house.unfit(VarianceExplained{second_day, "", "-1.00", "a chip", {}, Badge("A-1")}),
           "it explains nothing");
}

}  // namespace linkmeter::validate_day_test
