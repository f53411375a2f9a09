#include "table-agent/live_driver.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/device_bench.h"

namespace linkmeter::device_play_test {
namespace {

const std::string show_first = R"(event {"event":"show","round":")" + first +
                               R"(","hands":[{"seat":2,"cards":["9h","Th","Jh","Qh","Kh"]}]})";
const std::string resolve_first =
    R"(event {"event":"resolve","round":")" + first +
    R"(","by":"F-1","wagers":[{"seat":2,"wager":"crazy-4/five-card","amount":"5.00"}]})";

bool is_lit(const Lines& lines) { return is_there(" accepted", lines); }

// Answers as the controller does in the session of the README.
void answer_as(const std::string& words, DeviceBench& bench) {
  if (words == "lock: 3 chips, 2 expected") {
    bench.answer(Refusal::none, {}, 2);
  } else if (words.starts_with("show: ")) {
    bench.answer(
        Refusal::none,
        {{Seat(3), LineId("straight_flush"), Amount::cents(500'070), ClaimNumber(1),
          AwardKind::line},
         {Seat(2), LineId("straight_flush"), Amount::cents(150'000), {}, AwardKind::envy}});
  } else {
    REQUIRE(words.ends_with(": accepted"));
    bench.answer();
  }
}

}  // namespace

TEST_CASE("the session in table-agent/device/README.md is exact, byte for byte") {
  std::ifstream page(LINKMETER_SOURCE_DIR "/table-agent/device/README.md");
  std::string line;
  while (std::getline(page, line) && line != "```session") {
  }
  DeviceBench bench;
  bench.turn();
  std::size_t count = 0;
  while (std::getline(page, line) && line != "```") {
    ++count;
    CAPTURE(line);
    const std::string text = line.substr(3);
    if (line[0] == 'A') REQUIRE_EQ(bench.line(), text);
    if (line[0] == 'D') {
      bench.now_us += 100'000;  // else the agent would not yet ask for a second gap
      bench.say_bytes(text + "\n");
    }
    if (line[0] == 'C') answer_as(text, bench);
  }
  CHECK_EQ(bench.line(), "");
  CHECK_GT(count, 60);
  CHECK_EQ(bench.submitted.size(), 4);
}

TEST_CASE("a light is on only after the controller has counted the wager") {
  DeviceBench bench;
  lock_one(bench);
  REQUIRE_EQ(bench.submitted.size(), 1);
  const auto& lock = std::get<LockRound>(bench.submitted.front());
  CHECK_EQ(lock.round, RoundId(first));
  CHECK_EQ(lock.chips, 1);
  CHECK((lock.wagers == std::vector<AskedWager>{
                            {Seat(2), WagerId("crazy-4/five-card"), Amount::dollars(5), false}}));
  bench.turn();
  CHECK_FALSE(is_lit(bench.heard()));
  SUBCASE("accepted") {
    bench.answer();
    CHECK((bench.heard() == Lines{"7 dark", "8 light " + chip_2 + " accepted"}));
  }
  SUBCASE("refused") {
    bench.answer(Refusal::link_suspended);
    CHECK((bench.heard() == Lines{"7 dark", "8 lock refused " + first,
                                  "9 light " + chip_2 + " refused link_suspended"}));
    bench.say(7, close_first);  // the controller has no such round
    CHECK_EQ(bench.submitted.size(), 1);
    CHECK((bench.heard() == Lines{"0 ok 7", "10 lock idle"}));
  }
  SUBCASE("voided") {
    bench.answer();
    bench.say(7, R"(event {"event":"void","round":")" + first + R"(","reason":"misdeal"})");
    CHECK(is_lit(bench.heard()));
    bench.answer();
    CHECK((bench.heard() == Lines{"9 dark", "10 lock idle", "11 light " + chip_2 + " returned"}));
  }
}

TEST_CASE(
    "a wager removed before the lock does not count; a removal after the lock changes nothing") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.say(5, "placed " + chip_3);
  bench.say(6, "removed 2 crazy-4/five-card own");
  bench.say(7, "removed 2 crazy-4/five-card own");
  bench.say(8, "bets closed");
  bench.say(9, "removed 3 crazy-4/five-card own");
  bench.say(10, "placed " + chip_2);
  bench.say(11, "count 1");
  CHECK((bench.heard() == Lines{"0 ok 4", "0 ok 5", "0 ok 6", "0 no 7 not_placed", "0 ok 8",
                                "4 lock counting " + first, "0 no 9 locked", "0 no 10 locked",
                                "0 ok 11", "5 lock round " + first,
                                "6 light " + chip_3 + " waiting"}));
  const auto& lock = std::get<LockRound>(bench.submitted.at(0));
  REQUIRE_EQ(lock.wagers.size(), 1);
  CHECK_EQ(lock.wagers[0].seat, Seat(3));
}

TEST_CASE("a repeated, late or damaged line places no wager twice") {
  DeviceBench bench;
  bench.open_betting();
  const std::string placed = write_device_line({4, "placed " + chip_2});
  bench.say_bytes(placed + placed);
  CHECK((bench.heard() == Lines{"0 ok 4", "0 ok 4"}));
  bench.say(5, "removed 2 crazy-4/five-card own");
  bench.say_bytes(placed);  // late: it must not be placed again
  CHECK((bench.heard() == Lines{"0 ok 5", "0 ok 4"}));
  std::string damaged = write_device_line({6, "placed " + chip_3});
  damaged[damaged.find("500")] = '9';
  bench.say_bytes(damaged);
  CHECK((bench.heard() == Lines{"0 bad check_wrong"}));
  bench.say(7, "bets closed");  // after the lost lines
  CHECK((bench.heard() == Lines{"0 again 6"}));
  bench.say(6, "bets closed");
  CHECK((bench.heard() == Lines{"0 ok 6", "4 lock idle"}));  // no wager is on the sensors
  CHECK(bench.submitted.empty());
}

TEST_CASE("an event that the controller refused may be sent again unchanged") {
  DeviceBench bench;
  lock_one(bench);
  SUBCASE("said while nobody knew of the wrong count") {
    bench.say(7, show_first);
    bench.say(8, close_first);
    bench.answer(Refusal::none, {}, 2);
    bench.answer(Refusal::round_blocked);
    bench.answer(Refusal::round_blocked);
    const Lines blocked = bench.heard();
    for (const char* told : {"refused show round_blocked", "refused close round_blocked",
                             "count 1 2", "lock blocked vf00d0001-000001"}) {
      CHECK(is_there(std::string(" ") + told, blocked));
    }
    bench.say(9, resolve_first);
    bench.answer();
    CHECK(is_lit(bench.heard()));
    REQUIRE_EQ(bench.submitted.size(), 4);
    bench.say(10, show_first);
    REQUIRE_EQ(bench.submitted.size(), 5);
    CHECK(std::holds_alternative<ShowHands>(bench.submitted.back()));
    bench.say(11, show_first);  // this one waits for its answer
    CHECK_EQ(bench.submitted.size(), 5);
    bench.answer();
    bench.say(12, show_first);
    CHECK_EQ(bench.submitted.size(), 5);
    bench.say(13, close_first);
    CHECK_EQ(bench.submitted.size(), 6);
    bench.answer();
    const Lines heard = bench.heard();
    CHECK_EQ(heard.at(0), "0 ok 10");
    CHECK_FALSE(is_there(" round_blocked", Lines(heard.end() - 2, heard.end())));
    bench.say(14, "bets open");
    CHECK(bench.heard().at(0) == "0 ok 14");
  }
  SUBCASE("a resolve while its link was suspended") {
    bench.answer(Refusal::none, {}, 2);
    bench.say(7, resolve_first);
    bench.answer(Refusal::link_suspended);
    REQUIRE_EQ(bench.submitted.size(), 2);
    bench.say(8, resolve_first);
    REQUIRE_EQ(bench.submitted.size(), 3);
    bench.answer();
    CHECK(is_lit(bench.heard()));
  }
  SUBCASE("also by the next agent") {
    bench.answer();
    bench.say(7, show_first);
    bench.start();
    bench.turn();
    bench.answer_and_end(Refusal::link_suspended);
    bench.turn();
    bench.say(0, "hello 1 6 counted 5e550003");
    bench.say(1, show_first);
    CHECK_EQ(bench.submitted.size(), 3);
  }
}

TEST_CASE("a round that the controller does not know has ended") {
  DeviceBench bench;
  lock_one(bench);
  bench.say(7, close_first);
  bench.answer(Refusal::link_suspended);
  bench.answer(Refusal::round_unknown);
  bench.heard();
  bench.say(8, "bets open");
  CHECK(bench.heard().at(0) == "0 ok 8");
}

TEST_CASE("a suspended link takes no wagers, and a table of such links is locked") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.say(5, "bets closed");
  bench.heard();
  bench.surroundings.suspended = {LinkId("C4-MEGA")};
  bench.say(6, "count 1");
  CHECK(bench.submitted.empty());
  const Lines heard = bench.heard();
  CHECK_EQ(heard.at(0), "0 no 6 nothing_to_lock");
  CHECK_EQ(heard.back(), "6 light " + chip_2 + " refused link_suspended");
  bench.say(7, "bets open");
  CHECK_EQ(bench.heard().at(0), "0 no 7 link_suspended");
}

TEST_CASE("a faulty sensor takes no wager, a faulty device locks the table") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.say(5, "fault sensor 2 chip stuck");
  bench.say(6, "fault sensor 3 no answer");
  bench.say(7, "placed " + chip_3);
  CHECK((bench.heard() == Lines{"0 ok 4", "0 ok 5", "0 ok 6", "0 no 7 seat_faulty"}));
  CHECK_EQ(bench.told.back(), "fault of the device: sensor, seat 3: no answer");
  bench.say(8, "sound sensor 3");
  bench.say(9, "placed " + chip_3);
  bench.say(10, "fault power 0 low voltage");
  CHECK((bench.heard() == Lines{"0 ok 8", "0 ok 9", "0 ok 10", "4 lock fault",
                                "5 light " + chip_2 + " refused device_faulty",
                                "6 light " + chip_3 + " refused device_faulty"}));
  bench.say(11, "sound power 0");
  CHECK_EQ(bench.heard().at(0), "0 ok 11");
  bench.say(12, "bets open");
  CHECK_EQ(bench.heard().back(), "0 state");
  bench.say(13, "state 2 open " + first);
  bench.say(14, "held " + chip_2);
  bench.say(15, "held " + chip_3);
  bench.say(16, "bets closed");
  bench.say(17, "count 1");
  CHECK((bench.heard() == Lines{"0 ok 13", "0 no 14 seat_faulty", "0 ok 15", "0 ok 16",
                                "10 lock counting " + first, "0 ok 17", "11 lock round " + first,
                                "12 light " + chip_3 + " waiting"}));
}

TEST_CASE("a repeated event is answered ok; another event of an ended round is refused") {
  DeviceBench bench;
  lock_one(bench);
  bench.answer();
  bench.say(7, close_first);
  bench.answer();
  bench.heard();
  bench.say(8, close_first);
  bench.say(9, R"(event {"event":"void","round":")" + first + R"(","reason":"misdeal"})");
  bench.say(10, R"(event {"event":"close","round":"v0-000009"})");
  bench.say(11, R"(event {"event":"lock","round":"x","wagers":[]})");
  bench.say(12, R"(event {"event":"wait","ms":1})");
  bench.say(13, "event {");
  CHECK((bench.heard() == Lines{"0 ok 8", "0 no 9 round_closed", "0 no 10 round_unknown",
                                "0 no 11 event_not_taken", "0 no 12 event_not_taken",
                                "0 no 13 event_malformed"}));
  CHECK_EQ(bench.submitted.size(), 2);
}

TEST_CASE("ok is sent only when the message is in the outbox") {
  DeviceBench bench;
  lock_one(bench);
  bench.answer();
  bench.heard();
  bench.has_room = false;
  bench.say(7, close_first);
  CHECK(bench.heard().empty());
  bench.turn();
  CHECK(bench.heard().empty());
  bench.has_room = true;
  bench.turn();
  CHECK_EQ(bench.heard().front(), "0 ok 7");
  CHECK_EQ(bench.submitted.size(), 2);
}

TEST_CASE("a device that missed an output line gets the whole output state") {
  DeviceBench bench;
  lock_one(bench);
  bench.answer();
  bench.heard();
  bench.say(0, "again");
  CHECK((bench.heard() ==
         Lines{"9 dark", "10 lock round " + first, "11 light " + chip_2 + " accepted"}));
}

TEST_CASE("a device with another protocol version gets no session") {
  DeviceBench bench;
  bench.turn();
  bench.say(0, "hello 2 6 counted 5e550001");
  CHECK((bench.heard() == Lines{"0 hello 1 C4-01 5e550001", "0 bad version_unknown"}));
  CHECK_EQ(bench.told.back(), "the device speaks version 2 of the line; this agent speaks 1");
}

}  // namespace linkmeter::device_play_test
