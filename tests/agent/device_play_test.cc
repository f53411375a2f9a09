#include "table-agent/device_play.h"

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/device_bench.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

using namespace linkmeter;

namespace {

using Lines = std::vector<std::string>;

const std::string first = "vf00d0001-000001";
const std::string chip_2 = "2 crazy-4/five-card 500 own";
const std::string chip_3 = "3 crazy-4/five-card 500 own";
const std::string close_first = R"(event {"event":"close","round":")" + first + "\"}";

// A round of one wager at seat 2, locked and in the outbox; the device's next line is 7.
void lock_one(DeviceBench& bench) {
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.say(5, "bets closed");
  bench.say(6, "count 1");
  bench.heard();
}

bool is_lit(const Lines& lines) {
  for (const std::string& line : lines) {
    if (line.ends_with(" accepted")) return true;
  }
  return false;
}

// What the page's session says the controller answers.
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

TEST_CASE("the session of DEVICE.md is what is said, to the last byte") {
  std::ifstream page(LINKMETER_SOURCE_DIR "/table-agent/DEVICE.md");
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
      bench.now_us += 100'000;  // else the agent would not ask again for a second gap
      bench.say_bytes(text + "\n");
    }
    if (line[0] == 'C') answer_as(text, bench);
  }
  CHECK_EQ(bench.line(), "");
  CHECK_GT(count, 60);
  CHECK_EQ(bench.said.size(), 4);
}

TEST_CASE("a light is on only when the controller has counted the wager") {
  DeviceBench bench;
  lock_one(bench);
  REQUIRE_EQ(bench.said.size(), 1);
  const auto& lock = std::get<LockRound>(bench.said.front());
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
    CHECK_EQ(bench.said.size(), 1);
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

TEST_CASE("a wager that is removed before the lock was never there, after it nothing changes") {
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
  const auto& lock = std::get<LockRound>(bench.said.at(0));
  REQUIRE_EQ(lock.wagers.size(), 1);
  CHECK_EQ(lock.wagers[0].seat, Seat(3));
}

TEST_CASE("a line that comes twice, late or damaged places nothing twice") {
  DeviceBench bench;
  bench.open_betting();
  const std::string placed = write_device_line({4, "placed " + chip_2});
  bench.say_bytes(placed + placed);
  CHECK((bench.heard() == Lines{"0 ok 4", "0 ok 4"}));
  bench.say(5, "removed 2 crazy-4/five-card own");
  bench.say_bytes(placed);  // late: it must not lie there again
  CHECK((bench.heard() == Lines{"0 ok 5", "0 ok 4"}));
  std::string damaged = write_device_line({6, "placed " + chip_3});
  damaged[damaged.find("500")] = '9';
  bench.say_bytes(damaged);
  CHECK((bench.heard() == Lines{"0 bad check_wrong"}));
  bench.say(7, "bets closed");  // behind what was lost
  CHECK((bench.heard() == Lines{"0 again 6"}));
  bench.say(6, "bets closed");
  CHECK((bench.heard() == Lines{"0 ok 6", "4 lock idle"}));  // nothing lies there
  CHECK(bench.said.empty());
}

TEST_CASE("a table that is locked out takes nothing, and says why") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.heard();
  bench.surroundings.locked_by = "no_controller";
  bench.turn();
  CHECK((bench.heard() == Lines{"4 lock no_controller " + first}));
  bench.say(5, "placed " + chip_3);
  bench.say(6, "bets closed");
  CHECK((bench.heard() == Lines{"0 no 5 locked", "0 no 6 no_controller"}));
  SUBCASE("open again: what lies there now is told anew") {
    bench.surroundings.locked_by = "";
    bench.turn();
    CHECK((bench.heard() == Lines{"5 open " + first, "0 state"}));
    bench.say(7, "bets closed");  // before it was told
    bench.say(8, "state 1 open " + first);
    bench.say(9, "held " + chip_3);
    bench.say(10, "bets closed");
    bench.say(11, "count 1");
    CHECK_EQ(bench.heard().front(), "0 no 7 locked");
    REQUIRE_EQ(bench.said.size(), 1);
    CHECK_EQ(std::get<LockRound>(bench.said[0]).wagers.at(0).seat, Seat(3));
  }
  SUBCASE("locked between the button and the count: the wagers go back") {
    bench.surroundings.locked_by = "";
    bench.turn();
    bench.say(7, "state 1 open " + first);
    bench.say(8, "held " + chip_2);
    bench.say(9, "bets closed");
    bench.heard();
    bench.surroundings.locked_by = "no_controller";
    bench.say(10, "count 1");
    CHECK(bench.said.empty());
    CHECK((bench.heard() == Lines{"0 no 10 no_controller", "7 lock no_controller",
                                  "8 light " + chip_2 + " refused no_controller"}));
  }
}

TEST_CASE("a round that is locked goes on while the table is locked out") {
  DeviceBench bench;
  lock_one(bench);
  bench.surroundings.locked_by = "no_controller";
  bench.say(7, close_first);
  CHECK_EQ(bench.said.size(), 2);
  CHECK((bench.heard() == Lines{"7 lock no_controller " + first, "0 ok 7"}));
  bench.surroundings.locked_by = "";
  bench.answer();
  bench.answer();
  const Lines heard = bench.heard();
  CHECK(is_lit(heard));
  CHECK(heard.back().ends_with(" lock idle"));
}

TEST_CASE("a suspended link takes no wagers, and a table of such links is locked") {
  DeviceBench bench;
  bench.open_betting();
  bench.say(4, "placed " + chip_2);
  bench.say(5, "bets closed");
  bench.heard();
  bench.surroundings.suspended = {LinkId("C4-MEGA")};
  bench.say(6, "count 1");
  CHECK(bench.said.empty());
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
  CHECK_EQ(bench.heard().back(), "4 lock fault " + first);
  bench.say(11, "sound power 0");
  CHECK((bench.heard() == Lines{"0 ok 11", "5 open " + first, "0 state"}));
  bench.say(12, "state 2 open " + first);
  bench.say(13, "held " + chip_2);
  bench.say(14, "held " + chip_3);
  bench.say(15, "bets closed");
  bench.say(16, "count 1");
  CHECK((bench.heard() == Lines{"0 ok 12", "0 no 13 seat_faulty", "0 ok 14", "0 ok 15",
                                "6 lock counting " + first, "0 ok 16", "7 lock round " + first,
                                "8 light " + chip_3 + " waiting"}));
}

TEST_CASE("a repeated event is answered ok, another one of a round that is over is not") {
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
  CHECK_EQ(bench.said.size(), 2);
}

TEST_CASE("ok is said when the message is in the outbox, not before") {
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
  CHECK_EQ(bench.said.size(), 2);
}

TEST_CASE("a device that misses a line of the picture is told all of it") {
  DeviceBench bench;
  lock_one(bench);
  bench.answer();
  bench.heard();
  bench.say(0, "again");
  CHECK((bench.heard() ==
         Lines{"9 dark", "10 lock round " + first, "11 light " + chip_2 + " accepted"}));
}

TEST_CASE("a device of another version is not spoken with") {
  DeviceBench bench;
  bench.turn();
  bench.say(0, "hello 2 6 counted 5e550001");
  CHECK((bench.heard() == Lines{"0 hello 1 C4-01 5e550001", "0 bad version_unknown"}));
  CHECK_EQ(bench.told.back(), "the device speaks version 2 of the line; this agent speaks 1");
}
