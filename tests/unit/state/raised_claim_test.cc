#include "meters/state/claim.h"

#include <doctest/doctest.h>
#include <vector>

#include "controller/view/claim_json.h"
#include "meters/facts/entry.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::raised_claim_test {

namespace {

Award award(int seat, const char* line) {
  Award won;
  won.seat = Seat(static_cast<std::uint8_t>(seat));
  won.line = LineId(line);
  return won;
}

// Whether the claim of seat 2, for a flush, keeps the line that was keyed for the seat.
bool is_kept(const char* keyed, const std::vector<Award>& awards) {
  Claim claim;
  claim.seat = Seat(2);
  claim.line = LineId("flush");
  claim.keyed = LineId(keyed);
  return !is_keyed_for_another(claim, awards);
}

}  // namespace

TEST_CASE("a keyed line differs only if none of the hand's awards has it") {
  const Award flush = award(2, "flush");
  CHECK(is_kept("flush", {flush}));
  CHECK(is_kept("straight", {flush}));
  // Two wagers of the hand, each with its own lines: the key was meant for the other one.
  CHECK_FALSE(is_kept("straight", {flush, award(2, "straight")}));
  CHECK(is_kept("flush", {flush, award(2, "straight")}));
  // A line of another seat, of the dealer's hand or of a bonus is not a line of this hand.
  CHECK(is_kept("straight", {flush, award(4, "straight")}));
  Award other = award(2, "straight");
  other.on_dealer = true;
  CHECK(is_kept("straight", {flush, other}));
  other.on_dealer = false;
  other.kind = AwardKind::envy;
  CHECK(is_kept("straight", {flush, other}));
}

TEST_CASE(
    "a keyed line that differs is flagged, but not for awards that the dealer's hand decides") {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1)}));
  ShowHands show = royal_flush_of("r1", 1);
  show.hands[0].keyed = LineId("flush");
  floor.take("C4-01", show);
  const Claim& claim = floor.state.claims().at(0);
  LinkRules rules = floor.file.rules.link(claim.link);
  const auto flags = flags_of(floor.state, claim, rules);
  REQUIRE_EQ(flags.size(), 1);
  CHECK_EQ(flags[0].name, "keyed_line_differs");
  CHECK_EQ(flags[0].why, "the dealer keyed flush, the cards are royal_flush");
  rules.wager.decided_by = DecidedBy::dealer_hand;
  CHECK(flags_of(floor.state, claim, rules).empty());
}

// One hand contains four of a kind and a royal flush: the dealer keys one line for it.
TEST_CASE("a line that was keyed for the hand's other wager is not kept with the claim") {
  MixedFloor floor;
  floor.take(
      "C4-03",
      lock_of("r1", {{Seat(1), WagerId("crazy-4/four-card"), Amount::dollars(5)},
                     {Seat(1), WagerId("crazy-4/five-card-hand-bonus"), Amount::dollars(1)}}));
  const auto keyed = [&floor](const char* line) {
    ShowHands show = royal_flush_of("r1", 1);
    show.hands[0].keyed = LineId(line);
    MixedFloor after = floor;
    after.take("C4-03", show);
    for (const Claim& claim : after.state.claims()) {
      if (claim.line == LineId("royal_flush")) return claim.keyed.text();
    }
    return std::string("no claim");
  };
  CHECK_EQ(keyed("straight_flush"), "");  // what the Four-Card wager won
  CHECK_EQ(keyed("royal_flush"), "royal_flush");
  CHECK_EQ(keyed("flush"), "flush");  // of neither wager: it differs
}

// A line is keyed for the hand itself.
TEST_CASE("a claim of a bonus or of the dealer's hand has no keyed line") {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1)}));
  ShowHands show = royal_flush_of("r1", 1);
  show.hands[0].keyed = LineId("flush");
  const Entry entry = floor.decided("C4-01", show);
  const Round* round = floor.state.session(TableIndex(1)).find_round(RoundId("r1"));
  REQUIRE(round != nullptr);
  Award won = std::get<HandsShown>(entry.fact).awards.at(0);
  REQUIRE(won.claim.has_value());
  const std::vector<std::uint64_t> hits{1};
  CHECK_EQ(raised_claim(entry, won, round, hits).keyed, LineId("flush"));
  won.on_dealer = true;
  CHECK_EQ(raised_claim(entry, won, round, hits).keyed, LineId());
  won.on_dealer = false;
  won.kind = AwardKind::magic_card;
  CHECK_EQ(raised_claim(entry, won, round, hits).keyed, LineId());
}

}  // namespace linkmeter::raised_claim_test
