// A round that was open when the table's outbox was lost: the dealer or the device ends it.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/mixed_floor.h"
#include "tests/support/panel_bench.h"

namespace linkmeter::left_open_round_test {
namespace {

using Json = nlohmann::json;

OpenRound open_round(const std::string& name = "vdeadbeef-000041") {
  OpenRound round;
  round.hands.round = RoundId(name);
  round.wagers = {five_card(2), five_card(4)};
  round.chips = 2;
  round.locked_at = Timestamp::from_microseconds(1'700'000'000'000'000);
  return round;
}
// Seat 4 has shown a hand and was paid for it.
OpenRound half_shown() {
  OpenRound round = open_round();
  const AwardNotice award{Seat(4), LineId("flush"), Amount::dollars(700), std::nullopt};
  round.hands.hands = {
      {Seat(4), EntryNumber(9), cards_of({"2h", "5h", "9h", "Jh", "Kh"}), false, {award}}};
  round.hands.awards = {award};
  return round;
}
OpenRound blocked() {
  OpenRound round = open_round();
  round.chips = 3;
  round.chips_expected = 2;
  return round;
}

Json picture_of(const PanelBench& table) { return Json::parse(table.picture()); }

}  // namespace

TEST_CASE("the panel asks about the left-open round, and no other round opens before the answer") {
  PanelBench table;
  CHECK_EQ(picture_of(table)["mode"], "idle");
  CHECK(picture_of(table)["left_open"].is_null());
  table.bench.on_left_open({half_shown()});
  const Json picture = picture_of(table);
  CHECK_EQ(picture["mode"], "left_open");
  CHECK_EQ(picture["round"], "vdeadbeef-000041");
  CHECK_EQ(picture["left_open"]["since_ms"], 1'700'000'000'000);
  CHECK_EQ(picture["left_open"]["more"], 0);
  CHECK_EQ(picture["seats"][3]["hand"]["cards"].size(), 5);
  CHECK(picture["seats"][3]["correction"].is_null());
  CHECK_EQ(picture["seats"][1]["wagers"][0]["light"], "accepted");
  CHECK_EQ(picture["awards"].size(), 1);
  CHECK_EQ(picture["may"]["go_on"]["may"], true);
  CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "round_open");
}

TEST_CASE("the dealer continues the left-open round, shows the remaining hand and closes it") {
  PanelBench table;
  table.bench.on_left_open({half_shown()});
  CHECK_EQ(table.touch(R"({"do":"go_on","round":"vdeadbeef-000040"})"), "round_unknown");
  CHECK_EQ(picture_of(table)["mode"], "left_open");
  CHECK_EQ(table.touch(R"({"do":"go_on"})"), "");
  CHECK_EQ(table.touch(R"({"do":"go_on"})"), "");  // again
  const Json picture = picture_of(table);
  CHECK_EQ(picture["mode"], "round");
  CHECK((picture["order"] == Json::array({2})));
  CHECK_EQ(picture["may"]["go_on"]["why"], "not_left_open");
  // A card that was shown from the lost outbox is known.
  CHECK_EQ(table.touch(R"({"do":"show","hands":[{"seat":2,"cards":["2h","3d","4c","7s","9c"]}]})"),
           "card_already_shown");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[{"seat":2,"cards":["2d","3d","4c","7s","9c"]}]})"),
           "");
  table.bench.answer();
  CHECK_EQ(table.touch(R"({"do":"close"})"), "");
  table.bench.answer();
  REQUIRE_EQ(table.bench.submitted.size(), 2);
  CHECK_EQ(std::get<CloseRound>(table.bench.submitted[1]).round, RoundId("vdeadbeef-000041"));
  CHECK_EQ(picture_of(table)["mode"], "idle");
  CHECK_EQ(table.touch(R"({"do":"open_bets"})"), "");
  CHECK_EQ(picture_of(table)["round"], "vf00d0001-000002");
}

TEST_CASE("the dealer voids the left-open round") {
  PanelBench table;
  table.bench.on_left_open({open_round()});
  CHECK_EQ(table.touch(R"({"do":"void","reason":"the computer was replaced"})"), "");
  CHECK_EQ(picture_of(table)["mode"], "ending");
  table.bench.answer();
  const auto& voided = std::get<VoidRound>(table.bench.submitted.at(0));
  CHECK_EQ(voided.round, RoundId("vdeadbeef-000041"));
  CHECK_EQ(voided.by, Badge("D-1"));
  CHECK_EQ(picture_of(table)["mode"], "idle");
}

TEST_CASE("a left-open round with a wrong count is resolved or voided, not closed") {
  PanelBench table;
  table.bench.on_left_open({blocked()});
  const Json picture = picture_of(table);
  CHECK_EQ(picture["mode"], "left_open");
  CHECK_EQ(picture["left_open"]["count_differs"], true);
  CHECK_EQ(picture["seats"][1]["wagers"][0]["light"], "blocked");
  CHECK_EQ(table.touch(R"({"do":"close"})"), "round_blocked");
  CHECK_EQ(table.touch(R"({"do":"go_on"})"), "");
  CHECK_EQ(picture_of(table)["mode"], "blocked");
  CHECK_EQ(picture_of(table)["count"]["chips"], 3);
  CHECK_EQ(table.touch(R"({"do":"resolve","wagers":[
      {"seat":2,"wager":"crazy-4/five-card","amount":"5.00"}]})"),
           "");
  table.bench.answer();
  CHECK_EQ(picture_of(table)["mode"], "round");
}

TEST_CASE("after a restart the panel asks again, or the round continues as before") {
  PanelBench table;
  table.bench.on_left_open({half_shown()});
  table.bench.start();
  table.bench.turn();
  CHECK_EQ(picture_of(table)["mode"], "left_open");
  CHECK_EQ(picture_of(table)["left_open"]["since_ms"], 1'700'000'000'000);
  table.bench.on_left_open({half_shown()});
  CHECK_EQ(picture_of(table)["mode"], "left_open");
  table.touch(R"({"do":"go_on"})");
  table.bench.start();
  table.bench.turn();
  table.bench.on_left_open({half_shown()});
  CHECK_EQ(picture_of(table)["mode"], "round");
  CHECK_EQ(picture_of(table)["seats"][3]["hand"]["cards"].size(), 5);
}

TEST_CASE("the panel does not ask about a round that was ended meanwhile") {
  PanelBench table;
  table.bench.on_left_open({open_round()});
  SUBCASE("as a later Welcome tells") { table.bench.on_left_open({}); }
  SUBCASE("as the answer to its close tells") {
    table.touch(R"({"do":"close"})");
    table.bench.answer(Refusal::round_closed);
  }
  CHECK_EQ(picture_of(table)["mode"], "idle");
}

TEST_CASE("the panel asks about several left-open rounds one after the other") {
  PanelBench table;
  table.bench.on_left_open({open_round("r1"), open_round("r2")});
  CHECK_EQ(picture_of(table)["left_open"]["more"], 1);
  table.touch(R"({"do":"void","reason":"replaced"})");
  table.bench.answer();
  CHECK_EQ(picture_of(table)["mode"], "left_open");
  CHECK_EQ(picture_of(table)["round"], "r2");
  CHECK_EQ(picture_of(table)["left_open"]["more"], 0);
}

TEST_CASE("a left-open round with wagers that the table does not offer is left to people") {
  PanelBench table;
  OpenRound round = open_round();
  SUBCASE("another wager") { round.wagers[0].wager = WagerId("keno/ten-spot"); }
  SUBCASE("another seat") { round.wagers[0].seat = Seat(99); }
  SUBCASE("no whole cents") { round.wagers[0].amount = Amount::from_units(1); }
  table.bench.on_left_open({round});
  CHECK_EQ(picture_of(table)["mode"], "idle");
}

TEST_CASE("the device line shows the left-open round with its lights, and events end it") {
  DeviceBench bench;
  bench.turn();
  bench.say(0, "hello 1 6 counted 5e550001");
  bench.say(1, "state 0 closed -");
  bench.heard();
  bench.on_left_open({open_round()});
  const Lines lines = bench.heard();
  CHECK(is_there("lock left_open vdeadbeef-000041", lines));
  CHECK(is_there("light 2 crazy-4/five-card 500 own accepted", lines));
  bench.say(2, "bets open");
  CHECK(is_there("no 2 round_open", bench.heard()));
  SUBCASE("a void") {
    bench.say(3, R"(event {"event":"void","round":"vdeadbeef-000041","reason":"replaced"})");
    CHECK(is_there("ok 3", bench.heard()));
    bench.answer();
    CHECK(is_there("lock idle", bench.heard()));
  }
  SUBCASE("a show goes on with it") {
    bench.say(3, R"(event {"event":"show","round":"vdeadbeef-000041","hands":[)"
                 R"({"seat":2,"cards":["2d","3d","4c","7s","9c"]}]})");
    CHECK(is_there("lock round vdeadbeef-000041", bench.heard()));
  }
}

}  // namespace linkmeter::left_open_round_test
