// The clock guard of a node that was a standby. What happens to the clock of one controller over
// time: unit/turn/day_rollover_test.cc.
#include "controller/integrity/clock_guard.h"

#include <doctest/doctest.h>

#include <chrono>

#include "tests/support/controller_house.h"

namespace linkmeter::clock_guard_test {
namespace {

using std::chrono::microseconds;
constexpr std::int64_t second_us = 1'000'000, hour_us = 3'600 * second_us;

// One machine's clocks.
struct Machine {
  RecordedTime recorded{at(0), {.not_before = ControllerHouse::now}};

  static RecordedTime::Moment at(std::int64_t passed_us, std::int64_t wrong_us = 0) {
    return {ControllerHouse::now.after(passed_us + wrong_us), microseconds(passed_us), false};
  }
};

}  // namespace

TEST_CASE("a guard that begins takes no doubt of the writer before for its own") {
  ControllerHouse house;
  Machine writer, standby;
  ClockGuard writing(house.controller(), writer.recorded, RecordedTime::step_default);
  static_cast<void>(writing.serve(writer.recorded.at(Machine::at(second_us, 2 * hour_us))));
  REQUIRE(house.state().clock().doubt.has_value());
  // Two standbys start while the clock of the writer is in doubt, and follow its end.
  ClockGuard begun(house.controller(), standby.recorded, RecordedTime::step_default);
  ClockGuard stale(house.controller(), standby.recorded, RecordedTime::step_default);
  for (std::int64_t passed_us = 2 * second_us; passed_us <= 9 * second_us; passed_us += second_us) {
    static_cast<void>(writing.serve(writer.recorded.at(Machine::at(passed_us))));
  }
  REQUIRE_FALSE(house.state().clock().doubt.has_value());
  const Timestamp now = standby.recorded.at(Machine::at(10 * second_us));
  const Head before = house.head();
  begun.begin();
  CHECK(begun.serve(now).empty());
  CHECK_FALSE(begun.take_confirmed());
  CHECK((house.head() == before));
  // Without it, the end counts as a confirmation of this machine's clock.
  static_cast<void>(stale.serve(now));
  CHECK(stale.take_confirmed());
}

TEST_CASE("a guard that begins takes over the doubt that stands") {
  ControllerHouse house;
  Machine writer, standby;
  ClockGuard begun(house.controller(), standby.recorded, RecordedTime::step_default);
  ClockGuard writing(house.controller(), writer.recorded, RecordedTime::step_default);
  static_cast<void>(writing.serve(writer.recorded.at(Machine::at(second_us, 2 * hour_us))));
  begun.begin();
  // This machine's clock is right, so the doubt ends, and every link operates again.
  static_cast<void>(begun.serve(standby.recorded.at(Machine::at(2 * second_us))));
  CHECK_FALSE(house.state().clock().doubt.has_value());
  CHECK_FALSE(begun.take_confirmed());
  for (std::uint32_t at = 0; at < house.state().floor().links.size(); ++at) {
    CHECK_EQ(house.state().link(LinkIndex(at)).suspended, "");
  }
}

}  // namespace linkmeter::clock_guard_test
