// The results of acts on a fund of pots (§ 553.20): each refusal in its order, each right that is
// needed, and what an adjustment of the display takes down.
#include "meters/rules/decide_day.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "tests/support/two_days.h"

namespace linkmeter::fund_decision_test {
namespace {

using namespace two_days;
using House = TwoDays;

const LinkIndex poker_place(3);

MoveFund container(GamingDay day) {
  return {day, poker, {TableId("P-01")}, Amount::dollars(12), "", Badge("SO-1"), Badge("F-1")};
}

AdjustDisplay held(Amount kept) { return {poker, kept, std::nullopt, "", Badge("F-1")}; }

// The people who have the right.
std::string who_may(const OperatorCommand& act) {
  std::string who;
  for (const char* badge :
       {"A-1", "AUD-1", "C-1", "D-1", "E-1", "F-1", "FM-1", "PSS-1", "SO-1", "TGM-1"}) {
    House house;
    if (house.says(badge, act) != "right_missing") who += std::string(badge) + " ";
  }
  return who;
}

}  // namespace

TEST_CASE("a cashier takes over boxes at the cage; the finance manager adjusts the display") {
  CHECK_EQ(who_may(container(first_day)), "C-1 ");
  CHECK_EQ(who_may(held(Amount::dollars(500))), "FM-1 ");
}

TEST_CASE("transfer to the cage: refusals in their order") {
  House house;
  MoveFund move = container(third_day);
  move.note = std::string(limits::reason_length_max + 1, 'x');
  move.link = LinkId("NONE");
  move.tables = {TableId("NONE")};
  move.verified = Amount::from_units(1);
  move.carried_by = Badge("F-1");
  move.accounted_by = Badge("SO-1");
  CHECK_EQ(house.says("C-1", move), "name_malformed");
  move.note = "container 7";
  CHECK_EQ(house.says("C-1", move), "day_not_over");
  house.close(first_day);
  move.day = first_day;
  CHECK_EQ(house.says("C-1", move), "day_closed");
  move.day = second_day;
  CHECK_EQ(house.says("C-1", move), "link_unknown");
  move.link = poker;
  CHECK_EQ(house.says("C-1", move), "table_unknown");
  for (const std::vector<TableId>& tables :
       {std::vector<TableId>{}, {TableId("P-02")}, {TableId("P-01"), TableId("P-01")}}) {
    move.tables = tables;
    CHECK_EQ(house.says("C-1", move), "transfer_not_possible");
  }
  move.link = c4;
  move.tables = {TableId("C4-01")};
  CHECK_EQ(house.says("C-1", move), "transfer_not_possible");
  move.link = poker;
  move.tables = {TableId("P-01")};
  CHECK_EQ(house.says("C-1", move), "amount_out_of_range");
  move.verified = Amount::dollars(12);
  for (const char* badge : {"F-1", "C-1", "NOBODY"}) {
    move.carried_by = Badge(badge);
    CHECK_EQ(house.says("C-1", move), "carrier_missing");
  }
  move.carried_by = Badge("SO-1");
  for (const char* badge : {"SO-1", "C-1", "D-1", "NOBODY"}) {
    move.accounted_by = Badge(badge);
    CHECK_EQ(house.says("C-1", move), "floorperson_missing");
  }
  for (const char* badge : {"F-1", "PSS-1", "TGM-1"}) {
    move.accounted_by = Badge(badge);
    CHECK_EQ(house.says("C-1", move), "none");
  }
  move.verified.reset();  // locked boxes
  CHECK_EQ(house.says("C-1", move), "none");
  CHECK_EQ(house.state.find_day(second_day)->facts.size(), 4);
}

TEST_CASE("adjustment of the display: refusals in their order") {
  House house;
  AdjustDisplay adjust = held(Amount::from_units(1));
  adjust.note = std::string(limits::reason_length_max + 1, 'x');
  adjust.link = LinkId("NONE");
  adjust.witness = Badge("FM-1");
  adjust.shown = Amount::dollars(499);
  house.is_witnessed = false;
  CHECK_EQ(house.says("FM-1", adjust), "name_malformed");
  adjust.note = "at the desk";
  CHECK_EQ(house.says("FM-1", adjust), "link_unknown");
  adjust.link = c4;
  CHECK_EQ(house.says("FM-1", adjust), "display_not_offered");
  adjust.link = poker;
  CHECK_EQ(house.says("FM-1", adjust), "amount_out_of_range");
  adjust.kept = Amount::dollars(500);
  for (const char* badge : {"FM-1", "SO-1", "D-1", "NOBODY"}) {
    adjust.witness = Badge(badge);
    CHECK_EQ(house.says("FM-1", adjust), "floorperson_missing");
  }
  adjust.witness = Badge("F-1");
  CHECK_EQ(house.says("FM-1", adjust), "witness_not_signed");
  house.is_witnessed = true;
  CHECK_EQ(house.says("FM-1", adjust), "display_differs");
  adjust.shown = Amount::dollars(500);
  CHECK_EQ(house.says("FM-1", adjust), "none");
}

TEST_CASE("a request without the right is journaled with its command") {
  House house;
  const auto refused = [&house](const OperatorCommand& act) {
    return std::get<CommandRejected>(house.asked("D-1", act).fact).act;
  };
  CHECK_EQ(refused(container(second_day)), "move_fund");
  CHECK_EQ(refused(held(Amount::dollars(500))), "adjust_display");
}

TEST_CASE("a PIN that others set does not count as a second signature until it is changed") {
  House house;
  const ResetPin reset{Badge("F-1"), "another"};
  REQUIRE_EQ(house.says("TGM-1", Propose{reset}), "none");
  const Proposal& open = house.state.proposals().back();
  REQUIRE_EQ(house.says("FM-1", Confirm{open.number, summary(open.act)}), "none");
  CHECK_EQ(house.says("FM-1", held(Amount::dollars(500))), "witness_not_signed");
  REQUIRE_EQ(house.says("F-1", ChangePin{"his own"}), "none");
  CHECK_EQ(house.says("FM-1", held(Amount::dollars(500))), "none");
}

TEST_CASE(
    "an adjustment records the displayed and kept amounts, moves nothing and clears the notice") {
  House house;
  REQUIRE_EQ(house.says("PSS-1", PostNotice{poker, true}), "none");
  const LinkBalances before = house.state.link(poker_place);
  CHECK(before.pending_adjustment);
  const Entry entry = house.asked("FM-1", held(Amount::cents(49'999)));
  const auto& fact = std::get<DisplayAdjusted>(entry.fact);
  CHECK_EQ(fact.shown, Amount::dollars(500));
  CHECK_EQ(fact.kept, Amount::cents(49'999));
  CHECK_EQ(fact.by, Badge("FM-1"));
  CHECK_EQ(fact.witness, Badge("F-1"));
  CHECK(entry.postings.empty());
  house.state.apply(entry);
  LinkBalances after = house.state.link(poker_place);
  CHECK_FALSE(after.pending_adjustment);
  after.pending_adjustment = true;
  CHECK((after == before));
}

TEST_CASE("an empty fund shows zero, and the acts of a day are bounded") {
  House house;
  const LinkBalances& book = house.state.link(poker_place);
  const Pool first = Pool::level(LevelIndex(0));
  const Amount held = book.levels[0].pool.held;
  CHECK_EQ(shown_now(house.state, poker_place), held.whole_cents());
  house.state.apply(Entry{house.state.last_entry().next(),
                          house.now,
                          std::nullopt,
                          ClockChanged{1},
                          {{Account::meter, poker_place, first, -held},
                           {Account::corrections, poker_place, first, held}}});
  CHECK_EQ(shown_now(house.state, poker_place), Amount());
  const RecordCount count = box(second_day);
  for (std::size_t said = house.state.find_day(second_day)->facts.size();
       said < limits::day_facts_max - limits::day_explanations_reserved; ++said) {
    house.state.apply(
        house.fact(VarianceExplained{second_day, "box", "1", "a chip", {}, Badge("A-1")}));
  }
  CHECK_EQ(house.says("C-1", count), "day_full");
  CHECK_EQ(house.says(
               "C-1",
               MoveFund{second_day, poker, {TableId("P-01")}, {}, "", Badge("SO-1"), Badge("F-1")}),
           "day_full");
}

}  // namespace linkmeter::fund_decision_test
