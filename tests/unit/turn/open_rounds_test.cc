// What a Welcome reports about a table's open rounds.
#include "controller/turn/table_status.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "tests/support/controller_house.h"

namespace linkmeter::open_rounds_test {
namespace {

const TableId table("C4-01");

struct House : ControllerHouse {
  Welcome welcome() {
    const auto turn = this->turn("C4-01", encode(Hello{table}));
    REQUIRE_EQ(turn.replies.size(), 1);
    REQUIRE(turn.replies[0].bytes.size() <= limits::message_bytes_max);
    return std::get<Welcome>(decode_to_table(turn.replies[0].bytes).value());
  }
  LockRound counted(const std::string& round, std::vector<AskedWager> wagers, std::uint32_t chips) {
    return {RoundId(round), std::move(wagers), chips, Badge()};
  }
};

}  // namespace

TEST_CASE("a table without an open round gets none") {
  House house;
  CHECK(house.welcome().open_rounds.empty());
  CHECK_EQ(house.welcome().open_round_count, 0);
}

TEST_CASE("the name of an open round may have any printable character") {
  House house;
  house.say("C4-01", 1, house.counted("two words; ~", {five_card(1)}, 1));
  const Welcome told = house.welcome();
  REQUIRE_EQ(told.open_rounds.size(), 1);
  CHECK_EQ(told.open_rounds[0].hands.round, RoundId("two words; ~"));
}

TEST_CASE("an open round is reported with its wagers, its hands and the time of its lock") {
  House house;
  house.say("C4-01", 1, house.counted("r1", {five_card(1), five_card(2)}, 2));
  ShowHands show = royal_flush_of("r1", 2);
  show.dealer = cards_of({"2c", "3d", "4h", "6s", "8c"});
  show.names_dealer = true;
  house.say("C4-01", 2, show);
  const Welcome told = house.welcome();
  CHECK_EQ(told.open_round_count, 1);
  REQUIRE_EQ(told.open_rounds.size(), 1);
  const OpenRound& round = told.open_rounds[0];
  CHECK_EQ(round.hands.round, RoundId("r1"));
  CHECK((round.wagers == std::vector<AskedWager>{five_card(1), five_card(2)}));
  CHECK_EQ(round.chips, 2);
  CHECK_FALSE(round.chips_expected.has_value());
  CHECK_EQ(round.locked_at, House::now);
  CHECK(round.dealer_shown);
  CHECK((round.hands.dealer == show.dealer));
  REQUIRE_EQ(round.hands.hands.size(), 1);
  CHECK((round.hands.hands[0].cards == show.hands[0].cards));
  CHECK_EQ(round.hands.awards.size(), 2);  // the royal flush, and envy
  house.say("C4-01", 3, CloseRound{RoundId("r1"), Badge()});
  CHECK(house.welcome().open_rounds.empty());
}

TEST_CASE("a round with a wrong count is reported as blocked, with both numbers") {
  House house;
  house.say("C4-01", 1, house.counted("r1", {five_card(1), five_card(2)}, 3));
  const Welcome told = house.welcome();
  REQUIRE_EQ(told.open_rounds.size(), 1);
  CHECK_EQ(told.open_rounds[0].chips, 3);
  CHECK_EQ(told.open_rounds[0].chips_expected, 2);
}

TEST_CASE("a void hand and its wager are not reported") {
  House house;
  house.say("C4-01", 1, lock_of("r1", {five_card(1), five_card(2)}));
  house.say("C4-01", 2, VoidRound{RoundId("r1"), "exposed", Badge(), Seat(2)});
  const OpenRound round = house.welcome().open_rounds.at(0);
  CHECK((round.wagers == std::vector<AskedWager>{five_card(1)}));
  CHECK((round.void_seats == std::vector<Seat>{Seat(2)}));
}

TEST_CASE("of many open rounds one frame reports a few, and their number") {
  House house;
  for (std::uint64_t number = 1; number <= 100; ++number) {
    house.say("C4-01", number, lock_of("r" + std::to_string(number), {five_card(1)}));
  }
  house.say("C4-01", 101, royal_flush_of("r37", 1));
  const Welcome told = house.welcome();
  CHECK_EQ(told.open_round_count, 100);
  REQUIRE_EQ(told.open_rounds.size(), reported_rounds_max);
  CHECK_EQ(told.open_rounds.back().hands.round, RoundId("r37"));
  // Its lock is too old to be searched for.
  CHECK_EQ(told.open_rounds.back().locked_at, Timestamp());
  CHECK_EQ(told.open_rounds.front().locked_at, House::now);
}

TEST_CASE("a refused agent learns nothing about the table") {
  House house;
  house.say("C4-01", 1, lock_of("r1", {five_card(1)}));
  const auto turn = house.turn({{"C4-02", key_of("C4-02"), encode(Hello{table})}});
  const auto told = std::get<Welcome>(decode_to_table(turn.replies.at(0).bytes).value());
  CHECK_EQ(told.refusal, Refusal::table_not_yours);
  CHECK(told.open_rounds.empty());
  CHECK_EQ(told.open_round_count, 0);
}

}  // namespace linkmeter::open_rounds_test
