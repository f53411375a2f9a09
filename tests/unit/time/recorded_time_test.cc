// Recorded times: they never go back, follow the steady clock, and every change is reported.
#include "controller/time/recorded_time.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <optional>
#include <vector>

#include "controller/time/clock.h"
#include "meters/values/limits.h"
#include "tests/support/capture_binding.h"

namespace linkmeter::recorded_time_test {
namespace {

using std::chrono::microseconds;

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t hour = 3'600 * second;
constexpr std::int64_t noon = 1'000 * hour;

// Two clocks: the system clock, which people set, and the steady clock.
struct Clocks {
  std::int64_t system = noon;
  std::int64_t steady = 77 * second;

  [[nodiscard]] RecordedTime::Moment read() const {
    return {Timestamp::from_microseconds(system), microseconds(steady)};
  }
  void run(std::int64_t by) {
    system += by;
    steady += by;
  }
};

}  // namespace

TEST_CASE("while nobody sets the clock, recorded time is the system's") {
  Clocks clocks;
  RecordedTime time(clocks.read(), {});
  for (int step = 0; step < 10; ++step) {
    clocks.run(step * second / 3);
    CHECK(time.at(clocks.read()).microseconds() == clocks.system);
    CHECK_FALSE(time.take_change());
  }
}

TEST_CASE(
    "set back an hour: recorded time continues at the steady pace, and the change is reported "
    "once") {
  Clocks clocks;
  RecordedTime time(clocks.read(), {});
  REQUIRE(time.at(clocks.read()).microseconds() == noon);
  clocks.system -= hour;
  CHECK(time.at(clocks.read()).microseconds() == noon);
  CHECK(time.take_change() == microseconds(-hour));
  CHECK_FALSE(time.take_change());
  for (int step = 1; step <= 10; ++step) {
    clocks.run(second);
    CHECK(time.at(clocks.read()).microseconds() == noon + step * second);
    CHECK_FALSE(time.take_change());
  }
}

TEST_CASE("two minutes stay two minutes, however often the clock is set back") {
  Clocks clocks;
  RecordedTime time(clocks.read(), {});
  const Timestamp proposed = time.at(clocks.read());
  for (int step = 0; step < 120; ++step) {
    clocks.run(second);
    clocks.system -= step % 2 == 0 ? hour : second / 2;
    static_cast<void>(time.at(clocks.read()));
  }
  CHECK(time.at(clocks.read()).microseconds() - proposed.microseconds() ==
        limits::confirmation_us_max);
}

TEST_CASE(
    "set ahead: recorded time follows, and the change is reported; set right again, it stays "
    "ahead") {
  Clocks clocks;
  RecordedTime time(clocks.read(), {});
  clocks.system += hour;
  CHECK(time.at(clocks.read()).microseconds() == noon + hour);
  CHECK(time.take_change() == microseconds(hour));
  clocks.system -= hour;
  clocks.run(second);
  CHECK(time.at(clocks.read()).microseconds() == noon + hour + second);
  CHECK(time.take_change() == microseconds(-hour));
}

TEST_CASE("set back and right again has no effect") {
  Clocks clocks;
  RecordedTime time(clocks.read(), {});
  clocks.system -= hour;
  static_cast<void>(time.at(clocks.read()));
  clocks.system += hour;
  clocks.run(second);
  CHECK(time.at(clocks.read()).microseconds() == clocks.system);
}

TEST_CASE("half a second is not reported, but three of them are") {
  Clocks clocks;
  RecordedTime time(clocks.read(), {});
  std::vector<microseconds> told;
  for (int step = 0; step < 3; ++step) {
    clocks.system -= second / 2;
    static_cast<void>(time.at(clocks.read()));
    if (const auto change = time.take_change()) told.push_back(*change);
  }
  CHECK(told == std::vector<microseconds>{microseconds(-3 * second / 2)});
  clocks.system += second;
  static_cast<void>(time.at(clocks.read()));
  CHECK_FALSE(time.take_change());  // a second is within the tolerance
}

TEST_CASE("after a restart with a clock before the last entry, time continues from that entry") {
  Clocks clocks;
  const auto last = Timestamp::from_microseconds(noon + hour);
  RecordedTime time(clocks.read(), {.not_before = last});
  CHECK(time.at(clocks.read()) == last);
  CHECK(time.take_change() == microseconds(-hour));
  clocks.run(5 * second);
  CHECK(time.at(clocks.read()).microseconds() == last.microseconds() + 5 * second);
  CHECK_FALSE(time.take_change());
  // A clock that is later is right, however long the controller was down.
  RecordedTime later(clocks.read(),
                     {.not_before = Timestamp::from_microseconds(noon - 160 * hour)});
  CHECK(later.at(clocks.read()).microseconds() == clocks.system);
  CHECK_FALSE(later.take_change());
}

namespace {

constexpr std::int64_t day = 24 * hour;

RecordedTime started(const Clocks& clocks, RecordedTime::Terms terms = {}) {
  if (terms.not_before == Timestamp()) terms.not_before = Timestamp::from_microseconds(noon);
  return {clocks.read(), terms};
}

// By how much the clock is in doubt; 0: it is not.
std::int64_t doubt(const RecordedTime& time) { return time.doubt() ? time.doubt()->by.count() : 0; }

}  // namespace

TEST_CASE(
    "a clock 30 days ahead for four seconds dates no entry and is trusted again when it returns") {
  Clocks clocks;
  RecordedTime time = started(clocks);
  for (const std::int64_t step : {30 * day, -30 * day, 3'650 * day, hour + 1}) {
    CAPTURE(step);
    clocks.system += step;
    for (int second_in = 0; second_in < 4; ++second_in) {
      clocks.run(second);
      CHECK(time.at(clocks.read()).microseconds() == clocks.system - step);
      CHECK_EQ(doubt(time), step);
      CHECK_FALSE(time.take_change());
    }
    CHECK(time.doubt()->fault == ClockFault::stepped);
    clocks.system -= step;
    for (int second_after = 0; second_after < 5; ++second_after) {
      CHECK(time.at(clocks.read()).microseconds() == clocks.system);
      CHECK(time.doubt());  // until it was right for five seconds
      clocks.run(second);
    }
    CHECK(time.at(clocks.read()).microseconds() == clocks.system);
    CHECK_FALSE(time.doubt());
    CHECK_FALSE(time.take_change());
  }
}

TEST_CASE("many steps within the bound add up to one beyond it, unless days pass between them") {
  Clocks clocks;
  RecordedTime time = started(clocks);
  clocks.system += hour / 2;
  static_cast<void>(time.at(clocks.read()));
  clocks.run(60 * second);
  clocks.system += hour / 2 + second;
  static_cast<void>(time.at(clocks.read()));
  CHECK(time.doubt());
  Clocks slow;
  RecordedTime other = started(slow);
  for (int step = 0; step < 10; ++step) {
    slow.system += hour / 2;
    static_cast<void>(other.at(slow.read()));
    CHECK_FALSE(other.doubt());
    for (int hours = 0; hours < 50; ++hours) {
      slow.run(hour);
      static_cast<void>(other.at(slow.read()));
    }
  }
}

TEST_CASE("a confirmed clock is followed, ahead and behind") {
  Clocks clocks;
  RecordedTime time = started(clocks);
  clocks.system += 10 * day;
  CHECK(time.at(clocks.read()).microseconds() == noon);
  time.confirm(microseconds(doubt(time)));
  CHECK(time.at(clocks.read()).microseconds() == noon + 10 * day);
  CHECK_FALSE(time.doubt());
  CHECK_FALSE(time.take_change());
  clocks.system -= 10 * day;
  static_cast<void>(time.at(clocks.read()));
  REQUIRE_EQ(doubt(time), -10 * day);
  time.confirm(microseconds(-10 * day));
  clocks.run(second);
  CHECK(time.at(clocks.read()).microseconds() == noon + 10 * day + second);  // never back
  CHECK_FALSE(time.doubt());
  // The confirmation was for another clock setting.
  clocks.system += 2 * day;
  static_cast<void>(time.at(clocks.read()));
  clocks.system += 2 * day;
  time.confirm(microseconds(2 * day));
  static_cast<void>(time.at(clocks.read()));
  CHECK_EQ(doubt(time), 2 * day);
}

TEST_CASE("at a start: a clock before the last entry, or more than a week after it, is in doubt") {
  struct Case {
    std::int64_t away;
    std::optional<ClockFault> fault;
  };
  for (const auto& [away, fault] :
       {Case{-hour, {}}, Case{-hour - 1, ClockFault::behind},
        Case{-3'650 * day, ClockFault::behind}, Case{0, {}}, Case{7 * day, {}},
        Case{7 * day + 1, ClockFault::ahead}, Case{3'650 * day, ClockFault::ahead}}) {
    CAPTURE_BINDING(away);
    Clocks clocks;
    clocks.system += away;
    RecordedTime time = started(clocks);
    REQUIRE_EQ(time.doubt().has_value(), fault.has_value());
    if (fault) CHECK(time.doubt()->fault == *fault);
    CHECK(time.at(clocks.read()).microseconds() ==
          (fault ? noon : noon + std::max<std::int64_t>(away, 0)));
    CHECK_EQ(doubt(time), fault ? away : 0);
  }
}

TEST_CASE("at a start: a doubt does not end by a restart") {
  Clocks clocks;
  clocks.system += 3 * day;
  CHECK(started(clocks, {.closed_max = RecordedTime::step_default}).doubt());
  CHECK_FALSE(started(clocks).doubt());
}

TEST_CASE("at a start: a clock that the kernel newly calls unsynchronised is in doubt") {
  Clocks clocks;
  clocks.system += 2 * hour;
  CHECK_FALSE(started(clocks).doubt());  // a machine that was never synchronised
  RecordedTime time = started(clocks, {.was_synchronised = true});
  REQUIRE(time.doubt());
  CHECK(time.doubt()->fault == ClockFault::unsynchronised);
  CHECK(time.at(clocks.read()).microseconds() == noon);
  clocks.run(10 * second);
  RecordedTime::Moment synchronised = clocks.read();
  synchronised.is_synchronised = true;
  CHECK(time.at(synchronised).microseconds() == clocks.system);
  CHECK_FALSE(time.doubt());
  // A difference that is too small to matter.
  Clocks near;
  near.system += hour;
  CHECK_FALSE(started(near, {.was_synchronised = true}).doubt());
}

TEST_CASE("at a start: a journal ahead of the clock by the confirmed difference is no doubt") {
  Clocks clocks;
  clocks.system -= 30 * day;
  CHECK(started(clocks).doubt());
  RecordedTime time = started(clocks, {.lead = microseconds(30 * day)});
  CHECK_FALSE(time.doubt());
  CHECK_FALSE(time.take_change());
  CHECK(time.at(clocks.read()).microseconds() == noon);
  clocks.run(second);
  CHECK(time.at(clocks.read()).microseconds() == noon + second);
}

TEST_CASE("the program's clock continues from a time in the future") {
  const auto to_come = Timestamp::from_microseconds(Clock().now().microseconds() + hour);
  Clock clock({.not_before = to_come});
  const Timestamp first = clock.now();
  CHECK(first >= to_come);
  CHECK(first.microseconds() < to_come.microseconds() + hour / 2);
  CHECK(clock.now() >= first);
  const auto change = clock.take_change();
  REQUIRE(change);
  CHECK(change->count() < -hour / 2);
  CHECK_FALSE(clock.take_change());
}

}  // namespace linkmeter::recorded_time_test
