#include "meters/raised_claim.h"

#include <vector>

#include "controller/claim_json.h"
#include "meters/entry.h"
#include "tests/support/mixed_floor.h"

// Last: doctest has a CHECK of its own, and the tests mean that one.
#include <doctest/doctest.h>

namespace linkmeter::raised_claim_test {

namespace {

Award award(int seat, const char* line, std::uint64_t claim = 0) {
  Award won;
  won.seat = Seat(static_cast<std::uint8_t>(seat));
  won.line = LineId(line);
  if (claim > 0) won.claim = ClaimNumber(claim);
  return won;
}

// A show of seat 2 whose dealer keyed this line.
Entry keyed(const char* line, std::vector<Award> awards) {
  HandsShown shown;
  shown.hands = {{Seat(2), {}, false, {}, LineId(line)}};
  shown.awards = std::move(awards);
  Entry entry;
  entry.origin.emplace();
  entry.fact = std::move(shown);
  return entry;
}

LineId kept(const Entry& entry, std::size_t of = 0) {
  return raised_claim(entry, std::get<HandsShown>(entry.fact).awards[of], nullptr, {}).keyed;
}

}  // namespace

TEST_CASE("a line is keyed for a hand, and differs only where none of its awards has it") {
  CHECK_EQ(kept(keyed("flush", {award(2, "flush", 1)})), LineId("flush"));
  CHECK_EQ(kept(keyed("straight", {award(2, "flush", 1)})), LineId("straight"));
  // Two wagers of the hand, each with lines of its own: the key was meant for the other one.
  const Entry both = keyed("straight", {award(2, "three_of_a_kind", 1), award(2, "straight", 2)});
  CHECK(kept(both, 0).empty());
  CHECK_EQ(kept(both, 1), LineId("straight"));
  CHECK(kept(keyed("straight", {award(2, "flush", 1), award(2, "straight")})).empty());
  // The line of another seat is none of this hand's.
  CHECK_EQ(kept(keyed("straight", {award(2, "flush", 1), award(4, "straight")})),
           LineId("straight"));
}

TEST_CASE("the dealer's hand is not keyed, nor is a bonus") {
  Award on_dealer = award(2, "flush", 1);
  on_dealer.on_dealer = true;
  CHECK(kept(keyed("straight", {on_dealer})).empty());
  Award own = award(2, "flush", 1);
  Award dealers = award(2, "straight");
  dealers.on_dealer = true;  // has the line, but is another hand's
  CHECK_EQ(kept(keyed("straight", {own, dealers})), LineId("straight"));
  own.kind = AwardKind::magic_card;
  CHECK(kept(keyed("straight", {own})).empty());
}

TEST_CASE("a called line that differs is a flag, but not on what the dealer's hand decides") {
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

}  // namespace linkmeter::raised_claim_test
