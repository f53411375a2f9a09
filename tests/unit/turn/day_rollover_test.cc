// Gaming days end in the running controller: on time, once, before anything of the new day; and a
// journal in which money moved in a day that was over is detected.
#include <doctest/doctest.h>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/accounting/day/day_rollover_service.h"
#include "controller/integrity/clock_guard.h"
#include "controller/store/audit.h"
#include "controller/time/recorded_time.h"
#include "controller/turn/controller.h"
#include "controller/turn/day_rollover.h"
#include "proto/codec/journal_codec.h"
#include "tests/support/acting_house.h"
#include "tests/support/capture_binding.h"
#include "tests/support/memory_journal.h"

namespace linkmeter::day_rollover_test {
namespace {

using Names = std::vector<std::string>;

Calendar new_york(const char* start = "06:00") { return {"America/New_York", start}; }

const Timestamp opened = moment(2026, 11, 20, 15);    // 10:00 in New York
const Timestamp boundary = moment(2026, 11, 21, 11);  // 06:00

std::string replaced_in(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  REQUIRE_NE(place, std::string::npos);
  return text.replace(place, from.size(), to);
}

// A controller over a journal in memory; it can end and restart.
class House {
 public:
  explicit House(Timestamp at) : floor_(at) {
    journal_.commit({encode(floor_.opening)}, rows_for(floor_.state, floor_.state.take_changes()));
    start();
  }
  void start() {
    controller_.emplace(journal_, floor_.file.rules,
                        read_state(journal_.head().entry, journal_.rows()).state.value());
  }
  Names end_days(Timestamp now, const Calendar& calendar = new_york(),
                 const ShownAmounts& shown = {}) {
    Names names;
    for (const GamingDay day : controller_->end_days(calendar, shown, now)) {
      names.push_back(text(day));
    }
    return names;
  }
  Timestamp ends_at(const Calendar& calendar = new_york()) {
    return controller_->day_ends_at(calendar);
  }
  // C4-01 takes a wager of $5.
  void play(Timestamp now) {
    TableMessage message;
    message.table = TableId("C4-01");
    message.number = MessageNumber(++played_);
    message.command = lock_of("r" + std::to_string(played_), {five_card(1)});
    const auto turn = controller_->turn({{"C4-01", key_of("C4-01"), encode(message)}}, now);
    CHECK_EQ(turn.refused.size(), 0);
  }
  void ask(const std::string& badge, OperatorCommand act, Timestamp now) {
    const auto turn = controller_->turn({}, now, {{"peer", Badge(badge), true, std::move(act)}});
    REQUIRE_EQ(turn.refused.size(), 0);
  }
  // Both managers put another clock of days in force, and nothing else.
  void keep_days_by(const std::string& of_house, Timestamp now) {
    ChangeParameters change;
    change.floor_text = replaced_in(floor_.file.text, "[house]", "[house]\n" + of_house);
    change.catalogue_texts = floor_.file.catalogue_texts;
    ask("TGM-1", Propose{change}, now);
    const Proposal* proposal = state().find_proposal(state().last_proposal());
    REQUIRE(proposal != nullptr);
    const std::string read = summary(proposal->act);
    CHECK_NE(read.find("house " + of_house.substr(0, of_house.find(' '))), std::string::npos);
    ask("FM-1", Confirm{proposal->number, read}, now);
  }
  // The result of proposing such a clock.
  std::string proposed(const std::string& of_house, Timestamp now) {
    ChangeParameters change;
    change.floor_text = replaced_in(floor_.file.text, "[house]", "[house]\n" + of_house);
    change.catalogue_texts = floor_.file.catalogue_texts;
    const auto turn = controller_->turn({}, now, {{"peer", Badge("TGM-1"), true, Propose{change}}});
    CHECK_EQ(turn.person_replies.size(), 1);
    const Entry last = entries().back();
    const auto* no = std::get_if<CommandRejected>(&last.fact);
    return no == nullptr ? "proposed" : std::string(name(no->refusal));
  }
  // The entries of the journal, in order.
  std::vector<Entry> entries() {
    std::vector<Entry> all;
    journal_.read(EntryNumber(1), [&](const StoredEntry& stored) {
      all.push_back(decode_entry(stored.bytes).value());
      return true;
    });
    return all;
  }
  std::vector<DayEnded> ended() {
    std::vector<DayEnded> all;
    for (const Entry& entry : entries()) {
      if (const auto* day = std::get_if<DayEnded>(&entry.fact)) all.push_back(*day);
    }
    return all;
  }
  bool is_clean() { return audit(journal_).is_clean(); }
  [[nodiscard]] Controller& controller() { return *controller_; }
  MemoryJournal& journal() { return journal_; }
  [[nodiscard]] const State& state() const { return controller_->state(); }
  // An entry that no controller would make.
  void forge(Entry entry) {
    State state = controller_->state();
    state.forget_changes();
    entry.number = state.last_entry().next();
    state.apply(entry);
    journal_.commit({encode(entry)}, rows_for(state, state.take_changes()));
    start();
  }

 private:
  ActingHouse floor_;
  MemoryJournal journal_;
  std::optional<Controller> controller_;
  std::uint64_t played_ = 0;
};

}  // namespace

TEST_CASE("a day ends at its first moment, not before, and once, with a reading of the books") {
  House house(opened);
  house.play(moment(2026, 11, 20, 16));
  CHECK_EQ(house.ends_at(), boundary);
  CHECK_EQ(house.end_days(boundary.after(-1)), Names{});
  const auto books = house.state().link(LinkIndex(1));
  ShownAmounts shown(house.state().floor().links.size());
  shown[1] = {Amount::dollars(50'000)};
  CHECK_EQ(house.end_days(boundary, new_york(), shown), Names{"2026-11-20"});
  CHECK_EQ(house.end_days(boundary), Names{});
  CHECK_EQ(house.end_days(boundary.after(1'000'000)), Names{});
  REQUIRE_EQ(house.ended().size(), 1);
  const DayEnded ended = house.ended()[0];
  CHECK_EQ(ended.ends_at, boundary);
  CHECK((ended.reading.at(1).book == books));
  CHECK_EQ(ended.reading.at(1).shown.at(0), Amount::dollars(50'000));
  CHECK_FALSE(ended.reading.at(1).shown.at(1).has_value());
  CHECK_EQ(house.ends_at(), moment(2026, 11, 22, 11));
  CHECK(house.is_clean());
}

// So a file of the first day keeps its name when the day has ended.
TEST_CASE("the first day has the same name while it runs as when it ends") {
  House house(opened);
  house.play(moment(2026, 11, 20, 16));
  const std::string running = first_day_text(house.journal(), house.state());
  CHECK_EQ(running, "2026-11-20");
  CHECK_EQ(house.end_days(boundary), Names{running});
  CHECK_EQ(first_day_text(house.journal(), house.state()), "");
}

TEST_CASE("a message at the first moment of a day comes after the end of the previous day") {
  House house(opened);
  house.play(boundary.after(-1));
  CHECK_EQ(house.end_days(boundary), Names{"2026-11-20"});
  house.play(boundary);
  const auto entries = house.entries();
  REQUIRE_EQ(entries.size(), 4);
  CHECK_EQ(name(entries[2].fact), "day_ended");
  CHECK_EQ(entries[2].recorded_at, boundary);
  CHECK_EQ(entries[3].recorded_at, boundary);
  CHECK(house.is_clean());
}

TEST_CASE("after three nights down each missed day ends with an entry of its own") {
  House house(opened);
  house.play(opened.after(1));
  house.start();
  const Timestamp back = moment(2026, 11, 23, 14);
  CHECK_EQ(house.end_days(back), Names{"2026-11-20", "2026-11-21", "2026-11-22"});
  const auto ended = house.ended();
  REQUIRE_EQ(ended.size(), 3);
  CHECK_EQ(ended[0].ends_at, boundary);
  CHECK_EQ(ended[1].ends_at, moment(2026, 11, 22, 11));
  CHECK_EQ(ended[2].ends_at, moment(2026, 11, 23, 11));
  CHECK((ended[2].reading == ended[0].reading));
  house.play(back);
  CHECK_EQ(house.ends_at(), moment(2026, 11, 24, 11));
  CHECK(house.is_clean());
  // The disk holds the controller's state.
  house.start();
  CHECK_EQ(house.state().days().size(), 3);
  CHECK_EQ(house.end_days(back), Names{});
}

TEST_CASE("days of 25 and of 23 hours end by local time") {
  House autumn(moment(2026, 10, 31, 12));
  CHECK_EQ(autumn.ends_at(), moment(2026, 11, 1, 11));  // begun at 10:00 UTC
  CHECK_EQ(autumn.end_days(moment(2026, 11, 1, 10, 59)), Names{});
  CHECK_EQ(autumn.end_days(moment(2026, 11, 1, 11)), Names{"2026-10-31"});
  CHECK_EQ(autumn.ends_at(), moment(2026, 11, 2, 11));
  House spring(moment(2026, 3, 7, 12));
  CHECK_EQ(spring.ends_at(), moment(2026, 3, 8, 10));  // begun at 11:00 UTC
  CHECK_EQ(spring.end_days(moment(2026, 3, 8, 9, 59)), Names{});
  CHECK_EQ(spring.end_days(moment(2026, 3, 8, 10)), Names{"2026-03-07"});
}

TEST_CASE("a clock that was set years ahead ends all those days, in several commits") {
  House house(opened);
  CHECK_EQ(house.end_days(moment(2027, 11, 21, 12)).size(), 366);
  CHECK(house.is_clean());
}

// The start of days moves to an hour in the past: the running day would have been over while its
// money moved.
TEST_CASE(
    "a day that changed parameters end early does not end before its last money entry or its "
    "beginning") {
  House house(opened);
  REQUIRE_EQ(house.end_days(boundary).size(), 1);
  const Timestamp played = moment(2026, 11, 22, 8);
  house.play(played);
  const Calendar early = new_york("02:00");  // over since 07:00 UTC
  CHECK_EQ(house.end_days(played, early), Names{});
  CHECK_EQ(house.end_days(played.after(1), early), Names{"2026-11-21"});
  CHECK_EQ(house.ended().back().ends_at, played.after(1));
  CHECK_EQ(house.ends_at(early), moment(2026, 11, 23, 7));
  CHECK(house.is_clean());
}

TEST_CASE("a new zone so far east that the running day would be over before it began") {
  const Calendar pago("Pacific/Pago_Pago", "23:00");  // 11 hours behind UTC
  const Calendar far("Pacific/Kiritimati", "00:00");  // 14 ahead
  House house(opened);
  REQUIRE_EQ(house.end_days(moment(2026, 11, 21, 10), pago), Names{"2026-11-19"});
  const Timestamp played = moment(2026, 11, 21, 10, 30);
  house.play(played);
  CHECK_EQ(house.end_days(played.after(10), far), Names{"2026-11-20", "2026-11-21"});
  CHECK_EQ(house.ended()[1].ends_at, played.after(1));
  CHECK_EQ(house.ended()[2].ends_at, played.after(2));
  CHECK_EQ(house.ends_at(far), moment(2026, 11, 22, 10));
  CHECK(house.is_clean());
}

TEST_CASE("if money moved before days were recorded, the first day ends with the last of it") {
  House house(opened);
  house.play(moment(2026, 11, 21, 20));
  const Timestamp played = moment(2026, 11, 22, 20);
  house.play(played);
  house.start();
  CHECK_EQ(house.end_days(moment(2026, 11, 24, 12)),
           Names{"2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"});
  CHECK_EQ(house.ended()[0].ends_at, played.after(1));
  CHECK_EQ(house.ended()[1].ends_at, played.after(2));
  CHECK_EQ(house.ended()[2].ends_at, moment(2026, 11, 23, 11));
  CHECK(house.is_clean());
}

TEST_CASE("an audit names the first entry that moved money in a day that was over") {
  House house(opened);
  house.play(boundary.after(-1));
  house.play(boundary);  // entry 3
  house.play(boundary.after(1));
  Entry ended =
      std::get<Entry>(decide(house.state(), FloorRules(),
                             DayEnd{day_named("2026-11-20"), boundary, {}}, boundary.after(2)));
  house.forge(ended);
  house.play(boundary.after(3));
  const AuditReport report = audit(house.journal());
  REQUIRE(report.bad.has_value());
  CHECK_EQ(report.bad->number, EntryNumber(3));
  CHECK_EQ(report.bad->why, "it moves money in a gaming day that was over");
  CHECK_EQ(report.entries_checked, 2);
}

TEST_CASE("an audit lets a second day begin where the first one ended") {
  House house(opened);
  house.play(boundary.after(-1));
  REQUIRE_EQ(house.end_days(boundary).size(), 1);
  house.play(boundary);
  house.play(moment(2026, 11, 22, 11).after(-1));
  REQUIRE_EQ(house.end_days(moment(2026, 11, 22, 11)).size(), 1);
  CHECK(house.is_clean());
}

TEST_CASE("the day rollover service ends days and says when it is due") {
  House house(opened);
  DayRolloverService watch(house.controller(), house.journal(), new_york());
  CHECK_EQ(watch.time_until_due(opened).count(), 0);  // it has not checked yet
  watch.serve({}, opened);
  CHECK_EQ(watch.time_until_due(opened), std::chrono::hours(20));
  CHECK_EQ(watch.time_until_due(boundary.after(-1)).count(), 1);
  CHECK_EQ(watch.time_until_due(boundary).count(), 0);
  watch.serve({}, boundary.after(-1));
  CHECK_EQ(house.state().days().size(), 0);
  watch.serve({}, boundary);
  CHECK_EQ(house.state().days().size(), 1);
  CHECK_EQ(watch.time_until_due(boundary), std::chrono::hours(24));
}

TEST_CASE("the day rollover service follows the parameters in force") {
  House house(opened);
  DayRolloverService watch(house.controller(), house.journal(), new_york());
  watch.serve({}, opened);
  REQUIRE_EQ(watch.time_until_due(opened), std::chrono::hours(20));
  house.keep_days_by("gaming_day_start = \"05:00\"", opened);
  watch.serve({}, opened);
  CHECK_EQ(watch.time_until_due(opened), std::chrono::hours(19));
  watch.serve({}, moment(2026, 11, 21, 10));
  REQUIRE_EQ(house.ended().size(), 1);
  CHECK_EQ(house.ended()[0].ends_at, moment(2026, 11, 21, 10));
  CHECK(house.is_clean());
}

// The running day, in which they come into force, ends where the new clock ends the day of its
// name; if that is past, it ends at once, after its last money entry. The next day begins there.
TEST_CASE("a day in which the calendar changes ends once, and the next one follows") {
  struct Case {
    std::string of_house;
    Timestamp changed;
    std::vector<Timestamp> ends;
  };
  const Timestamp played = moment(2026, 11, 21, 7);  // 02:00 in New York
  const std::vector<Case> cases = {
      {"gaming_day_start = \"05:00\"",
       opened,
       {moment(2026, 11, 21, 10), moment(2026, 11, 22, 10)}},
      {"gaming_day_start = \"08:00\"",
       opened,
       {moment(2026, 11, 21, 13), moment(2026, 11, 22, 13)}},
      {"timezone = \"America/Los_Angeles\"",
       opened,
       {moment(2026, 11, 21, 14), moment(2026, 11, 22, 14)}},
      {"gaming_day_start = \"01:00\"", played, {played.after(1), moment(2026, 11, 22, 6)}},
      // It is Saturday evening there: Friday was over before anything was played in it.
      {"timezone = \"Pacific/Kiritimati\"", played, {played.after(1), moment(2026, 11, 21, 16)}},
  };
  for (const auto& [of_house, changed, ends] : cases) {
    CAPTURE_BINDING(of_house);
    House house(opened);
    DayRolloverService watch(house.controller(), house.journal(), new_york());
    watch.serve({}, opened);
    if (changed > opened) house.play(changed);
    house.keep_days_by(of_house, changed);
    constexpr std::int64_t quarter_us = 900'000'000;
    for (Timestamp now = changed.after(2); now < moment(2026, 11, 22, 18);
         now = now.after(quarter_us)) {
      watch.serve({}, now);
      house.play(now);
    }
    std::vector<Timestamp> ended_at;
    GamingDay day = day_named("2026-11-20");
    for (const DayEnded& ended : house.ended()) {
      CHECK_EQ(ended.day, day);
      day = day.next();
      ended_at.push_back(ended.ends_at);
    }
    REQUIRE_GE(ended_at.size(), ends.size());
    CHECK(std::vector(ended_at.begin(), ended_at.begin() + 2) == ends);
    CHECK(std::is_sorted(ended_at.begin(), ended_at.end()));
    CHECK(house.is_clean());
  }
}

// At its next start the controller would have no other clock, and nobody could change it.
TEST_CASE("a timezone or start that days cannot end by cannot be proposed") {
  House house(opened);
  CHECK_EQ(house.proposed("timezone = \"Mars/Base\"", opened), "floor_unresolved");
  CHECK_EQ(house.proposed("timezone = \"Europe/Vienna\"", opened), "proposed");
}

// A person who asks why a day ended early finds the reason in that day.
TEST_CASE("a clock change is journaled before the days that it ends, in the first of them") {
  House house(opened);
  DayRolloverService watch(house.controller(), house.journal(), new_york());
  watch.serve({}, opened);
  const std::chrono::hours ahead(48);
  const Timestamp now = opened.after(std::chrono::microseconds(ahead).count());
  watch.serve({}, now, ahead);
  Names facts;
  for (const Entry& entry : house.entries()) facts.emplace_back(name(entry.fact));
  CHECK(facts == Names{"floor_opened", "clock_changed", "day_ended", "day_ended"});
  watch.serve({}, now.after(1), -ahead);
  CHECK_EQ(name(house.entries().back().fact), "clock_changed");
  CHECK_EQ(house.ended().size(), 2);
  CHECK(house.is_clean());
}

namespace {

// The controller's order of work around its clock: the health monitor, the days, then new messages.
class TimedHouse {
 public:
  explicit TimedHouse(Timestamp at) : house_(at), system_us_(at.microseconds()) { start({}); }

  void start(RecordedTime::Terms terms) {
    terms.not_before = house_.entries().back().recorded_at;
    terms.lead = std::chrono::microseconds(house_.state().clock().lead_us);
    guard_.reset();
    watch_.reset();
    house_.start();
    recorded_.emplace(read(), terms);
    guard_.emplace(house_.controller(), *recorded_, RecordedTime::step_default);
    watch_.emplace(house_.controller(), house_.journal(), new_york());
  }
  void set(std::int64_t by_us) { system_us_ += by_us; }
  Timestamp pass(std::int64_t us = 0) {
    steady_us_ += us;
    system_us_ += us;
    Timestamp now = recorded_->at(read());
    guard_->serve(now);
    if (guard_->take_confirmed()) {
      now = recorded_->at(read());
      guard_->serve(now);
    }
    watch_->serve({}, now, recorded_->take_change());
    return now;
  }
  [[nodiscard]] House& house() { return house_; }
  [[nodiscard]] std::size_t suspended() const {
    std::size_t count = 0;
    for (std::uint32_t at = 0; at < house_.state().floor().links.size(); ++at) {
      if (!house_.state().link(LinkIndex(at)).suspended.empty()) ++count;
    }
    return count;
  }
  [[nodiscard]] std::size_t links() const { return house_.state().floor().links.size(); }
  Names facts_since(std::size_t entries) {
    Names names;
    const std::vector<Entry> all = house_.entries();
    for (std::size_t at = entries; at < all.size(); ++at) names.emplace_back(name(all[at].fact));
    return names;
  }
  void confirm(Timestamp now) {
    const ClockDoubt doubt = house_.state().clock().doubt.value();
    house_.ask("TGM-1", Propose{ConfirmClock{doubt.entry, doubt.fact.by_us}}, now);
    const Proposal proposal = house_.state().proposals().back();
    house_.ask("FM-1", Confirm{proposal.number, summary(proposal.act)}, now);
  }

 private:
  [[nodiscard]] RecordedTime::Moment read() const {
    return {Timestamp::from_microseconds(system_us_), std::chrono::microseconds(steady_us_)};
  }

  House house_;
  std::int64_t system_us_, steady_us_ = 0;
  std::optional<RecordedTime> recorded_;
  std::optional<ClockGuard> guard_;
  std::optional<DayRolloverService> watch_;
};

constexpr std::int64_t second_us = 1'000'000, day_us = 86'400 * second_us;

}  // namespace

TEST_CASE("a clock 30 days ahead for four seconds ends no day; the links wait, and operate again") {
  TimedHouse timed(opened);
  timed.pass();
  const std::size_t before = timed.house().entries().size();
  timed.set(30 * day_us);
  for (int second = 0; second < 4; ++second) timed.pass(second_us);
  CHECK_EQ(timed.suspended(), timed.links());
  CHECK_EQ(timed.house().proposed("timezone = \"Europe/Vienna\"", opened.after(4 * second_us)),
           "clock_to_be_confirmed");
  timed.set(-30 * day_us);
  for (int second = 0; second < 6; ++second) timed.pass(second_us);
  CHECK_EQ(timed.suspended(), 0);
  CHECK(timed.facts_since(before) ==
        Names{"clock_doubted", "signed_in", "act_refused", "clock_returned"});
  CHECK_EQ(timed.house().ended().size(), 0);
  CHECK_EQ(timed.house().entries().back().recorded_at, opened.after(9 * second_us));
  CHECK(timed.house().is_clean());
}

TEST_CASE("a clock that two managers confirm is followed, and the days that are over end") {
  TimedHouse timed(opened);
  timed.set(30 * day_us);
  const Timestamp doubted = timed.pass(second_us);
  CHECK_EQ(doubted, opened.after(second_us));
  timed.confirm(doubted);
  const Timestamp now = timed.pass(second_us);
  CHECK_EQ(now, opened.after(30 * day_us + 2 * second_us));
  CHECK_EQ(timed.suspended(), 0);
  CHECK_EQ(timed.house().ended().size(), 30);
  CHECK_EQ(timed.house().ended().back().ends_at, moment(2026, 12, 20, 11));
  CHECK(timed.house().is_clean());
}

TEST_CASE("a link that a person or a fault suspended meanwhile stays suspended") {
  TimedHouse timed(opened);
  timed.set(-30 * day_us);
  const Timestamp now = timed.pass(second_us);
  const LinkId own = timed.house().state().floor().links.front().id;
  timed.house().ask("TGM-1", SuspendLink{own, "a display is dark"}, now);
  timed.set(30 * day_us);
  for (int second = 0; second < 6; ++second) timed.pass(second_us);
  CHECK_EQ(timed.suspended(), 1);
  CHECK_EQ(timed.house().state().link(LinkIndex(0)).suspended, "a display is dark");
  CHECK(timed.house().is_clean());
}

TEST_CASE(
    "a journal in the future: the clock is confirmed once, and time continues from the last "
    "entry") {
  TimedHouse timed(opened);
  timed.set(30 * day_us);
  timed.confirm(timed.pass(second_us));
  timed.pass(second_us);
  REQUIRE_EQ(timed.house().ended().size(), 30);
  const Timestamp last = timed.house().entries().back().recorded_at;
  timed.set(-30 * day_us);
  timed.start({});
  timed.pass(second_us);
  CHECK_EQ(timed.suspended(), timed.links());
  timed.confirm(timed.pass(second_us));
  timed.pass(second_us);
  CHECK_EQ(timed.suspended(), 0);
  CHECK_EQ(timed.house().state().clock().lead_us / second_us, 30 * 86'400);
  // A restart does not repeat it, and no day ends that is not over by recorded time.
  timed.start({});
  const Timestamp now = timed.pass(second_us);
  CHECK_EQ(timed.suspended(), 0);
  CHECK_GE(now, last);
  CHECK_LT(now, last.after(60 * second_us));
  CHECK_EQ(timed.house().ended().size(), 30);
  CHECK(timed.house().is_clean());
}

TEST_CASE("money that moves while the clock is in doubt belongs to the running day") {
  TimedHouse timed(boundary.after(-second_us));
  timed.house().play(timed.pass());
  timed.set(-day_us);
  timed.pass();
  const Timestamp late = timed.pass(2 * second_us);
  CHECK_EQ(late, boundary.after(second_us));
  CHECK_EQ(timed.house().ended().size(), 0);
  timed.set(day_us);
  for (int second = 0; second < 6; ++second) timed.pass(second_us);
  CHECK_EQ(timed.house().ended().size(), 1);
  CHECK_EQ(timed.house().ended().back().ends_at, boundary);
  CHECK(timed.house().is_clean());
}

}  // namespace linkmeter::day_rollover_test
