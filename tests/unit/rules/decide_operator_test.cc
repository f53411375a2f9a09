// Results of operators' commands that the ledgers of tests/golden cannot show: limits that take
// thousands of commands to reach, and records with false contents.
#include "meters/rules/decide_operator.h"

#include <doctest/doctest.h>
#include <optional>
#include <string>

#include "meters/rules/decide.h"
#include "meters/rules/laws.h"
#include "meters/values/limits.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/staff.h"

namespace linkmeter::decide_operator_test {
namespace {

const LinkId run("RUN");
const LinkId c4("C4");
const LevelId reserve("reserve");

Refusal refusal_of(const Entry& entry) {
  const auto* no = std::get_if<CommandRejected>(&entry.fact);
  return no == nullptr ? Refusal::none : no->refusal;
}

struct House : MixedFloor {
  // The result of decide(). The entry is applied; it must also be valid for a restart.
  Refusal says(const std::string& badge, const OperatorCommand& act) {
    const Entry entry = decided(badge, act);
    REQUIRE_EQ(validate_entry(state, entry).value_or("it fits"), "it fits");
    state.apply(entry);
    REQUIRE_EQ(law_violation(state).value_or("lawful"), "lawful");
    return refusal_of(entry);
  }
  // Proposed and confirmed. Returns the first refusal.
  Refusal both(const DualControlCommand& act, const std::string& first = "TGM-1",
               const std::string& second = "FM-1") {
    const Refusal no = says(first, Propose{act});
    if (no != Refusal::none) return no;
    return says(second, Confirm{state.last_proposal(), summary(state.proposals().back().act)});
  }
  Refusal correct(const LinkId& link, Amount amount) {
    return both(CorrectMeter{link, reserve, amount, CorrectionReason::count_variance, ""});
  }
  Refusal transfer(const LinkId& from, const LinkId& to, Amount amount) {
    return both(TransferMeter{from, reserve, to, reserve, amount, TransferReason::merged, ""});
  }
  [[nodiscard]] const PoolBalances& reserve_of(const LinkId& link) const {
    return state.link(*state.floor().find_link(link)).reserve;
  }
};

}  // namespace

TEST_CASE("lifetime corrections and transfers stay within their limit, also after a restart") {
  House house;
  // Sixty times, a billion is added here, moved there, and removed there.
  for (int billion = 1; billion <= 60; ++billion) {
    CAPTURE(billion);
    REQUIRE_EQ(name(house.correct(run, limits::amount_max)), "none");
    REQUIRE_EQ(name(house.transfer(run, c4, limits::amount_max)), "none");
    REQUIRE_EQ(name(house.correct(c4, -limits::amount_max)), "none");
  }
  CHECK_EQ(house.reserve_of(run).corrected, limits::lifetime_max);
  CHECK_EQ(house.reserve_of(run).transferred, -limits::lifetime_max);
  CHECK_EQ(house.reserve_of(c4).corrected, -limits::lifetime_max);
  const Amount least = Amount::from_units(1);
  CHECK_EQ(name(house.correct(run, least)), "meter_full");
  CHECK_EQ(name(house.correct(run, -least)), "below_zero");
  // The opposite correction brings the total nearer to zero.
  CHECK_EQ(name(house.correct(c4, least)), "none");
  CHECK_EQ(name(house.correct(c4, -least)), "none");
  CHECK_EQ(name(house.correct(c4, least)), "none");
  CHECK_EQ(name(house.transfer(c4, run, least)), "none");
  CHECK_EQ(name(house.transfer(run, c4, least)), "none");
  CHECK_EQ(name(house.correct(c4, -least)), "none");
}

TEST_CASE(
    "a new person's PIN counts as set by others, whatever the record says; a first person's as "
    "recorded") {
  House house;
  Person hired = person_of("FM-2", Department::finance, {Role::finance_manager});
  hired.pin_set_by_other = false;
  REQUIRE_EQ(name(house.both(AddPerson{hired})), "none");
  CHECK(house.state.find_person(hired.badge)->pin_set_by_other);
  CHECK_EQ(name(house.says("FM-2", SuspendLink{run, "sign dark"})), "pin_to_be_changed");
  REQUIRE_EQ(name(house.says("FM-2", ChangePin{"his own"})), "none");
  CHECK_FALSE(house.state.find_person(hired.badge)->pin_set_by_other);
  REQUIRE_EQ(name(house.says("FM-2", SuspendLink{run, "sign dark"})), "none");
  CHECK_FALSE(house.state.find_person(Badge("FM-1"))->pin_set_by_other);

  FloorOpened opened;
  opened.floor = house.state.floor();
  opened.people = {hired};
  opened.people[0].pin_set_by_other = true;
  State state;
  state.apply(open_floor(opened, Timestamp::from_microseconds(1)));
  CHECK(state.find_person(hired.badge)->pin_set_by_other);
}

// TGM-1 creates a finance manager, knows his PIN, and could be the second person with it.
TEST_CASE("a person who may have set another's PIN is never the second person beside them") {
  House house;
  const auto hire = [&](const char* badge, Department department, Role role, const char* first,
                        const char* second) {
    REQUIRE_EQ(name(house.both(AddPerson{person_of(badge, department, {role})}, first, second)),
               "none");
    REQUIRE_EQ(name(house.says(badge, ChangePin{"another's"})), "none");
  };
  const SuspendLink dark{run, "sign dark"};
  const ResumeLink resume{run};
  REQUIRE_EQ(name(house.says("TGM-1", dark)), "none");
  hire("TGM-2", Department::table_games, Role::table_games_manager, "FM-1", "TGM-1");
  hire("FM-2", Department::finance, Role::finance_manager, "TGM-1", "FM-1");
  CHECK_EQ(name(house.both(resume, "TGM-1", "FM-2")), "same_hand");
  CHECK_EQ(name(house.both(resume, "FM-2", "TGM-1")), "same_hand");
  // Through a third person, or both from one.
  hire("FM-3", Department::finance, Role::finance_manager, "FM-2", "TGM-2");
  CHECK_EQ(name(house.both(resume, "TGM-1", "FM-3")), "same_hand");
  hire("TGM-3", Department::table_games, Role::table_games_manager, "TGM-1", "FM-1");
  CHECK_EQ(name(house.both(resume, "TGM-3", "FM-2")), "same_hand");
  CHECK_EQ(name(house.both(resume, "TGM-2", "FM-3")), "none");
  // A PIN that another person sets is known to that person.
  REQUIRE_EQ(name(house.says("TGM-1", dark)), "none");
  REQUIRE_EQ(name(house.both(ResetPin{Badge("FM-2"), "given"}, "FM-1", "TGM-1")), "none");
  REQUIRE_EQ(name(house.says("FM-2", ChangePin{"his own"})), "none");
  CHECK_EQ(name(house.both(resume, "TGM-1", "FM-2")), "none");
}

TEST_CASE("one person freezes a table, and two unfreeze it") {
  House house;
  const TableId table("C4-01");
  for (const char* badge : {"D-1", "C-1"}) {
    CHECK_EQ(name(house.says(badge, FreezeTable{table, "no seal on the box"})), "right_missing");
  }
  CHECK_EQ(name(house.says("F-1", FreezeTable{TableId("X-1"), "no seal"})), "table_unknown");
  CHECK_EQ(name(house.says("F-1", FreezeTable{table, ""})), "name_malformed");
  CHECK_EQ(name(house.both(UnfreezeTable{table})), "table_not_frozen");
  house.take("C4-01", lock_of("r1", {five_card(1)}));
  CHECK_EQ(name(house.says("F-1", FreezeTable{table, "no seal on the box"})), "none");
  CHECK_EQ(name(house.says("TGM-1", FreezeTable{table, "again"})), "table_frozen_already");
  // No new round may begin; the open one continues. The refusal is an entry and uses up its number.
  CHECK_EQ(name(house.refusal("C4-01", lock_of("r2", {five_card(1)}))), "table_frozen");
  CHECK_EQ(name(house.refusal("C4-01", royal_flush_of("r1", 1))), "none");
  CHECK_EQ(name(house.refusal("C4-02", lock_of("r1", {five_card(1)}))), "none");
  CHECK_EQ(name(house.says("F-1", Propose{UnfreezeTable{table}})), "right_missing");
  CHECK_EQ(name(house.both(UnfreezeTable{table})), "none");
  CHECK_EQ(name(house.refusal("C4-01", lock_of("r2", {five_card(1)}))), "none");
}

TEST_CASE("two managers resume every link that one cause suspended, and no other") {
  House house;
  REQUIRE_EQ(name(house.says("TGM-1", SuspendLink{run, "the journal's disk is full: 1 KiB"})),
             "none");
  REQUIRE_EQ(name(house.says("TGM-1", SuspendLink{c4, "the journal's disk is full: 2 KiB"})),
             "none");
  REQUIRE_EQ(name(house.says("TGM-1", SuspendLink{LinkId("RIU"), "its sign is dark"})), "none");
  const auto for_reason = [](const std::string& cause) {
    return Propose{ResumeLinks{.cause = cause}};
  };
  CHECK_EQ(name(house.says("TGM-1", for_reason("a clock"))), "link_not_suspended");
  CHECK_EQ(name(house.says("TGM-1", for_reason("disk is full"))), "link_not_suspended");
  CHECK_EQ(name(house.says("TGM-1", for_reason("bell\a"))), "name_malformed");
  CHECK_EQ(name(house.says("TGM-1", for_reason(std::string(limits::reason_length_max + 1, 'r')))),
           "name_malformed");
  REQUIRE_EQ(name(house.says("TGM-1", for_reason("the journal's disk is full"))), "none");
  const std::string read = summary(house.state.proposals().back().act);
  CHECK_EQ(read,
           "resume 2 suspended links:\n    C4: the journal's disk is full: 2 KiB\n    RUN: the "
           "journal's disk is full: 1 KiB");
  REQUIRE_EQ(name(house.says("FM-1", Confirm{house.state.last_proposal(), read})), "none");
  CHECK_EQ(house.state.link(*house.state.floor().find_link(run)).suspended, "");
  CHECK_EQ(house.state.link(*house.state.floor().find_link(c4)).suspended, "");
  CHECK_EQ(house.state.link(LinkIndex(0)).suspended, "its sign is dark");
}

TEST_CASE("a link with another reason meanwhile is not resumed with the others") {
  House house;
  house.says("TGM-1", SuspendLink{run, "disk full"});
  house.says("TGM-1", SuspendLink{c4, "disk full"});
  REQUIRE_EQ(name(house.says("TGM-1", Propose{ResumeLinks{.cause = "disk full"}})), "none");
  const Proposal proposal = house.state.proposals().back();
  REQUIRE_EQ(name(house.both(ResumeLink{run})), "none");
  house.says("TGM-1", SuspendLink{run, "disk full, again"});
  CHECK_EQ(name(house.says("FM-1", Confirm{proposal.number, summary(proposal.act)})),
           "suspensions_changed");
  CHECK_EQ(house.state.link(*house.state.floor().find_link(c4)).suspended, "disk full");
}

TEST_CASE("a link is resumed only for the reason that both persons read") {
  House house;
  REQUIRE_EQ(name(house.says("TGM-1", SuspendLink{run, "monthly check"})), "none");
  REQUIRE_EQ(name(house.says("TGM-1", Propose{ResumeLink{run, "whatever was asked for"}})), "none");
  const Proposal first = house.state.proposals().back();
  CHECK_EQ(summary(first.act), "resume RUN: monthly check");
  // Another entry between the proposal and the confirmation.
  house.state.apply(std::get<Entry>(
      decide(house.state, FloorRules(),
             SelfSuspension{*house.state.floor().find_link(run), "state differs", true},
             Timestamp::from_microseconds(3'000'000))));
  CHECK_EQ(name(house.says("FM-1", Confirm{first.number, summary(first.act)})),
           "suspensions_changed");
  REQUIRE_EQ(name(house.says("TGM-1", Propose{ResumeLink{run}})), "none");
  const Proposal second = house.state.proposals().back();
  CHECK_EQ(summary(second.act), "resume RUN: monthly check; state differs");
  CHECK_EQ(name(house.says("FM-1", Confirm{second.number, summary(second.act)})), "none");
}

TEST_CASE("the number of people is bounded") {
  House house;
  FloorOpened opened;
  opened.floor = house.state.floor();
  opened.people = standard_staff();
  while (opened.people.size() < limits::people_max) {
    opened.people.push_back(person_of("N-" + std::to_string(opened.people.size()),
                                      Department::finance, {Role::cashier}));
  }
  State state;
  state.apply(open_floor(opened, Timestamp::from_microseconds(1)));
  house.state = std::move(state);
  const AddPerson one_more{person_of("X-1", Department::finance, {Role::cashier})};
  CHECK_EQ(name(house.says("TGM-1", Propose{one_more})), "person_exists");
}

TEST_CASE("a table's counters count for the last day until it is closed") {
  House house;
  const auto tell = [&house] {
    house.state.apply(Entry{house.state.last_entry().next(),
                            {},
                            std::nullopt,
                            CountersReported{TableIndex(1), MessageNumber(1), {}, {}, {}},
                            {}});
  };
  tell();
  CHECK(house.state.days().empty());
  const GamingDay day = GamingDay::from_number(20'777);
  house.state.apply(
      Entry{house.state.last_entry().next(), {}, std::nullopt, DayEnded{day, {}, {}}, {}});
  tell();
  CHECK_EQ(house.state.days().back().facts.size(), 1);
  house.state.apply(Entry{
      house.state.last_entry().next(), {}, std::nullopt, DayClosed{day, {}, Badge("FM-1")}, {}});
  tell();
  CHECK_EQ(house.state.days().back().facts.size(), 1);
}

// § 605a.7 counts what a progressive paid; a wager without a meter is no progressive.
TEST_CASE("a claim of a wager without a meter is paid and moves no meter") {
  House house;
  house.take("C4-01", lock_of("r1", {five_card(1)}));
  Entry fixed = house.decided("C4-01", royal_flush_of("r1", 1));
  HandsShown& shown = std::get<HandsShown>(fixed.fact);
  const LinkIndex fortune(8);
  shown.hits.clear();
  shown.awards.resize(1);
  shown.awards[0].link = fortune;
  shown.awards[0].level.reset();
  shown.awards[0].hit = 0;
  fixed.postings.clear();
  house.state.apply(fixed);
  house.state.apply(Entry{house.state.last_entry().next(),
                          {},
                          std::nullopt,
                          ClaimPaid{ClaimNumber(1), PaymentSource::hand_pay, Badge("C-1")},
                          {}});
  CHECK_EQ(house.state.claims()[0].state, ClaimState::paid);
  CHECK_EQ(house.state.link(fortune).tables[0].paid.in_all, Amount());
}

}  // namespace linkmeter::decide_operator_test
