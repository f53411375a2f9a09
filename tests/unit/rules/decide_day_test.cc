// The results of acts on gaming days: each refusal in its order, each right that is needed.
#include "meters/rules/decide_day.h"

#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

#include "meters/rules/laws.h"
#include "meters/values/limits.h"
#include "tests/support/two_days.h"

namespace linkmeter::decide_day_test {
namespace {

using namespace two_days;
using House = TwoDays;

}  // namespace

TEST_CASE("a day ends when it is over, each once, none left out") {
  ActingHouse house;
  const auto ends = [&house](GamingDay day, Timestamp at, Timestamp now) {
    const Decision decision = decide(house.state, FloorRules(), DayEnd{day, at, {}}, now);
    const auto* no = std::get_if<Refusal>(&decision);
    return std::string(no == nullptr ? "none" : name(*no));
  };
  CHECK_EQ(ends(first_day, first_end, first_end.after(-1)), "day_not_over");
  CHECK_EQ(ends(first_day, first_end, first_end), "none");
  house.end_day("2026-11-20", first_end);
  CHECK_EQ(ends(first_day, first_end, second_end), "day_not_over");
  CHECK_EQ(ends(third_day, second_end, second_end), "day_not_over");
  CHECK_EQ(ends(second_day, first_end, second_end), "day_not_over");
  CHECK_EQ(ends(second_day, second_end, second_end), "none");
}

TEST_CASE("each act about a day needs its right") {
  const std::vector<std::string> all = {"A-1", "AUD-1", "C-1",   "D-1",  "E-1",
                                        "F-1", "FM-1",  "PSS-1", "SO-1", "TGM-1"};
  const auto may = [&all](const OperatorCommand& act, const std::string& who) {
    House house = with_item();
    std::string others;
    for (const std::string& badge : all) {
      const bool is_his = who.find(badge + " ") != std::string::npos;
      if ((house.says(badge, act) != "right_missing") != is_his) others += badge + " ";
    }
    return others;
  };
  CHECK_EQ(may(TakeReading{}, "A-1 FM-1 "), "");
  CHECK_EQ(may(box(first_day), "C-1 D-1 "), "");
  CHECK_EQ(may(explanation(first_day), "A-1 "), "");
  CHECK_EQ(may(SignDay{first_day, read_report}, "A-1 "), "");
  CHECK_EQ(may(CloseDay{first_day, read_report}, "FM-1 "), "");
}

TEST_CASE("a reading contains the balances, the amounts sent to signs and the amounts seen") {
  House house;
  TakeReading take{{{c4, LevelId("mega"), Amount::cents(12'345)}}, "round at ten"};
  const auto seen = [&](const LinkId& link, const char* level, Amount amount) {
    TakeReading other = take;
    other.seen[0] = {link, LevelId(level), amount};
    return house.says("A-1", other);
  };
  TakeReading crowded = take;  // as many as a reading may hold, and one more
  crowded.seen.resize(1'000, take.seen[0]);
  CHECK_EQ(house.says("A-1", crowded), "sign_named_twice C4");
  crowded.seen.push_back(take.seen[0]);
  CHECK_EQ(house.says("A-1", crowded), "signs_too_many");
  TakeReading two = take;
  // Another amount does not make it another sign.
  two.seen.push_back({c4, LevelId("mega"), Amount::cents(12'400)});
  CHECK_EQ(house.says("A-1", two), "sign_named_twice C4");
  two.seen[1].level = LevelId("major");
  CHECK_EQ(house.says("A-1", two), "none");
  TakeReading badly_noted = take;
  badly_noted.note = std::string(limits::reason_length_max + 1, 'x');
  badly_noted.seen[0].link = LinkId("NONE");
  CHECK_EQ(house.says("A-1", badly_noted), "name_malformed");
  CHECK_EQ(seen(LinkId("NONE"), "mega", Amount()), "link_unknown");
  CHECK_EQ(seen(c4, "main", Amount::from_units(1)), "link_unknown");
  CHECK_EQ(seen(c4, "mega", Amount::from_units(1)), "amount_out_of_range");
  CHECK_EQ(seen(c4, "mega", Amount::cents(-1)), "amount_out_of_range");
  CHECK_EQ(seen(c4, "mega", limits::meter_max + Amount::cents(1)), "amount_out_of_range");
  house.shown = {{}, {Amount::dollars(50'000), std::nullopt}};
  const Entry taken = house.asked("A-1", take, nullptr, &house.shown);
  const auto& fact = std::get<ReadingTaken>(taken.fact);
  CHECK_EQ(fact.by, Badge("A-1"));
  CHECK_EQ(fact.seen.at(0).amount, Amount::cents(12'345));
  REQUIRE_EQ(fact.reading.size(), house.state.floor().links.size());
  CHECK((fact.reading[1].book == house.state.link(LinkIndex(1))));
  CHECK_EQ(fact.reading[1].shown.at(0), Amount::dollars(50'000));
  CHECK_FALSE(fact.reading[1].shown.at(1).has_value());
  CHECK_EQ(fact.reading[1].shown.size(), 3);
  CHECK_EQ(house.says("A-1", take), "none");
}

TEST_CASE("a count: refusals in their order") {
  House house;
  RecordCount count = box(third_day);
  count.note = std::string(limits::reason_length_max + 1, 'x');
  count.link = LinkId("NONE");
  count.table = TableId("NONE");
  count.kind = CountKind::fund_kept;
  count.amount = Amount::from_units(1);
  count.witness = Badge("C-1");
  CHECK_EQ(house.says("C-1", count), "name_malformed");
  count.note = "till 4";
  CHECK_EQ(house.says("C-1", count), "day_not_over");
  count.day = first_day.previous();
  CHECK_EQ(house.says("C-1", count), "day_unknown");
  house.close(first_day);
  count.day = first_day;
  CHECK_EQ(house.says("C-1", count), "day_closed");
  count.day = second_day;
  CHECK_EQ(house.says("C-1", count), "link_unknown");
  count.link = poker;
  CHECK_EQ(house.says("C-1", count), "table_unknown");
  count.table = TableId("P-01");
  CHECK_EQ(house.says("C-1", count), "count_not_possible");  // a fund of one table
  count.kind = CountKind::chips;
  CHECK_EQ(house.says("C-1", count), "count_not_possible");  // chips of pots
  count.kind = CountKind::poker_box;
  count.table = TableId("P-02");
  CHECK_EQ(house.says("C-1", count), "count_not_possible");  // a table without such a link
  count.table = {};
  CHECK_EQ(house.says("C-1", count), "count_not_possible");  // a box without a table
  count.table = TableId("P-01");
  CHECK_EQ(house.says("C-1", count), "amount_out_of_range");
  count.amount = Amount::dollars(30);
  CHECK_EQ(house.says("C-1", count), "witness_missing");  // the same person
  for (const char* badge : {"NOBODY", "A-1", "FM-1"}) {
    count.witness = Badge(badge);
    CHECK_EQ(house.says("C-1", count), "witness_missing");
  }
  // The witness gives his PIN; compliance is told of every box (§ 553.20(d)).
  count.witness = Badge("F-1");
  count.notice = "";
  house.is_witnessed = false;
  CHECK_EQ(house.says("C-1", count), "witness_not_signed");
  house.is_witnessed = true;
  CHECK_EQ(house.says("C-1", count), "notice_missing");
  count.notice = "two\nlines";
  CHECK_EQ(house.says("C-1", count), "name_malformed");
  count.notice = "R. Diaz, 06:10";
  count.recording = std::string(limits::reason_length_max + 1, 'x');
  CHECK_EQ(house.says("C-1", count), "name_malformed");
  // Surveillance records a count at the closed table, but not a cashier's count (d)(1).
  count.recording = "";
  CHECK_EQ(house.says("D-1", count), "recording_missing");
  for (const char* badge : {"F-1", "SO-1"}) {
    count.witness = Badge(badge);
    CHECK_EQ(house.says("C-1", count), "none");
  }
  count.recording = "camera 12, 06:12";
  // A person who has left cannot be a witness.
  auto later = house;
  later.state.apply(later.fact(
      ActConfirmed{ProposalNumber(1), RemovePerson{Badge("SO-1")}, Badge("TGM-1"), Badge("FM-1")}));
  count.witness = Badge("SO-1");
  CHECK_EQ(later.says("C-1", count), "witness_missing");
  // At the closed table a dealer counts, in the presence of a floorperson or a higher rank.
  for (const char* badge : {"SO-1", "C-1", "D-1"}) {
    count.witness = Badge(badge);
    CHECK_EQ(house.says("D-1", count), "witness_missing");
  }
  for (const char* badge : {"F-1", "PSS-1", "TGM-1"}) {
    count.witness = Badge(badge);
    CHECK_EQ(house.says("D-1", count), "none");
  }
  count.witness = Badge("F-1");
  count.notice = count.recording = "";  // nobody need be told of a count that is not of a box
  count.kind = CountKind::fund_kept;
  count.table = {};
  CHECK_EQ(house.says("C-1", count), "none");
  count.kind = CountKind::chips;
  count.link = c4;
  count.table = TableId("C4-01");
  CHECK_EQ(house.says("C-1", count), "none");
  CHECK_EQ(house.says("D-1", count), "right_missing");  // chips
  CHECK_EQ(house.state.find_day(second_day)->facts.size(), 7);
}

TEST_CASE("an explanation: refusals in their order") {
  House house;
  ExplainVariance act{third_day, "box/POKER/P-01", "-2.00", "", EntryNumber(99'999)};
  house.sees = false;
  CHECK_EQ(house.says("A-1", act), "name_malformed");
  act.note = "a chip behind the box";
  CHECK_EQ(house.says("A-1", act), "day_not_over");
  act.day = first_day.previous();
  CHECK_EQ(house.says("A-1", act), "day_unknown");
  act.day = first_day;
  CHECK_EQ(house.says("A-1", act), "report_not_ready");
  house.sees = true;
  CHECK_EQ(house.says("A-1", act), "item_unknown");
  house.has_item("box/POKER/P-01", true);
  CHECK_EQ(house.says("A-1", act), "variance_differs");
  act.difference = "-1.00";
  CHECK_EQ(house.says("A-1", act), "entry_unknown");
  act.corrected_by = EntryNumber(0);
  CHECK_EQ(house.says("A-1", act), "entry_unknown");
  act.corrected_by = EntryNumber(1);
  CHECK_EQ(house.says("A-1", act), "none");
  act.corrected_by.reset();
  CHECK_EQ(house.says("A-1", act), "none");
  house.finding.items.clear();
  house.close(first_day);
  CHECK_EQ(house.says("A-1", act), "day_closed");
}

TEST_CASE(
    "the explanations of one person for one item are bounded; other items stay open to the "
    "person") {
  House house = with_item();
  for (std::uint32_t said = 0; said < limits::day_facts_per_item_max; ++said) {
    house.state.apply(house.asked("C-1", box(first_day), &house.finding));
  }
  CHECK_EQ(house.says("C-1", box(first_day)), "day_full");
  CHECK_EQ(house.says("C-1", box(second_day)), "none");
  // An item that the report lists as open may have been explained after the report was made.
  for (std::uint32_t said = 0; said < limits::day_facts_per_item_max; ++said) {
    house.state.apply(house.asked("A-1", explanation(first_day), &house.finding));
  }
  CHECK_EQ(house.says("A-1", explanation(first_day)), "day_full");
  CHECK_EQ(house.says("A-2", explanation(first_day)), "none");
  for (auto& [name, item] : house.finding.items) item.is_open = false;
  CHECK_EQ(house.says("A-1", explanation(first_day)), "day_full");
  CHECK_EQ(house.says("A-2", explanation(first_day)), "none");
}

TEST_CASE("a day at its limit can still be closed: open differences have reserved places") {
  House house = with_item();
  const std::size_t people = limits::day_facts_max - limits::day_explanations_reserved;
  while (house.state.find_day(first_day)->facts.size() < people) {
    const std::string item = "i" + std::to_string(house.state.find_day(first_day)->facts.size());
    house.state.apply(house.fact(VarianceExplained{first_day, item, "1", "n", {}, Badge("A-1")}));
  }
  CHECK_EQ(house.says("C-1", box(first_day)), "day_full");
  CHECK_EQ(house.says("A-1", explanation(first_day)), "none");
  // A person's repeats before the next report do not use up the reserved places.
  while (house.says("A-1", explanation(first_day)) == "none") continue;
  CHECK_LE(house.state.find_day(first_day)->facts.size(), people + limits::day_facts_per_item_max);
  CHECK_EQ(house.says("A-2", explanation(first_day)), "none");
  while (house.state.find_day(first_day)->facts.size() < limits::day_facts_max) {
    const std::string item = "i" + std::to_string(house.state.find_day(first_day)->facts.size());
    house.state.apply(house.fact(VarianceExplained{first_day, item, "1", "n", {}, Badge("A-1")}));
  }
  CHECK_EQ(house.says("A-2", explanation(first_day)), "day_full");
  CHECK_EQ(house.says("A-1", explanation(second_day)), "none");
  CHECK_EQ(house.unfit(VarianceExplained{first_day, "i", "1", "n", {}, Badge("A-1")}),
           "too much said of a day");
}

TEST_CASE("the first signature: refusals in their order") {
  House house;
  house.sees = false;
  CHECK_EQ(house.says("A-1", SignDay{third_day, other_report}), "day_not_over");
  CHECK_EQ(house.says("A-1", SignDay{first_day.previous(), other_report}), "day_unknown");
  CHECK_EQ(house.says("A-1", SignDay{first_day, other_report}), "report_not_ready");
  house.sees = true;
  house.has_item("claim/4", true, true);
  CHECK_EQ(house.says("A-1", SignDay{first_day, other_report}), "report_differs");
  CHECK_EQ(house.says("A-1", SignDay{first_day, read_report}), "claims_pending claim/4");
  house.has_item("box/POKER/P-01", true);
  CHECK_EQ(house.says("A-1", SignDay{first_day, read_report}),
           "variance_unexplained box/POKER/P-01");
  house.has_item("box/POKER/P-01", false);
  house.has_item("claim/4", false, true);
  CHECK_EQ(house.says("A-1", SignDay{first_day, read_report}), "none");
  CHECK_EQ(house.says("A-1", SignDay{first_day, read_report}), "day_signed_already");
  // Another accountant signs the same report: the last signature counts.
  CHECK_EQ(house.says("A-2", SignDay{first_day, read_report}), "none");
  CHECK_EQ(house.state.find_day(first_day)->signed_by, Badge("A-2"));
  CHECK_EQ(house.says("A-2", SignDay{first_day, read_report}), "day_signed_already");
  CHECK_EQ(house.says("A-1", SignDay{first_day, read_report}), "none");
  // For another report it is another signature; also for the same report after another statement.
  house.finding.report = other_report;
  CHECK_EQ(house.says("A-2", SignDay{first_day, other_report}), "none");
  CHECK_EQ(house.state.find_day(first_day)->signed_by, Badge("A-2"));
  REQUIRE_EQ(house.says("C-1", box(first_day)), "none");
  CHECK_EQ(house.says("A-2", SignDay{first_day, other_report}), "none");
  REQUIRE_EQ(house.says("FM-1", CloseDay{first_day, other_report}), "none");
  CHECK_EQ(house.says("A-1", SignDay{first_day, other_report}), "day_closed");
}

TEST_CASE("the second signature: refusals in their order") {
  House house;
  CHECK_EQ(house.says("FM-1", CloseDay{third_day, read_report}), "day_not_over");
  CHECK_EQ(house.says("FM-1", CloseDay{first_day.previous(), read_report}), "day_unknown");
  CHECK_EQ(house.says("FM-1", CloseDay{second_day, read_report}), "day_before_open 2026-11-20");
  CHECK_EQ(house.says("FM-1", CloseDay{first_day, read_report}), "day_not_signed");
  REQUIRE_EQ(house.says("FM-2", SignDay{first_day, read_report}), "none");
  CHECK_EQ(house.says("FM-2", CloseDay{first_day, other_report}), "report_differs");
  CHECK_EQ(house.says("FM-2", CloseDay{first_day, read_report}), "same_person");
  REQUIRE_EQ(house.says("C-1", box(first_day)), "none");
  CHECK_EQ(house.says("FM-1", CloseDay{first_day, read_report}), "report_differs");
  REQUIRE_EQ(house.says("A-1", SignDay{first_day, read_report}), "none");
  house.sees = false;  // the report is not requested again: the first signature names it
  CHECK_EQ(house.says("FM-1", CloseDay{first_day, read_report}), "none");
  CHECK_EQ(house.says("FM-1", CloseDay{first_day, read_report}), "day_closed");
  CHECK(house.state.find_day(first_day)->is_closed());
  CHECK_EQ(house.says("FM-1", CloseDay{second_day, read_report}), "day_not_signed");
}

// A-1 signs the day with a PIN that FM-1 may know, so FM-1 may not close it.
static void sign_with_a_pin_of_the_closer(House& house) {
  const DualControlCommand reset = ResetPin{Badge("A-1"), "made by FM-1"};
  REQUIRE_EQ(house.says("FM-1", Propose{reset}), "none");
  REQUIRE_EQ(house.says("TGM-1", Confirm{house.state.last_proposal(), summary(reset)}), "none");
  REQUIRE_EQ(house.says("A-1", ChangePin{"his own"}), "none");
  REQUIRE_EQ(house.says("A-1", SignDay{first_day, read_report}), "none");
  CHECK_EQ(house.says("FM-1", CloseDay{first_day, read_report}), "same_hand");
}

TEST_CASE(
    "a person who may have set the accountant's PIN cannot close the day that the accountant "
    "signed") {
  House house;
  sign_with_a_pin_of_the_closer(house);
  CHECK_EQ(house.says("FM-2", CloseDay{first_day, read_report}), "none");
}

// The house has one finance manager: without another accountant the day could not be closed.
TEST_CASE("a day that the wrong accountant signed can be signed by another one and closed") {
  House house;
  sign_with_a_pin_of_the_closer(house);
  // A report that A-2 has not read is still refused.
  CHECK_EQ(house.says("A-2", SignDay{first_day, other_report}), "report_differs");
  CHECK_EQ(house.says("A-2", SignDay{first_day, read_report}), "none");
  // The first accountant's signature would count again if it were the last.
  REQUIRE_EQ(house.says("A-1", SignDay{first_day, read_report}), "none");
  CHECK_EQ(house.says("FM-1", CloseDay{first_day, read_report}), "same_hand");
  REQUIRE_EQ(house.says("A-2", SignDay{first_day, read_report}), "none");
  CHECK_EQ(house.says("FM-1", CloseDay{first_day, read_report}), "none");
  CHECK_EQ(house.state.find_day(first_day)->signed_by, Badge("A-2"));
}

TEST_CASE("a kind of count is parsed by its name only") {
  for (const auto& [text, kind] : {std::pair("poker_box", CountKind::poker_box),
                                   {"fund_kept", CountKind::fund_kept},
                                   {"chips", CountKind::chips}}) {
    CHECK_EQ(name(kind), text);
    CHECK_EQ(parse_count_kind(text), kind);
  }
  for (const char* text : {"", "chip", "chips ", "CHIPS", "poker-box"}) {
    CHECK_FALSE(parse_count_kind(text).has_value());
  }
}

}  // namespace linkmeter::decide_day_test
