#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/mixed_floor.h"
#include "tests/support/panel_bench.h"

namespace linkmeter::panel_pot_test {

namespace {

using Json = nlohmann::json;

TableOffers poker_table() {
  const MixedFloor floor;
  return TableOffers::at(floor.file.floor, floor.file.rules,
                         *floor.file.floor.find_table(TableId("P-01")));
}

struct Poker : PanelBench {
  Poker() : PanelBench(false, poker_table()) {}

  Json shown() const { return Json::parse(picture()); }
  // Four queens lose to four kings: the losing hand, the winning one and the table get shares.
  Json bad_beat() const {
    return {{"do", "pot"},
            {"round", shown()["next_round"]},
            {"pot", "120.00"},
            {"board", {"Qs", "Qh", "Ks", "Kh", "2c"}},
            {"showdown", true},
            {"hands",
             {{{"seat", 2}, {"cards", {"Qc", "Qd"}}},
              {{"seat", 5}, {"cards", {"Kc", "Kd"}}, {"won", "119.00"}},
              {{"seat", 7}, {"cards", Json::array()}, {"folded", true}}}}};
  }
  std::string play(const Json& pot) { return touch(pot.dump()); }
  std::string play_as(const std::string& id, const Json& pot) { return touch_as(id, pot.dump()); }
};

}  // namespace

TEST_CASE("a poker hand is one action, and its result is shown until the next") {
  Poker table;
  CHECK_EQ(table.shown()["mode"], "pot");
  CHECK_EQ(table.shown()["pot"]["contribution"], "1.00");
  CHECK_EQ(table.shown()["may"]["pot"]["may"], true);
  CHECK_EQ(table.shown()["may"]["open_bets"]["why"], "wrong_game");
  const Json pot = table.bad_beat();
  CHECK_EQ(table.play_as("once", pot), "");
  CHECK_EQ(table.play_as("once", pot), "");  // a doubled tap
  REQUIRE_EQ(table.bench.submitted.size(), 1);
  const auto& submitted = std::get<PlayPot>(table.bench.submitted[0]);
  CHECK_EQ(submitted.by, Badge("D-1"));
  CHECK_EQ(submitted.pot, Amount::dollars(120));
  CHECK_EQ(submitted.hands.at(1).won, Amount::dollars(119));
  CHECK(submitted.hands.at(2).folded);
  CHECK_EQ(table.shown()["mode"], "waiting");
  CHECK_EQ(table.play(table.bad_beat()), "round_open");
  table.bench.answer(
      Refusal::none,
      {{Seat(2), LineId("losing_hand"), Amount::dollars(300), ClaimNumber(1), AwardKind::line},
       {Seat(5), LineId("winning_hand"), Amount::dollars(150), ClaimNumber(2), AwardKind::line}});
  const Json after = table.shown();
  CHECK_EQ(after["mode"], "pot");
  CHECK_EQ(after["awards"].size(), 2);
  CHECK_EQ(after["awards"][0]["claim"], 1);
  CHECK_NE(after["awards"][0]["words"].get<std::string>().find("poker shift supervisor"),
           std::string::npos);
  CHECK_EQ(table.play(table.bad_beat()), "");
  CHECK(table.shown()["awards"].empty());
}

TEST_CASE("a fund that no longer collects takes no contribution but can be won") {
  Poker table;
  PanelState scene = table.scene();
  CHECK_EQ(Json::parse(panel_view_json(scene, ""))["pot"]["collects"], true);
  scene.stopped = {LinkId("ANOTHER")};
  CHECK_EQ(Json::parse(panel_view_json(scene, ""))["pot"]["collects"], true);
  scene.stopped = {LinkId("POKER")};
  const Json shown = Json::parse(panel_view_json(scene, ""));
  CHECK_EQ(shown["pot"]["collects"], false);
  CHECK_EQ(shown["pot"]["contribution"], "0.00");
  CHECK_EQ(shown["may"]["pot"]["may"], true);
}

TEST_CASE("a refused pot may be entered again; a pot is sent once across a restart") {
  Poker table;
  const Json pot = table.bad_beat();
  CHECK_EQ(table.play_as("a", pot), "");
  SUBCASE("refused") {
    table.bench.answer(Refusal::meter_full);
    CHECK_EQ(table.shown()["mode"], "pot");
    CHECK_EQ(table.shown()["refused"][0]["event"], "pot");
    CHECK_EQ(table.play(table.bad_beat()), "");
    CHECK(table.shown()["refused"].empty());
  }
  SUBCASE("the agent ends before the answer") {
    table.bench.start();
    table.bench.turn();
    CHECK_EQ(table.shown()["mode"], "waiting");
    CHECK_EQ(table.play_as("a", pot), "");
    CHECK_EQ(table.bench.submitted.size(), 1);
    table.bench.answer();
    CHECK_EQ(table.shown()["mode"], "pot");
  }
  SUBCASE("the agent ends after the answer") {
    table.bench.answer_and_end();
    table.bench.turn();
    CHECK_EQ(table.play_as("a", pot), "");
    CHECK_EQ(table.bench.submitted.size(), 1);
  }
}

TEST_CASE("no pot is sent while the table is locked, and none is kept for later") {
  Poker table;
  SUBCASE("no controller") {
    table.bench.surroundings.locked_by = "no_controller";
    table.bench.turn();
    CHECK_EQ(table.shown()["mode"], "locked");
    CHECK_EQ(table.play(table.bad_beat()), "no_controller");
  }
  SUBCASE("the fund is suspended") {
    table.bench.surroundings.suspended = {poker_table().pot_link};
    table.bench.turn();
    CHECK_EQ(table.play(table.bad_beat()), "link_suspended");
  }
  SUBCASE("too much waits") {
    table.bench.has_room = false;
    CHECK_EQ(table.play(table.bad_beat()), "busy");
    table.bench.has_room = true;
  }
  table.bench.surroundings.locked_by.clear();
  table.bench.surroundings.suspended.clear();
  table.bench.turn();
  CHECK(table.bench.submitted.empty());
  CHECK_EQ(table.play(table.bad_beat()), "");
}

TEST_CASE("a pot that the controller would refuse is refused at the panel by the same name") {
  Poker table;
  const auto but = [&](const char* place, const Json& value) {
    Json pot = table.bad_beat();
    pot[Json::json_pointer(place)] = value;
    return table.play(pot);
  };
  CHECK_EQ(but("/pot", "0.00"), "amount_out_of_range");
  CHECK_EQ(but("/pot", "10000000.01"), "amount_out_of_range");
  CHECK_EQ(but("/hands/0/seat", 11), "seat_unknown");
  CHECK_EQ(but("/hands/0/seat", 5), "seat_already_shown");
  CHECK_EQ(but("/hands/0/cards", {"Qc"}), "wrong_card_count");
  CHECK_EQ(but("/hands/0/cards", {"Qc", "Qs"}), "card_already_shown");
  CHECK_EQ(but("/hands/0/folded", true), "showdown_incomplete");
  CHECK_EQ(but("/board", {"Qs", "Qh", "Ks", "Kh"}), "showdown_incomplete");
  CHECK_EQ(but("/board", {"Qs", "Qh", "Ks", "Kh", "2c", "3c"}), "wrong_card_count");
  CHECK_EQ(but("/round", "vf00d0001-000009"), "round_unknown");
  CHECK(table.bench.submitted.empty());
  // Uncontested: nobody needs to show.
  CHECK_EQ(table.play({{"do", "pot"},
                       {"round", table.shown()["next_round"]},
                       {"pot", "15.00"},
                       {"board", {"Qs", "Qh", "Ks"}},
                       {"showdown", false},
                       {"hands", {{{"seat", 2}, {"won", "15.00"}}}}}),
           "");
  PanelBench other;
  CHECK_EQ(other.touch(R"({"do":"pot","round":"vf00d0001-000001","pot":"20.00","showdown":false,)"
                       R"("hands":[]})"),
           "wrong_game");
}

}  // namespace linkmeter::panel_pot_test
