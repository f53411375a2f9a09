#include "controller/turn/table_status.h"

#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "controller/turn/ack_details.h"
#include "proto/codec/round_codec.h"
#include "proto/state.pb.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::table_status_test {

namespace {

constexpr TableIndex c4_01(1), c4_02(2);

}  // namespace

TEST_CASE("a table gets its hands as they count, with their awards") {
  MixedFloor floor;
  CHECK(hand_notices(floor.state, c4_01).empty());
  floor.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  REQUIRE_EQ(hand_notices(floor.state, c4_01).size(), 1);
  CHECK(hand_notices(floor.state, c4_01)[0].hands.empty());  // of a round in which nothing is shown
  // A royal flush: a claim, and envy for seat 1.
  const Entry shown = floor.take("C4-01", royal_flush_of("r1", 2));
  const auto before = hand_notices(floor.state, c4_01);
  REQUIRE_EQ(before[0].hands.size(), 1);
  CHECK_EQ(before[0].round, RoundId("r1"));
  CHECK_EQ(before[0].hands[0].entry, shown.number);
  CHECK((before[0].hands[0].cards == cards_of({"As", "Ks", "Qs", "Js", "Ts"})));
  REQUIRE_EQ(before[0].hands[0].awards.size(), 2);
  CHECK_EQ(before[0].hands[0].awards[0].claim, ClaimNumber(1));
  CHECK_EQ(before[0].hands[0].awards[1].holder, Seat(2));
  floor.take("F-1", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, ""});
  const auto cards = cards_of({"As", "Ks", "Qs", "Js", "9s"});  // a flush
  const Entry corrected =
      floor.take("F-1", CorrectHand{TableId("C4-01"), RoundId("r1"), Seat(2), cards, false,
                                    HandReason::misread_card, ""});
  const auto after = hand_notices(floor.state, c4_01);
  CHECK_EQ(after[0].hands.at(0).entry, corrected.number);
  CHECK((after[0].hands[0].cards == cards));
  // The rejected claim stays unchanged, with the Envy that waited for it.
  REQUIRE_EQ(after[0].hands[0].awards.size(), 3);
  CHECK_EQ(after[0].hands[0].awards[0].claim, ClaimNumber(1));
  CHECK_EQ(after[0].hands[0].awards[1].waits_for, ClaimNumber(1));
  CHECK_EQ(after[0].hands[0].awards[2].line, LineId("flush"));
  CHECK(hand_notices(floor.state, c4_02).empty());
  floor.take("C4-01", CloseRound{RoundId("r1"), Badge()});
  CHECK(hand_notices(floor.state, c4_01).empty());
}

TEST_CASE("a reversed immediate payment is reported until the round ends") {
  constexpr TableIndex c4_03(6);
  MixedFloor floor;
  const AskedWager bonus{Seat(2), WagerId("crazy-4/five-card-hand-bonus"), Amount::dollars(1)};
  floor.take("C4-03", lock_of("r1", {bonus}));
  ShowHands show = royal_flush_of("r1", 2);
  show.hands[0].cards = cards_of({"9h", "8h", "7h", "6h", "2h"});
  const Entry shown = floor.take("C4-03", show);
  const std::vector<Award> paid = std::get<HandsShown>(shown.fact).awards;
  REQUIRE_EQ(paid.size(), 1);
  REQUIRE(paid[0].is_paid_at_once());
  CHECK(hand_notices(floor.state, c4_03)[0].take_back.empty());
  const auto nothing = cards_of({"9h", "8h", "7h", "6h", "2c"});
  floor.take("F-1", CorrectHand{TableId("C4-03"), RoundId("r1"), Seat(2), nothing, false,
                                HandReason::misread_card, ""});
  const auto told = hand_notices(floor.state, c4_03);
  CHECK(told[0].awards.empty());
  REQUIRE_EQ(told[0].take_back.size(), 1);
  CHECK((told[0].take_back[0] == award_notice(paid[0], floor.state.floor())));
  CHECK((all_hands(floor.state, c4_03)[0].take_back == told[0].take_back));
  // It survives a restart of the controller: the state's rows contain it.
  const Round& round = *floor.state.session(c4_03).find_round(RoundId("r1"));
  CHECK_EQ(round.reversed.size(), 1);
  state::Round row;
  serialize(round, row);
  Round again;
  CHECK(serialize(again, std::as_const(row)));
  CHECK((again == round));
  // A void of the hand reverses nothing more, and removes nothing from the list.
  floor.take("C4-03", VoidRound{RoundId("r1"), "misdeal", Badge(), Seat(2)});
  CHECK((hand_notices(floor.state, c4_03)[0].take_back == told[0].take_back));
}

TEST_CASE("Envy that a rejection reverses is reported, too") {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  floor.take("C4-01", royal_flush_of("r1", 2));
  floor.take("F-1", ValidateClaim{ClaimNumber(1)});  // pays the Envy of seat 1
  CHECK(hand_notices(floor.state, c4_01)[0].take_back.empty());
  floor.take("F-1", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, ""});
  const auto told = hand_notices(floor.state, c4_01);
  REQUIRE_EQ(told[0].take_back.size(), 1);
  CHECK_EQ(told[0].take_back[0].seat, Seat(1));
  CHECK_EQ(told[0].take_back[0].kind, AwardKind::envy);
}

TEST_CASE("of too many rounds, those with the latest shown hands are reported") {
  MixedFloor floor;
  for (std::size_t round = 1; round <= reported_rounds_max + 2; ++round) {
    floor.take("C4-01", lock_of("r" + std::to_string(10 + round), {five_card(2)}));
  }
  floor.take("C4-01", royal_flush_of("r11", 2));
  const auto told = hand_notices(floor.state, c4_01);
  REQUIRE_EQ(told.size(), reported_rounds_max);
  CHECK_EQ(told.back().round, RoundId("r11"));
  CHECK_EQ(told.back().hands.size(), 1);
  CHECK_EQ(told.front().round, RoundId("r" + std::to_string(10 + 4)));
}

}  // namespace linkmeter::table_status_test
