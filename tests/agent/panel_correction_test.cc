#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "table-agent/panel/panel_view.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/panel_bench.h"

namespace linkmeter::panel_correction_test {

namespace {

using Json = nlohmann::json;

const std::vector<std::string> flush = {"2h", "5h", "9h", "Jh", "Kh"};
const std::vector<std::string> straight = {"5h", "6c", "7c", "8c", "9c"};

Json picture_of(const PanelBench& table) { return Json::parse(table.picture()); }
Json seat_of(const PanelBench& table, std::size_t seat) {
  return picture_of(table)["seats"][seat - 1];
}

std::string show_of(int seat, const std::vector<std::string>& cards) {
  return Json({{"do", "show"}, {"hands", Json::array({{{"seat", seat}, {"cards", cards}}})}})
      .dump();
}

AwardNotice line_of(int seat, const char* line, int dollars) {
  return {Seat(static_cast<std::uint8_t>(seat)),
          LineId(line),
          Amount::dollars(dollars),
          std::nullopt,
          AwardKind::line,
          std::nullopt,
          LinkId("C4-MEGA")};
}
AwardNotice envy_of(int seat, int holder, const char* line, int dollars) {
  AwardNotice envy = line_of(seat, line, dollars);
  envy.kind = AwardKind::envy;
  envy.holder = Seat(static_cast<std::uint8_t>(holder));
  return envy;
}

// Seat 4 of the first round has these cards now, by this entry.
std::vector<RoundHands> told(std::uint64_t entry, const std::vector<std::string>& cards,
                             const std::vector<AwardNotice>& awards) {
  return {{RoundId(first), {{Seat(4), EntryNumber(entry), cards_of(cards), false, awards}}}};
}
const std::vector<RoundHands> none = {{RoundId(first), {}}};

// Seats 2 and 4 have a wager; seat 4 showed a flush, with message 2, for 700 dollars.
struct Shown : PanelBench {
  explicit Shown(bool has_device = false) : PanelBench(has_device) {
    if (has_device) {
      lock_one(bench);
      bench.answer();
    } else {
      deal({2, 4});
    }
    CHECK_EQ(touch(show_of(4, flush)), "");
    bench.answer(Refusal::none, {line_of(4, "flush", 700), envy_of(2, 4, "flush", 50)});
  }
};

}  // namespace

TEST_CASE("a correction reaches the dealer: the cards and the amount owed now") {
  Shown table;
  table.bench.on_hands(told(2, flush, {line_of(4, "flush", 700), envy_of(2, 4, "flush", 50)}));
  CHECK(seat_of(table, 4)["correction"].is_null());  // the controller has what the dealer showed
  CHECK_EQ(picture_of(table)["awards"][0]["words"], "Pay seat 4 $700.00 from the rack now");
  CHECK_EQ(table.touch(show_of(2, {"2h", "3h", "4h", "6h", "8d"})), "card_already_shown");
  table.bench.on_hands(told(9, straight, {line_of(4, "straight", 300)}));
  const Json picture = picture_of(table);
  const Json& seat = picture["seats"][3];
  CHECK_EQ(seat["hand"]["cards"], straight);
  CHECK_EQ(seat["correction"]["state"], "corrected");
  REQUIRE_EQ(picture["awards"].size(), 1);  // the envy for the old hand is gone too
  CHECK_EQ(picture["awards"][0]["amount"], "300.00");
  CHECK_EQ(picture["awards"][0]["words"],
           "Corrected: take back what seat 4 was paid for the old hand, and pay it $300.00 from "
           "the rack");
  CHECK(picture["envy"].empty());
  // The corrected hand is on the table: its cards are taken, the old ones are free.
  CHECK_EQ(table.touch(show_of(2, {"2h", "3d", "4d", "6d", "9c"})), "card_already_shown");
  CHECK_EQ(table.touch(show_of(4, flush)), "seat_already_shown");
  CHECK_EQ(table.touch(show_of(2, {"2h", "3h", "4h", "6h", "8d"})), "");
}

TEST_CASE("a hand corrected back to the shown cards is owed by the meters at that time") {
  Shown table;
  table.bench.on_hands(told(9, straight, {}));
  CHECK(picture_of(table)["awards"].empty());
  table.bench.on_hands(told(10, flush, {line_of(4, "flush", 800)}));
  CHECK_EQ(seat_of(table, 4)["hand"]["cards"], flush);
  CHECK_EQ(picture_of(table)["awards"][0]["amount"], "800.00");
  CHECK_EQ(seat_of(table, 4)["correction"]["state"], "corrected");
}

TEST_CASE("an award by the dealer's hand stays when the seat's own hand is corrected") {
  PanelBench table;
  table.deal({2, 4});
  CHECK_EQ(table.touch(show_of(4, flush)), "");
  AwardNotice dealers = line_of(4, "flush", 70);
  dealers.on_dealer = true;
  table.bench.answer(Refusal::none, {line_of(4, "flush", 700), dealers});
  table.bench.on_hands(told(9, straight, {}));
  const Json awards = picture_of(table)["awards"];
  REQUIRE_EQ(awards.size(), 1);
  CHECK_EQ(awards[0]["amount"], "70.00");
}

TEST_CASE("a hand that was taken back does not count, and the seat is shown again") {
  Shown table;
  table.bench.on_hands(none);
  Json picture = picture_of(table);
  CHECK(picture["seats"][3]["hand"].is_null());
  CHECK_EQ(picture["seats"][3]["correction"]["state"], "taken_back");
  CHECK_EQ(picture["order"], Json::parse("[4,2]"));
  CHECK(picture["awards"].empty());
  CHECK(picture["envy"].empty());
  CHECK_EQ(table.touch(show_of(4, straight)), "");
  // The show is in transit: although the controller does not report it yet, it stays.
  table.bench.on_hands(none);
  CHECK_EQ(seat_of(table, 4)["hand"]["state"], "waiting");
  CHECK_EQ(seat_of(table, 4)["hand"]["cards"], straight);
  CHECK_EQ(table.touch(show_of(2, {"2h", "3h", "4h", "6h", "8d"})), "");  // 2h is free
  SUBCASE("accepted") {
    table.bench.answer(Refusal::none, {line_of(4, "straight", 300)});
    CHECK(seat_of(table, 4)["correction"].is_null());
    CHECK_EQ(picture_of(table)["awards"][0]["amount"], "300.00");
    table.bench.answer();
    table.bench.start();  // the stored record says so too
    CHECK_EQ(seat_of(table, 4)["hand"]["cards"], straight);
  }
  SUBCASE("refused") {
    table.bench.answer(Refusal::name_malformed);
    table.bench.on_hands(none);
    CHECK(seat_of(table, 4)["hand"].is_null());
    CHECK_EQ(picture_of(table)["order"], Json::parse("[4]"));
  }
}

TEST_CASE(
    "the amount owed survives a restart of the agent; the cards come with the next heartbeat") {
  Shown table;
  table.bench.on_hands(told(9, straight, {line_of(4, "straight", 300)}));
  table.bench.start();
  CHECK_EQ(picture_of(table)["awards"][0]["amount"], "300.00");
  table.bench.on_hands(told(9, straight, {line_of(4, "straight", 300)}));
  CHECK_EQ(seat_of(table, 4)["hand"]["cards"], straight);
  CHECK_EQ(seat_of(table, 4)["correction"]["state"], "corrected");
  table.bench.on_hands({{RoundId("another"), {}}});  // not of this round
  table.bench.on_hands({});
  CHECK_EQ(seat_of(table, 4)["hand"]["cards"], straight);
}

TEST_CASE("a show whose answer was lost is reported once, with its answer") {
  PanelBench table;
  table.deal({4});
  CHECK_EQ(table.touch(show_of(4, flush)), "");
  table.bench.on_hands(told(2, flush, {line_of(4, "flush", 700)}));
  CHECK(picture_of(table)["awards"].empty());
  table.bench.answer(Refusal::none, {line_of(4, "flush", 700)});
  table.bench.on_hands(told(2, flush, {line_of(4, "flush", 700)}));
  CHECK_EQ(picture_of(table)["awards"].size(), 1);
}

TEST_CASE("if the controller reports no hands, no later hand is checked against an earlier one") {
  PanelBench table;
  table.bench.tells_hands = false;
  table.bench.start();
  table.deal({2, 4});
  CHECK_EQ(table.touch(show_of(4, flush)), "");
  table.bench.answer();
  CHECK_FALSE(picture_of(table)["hands_are_told"].get<bool>());
  CHECK_EQ(table.touch(show_of(2, {"3h", "3h", "4h", "6h", "8d"})), "card_already_shown");
  CHECK_EQ(table.touch(show_of(2, {"2h", "3h", "4h", "6h", "8d"})), "");
  table.bench.answer(Refusal::card_already_shown);  // the controller's own refusal
  CHECK_EQ(table.touch(show_of(4, straight)), "");
  table.bench.answer(Refusal::seat_already_shown);
  CHECK_EQ(seat_of(table, 4)["hand"]["cards"], flush);
}

namespace {

// Seat 4 has the flush that it showed; a person changed the round with that entry, and the dealer's
// side has these cards.
std::vector<RoundHands> changed(std::uint64_t entry, const std::vector<std::string>& dealer,
                                const std::vector<AwardNotice>& awards = {}) {
  RoundHands round{RoundId(first), {{Seat(4), EntryNumber(2), cards_of(flush), false, {}}}};
  round.changed_by = EntryNumber(entry);
  round.dealer = cards_of(dealer);
  round.awards = awards;
  return {round};
}

const std::vector<std::string> dealers = {"2c", "3c", "4c", "6d", "8d"};
const std::vector<std::string> mended = {"2c", "3c", "4c", "6d", "9d"};

std::string dealer_of(const std::vector<std::string>& cards) {
  return Json({{"do", "show"}, {"dealer", cards}}).dump();
}

}  // namespace

TEST_CASE("a dealer's hand shown after a correction is kept until the controller reports it") {
  const MixedFloor floor;
  PanelBench table(false, TableOffers::at(floor.file.floor, floor.file.rules,
                                          *floor.file.floor.find_table(TableId("C4-03"))));
  table.touch(R"({"do":"open_bets"})");
  REQUIRE_EQ(table.touch(R"({"do":"place","seat":2,"wager":"crazy-4/five-card-hand-bonus",)"
                         R"("amount":"1.00","on":"dealer"})"),
             "");
  table.touch(R"({"do":"close_bets"})");
  table.bench.answer();
  CHECK_EQ(table.touch(show_of(4, flush)), "");
  table.bench.answer();
  table.bench.on_hands(changed(9, {}));
  CHECK_EQ(table.touch(R"({"do":"close"})"), "dealer_hand_missing");
  CHECK_EQ(table.touch(dealer_of(dealers)), "");
  table.bench.on_hands(changed(9, {}));  // in transit
  SUBCASE("before its answer") {}
  SUBCASE("after its answer") { table.bench.answer(); }
  SUBCASE("after a restart") {
    table.bench.start();
    table.bench.turn();
  }
  CHECK_EQ(picture_of(table)["dealer"]["cards"], dealers);
  CHECK_FALSE(picture_of(table)["dealer"]["to_show"].get<bool>());
  CHECK_EQ(table.touch(dealer_of(mended)), "dealer_already_shown");
  CHECK_EQ(table.touch(R"({"do":"close"})"), "");  // L5: the round is played to its end
}

TEST_CASE("awards by the dealer's hand count once when they are reported, also after a restart") {
  Shown table;
  table.bench.on_hands(changed(9, {}));
  CHECK_EQ(table.touch(dealer_of(dealers)), "");
  table.bench.answer();
  table.bench.on_hands(changed(9, dealers));
  CHECK_EQ(picture_of(table)["dealer"]["cards"], dealers);
  table.bench.on_hands(changed(12, mended));
  CHECK_EQ(picture_of(table)["dealer"]["cards"], mended);
  table.bench.start();  // the controller is away
  table.bench.turn();
  CHECK_EQ(picture_of(table)["dealer"]["cards"], mended);
}

TEST_CASE(
    "an award that a correction of the dealer's hand reverses is taken back; a claim is not paid") {
  PanelBench table;
  table.deal({2, 4});
  CHECK_EQ(table.touch(show_of(4, flush)), "");
  AwardNotice paid = line_of(4, "flush", 7), stands = line_of(2, "straight", 5);
  paid.on_dealer = stands.on_dealer = true;
  table.bench.answer(Refusal::none, {paid, stands});
  CHECK_EQ(picture_of(table)["awards"][0]["words"], "Pay seat 4 $7.00 from the rack now");
  AwardNotice claimed = line_of(4, "royal_flush", 10'000);
  claimed.claim = ClaimNumber(3);
  auto told = changed(9, mended, {stands, claimed});
  told[0].take_back = {paid};
  table.bench.on_hands(told);
  SUBCASE("as it is told") {}
  SUBCASE("told again") { table.bench.on_hands(told); }
  SUBCASE("after a restart, with the controller away") {
    table.bench.start();
    table.bench.turn();
  }
  SUBCASE("after a restart, told again") {
    table.bench.start();
    table.bench.on_hands(told);
  }
  const Json picture = picture_of(table);
  REQUIRE_EQ(picture["take_back"].size(), 1);
  CHECK_EQ(picture["take_back"][0]["words"], "Take back $7.00 from seat 4, into the rack");
  REQUIRE_EQ(picture["awards"].size(), 2);
  CHECK_EQ(picture["awards"][0]["pay"], "paid_before");
  CHECK_EQ(picture["awards"][0]["words"],
           "Paid before: seat 2 keeps $5.00. Pay it only if it was not paid yet");
  CHECK_EQ(picture["awards"][1]["pay"], "after_validation");
}

TEST_CASE("if a corrected hand wins nothing, the paid award is to be taken back") {
  Shown table;
  RoundHands now{RoundId(first), {{Seat(4), EntryNumber(9), cards_of(straight), false, {}}}};
  now.changed_by = EntryNumber(9);
  now.take_back = {line_of(4, "flush", 700), envy_of(2, 4, "flush", 50)};
  table.bench.on_hands({now});
  CHECK(picture_of(table)["awards"].empty());
  CHECK_EQ(picture_of(table)["take_back"].size(), 2);
  CHECK_EQ(table.touch(R"({"do":"close"})"), "");
  table.bench.answer();
  CHECK_EQ(picture_of(table)["take_back"].size(), 2);
  table.touch(R"({"do":"open_bets"})");
  CHECK(picture_of(table)["take_back"].empty());
}

TEST_CASE("an award after a correction is owed until the next correction") {
  Shown table;
  const AwardNotice old = line_of(4, "flush", 700), won = line_of(2, "straight", 5);
  table.bench.on_hands(changed(9, {}, {old}));
  CHECK_EQ(table.touch(show_of(2, {"2c", "3c", "4d", "5d", "6c"})), "");
  table.bench.answer(Refusal::none, {won});
  auto told = changed(9, {}, {old, won});
  told[0].hands.push_back(
      {Seat(2), EntryNumber(3), cards_of({"2c", "3c", "4d", "5d", "6c"}), false, {won}});
  table.bench.on_hands(told);
  Json awards = picture_of(table)["awards"];
  CHECK_EQ(awards[0]["pay"], "paid_before");
  CHECK_EQ(awards[1]["pay"], "now");
  told[0].changed_by = EntryNumber(12);
  table.bench.on_hands(told);
  awards = picture_of(table)["awards"];
  CHECK_EQ(awards[0]["pay"], "paid_before");
  CHECK_EQ(awards[1]["pay"], "paid_before");
}

TEST_CASE("an award won while a correction is in transit is still owed") {
  Shown table;
  const AwardNotice old = line_of(4, "flush", 700), won = line_of(2, "straight", 5);
  const std::vector<std::string> cards = {"2c", "3c", "4d", "5d", "6c"};
  CHECK_EQ(table.touch(show_of(2, cards)), "");
  auto told = changed(2, {}, {old, won});  // before the show, which is entry 3
  told[0].hands.push_back({Seat(2), EntryNumber(3), cards_of(cards), false, {won}});
  table.bench.on_hands(told);
  table.bench.answer(Refusal::none, {won});
  table.bench.on_hands(told);
  const Json awards = picture_of(table)["awards"];
  CHECK_EQ(awards[0]["pay"], "paid_before");
  CHECK_EQ(awards[1]["pay"], "now");
}

TEST_CASE("Envy that was paid earlier is shown as paid, with the hand that brought it") {
  Shown table;
  table.bench.on_hands(changed(9, {}, {line_of(4, "flush", 700), envy_of(2, 4, "flush", 50)}));
  CHECK_EQ(picture_of(table)["envy"][0]["to"][0]["state"], "paid_before");
}

// The old Envy is to be taken back, so the new one is paid in full once its claim is validated.
TEST_CASE("the award of a corrected hand is paid in full and not offset") {
  Shown table;
  AwardNotice claimed = line_of(4, "straight", 300), envy = envy_of(2, 4, "straight", 70);
  claimed.claim = ClaimNumber(3);
  envy.waits_for = ClaimNumber(3);
  RoundHands now{RoundId(first),
                 {{Seat(4), EntryNumber(9), cards_of(straight), false, {claimed, envy}}}};
  now.changed_by = EntryNumber(9);
  now.awards = {claimed, envy};
  now.take_back = {line_of(4, "flush", 700), envy_of(2, 4, "flush", 50)};
  table.bench.on_hands({now});
  CHECK_EQ(picture_of(table)["awards"][1]["pay"], "after_validation");
  PanelState scene = table.scene();
  ClaimNotice claim{ClaimNumber(3),       scene.round_id(),   Seat(4),
                    LinkId("C4-MEGA"),    LineId("straight"), {},
                    Amount::dollars(300), "validated",        ""};
  claim.envy = "due";
  scene.claims = {claim};
  const Json picture = Json::parse(panel_view_json(scene, ""));
  CHECK_EQ(picture["take_back"].size(), 2);
  CHECK_EQ(picture["awards"][1]["words"], "Pay seat 2 $70.00 from the rack now");
  CHECK_FALSE(picture["envy"][0]["corrected"].get<bool>());
}

TEST_CASE("an award by the dealer's hand after a correction of the seat's hand is owed now") {
  Shown table;
  RoundHands now{RoundId(first), {{Seat(4), EntryNumber(9), cards_of(straight), false, {}}}};
  now.changed_by = EntryNumber(9);
  table.bench.on_hands({now});
  AwardNotice won = line_of(4, "flush", 70);
  won.on_dealer = true;
  CHECK_EQ(table.touch(dealer_of(dealers)), "");
  table.bench.answer(Refusal::none, {won});
  CHECK_EQ(picture_of(table)["awards"][0]["words"], "Pay seat 4 $70.00 from the rack now");
}

TEST_CASE("a corrected draw replaces the first draw") {
  Shown table;
  CHECK_EQ(table.touch(R"({"do":"show","hands":[],"draw":{"magic":"2c","seat":3}})"), "");
  table.bench.answer();
  auto told = changed(9, {});
  table.bench.on_hands(told);  // from a controller of the previous release
  CHECK_EQ(picture_of(table)["draw"]["magic"], "2c");
  told = changed(12, {});
  told[0].draw = Draw{cards_of({"3c"})[0], Seat(3)};
  table.bench.on_hands(told);
  CHECK_EQ(picture_of(table)["draw"]["magic"], "3c");
  CHECK_EQ(picture_of(table)["draw"]["seat"], 3);
}

TEST_CASE("the wins on the device line follow a correction") {
  Shown table(true);
  CHECK(is_there("win 4 flush 70000 paid line", table.bench.heard()));
  table.bench.on_hands(told(9, straight, {line_of(4, "straight", 300)}));
  const auto lights = table.bench.play().machine()->lights();
  CHECK(lights.contains("win 4 straight 30000 paid line"));
  CHECK_FALSE(lights.contains("win 4 flush 70000 paid line"));
}

}  // namespace linkmeter::panel_correction_test
