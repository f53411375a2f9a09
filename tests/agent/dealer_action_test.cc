#include "table-agent/round/dealer_action.h"

#include <doctest/doctest.h>
#include <string>
#include <variant>

namespace linkmeter::dealer_action_test {

namespace {

std::string mistake(const std::string& body) {
  const auto parsed = parse_dealer_action(body);
  const auto* error = std::get_if<DealerActionError>(&parsed);
  return error == nullptr ? "" : error->message;
}

DealerAction touch_of(const std::string& body) {
  auto parsed = parse_dealer_action(body);
  REQUIRE(std::holds_alternative<DealerAction>(parsed));
  return std::get<DealerAction>(std::move(parsed));
}

}  // namespace

TEST_CASE("a dealer action uses the words of the device line") {
  const auto placed = touch_of(
      R"({"touch":{"id":"a1","do":"place","round":"r1","seat":2,"wager":"crazy-4/five-card",)"
      R"("amount":"5.00","on":"dealer"}})");
  const AskedWager wager{Seat(2), WagerId("crazy-4/five-card"), Amount::dollars(5), true};
  CHECK((std::get<input::WagerPlaced>(placed.word) == input::WagerPlaced{wager}));
  CHECK_EQ(placed.round, RoundId("r1"));
  CHECK_EQ(placed.id, "a1");
  CHECK_EQ(name(placed), "place");
  const auto count = touch_of(R"({"touch":{"id":"a2","do":"count","round":"r1","chips":0}})");
  CHECK((std::get<input::ChipCount>(count.word) == input::ChipCount{0}));
  const auto open = touch_of(R"({"touch":{"id":"a3","do":"open_bets"}})");
  CHECK((std::get<input::BettingSwitched>(open.word) == input::BettingSwitched{true}));
}

TEST_CASE("a show is the same event as in a script, signed by the signed-in person") {
  auto show = touch_of(
      R"({"touch":{"id":"a","do":"show","round":"r1","hands":[{"seat":3,"cards":["As","Th"]}],)"
      R"("dealer":["2c"],"passed":[5]}})");
  sign(show, Badge("D-1"));
  const auto& submitted = std::get<touch::Submit>(show.word);
  const auto& command = std::get<ShowHands>(submitted.command);
  CHECK_EQ(command.by, Badge("D-1"));
  CHECK_EQ(command.round, RoundId("r1"));
  CHECK_EQ(command.hands.at(0).cards.size(), 2);
  CHECK_EQ(command.dealer.size(), 1);
  CHECK((submitted.passed == std::vector<Seat>{Seat(5)}));
}

TEST_CASE("an invalid dealer action is answered with a sentence") {
  for (const char* body : {
           "",
           "[]",
           "{}",
           "null",
           R"({"touch":[]})",
           R"({"touch":{}})",
           R"({"touch":{"id":"a"}})",                            // has no action
           R"({"touch":{"do":"open_bets"}})",                    // has no id
           R"({"touch":{"id":"a b","do":"open_bets"}})",         // its id is malformed
           R"({"touch":{"id":"a","do":"lock"}})",                // unknown
           R"({"touch":{"id":"a","do":"open_bets","seat":1}})",  // the action takes no seat
           R"({"touch":{"id":"a","do":"count","chips":-1}})",
           R"({"touch":{"id":"a","do":"count","chips":1.5}})",
           R"({"touch":{"id":"a","do":"count","chips":10000}})",
           R"({"touch":{"id":"a","do":"place","seat":256,"wager":"w","amount":"5.00"}})",
           R"({"touch":{"id":"a","do":"place","seat":2,"wager":"w","amount":"5.001"}})",
           R"({"touch":{"id":"a","do":"place","seat":2,"wager":"w","amount":5}})",
           R"({"touch":{"id":"a","do":"place","seat":2,"wager":"w","amount":"5.00","on":"his"}})",
           R"({"touch":{"id":"a","do":"place","seat":2,"wager":"<b>","amount":"5.00"}})",
           R"({"touch":{"id":"a","do":"show","hands":[]}})",  // without a round
           R"({"touch":{"id":"a","do":"show","round":"r","hands":[],"passed":[-1]}})",
           R"({"touch":{"id":"a","do":"close","round":"r","by":"F-1"}})",  // `by` is not allowed
           R"({"touch":{"id":"a","do":"close","round":"r\u0001w"}})",
           R"({"touch":{"id":"a","do":"call_floor"}})",
       }) {
    CAPTURE(std::string(body));
    CHECK_NE(mistake(body), "");
  }
  CHECK_NE(mistake(R"({"touch":{"id":")" + std::string(65, 'a') + R"(","do":"open_bets"}})"), "");
  CHECK_NE(mistake(std::string(60'000, '[')), "");
}

}  // namespace linkmeter::dealer_action_test
