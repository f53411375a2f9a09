#include "table-agent/live_driver.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "proto/host/fault.h"
#include "tests/support/device_bench.h"

namespace linkmeter::device_restart_test {

TEST_CASE("a device that reconnects gets the whole output state, and its open betting has ended") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.heard();
  SUBCASE("the connection dropped") {
    bench.port.is_plugged = false;
    bench.turn();
    bench.port.is_plugged = true;
    bench.turn();
  }
  SUBCASE("it lost its power") { bench.say(0, "alive -"); }
  SUBCASE("it fell silent") {
    bench.now_us += 2'000'000;
    bench.turn();
    bench.turn();
  }
  CHECK((bench.heard() == Lines{"0 hello 1 C4-01 5e550002"}));
  bench.say(5, "placed " + chip_3);  // from the session that is over
  bench.say(0, "hello 1 6 counted 5e550001");
  CHECK(bench.heard().empty());
  bench.say(0, "hello 1 6 counted 5e550002");
  CHECK((bench.heard() ==
         Lines{"1 dark", "2 lock idle", "3 light " + chip_2 + " refused device_gone", "0 state"}));
  bench.say(1, "state 1 open " + first);
  bench.say(2, "held " + chip_3);
  bench.say(3, "bets closed");  // it had no answer to this
  bench.say(4, "count 1");
  CHECK((bench.heard() == Lines{"0 ok 1", "0 ok 2", "0 no 3 not_open", "0 no 4 not_closed"}));
  bench.say(5, "bets open");
  bench.say(6, "state 1 open " + first);
  bench.say(7, "held " + chip_3);
  bench.say(8, "bets closed");
  bench.say(9, "count 1");
  REQUIRE_EQ(bench.submitted.size(), 1);
  CHECK_EQ(std::get<LockRound>(bench.submitted[0]).wagers.at(0).seat, Seat(3));
}

TEST_CASE("power lost after \"no more bets\": the wagers are unknown, so there is no lock") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.say(5, "bets closed");
  bench.say(0, "alive -");
  bench.say(0, "hello 1 6 counted 5e550002");
  SUBCASE("it knows of no round") { bench.say(1, "state 1 closed -"); }
  SUBCASE("it has heard of the round, and knows of no press") {
    bench.say(1, "state 1 open " + first);
  }
  bench.say(2, "held " + chip_2);
  bench.heard();
  bench.say(3, "count 1");
  CHECK_EQ(bench.heard().at(0), "0 no 3 not_closed");
  CHECK(bench.submitted.empty());
}

TEST_CASE("an agent that ends in the middle of a round continues the round once") {
  DeviceBench bench;
  SUBCASE("the lock in the outbox, its answer not there") {
    lock_one(bench);
    bench.start();
    bench.turn();
    bench.say(0, "hello 1 6 counted 5e550002");
    CHECK((bench.heard() == Lines{"0 hello 1 C4-01 5e550002", "1 dark", "2 lock round " + first,
                                  "3 light " + chip_2 + " waiting", "0 state"}));
    bench.say(1, "state 1 closed " + first);
    bench.say(2, "held " + chip_2);
    bench.say(3, "bets closed");  // it had no answer to this
    bench.say(4, "count 1");
    CHECK((bench.heard() == Lines{"0 ok 1", "0 ok 2", "0 ok 3", "0 ok 4"}));
    bench.say(5, "count 2");
    CHECK((bench.heard() == Lines{"0 no 5 counted"}));
    CHECK_EQ(bench.submitted.size(), 1);
    bench.answer();
    CHECK_EQ(bench.heard().back(), "5 light " + chip_2 + " accepted");
  }
  SUBCASE("a show and its win") {
    lock_one(bench);
    bench.answer();
    const std::string show = R"(event {"event":"show","round":")" + first +
                             R"(","hands":[{"seat":2,"cards":["9h","Th","Jh","Qh","Kh"]}]})";
    bench.say(7, show);
    bench.answer(Refusal::none, {{Seat(2), LineId("straight_flush"), Amount::dollars(5'000),
                                  ClaimNumber(1), AwardKind::line}});
    bench.heard();
    bench.start();
    bench.turn();
    bench.say(0, "hello 1 6 counted 5e550002");
    CHECK((bench.heard() == Lines{"0 hello 1 C4-01 5e550002", "1 dark", "2 lock round " + first,
                                  "3 light " + chip_2 + " accepted",
                                  "4 win 2 straight_flush 500000 pending line", "0 state"}));
    bench.say(1, show);  // it had not received the ok
    CHECK((bench.heard() == Lines{"0 ok 1"}));
    CHECK_EQ(bench.submitted.size(), 2);
    bench.say(2, close_first);
    bench.start();
    bench.turn();
    bench.say(0, "hello 1 6 counted 5e550003");
    bench.say(1, close_first);
    CHECK_EQ(bench.submitted.size(), 3);
  }
}

// It is not known how long ago the button was pressed, and what was dealt since.
TEST_CASE(
    "an agent that ended before the lock starts without betting, whatever the device reports") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  std::string pressed = "open";
  SUBCASE("betting was open") {}
  SUBCASE("the count was missing") {
    bench.say(5, "bets closed");
    pressed = "closed";
  }
  bench.heard();
  bench.start();
  bench.turn();
  bench.say(0, "hello 1 6 counted 5e550002");
  bench.say(1, "state 1 " + pressed + " " + first);
  bench.say(2, "held " + chip_2);
  bench.say(3, "bets closed");
  bench.say(4, "count 1");
  CHECK((bench.heard() == Lines{"0 hello 1 C4-01 5e550002", "1 dark", "2 lock idle", "0 state",
                                "0 ok 1", "0 ok 2", "0 no 3 not_open", "0 no 4 not_closed"}));
  bench.say(5, "bets open");
  CHECK((bench.heard() == Lines{"0 ok 5", "3 open " + first, "0 state"}));
  CHECK(bench.submitted.empty());
}

TEST_CASE("an agent that ends right after it stored an answer loses nothing of it") {
  DeviceBench bench;
  lock_one(bench);
  SUBCASE("the lock, accepted") {
    bench.answer_and_end();
    bench.turn();
    bench.say(0, "hello 1 6 counted 5e550002");
    CHECK((bench.heard() == Lines{"0 hello 1 C4-01 5e550002", "1 dark", "2 lock round " + first,
                                  "3 light " + chip_2 + " accepted", "0 state"}));
  }
  SUBCASE("the lock, refused") {
    bench.answer_and_end(Refusal::link_suspended);
    bench.turn();
    bench.say(0, "hello 1 6 counted 5e550002");
    CHECK((bench.heard() == Lines{"0 hello 1 C4-01 5e550002", "1 dark", "2 lock refused " + first,
                                  "3 light " + chip_2 + " refused link_suspended", "0 state"}));
    bench.say(1, close_first);
    bench.say(2, "state 0 closed " + first);
    bench.say(3, "bets open");
    CHECK((bench.heard() == Lines{"0 ok 1", "4 lock idle", "0 ok 2", "0 ok 3", "5 dark",
                                  "6 open vf00d0001-000002", "0 state"}));
  }
  SUBCASE("the lock, with a wrong count") {
    bench.answer_and_end(Refusal::none, {}, 2);
    bench.turn();
    bench.say(0, "hello 1 6 counted 5e550002");
    CHECK((bench.heard() == Lines{"0 hello 1 C4-01 5e550002", "1 dark", "2 lock blocked " + first,
                                  "3 count 1 2", "0 state"}));
  }
  SUBCASE("a show, and its win") {
    bench.answer();
    bench.say(7, R"(event {"event":"show","round":")" + first +
                     R"(","hands":[{"seat":2,"cards":["9h","Th","Jh","Qh","Kh"]}]})");
    bench.heard();
    bench.answer_and_end(Refusal::none, {{Seat(2), LineId("straight_flush"), Amount::dollars(5'000),
                                          ClaimNumber(1), AwardKind::line}});
    bench.turn();
    bench.say(0, "hello 1 6 counted 5e550002");
    CHECK_EQ(bench.heard().at(4), "4 win 2 straight_flush 500000 pending line");
  }
}

// Another driver on this outbox took the answer.
TEST_CASE("an agent that missed a refused lock learns of it from the next answer") {
  DeviceBench bench;
  lock_one(bench);
  const std::string place = bench.place;
  bench.answer(Refusal::link_suspended);
  bench.place = place;
  bench.start();
  bench.turn();
  bench.say(0, "hello 1 6 counted 5e550002");
  bench.say(1, close_first);
  REQUIRE_EQ(bench.submitted.size(), 2);
  bench.answer(Refusal::round_unknown);
  bench.heard();
  bench.say(2, "bets open");
  CHECK_EQ(bench.heard().at(0), "0 ok 2");
}

TEST_CASE("an outbox with a position that no device driver wrote is a fault") {
  DeviceBench bench;
  bench.place = "3 4 nonsense";
  CHECK_THROWS_AS(bench.start(), Fault);
}

}  // namespace linkmeter::device_restart_test
