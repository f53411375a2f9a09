// Recorded times: never back, at the steady clock's pace, and every change told.
#include "controller/recorded_time.h"

#include <vector>

#include "controller/clock.h"
#include "meters/limits.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter::recorded_time_test {
namespace {

using std::chrono::microseconds;

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t hour = 3'600 * second;
constexpr std::int64_t noon = 1'000 * hour;

// Two clocks: what people set, and what only runs.
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

TEST_CASE("as long as nobody sets the clock, recorded time is the system's") {
  Clocks clocks;
  RecordedTime time(clocks.read(), Timestamp());
  for (int step = 0; step < 10; ++step) {
    clocks.run(step * second / 3);
    CHECK(time.at(clocks.read()).microseconds() == clocks.system);
    CHECK_FALSE(time.take_change());
  }
}

TEST_CASE("set back an hour: it goes on at the steady pace, never back, and is told once") {
  Clocks clocks;
  RecordedTime time(clocks.read(), Timestamp());
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
  RecordedTime time(clocks.read(), Timestamp());
  const Timestamp proposed = time.at(clocks.read());
  for (int step = 0; step < 120; ++step) {
    clocks.run(second);
    clocks.system -= step % 2 == 0 ? hour : second / 2;
    static_cast<void>(time.at(clocks.read()));
  }
  CHECK(time.at(clocks.read()).microseconds() - proposed.microseconds() ==
        limits::confirmation_us_max);
}

TEST_CASE("set ahead: it is followed, and told; set right again it stays ahead") {
  Clocks clocks;
  RecordedTime time(clocks.read(), Timestamp());
  clocks.system += hour;
  CHECK(time.at(clocks.read()).microseconds() == noon + hour);
  CHECK(time.take_change() == microseconds(hour));
  clocks.system -= hour;
  clocks.run(second);
  CHECK(time.at(clocks.read()).microseconds() == noon + hour + second);
  CHECK(time.take_change() == microseconds(-hour));
}

TEST_CASE("set back and right again leaves nothing") {
  Clocks clocks;
  RecordedTime time(clocks.read(), Timestamp());
  clocks.system -= hour;
  static_cast<void>(time.at(clocks.read()));
  clocks.system += hour;
  clocks.run(second);
  CHECK(time.at(clocks.read()).microseconds() == clocks.system);
}

TEST_CASE("half a second is not told, but three of them are") {
  Clocks clocks;
  RecordedTime time(clocks.read(), Timestamp());
  std::vector<microseconds> told;
  for (int step = 0; step < 3; ++step) {
    clocks.system -= second / 2;
    static_cast<void>(time.at(clocks.read()));
    if (const auto change = time.take_change()) told.push_back(*change);
  }
  CHECK(told == std::vector<microseconds>{microseconds(-3 * second / 2)});
  clocks.system += second;
  static_cast<void>(time.at(clocks.read()));
  CHECK_FALSE(time.take_change());  // a second is not more than a second
}

TEST_CASE("after a restart with a clock before the last entry, time goes on from there") {
  Clocks clocks;
  const auto last = Timestamp::from_microseconds(noon + hour);
  RecordedTime time(clocks.read(), last);
  CHECK(time.at(clocks.read()) == last);
  CHECK(time.take_change() == microseconds(-hour));
  clocks.run(5 * second);
  CHECK(time.at(clocks.read()).microseconds() == last.microseconds() + 5 * second);
  CHECK_FALSE(time.take_change());
  // A clock after it is simply right, however long the controller was down.
  RecordedTime later(clocks.read(), Timestamp::from_microseconds(noon - 500 * hour));
  CHECK(later.at(clocks.read()).microseconds() == clocks.system);
  CHECK_FALSE(later.take_change());
}

TEST_CASE("the program's clock goes on from a moment that is still to come") {
  const auto to_come = Timestamp::from_microseconds(Clock().now().microseconds() + hour);
  Clock clock(to_come);
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
