#include "table-agent/panel/panel_view.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "table-agent/round/round_rules.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/panel_bench.h"

namespace linkmeter::panel_view_test {

namespace {

using Json = nlohmann::json;

Json picture_of(const PanelBench& table) { return Json::parse(table.picture()); }

// The actions that are allowed, in the order of a round.
std::string allowed(const Json& picture) {
  std::string all;
  for (const char* action :
       {"open_bets", "place", "close_bets", "count", "resolve", "show", "close", "void"}) {
    const Json& doing = picture["may"][action];
    if (doing["may"].get<bool>()) {
      all += (all.empty() ? "" : " ") + std::string(action);
      CHECK(doing["why"].is_null());
    } else {
      CHECK(doing["why"].is_string());
      CHECK_GT(doing["words"].get<std::string>().size(), 5);
    }
  }
  return all;
}

TableOffers mixed_table(const char* id) {
  const MixedFloor floor;
  return TableOffers::at(floor.file.floor, floor.file.rules,
                         *floor.file.floor.find_table(TableId(id)));
}

const std::string show_two =
    R"({"do":"show","hands":[{"seat":2,"cards":["9h","Th","Jh","Qh","Kh"]}]})";

}  // namespace

TEST_CASE("the allowed actions follow the round; every other action has a reason against it") {
  PanelBench table;
  CHECK_EQ(picture_of(table)["mode"], "idle");
  CHECK_EQ(allowed(picture_of(table)), "open_bets");
  table.touch(R"({"do":"open_bets"})");
  CHECK_EQ(allowed(picture_of(table)), "place close_bets");
  table.place(2);
  table.touch(R"({"do":"close_bets"})");
  CHECK_EQ(picture_of(table)["mode"], "counting");
  CHECK_EQ(allowed(picture_of(table)), "count");
  table.touch(R"({"do":"count","chips":1})");
  CHECK_EQ(picture_of(table)["mode"], "waiting");
  table.bench.answer();
  CHECK_EQ(picture_of(table)["mode"], "round");
  CHECK_EQ(allowed(picture_of(table)), "show close void");
  table.touch(R"({"do":"close"})");
  CHECK_EQ(picture_of(table)["mode"], "ending");
  CHECK_EQ(allowed(picture_of(table)), "");
  table.bench.answer();
  CHECK_EQ(allowed(picture_of(table)), "open_bets");
}

TEST_CASE("after a wrong count or a refused round, the actions that end it are allowed") {
  PanelBench table;
  table.touch(R"({"do":"open_bets"})");
  table.place(2);
  table.touch(R"({"do":"close_bets"})");
  table.touch(R"({"do":"count","chips":3})");
  SUBCASE("counted wrong") {
    table.bench.answer(Refusal::none, {}, 1);
    const Json picture = picture_of(table);
    CHECK_EQ(picture["mode"], "blocked");
    CHECK_EQ(allowed(picture), "resolve void");
    CHECK_EQ(picture["count"]["chips"], 3);
    CHECK_EQ(picture["count"]["expected"], 1);
    CHECK_EQ(picture["seats"][1]["wagers"][0]["light"], "blocked");
  }
  SUBCASE("refused") {
    table.bench.answer(Refusal::link_suspended);
    const Json picture = picture_of(table);
    CHECK_EQ(picture["mode"], "refused");
    CHECK_EQ(allowed(picture), "close void");
    CHECK_EQ(picture["seats"][1]["wagers"][0]["why"], "link_suspended");
  }
}

TEST_CASE("a locked table says why in words") {
  PanelBench table;
  table.bench.surroundings.locked_by = "no_controller";
  table.bench.turn();
  const Json picture = picture_of(table);
  CHECK_EQ(picture["mode"], "locked");
  CHECK_EQ(allowed(picture), "");
  CHECK_EQ(picture["connection"]["state"], "no_controller");
  CHECK_EQ(picture["connection"]["linked"], false);
  CHECK_NE(picture["mode_words"].get<std::string>().find("The game itself goes on"),
           std::string::npos);
}

TEST_CASE("the panel says which of several controllers the table is connected to") {
  const PanelBench table;
  PanelState scene = table.scene();
  const auto controller = [&scene] {
    return Json::parse(panel_view_json(scene, "Demo Casino"))["connection"]["controller"];
  };
  CHECK(controller().is_null());
  scene.controller = "controller b";
  CHECK_EQ(controller(), "controller b");
}

TEST_CASE("seats are shown from the dealer's right and say what they have won") {
  PanelBench table;
  table.deal({2, 4, 6});
  Json picture = picture_of(table);
  CHECK_EQ(picture["order"], Json::parse("[6,4,2]"));
  CHECK_EQ(picture["dealer"]["to_show"], false);  // no wager depends on his hand
  // Seats 6 and 4 come before seat 2 (M6); the dealer may say that they will not be shown.
  CHECK_EQ(table.touch(show_two), "not_in_turn");
  CHECK_EQ(table.bench.submitted.size(), 1);  // the lock
  std::string out_of_turn = show_two;
  out_of_turn.insert(out_of_turn.size() - 1, R"(,"passed":[4,6])");
  CHECK_EQ(table.touch(out_of_turn), "");
  picture = picture_of(table);
  CHECK_EQ(picture["order"], Json::parse("[6,4]"));
  CHECK_EQ(picture["seats"][1]["hand"]["state"], "waiting");
  AwardNotice line{Seat(2),           LineId("straight_flush"), Amount::cents(500'070),
                   ClaimNumber(7),    AwardKind::line,          std::nullopt,
                   LinkId("C4-MEGA"), LevelId("major")};
  AwardNotice envy{Seat(4),          LineId("straight_flush"), Amount::dollars(1'500),
                   std::nullopt,     AwardKind::envy,          Seat(2),
                   LinkId("C4-MEGA")};
  AwardNotice envy_too = envy;
  envy_too.seat = Seat(6);
  table.bench.answer(Refusal::none, {line, envy, envy_too});
  picture = picture_of(table);
  const Json& claim = picture["seats"][1]["awards"][0];
  CHECK_EQ(claim["claim"], 7);
  CHECK_EQ(claim["claim_state"], "raised");
  CHECK_EQ(claim["words"],
           "Call the floor: seat 2 has $5,000.70, claim 7. Pay nothing yet; leave the cards. It is "
           "not paid from the rack");
  CHECK_EQ(claim["pay"], "after_validation");
  CHECK_EQ(claim["amount"], "5000.70");
  // § 657a.11(e), § 657a.2(c).
  CHECK_EQ(claim["not_from"], Json::parse(R"(["table_inventory","game_account"])"));
  CHECK_EQ(claim["from"], Json::parse(R"(["hand_pay"])"));
  CHECK_EQ(picture["seats"][3]["awards"][0]["pay"], "now");
  CHECK_EQ(picture["seats"][3]["awards"][0]["from"], Json::parse(R"(["table_inventory"])"));
  REQUIRE_EQ(picture["envy"].size(), 1);
  CHECK_EQ(picture["envy"][0]["holder"], 2);
  CHECK_EQ(picture["envy"][0]["to"].size(), 2);
  CHECK(picture["may"]["void"]["may"].get<bool>());  // nobody has validated the claim
  // The last report is still there after a restart.
  table.touch(R"({"do":"close"})");
  table.bench.answer_and_end();
  table.bench.turn();
  const Json again = picture_of(table);
  CHECK_EQ(again["envy"], picture["envy"]);
  REQUIRE_EQ(again["awards"].size(), 3);
  CHECK_EQ(again["awards"][0]["claim"], 7);
  CHECK_EQ(again["awards"][0]["claim_state"], nullptr);  // until a heartbeat reports it
  CHECK_EQ(again["awards"][1], picture["awards"][1]);
  CHECK_EQ(again["awards"][2], picture["awards"][2]);
  table.touch(R"({"do":"open_bets"})");
  CHECK(picture_of(table)["awards"].empty());
}

TEST_CASE("the dealer is told that the hand of a seat that did not bet may bring Envy") {
  PanelBench table;
  table.deal({2, 6});
  for (const int seat : {6, 2}) {
    CHECK_EQ(table.touch(R"({"do":"show","hands":[{"seat":)" + std::to_string(seat) +
                         R"(,"cards":[],"folded":true}]})"),
             "");
  }
  const auto others_may = [&table] {
    const std::string words = picture_of(table)["mode_words"];
    return words.find("A seat without a wager may still bring") != std::string::npos;
  };
  CHECK(others_may());
  const std::vector<std::string> hands = {
      R"(["2c","4d","6h","8s","Tc"])", R"(["2d","4h","6s","8c","Td"])",
      R"(["2h","4s","6c","8d","Th"])", R"(["2s","4c","6d","8h","Ts"])"};
  int shown = 0;
  for (const int seat : {5, 4, 3, 1}) {
    CHECK(others_may());
    CHECK_EQ(table.touch(R"({"do":"show","hands":[{"seat":)" + std::to_string(seat) +
                         R"(,"cards":)" + hands.at(static_cast<std::size_t>(shown++)) + "}]}"),
             "");
  }
  CHECK_FALSE(others_may());
}

TEST_CASE("a hand compared with the dealer's is shown with it or declared as not shown") {
  PanelBench table(false, mixed_table("BJ-02"));  // Bad Beat, electronic
  table.touch(R"({"do":"open_bets"})");
  const std::string bet = R"(,"wager":"blackjack/bad-beat","amount":"5.00"})";
  CHECK_EQ(table.touch(R"({"do":"place","seat":3)" + bet), "");
  CHECK_EQ(table.touch(R"({"do":"place","seat":5)" + bet), "");
  CHECK_EQ(table.touch(R"({"do":"close_bets"})"), "");  // no chip to count: this is the lock
  REQUIRE_EQ(table.bench.submitted.size(), 1);
  CHECK_FALSE(std::get<LockRound>(table.bench.submitted[0]).chips.has_value());
  table.bench.answer();
  const Json picture = picture_of(table);
  CHECK(picture["dealer"]["to_show"].get<bool>());
  CHECK(picture["seats"][2]["with_dealer"].get<bool>());
  const std::string dealer = R"("dealer":["As","Kd"])";
  const std::string hand = R"({"seat":3,"cards":["Th","Qd"]})";
  CHECK_EQ(table.touch(R"({"do":"show","hands":[)" + hand + "]," + dealer + "}"), "hands_missing");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[],"dealer":[]})"), "dealer_hand_missing");
  CHECK_EQ(
      table.touch(R"({"do":"show","hands":[{"seat":3,"cards":[]}],"passed":[5],)" + dealer + "}"),
      "wrong_card_count");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[],"dealer":["As"],"passed":[3,5]})"),
           "wrong_card_count");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[)" + hand + "]," + dealer + R"(,"passed":[5]})"),
           "");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[],"dealer":["2c","3d"]})"), "dealer_already_shown");
}

TEST_CASE("the Magic Card is drawn once") {
  PanelBench table(false, mixed_table("C4-03"));
  table.touch(R"({"do":"open_bets"})");
  CHECK_EQ(table.touch(R"({"do":"place","seat":3,"wager":"crazy-4/five-card-hand-bonus",)"
                       R"("amount":"1.00","on":"dealer"})"),
           "");
  table.touch(R"({"do":"close_bets"})");
  table.bench.answer();
  CHECK(picture_of(table)["order"].empty());  // it depends on the dealer's hand
  CHECK_EQ(table.touch(R"({"do":"show","hands":[],"draw":{"magic":"7h","seat":0}})"), "");
  CHECK_EQ(picture_of(table)["draw"]["magic"], "7h");
  CHECK_EQ(table.touch(R"({"do":"show","hands":[],"draw":{"magic":"8h"}})"), "draw_made");
}

TEST_CASE("names that look like markup are shown unchanged") {
  PanelBench table;
  table.bench.surroundings.locked_by = "<script>";
  table.bench.turn();
  CHECK_EQ(picture_of(table)["connection"]["state"], "<script>");
}

TEST_CASE("the state of a claim is shown with its award, also after its round") {
  PanelBench table;
  table.deal({2});
  table.touch(show_two);
  table.bench.answer(Refusal::none, {{Seat(2),
                                      LineId("straight_flush"),
                                      Amount::cents(500'070),
                                      ClaimNumber(7),
                                      AwardKind::line,
                                      {},
                                      LinkId("C4-MEGA"),
                                      LevelId("major")}});
  PanelState scene = table.scene();
  const auto told = [&scene] { return Json::parse(panel_view_json(scene, "Demo Casino")); };
  const std::string ask = "Claim 7 of seat 2, $5,000.70: ask the floor";
  CHECK_EQ(told()["awards"][0]["claim_state"], "raised");  // no heartbeat has reported it
  CHECK(told()["claims"].empty());
  ClaimNotice claim{ClaimNumber(7),
                    table.scene().round_id(),
                    Seat(2),
                    LinkId("C4-MEGA"),
                    LineId("straight_flush"),
                    LevelId("major"),
                    Amount::cents(500'070),
                    "raised",
                    "validation"};
  const auto words = [&](const char* state, const char* needs, const char* source, int slip) {
    claim.state = state;
    claim.needs = needs;
    claim.source = source;
    claim.slip = SlipNumber(static_cast<std::uint64_t>(slip));
    scene.claims = {claim};
    return told()["claims"][0]["words"].get<std::string>();
  };
  CHECK_EQ(words("raised", "validation", "", 0),
           "pending: pay nothing yet, a person verifies it first");
  CHECK_EQ(told()["awards"][0]["words"],
           "Call the floor: seat 2 has $5,000.70, claim 7. Pay nothing yet; leave the cards. It is "
           "not paid from the rack");
  CHECK_EQ(words("validated", "second_signature", "", 0),
           "validated: it waits for a second signature");
  CHECK_EQ(words("validated", "slip", "", 0), "validated: it waits for its slip");
  CHECK_EQ(words("validated", "payment", "hand_pay", 12),
           "validated: to be paid at the cage, on slip 12");
  CHECK_EQ(told()["awards"][0]["claim_state"], "validated");
  CHECK_EQ(told()["awards"][0]["words"],
           "Claim 7 of seat 2, $5,000.70, is validated: to be paid at the cage, on slip 12");
  CHECK_EQ(words("paid", "", "hand_pay", 12), "paid at the cage, on slip 12");
  // Settled some time ago: it is no longer reported, and keeps its last reported state.
  scene.claims.clear();
  scene.known_claims = {{claim.number, claim}};
  CHECK_EQ(told()["awards"][0]["words"],
           "Claim 7 of seat 2, $5,000.70, is paid at the cage, on slip 12");
  CHECK_EQ(told()["awards"][0]["claim_state"], "paid");
  CHECK(told()["claims"].empty());
  // As after a restart of the agent: the controller no longer reports it.
  scene.known_claims.clear();
  table.bench.on_hands({});
  CHECK_EQ(told()["awards"][0]["words"], ask);
  CHECK_EQ(told()["awards"][0]["claim_state"], nullptr);
  claim.reason = "hand_misread";
  CHECK_EQ(words("rejected", "", "", 0), "rejected: hand misread; nothing is paid");
  CHECK_EQ(words("on_hold", "a_judge", "", 0), "on hold: a judge");  // of a later release
  // The round is over and the next one is open: the claim is still there.
  table.touch(R"({"do":"close"})");
  table.bench.answer();
  table.touch(R"({"do":"open_bets"})");
  PanelState next = table.scene();
  next.claims = {claim};
  const Json later = Json::parse(panel_view_json(next, "Demo Casino"));
  CHECK(later["awards"].empty());
  CHECK_EQ(later["claims"][0]["claim"], 7);
  CHECK_EQ(later["claims"][0]["line_words"], "straight flush");
}

TEST_CASE("a dealer may key only lines that the seat's hand can have") {
  PanelBench table;
  const Json lines = picture_of(table)["lines"];
  REQUIRE_FALSE(lines.empty());
  CHECK_EQ(lines[0], Json({{"line", "royal_flush"}, {"words", "royal flush"}}));
  // Hit and Run is decided by the dealer's hand: nobody keys a line for a seat.
  for (const Offer& offer : mixed_table("BJ-01").offers) {
    if (offer.rules.decided_by != DecidedBy::dealer_hand) continue;
    const auto keyed = lines_to_key(mixed_table("BJ-01"));
    for (const LineId& line : offer.lines) {
      CHECK(std::find(keyed.begin(), keyed.end(), line) == keyed.end());
    }
  }
}

TEST_CASE("a validated claim does not prevent the void of another hand") {
  PanelBench table;
  table.deal({2, 4});
  PanelState scene = table.scene();
  ClaimNotice claim{ClaimNumber(7), RoundId(first), Seat(4), {}, {}, {}, {}};
  for (const char* state : {"validated", "paid"}) {
    claim.state = state;
    scene.claims = {claim};
    CHECK(Json::parse(panel_view_json(scene, ""))["may"]["void"]["may"].get<bool>());
  }
}

TEST_CASE("Envy for a hand with a new claim is owed before a heartbeat reports the claim") {
  PanelBench table;
  table.deal({2, 4});
  table.touch(R"({"do":"show","hands":[{"seat":4,"cards":["2h","5h","9h","Jh","Kh"]}]})");
  const AwardNotice line{Seat(4),         LineId("flush"), Amount::dollars(700), ClaimNumber(7),
                         AwardKind::line, std::nullopt,    LinkId("C4-MEGA"),    LevelId("minor")};
  AwardNotice envy{Seat(2),         LineId("flush"), Amount::dollars(50), std::nullopt,
                   AwardKind::envy, Seat(4),         LinkId("C4-MEGA")};
  envy.waits_for = ClaimNumber(7);
  table.bench.answer(Refusal::none, {line, envy});
  const auto state = [](const Json& picture) { return picture["envy"][0]["to"][0]["state"]; };
  Json picture = picture_of(table);
  CHECK_EQ(picture["awards"][1]["words"],
           "Wait: seat 2 is owed $50.00 when claim 7 is validated. Pay nothing yet");
  CHECK_EQ(state(picture), "owed");
  // The controller reports the round's hands, and nothing about the claim.
  const std::vector<Card> cards = cards_of({"2h", "5h", "9h", "Jh", "Kh"});
  const EntryNumber entry = table.scene().round.hands_by.at(Seat(4));
  table.bench.on_hands({{RoundId(first), {{Seat(4), entry, cards, false, {line, envy}}}}});
  picture = picture_of(table);
  CHECK_EQ(picture["awards"][1]["words"],
           "Wait: seat 2 is owed $50.00 when claim 7 is validated. Pay nothing yet; ask the floor "
           "how the claim stands");
  CHECK_EQ(state(picture), "unknown");
  CHECK_EQ(picture["awards"][0]["words"], "Claim 7 of seat 4, $700.00: ask the floor");
}

}  // namespace linkmeter::panel_view_test
