#include "controller/web/sign_board.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "meters/award.h"
#include "meters/decide.h"
#include "meters/hand.h"
#include "tests/support/small_floor.h"
#include "tests/support/staff.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// The small floor, played through decide() and apply(), and what its board published.
struct House {
  FloorFile file = std::get<FloorFile>(parse_floor("floor.toml", floor_text, shipped_catalogue()));
  State state = opened(file);
  Presence presence{file.floor.tables.size(), std::chrono::seconds(2), at(0)};
  std::map<std::string, std::vector<std::string>> published;
  std::uint64_t number = 0;
  SignBoard board{state, file.rules, presence, Notices{{"Of the house"}, {{"Of C4"}}},
                  [this](const std::string& topic, const std::string&, std::string data,
                         std::uint64_t) { published[topic].push_back(std::move(data)); }};

  static State opened(const FloorFile& file) {
    State state;
    FloorOpened floor{file.floor, "floor", {"chapter"}};
    floor.people = standard_staff();
    state.apply(open_floor(std::move(floor), Timestamp::from_microseconds(1)));
    return state;
  }
  static Moment at(int milliseconds_since) {
    const microseconds uptime = milliseconds(milliseconds_since);
    return {Timestamp::from_microseconds(1'000'000 + uptime.count()), uptime};
  }
  void say(TableCommand command) {
    TableMessage message;
    message.table = TableId("C4-01");
    message.number = MessageNumber(++number);
    message.command = std::move(command);
    const Decision decision =
        decide(state, file.rules, message, Timestamp::from_microseconds(1'000'000));
    const auto* entry = std::get_if<Entry>(&decision);
    REQUIRE(entry != nullptr);
    REQUIRE_FALSE(std::holds_alternative<MessageRefused>(entry->fact));
    state.apply(*entry);
  }
  void lock(const std::string& round) {
    LockRound lock;
    lock.round = RoundId(round);
    lock.wagers = {{Seat(2), WagerId("crazy-4/five-card"), Amount::dollars(5)}};
    say(lock);
  }
  void win(const std::string& round) {
    lock(round);
    ShowHands show;
    show.round = RoundId(round);
    std::vector<Card> cards;
    for (const char* card : {"9h", "Th", "Jh", "Qh", "Kh"}) cards.push_back(*parse_card(card));
    show.hands = {{Seat(2), std::move(cards), false, {}}};
    say(show);
  }
};

Json parsed(std::string text) {
  // The age is a mark until it is sent.
  const std::size_t mark = text.find(WebServer::age_mark);
  REQUIRE_NE(mark, std::string::npos);
  text.replace(mark, WebServer::age_mark.size(), "0");
  return Json::parse(text);
}

}  // namespace

TEST_CASE("a link is shown every second, a changed one after 200 ms, a win at once") {
  House house;
  const auto& signs = house.published["sign/C4-MEGA"];
  house.board.serve(House::at(1'000));
  CHECK_EQ(signs.size(), 1);
  CHECK_EQ(house.published.at("sign/RIU").size(), 1);
  CHECK_EQ(house.published.at("floor").size(), 1);
  house.board.serve(House::at(1'900));
  CHECK_EQ(signs.size(), 1);
  CHECK_EQ(house.board.time_until_due(milliseconds(1'900)), milliseconds(100));
  house.board.serve(House::at(2'000));
  CHECK_EQ(signs.size(), 2);

  house.lock("r1");
  house.board.note({LinkPlace(0)}, {}, House::at(2'010));
  house.board.serve(House::at(2'150));
  CHECK_EQ(signs.size(), 2);
  CHECK_EQ(house.board.time_until_due(milliseconds(2'150)), milliseconds(50));
  house.board.serve(House::at(2'200));
  CHECK_EQ(signs.size(), 3);
  CHECK_EQ(house.published.at("sign/RIU").size(), 2);  // the others wait for their second

  house.win("r2");
  house.board.note({LinkPlace(0)}, {ClaimNumber(1)}, House::at(2'201));
  CHECK_EQ(signs.size(), 4);
  CHECK_EQ(house.published.at("floor").size(), 4);
}

TEST_CASE("a sign says what the meter holds in whole cents, never more") {
  House house;
  for (int round = 0; round < 3; ++round) house.lock("r" + std::to_string(round));
  const Json sign = house.board.sign(LinkPlace(0), Timestamp::from_microseconds(5));
  // 9 %, 7 % and 3 % of three wagers of $5: $1.35, $1.05 and $0.45 above the seeds.
  CHECK_EQ(sign["levels"][0]["amount"], "50001.35");
  CHECK_EQ(sign["levels"][1]["amount"], "5001.05");
  CHECK_EQ(sign["levels"][2]["amount"], "1250.45");
  CHECK_EQ(sign["levels"][2]["lines"],
           (Json::array({{{"line", "four_of_a_kind"}, {"pays", "100%"}}})));
  CHECK_EQ(sign["sequence"], 4);
  CHECK_EQ(sign["unit"], "5.00");
  CHECK(sign["last_award"].is_null());
  CHECK_EQ(sign["notices"], (Json::array({"Of the house", "Of C4"})));
  const Json other = house.board.sign(LinkPlace(1), Timestamp::from_microseconds(5));
  CHECK_EQ(other["notices"], (Json::array({"Of the house"})));
}

TEST_CASE("a win is shown with what was won, and the meter that it left") {
  House house;
  house.win("r1");
  house.board.note({LinkPlace(0)}, {ClaimNumber(1)}, House::at(1'000));
  const Json sign = parsed(house.published.at("sign/C4-MEGA").back());
  const Json& award = sign["last_award"];
  CHECK_EQ(award["amount"], "5000.35");
  CHECK_EQ(award["new_amount"], "5000.00");
  CHECK_EQ(award["state"], "raised");
  CHECK_EQ(sign["levels"][1]["amount"], "5000.00");
  const Json floor = parsed(house.published.at("floor").back());
  REQUIRE_EQ(floor["claims"].size(), 1);
  CHECK_EQ(floor["claims"][0]["needs"], "validation");
  CHECK(floor["recent"].empty());
}

TEST_CASE("a claim that is settled leaves the list, and is among the last settled ones") {
  House house;
  for (int round = 1; round <= 25; ++round) {
    house.win("r" + std::to_string(round));
    const auto claim = ClaimNumber(static_cast<std::uint64_t>(round));
    house.board.note({LinkPlace(0)}, {claim}, House::at(round));
    const PersonMessage reject{Badge("F-1"), RejectClaim{claim, RejectReason::hand_misread, ""}};
    const Decision decision =
        decide(house.state, house.file.rules, reject, Timestamp::from_microseconds(2'000'000));
    REQUIRE(std::holds_alternative<ClaimRejected>(std::get<Entry>(decision).fact));
    house.state.apply(std::get<Entry>(decision));
    house.board.note({LinkPlace(0)}, {}, House::at(round));
  }
  house.board.serve(House::at(5'000));
  const Json floor = parsed(house.published.at("floor").back());
  CHECK(floor["claims"].empty());
  REQUIRE_EQ(floor["recent"].size(), 20);
  CHECK_EQ(floor["recent"][0]["claim"], 25);
  CHECK_EQ(floor["recent"][19]["claim"], 6);
  // Who starts anew finds the same.
  House again;
  const SignBoard board(house.state, house.file.rules, house.presence, {}, {});
  CHECK_EQ(board.floor({})["recent"].size(), 20);
}

TEST_CASE("who comes or goes is shown") {
  House house;
  house.board.serve(House::at(1'000));
  const auto changes = house.presence.note({TablePlace(0)}, House::at(1'300));
  house.board.note(changes);
  house.board.serve(House::at(1'300));
  const Json sign = parsed(house.published.at("sign/C4-MEGA").back());
  CHECK_EQ(sign["tables"][0]["state"], "linked");
  CHECK_EQ(sign["tables"][1]["state"], "never_seen");
  const Json floor = parsed(house.published.at("floor").back());
  CHECK_EQ(floor["tables"][0]["state"], "linked");
}

}  // namespace linkmeter
