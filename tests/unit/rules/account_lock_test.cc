#include "meters/rules/account_lock.h"

#include <doctest/doctest.h>
#include <string>
#include <variant>
#include <vector>

#include "meters/rules/decide.h"
#include "meters/values/limits.h"
#include "tests/support/acting_house.h"

namespace linkmeter::account_lock_test {
namespace {

constexpr std::int64_t minute = 60'000'000;

// TGM-1 is the only manager of table games; FM-1 and FM-2 are both of finance.
struct House : ActingHouse {
  std::string sign_in(const std::string& badge, bool is_good) {
    const Entry entry =
        std::get<Entry>(decide(state, FloorRules(), SignIn{Badge(badge), is_good}, now));
    CHECK_FALSE(validate_entry(state, entry).has_value());
    state.apply(entry);
    return std::string(name(entry.fact));
  }
  void fail(const std::string& badge, int times) {
    for (int at = 0; at < times; ++at) REQUIRE_EQ(sign_in(badge, false), "sign_in_failed");
  }
  // For how many more minutes the person is locked.
  [[nodiscard]] std::int64_t minutes_of(const std::string& badge) const {
    const Timestamp until = state.find_person(Badge(badge))->locked_until;
    return until <= now ? 0 : (until.microseconds() - now.microseconds()) / minute;
  }
  void pass(std::int64_t minutes) { now = now.after(minutes * minute); }
};

}  // namespace

TEST_CASE("five wrong PINs lock a person who is no manager until a new PIN is set") {
  House house;
  house.fail("F-1", 4);
  CHECK_FALSE(house.state.find_person(Badge("F-1"))->is_locked(house.now));
  house.fail("F-1", 1);
  CHECK(house.state.find_person(Badge("F-1"))->locked_until == until_new_pin);
  house.pass(100'000);
  CHECK_EQ(house.sign_in("F-1", true), "act_refused");
  const DualControlCommand reset = ResetPin{Badge("F-1"), "another"};
  house.state.apply(house.asked("TGM-1", Propose{reset}));
  house.state.apply(house.asked("FM-1", Confirm{house.state.last_proposal(), summary(reset)}));
  CHECK_FALSE(house.state.find_person(Badge("F-1"))->is_locked(house.now));
  CHECK_EQ(house.sign_in("F-1", true), "signed_in");
}

TEST_CASE("a manager's lock lasts a quarter of an hour, and each further one twice as long") {
  House house;
  house.fail("FM-1", 5);
  CHECK_EQ(house.minutes_of("FM-1"), 15);
  CHECK_EQ(house.sign_in("FM-1", true), "act_refused");
  std::vector<std::int64_t> waits;
  for (int at = 0; at < 8; ++at) {
    house.pass(house.minutes_of("FM-1"));
    CHECK_EQ(house.minutes_of("FM-1"), 0);
    house.fail("FM-1", 1);
    waits.push_back(house.minutes_of("FM-1"));
  }
  CHECK((waits == std::vector<std::int64_t>{30, 60, 120, 240, 480, 960, 1'440, 1'440}));
  house.pass(1'440);
  CHECK_EQ(house.sign_in("FM-1", true), "signed_in");
  house.fail("FM-1", 4);
  CHECK_EQ(house.minutes_of("FM-1"), 0);
  house.fail("FM-1", 1);
  CHECK_EQ(house.minutes_of("FM-1"), 15);
}

TEST_CASE("the last unlocked manager of a department is only delayed, an hour at most") {
  House house;
  house.fail("TGM-1", 5);
  CHECK_EQ(house.minutes_of("TGM-1"), 1);
  std::vector<std::int64_t> waits;
  for (int at = 0; at < 7; ++at) {
    house.pass(house.minutes_of("TGM-1"));
    house.fail("TGM-1", 1);
    waits.push_back(house.minutes_of("TGM-1"));
  }
  CHECK((waits == std::vector<std::int64_t>{2, 4, 8, 16, 32, 60, 60}));
  // The first of two managers is locked; then the other one is the last.
  house.fail("FM-1", 5);
  CHECK_EQ(house.minutes_of("FM-1"), 15);
  house.fail("FM-2", 5);
  CHECK_EQ(house.minutes_of("FM-2"), 1);
}

TEST_CASE("a lock holds until the end that its entry states") {
  House house;
  house.fail("FM-1", 5);
  const Timestamp until = house.state.find_person(Badge("FM-1"))->locked_until;
  const auto kind = [&](Timestamp now) {
    const Decision decision = decide(house.state, FloorRules(), SignIn{Badge("FM-1"), true}, now);
    return std::string(name(std::get<Entry>(decision).fact));
  };
  CHECK_EQ(kind(until.after(-1)), "act_refused");
  CHECK_EQ(kind(until), "signed_in");
}

TEST_CASE("at the control socket a right PIN ends a temporary lock only") {
  House house;
  house.fail("FM-1", 5);
  house.fail("F-1", 5);
  const auto kind = [&](const char* badge, bool is_good) {
    const Decision decision =
        decide(house.state, FloorRules(), SignIn{Badge(badge), is_good, true}, house.now);
    return std::string(name(std::get<Entry>(decision).fact));
  };
  CHECK_EQ(kind("FM-1", false), "act_refused");
  CHECK_EQ(kind("F-1", true), "act_refused");  // two managers unlock other people
  CHECK_EQ(kind("FM-1", true), "signed_in");
  house.state.apply(std::get<Entry>(
      decide(house.state, FloorRules(), SignIn{Badge("FM-1"), true, true}, house.now)));
  CHECK_FALSE(house.state.find_person(Badge("FM-1"))->is_locked(house.now));
  CHECK_EQ(house.state.find_person(Badge("FM-1"))->failures, 0);
}

TEST_CASE("a locked person confirms nothing, and the person's proposals are not confirmed") {
  House house;
  house.state.apply(house.asked("FM-1", SuspendLink{LinkId("C4"), "a reading"}));
  const DualControlCommand resume = ResumeLink{LinkId("C4")};
  house.state.apply(house.asked("FM-1", Propose{resume}));
  const Confirm confirm{house.state.last_proposal(), summary(house.state.proposals().back().act)};
  house.fail("FM-1", 5);
  const auto says = [&](const std::string& badge) {
    const Entry entry = house.asked(badge, confirm);
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    return std::string(no == nullptr ? "done" : name(no->refusal));
  };
  CHECK_EQ(says("TGM-1"), "right_missing");
  CHECK_EQ(says("FM-1"), "person_locked");
}

TEST_CASE("an old entry without a duration locks others for good and a manager for a day") {
  House house;
  for (const char* badge : {"F-1", "TGM-1"}) {
    for (int at = 0; at < 5; ++at) {
      house.state.apply(Entry{house.state.last_entry().next(),
                              house.now,
                              std::nullopt,
                              SignInFailed{Badge(badge), std::nullopt},
                              {}});
    }
  }
  CHECK(house.state.find_person(Badge("F-1"))->locked_until == until_new_pin);
  CHECK_EQ(house.minutes_of("TGM-1"), 24 * 60);
}

}  // namespace linkmeter::account_lock_test
