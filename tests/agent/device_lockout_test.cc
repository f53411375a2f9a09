// The effect of a lock-out on a table with a device: it ends betting and locks the sensors, but a
// locked round goes on.
#include <doctest/doctest.h>
#include <algorithm>
#include <string>
#include <vector>

#include "table-agent/live_driver.h"
#include "tests/support/device_bench.h"

namespace linkmeter::device_lockout_test {

TEST_CASE("a locked-out table accepts nothing and says why") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.heard();
  bench.surroundings.locked_by = "no_controller";
  bench.turn();
  CHECK((bench.heard() ==
         Lines{"4 lock no_controller", "5 light " + chip_2 + " refused no_controller"}));
  bench.say(5, "placed " + chip_3);
  bench.say(6, "bets closed");
  bench.say(7, "count 1");
  bench.say(8, "bets open");
  CHECK((bench.heard() == Lines{"0 no 5 locked", "0 no 6 no_controller", "0 no 7 no_controller",
                                "0 no 8 no_controller"}));
  // The base game went on: a player who puts a chip now may have seen his cards.
  bench.surroundings.locked_by = "";
  bench.turn();
  CHECK((bench.heard() == Lines{"6 lock idle"}));
  bench.say(9, "placed " + chip_3);
  bench.say(10, "bets closed");
  CHECK((bench.heard() == Lines{"0 no 9 locked", "0 no 10 not_open"}));
  // The button opens betting again, and the device reports again what is on its sensors.
  bench.say(11, "bets open");
  CHECK((bench.heard() == Lines{"0 ok 11", "7 dark", "8 open " + first, "0 state"}));
  bench.say(12, "state 1 open " + first);
  bench.say(13, "held " + chip_3);
  bench.say(14, "bets closed");
  bench.say(15, "count 1");
  REQUIRE_EQ(bench.submitted.size(), 1);
  CHECK_EQ(std::get<LockRound>(bench.submitted[0]).wagers.at(0).seat, Seat(3));
}

TEST_CASE("every lock-out ends open betting") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.heard();
  std::string why;
  SUBCASE("the controller is lost") {
    bench.surroundings.locked_by = why = "no_controller";
    bench.turn();
    bench.surroundings.locked_by = "";
  }
  SUBCASE("every link is suspended") {
    bench.surroundings.suspended = {LinkId("C4-MEGA")};
    bench.turn();
    bench.surroundings.suspended = {};
    why = "link_suspended";
  }
  SUBCASE("the device is broken") {
    bench.say(5, "fault power 0 low voltage");
    bench.say(6, "sound power 0");
    why = "device_faulty";
  }
  bench.turn();
  const Lines heard = bench.heard();
  CHECK(heard.back().ends_with(" lock idle"));
  CHECK(is_there(" light " + chip_2 + " refused " + why, heard));
}

TEST_CASE("a lock-out between \"no more bets\" and the count returns the wagers") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.say(5, "bets closed");
  bench.heard();
  bench.surroundings.locked_by = "no_controller";
  bench.say(6, "count 1");
  CHECK(bench.submitted.empty());
  CHECK((bench.heard() == Lines{"0 no 6 no_controller", "5 lock no_controller",
                                "6 light " + chip_2 + " refused no_controller"}));
}

TEST_CASE("after \"no more bets\" with unknown wagers, no wager is accepted later") {
  DeviceBench bench;
  bench.turn();
  bench.say(0, "hello 1 6 counted 5e550001");
  bench.say(1, "state 0 closed -");
  bench.say(2, "bets open");
  bench.heard();
  bench.say(3, "bets closed");
  bench.say(4, "state 1 open " + first);
  bench.say(5, "held " + chip_2);
  bench.say(6, "bets closed");
  bench.say(7, "count 1");
  CHECK((bench.heard() == Lines{"0 no 3 locked", "4 lock idle", "0 ok 4", "0 ok 5",
                                "0 no 6 not_open", "0 no 7 not_closed"}));
  CHECK(bench.submitted.empty());
}

TEST_CASE("a locked round continues while the table is locked out") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.say(5, "bets closed");
  bench.say(6, "count 1");
  bench.heard();
  bench.surroundings.locked_by = "no_controller";
  bench.say(7, R"(event {"event":"close","round":")" + first + "\"}");
  CHECK_EQ(bench.submitted.size(), 2);
  CHECK((bench.heard() == Lines{"7 lock no_controller " + first, "0 ok 7"}));
  bench.surroundings.locked_by = "";
  bench.answer();
  bench.answer();
  const Lines heard = bench.heard();
  CHECK(is_there(" accepted", heard));
  CHECK(heard.back().ends_with(" lock idle"));
}

}  // namespace linkmeter::device_lockout_test
