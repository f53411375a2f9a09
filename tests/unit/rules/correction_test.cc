// How often a round, a pot and a claim may be corrected, and what validate_entry() says about a
// person who corrects and pays himself. The effects of a correction are in
// tests/golden/second-person.ledger.
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "tests/support/validation_house.h"

namespace linkmeter::correction_test {
namespace {

using House = ValidationHouse;

Refusal refusal_of(const Entry& entry) {
  const auto* refused = std::get_if<CommandRejected>(&entry.fact);
  return refused == nullptr ? Refusal::none : refused->refusal;
}

// A hand that wins nothing, and another one.
CorrectHand hand_correction(std::size_t times) {
  return {TableId("C4-01"),
          RoundId("r1"),
          Seat(2),
          cards_of({"2d", "4s", "8c", "Td", times % 2 == 0 ? "Qs" : "Qh"}),
          false,
          HandReason::misread_card,
          ""};
}

}  // namespace

TEST_CASE("a round is corrected at most 32 times, hands and dealer's hand together") {
  House house;
  ShowHands show;
  show.round = RoundId("r1");
  show.hands = {{Seat(2), cards_of({"2d", "4s", "8c", "Td", "Qh"}), false, Amount()}};
  show.dealer = cards_of({"2c", "4d", "8h", "Ts", "Qd"});
  house.take("C4-01", show);
  for (std::size_t times = 0; times + 1 < limits::corrections_max; ++times) {
    REQUIRE_EQ(refusal_of(house.take("F-1", hand_correction(times))), Refusal::none);
  }
  CorrectDealer dealer;
  dealer.table = TableId("C4-01");
  dealer.round = RoundId("r1");
  dealer.cards = cards_of({"2c", "4d", "8h", "Ts", "Kd"});
  dealer.reason = HandReason::misread_card;
  CHECK_EQ(refusal_of(house.take("F-1", dealer)), Refusal::none);
  dealer.cards = show.dealer;
  CHECK_EQ(refusal_of(house.take("F-1", dealer)), Refusal::corrections_too_many);
  CHECK_EQ(refusal_of(house.take("F-1", hand_correction(1))), Refusal::corrections_too_many);
  CHECK_EQ(house.state.session(TableIndex(1)).find_round(RoundId("r1"))->corrections,
           limits::corrections_max);
}

TEST_CASE("a pot is corrected at most 32 times") {
  House house;
  const auto cards = [](const char* second) { return cards_of({"2c", second}); };
  PlayPot pot{RoundId("h1"), Amount::dollars(30), {}, false, {}, Badge()};
  pot.hands = {{Seat(1), cards("3c"), false, Amount()},
               {Seat(2), cards_of({"9c", "9d"}), false, Amount()}};
  house.take("P-01", pot);
  CorrectPot correct;
  correct.table = TableId("P-01");
  correct.round = RoundId("h1");
  correct.reason = HandReason::misread_card;
  for (std::size_t times = 0; times <= limits::corrections_max; ++times) {
    correct.hands = {{Seat(1), cards(times % 2 == 0 ? "4c" : "3c"), false, false}};
    const Refusal expected =
        times < limits::corrections_max ? Refusal::none : Refusal::corrections_too_many;
    REQUIRE_EQ(refusal_of(house.take("F-1", correct)), expected);
  }
}

TEST_CASE("a claim has at most 16 slips, void ones included") {
  House house;
  house.take("C4-01", royal_flush_of("r1", 2));
  house.take("F-1", ValidateClaim{ClaimNumber(1)});
  for (std::size_t times = 1; times <= limits::slips_per_claim_max; ++times) {
    const Entry issued = house.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
    REQUIRE_EQ(refusal_of(issued), Refusal::none);
    house.take("F-1", VoidSlip{SlipNumber(times), VoidReason::misprint, ""});
  }
  CHECK_EQ(refusal_of(house.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay})),
           Refusal::slips_too_many);
  CHECK_EQ(house.state.slips().size(), limits::slips_per_claim_max);
}

TEST_CASE("an entry in which the corrector pays Envy by a rejection is invalid") {
  House house;
  ShowHands show;
  show.round = RoundId("r1");
  show.hands = {{Seat(2), cards_of({"As", "Ks", "Qs", "Js", "9s"}), false, Amount()}};
  house.take("C4-01", show);
  house.take("F-2", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, ""});
  house.take("F-1", CorrectHand{TableId("C4-01"), RoundId("r1"), Seat(2),
                                cards_of({"As", "Ks", "Qs", "Js", "Ts"}), false,
                                HandReason::misread_card, ""});
  const Entry rejected =
      house.decided("F-2", RejectClaim{ClaimNumber(2), RejectReason::wager_not_made, ""});
  REQUIRE_EQ(std::get<ClaimRejected>(rejected.fact).envy.size(), 1);
  CHECK_EQ(
      house.of_fact<ClaimRejected>(rejected, [](ClaimRejected& fact) { fact.by = Badge("F-1"); }),
      "who corrected the hand pays its envy");
}

}  // namespace linkmeter::correction_test
