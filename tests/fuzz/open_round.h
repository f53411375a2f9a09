// A round of the fixture's G-01 that its people corrected, and that an agent with a new outbox
// finds open; for seeds.
#pragma once

#include <string>
#include <vector>

#include "meters/game/hand.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/wire_codec.h"
#include "table-agent/round/round_record.h"

namespace linkmeter::fuzz {

inline AwardNotice award_notice(AwardKind kind, const char* line) {
  AwardNotice award{Seat(4), LineId(line), Amount::dollars(250), ClaimNumber(2), kind};
  award.link = LinkId("MAIN");
  return award;
}

// With everything that can be reported about a round's hands.
inline RoundHands corrected_hands() {
  const std::vector<Card> cards = parse_cards("2h 5h 8h Jh Kh").value();
  AwardNotice envy = award_notice(AwardKind::envy, "royal_flush");
  envy.holder = Seat(5);
  envy.claim = std::nullopt;
  envy.waits_for = ClaimNumber(2);
  AwardNotice dealers = award_notice(AwardKind::line, "flush");
  dealers.on_dealer = true;
  dealers.level = LevelId("main");
  RoundHands hands{RoundId("r3"),
                   {{Seat(4), EntryNumber(9), cards, false, {envy}}, {Seat(5), {}, {}, true, {}}}};
  hands.changed_by = EntryNumber(9);
  hands.awards = {envy, dealers};
  hands.dealer = parse_cards("As Ad 3c 4c 6d").value();
  hands.board = parse_cards("2c").value();
  hands.take_back = {award_notice(AwardKind::line, "flush")};
  hands.draw = Draw{Card::from_index(7), Seat(0)};
  return hands;
}

inline OpenRound open_round() {
  const WagerId wager("g/w");
  OpenRound open{corrected_hands(), {{Seat(4), wager, Amount::dollars(5)}}};
  open.wagers.push_back({Seat(5), wager, Amount::dollars(5), true});
  open.chips = 2;
  open.void_seats = {Seat(5)};
  open.dealer_shown = true;
  open.draw = Draw{Card::from_index(7), Seat(0)};
  open.locked_at = Timestamp::from_microseconds(2'000'000);
  return open;
}

inline std::vector<ToTable> told_of_open_rounds() {
  const TableId table("G-01");
  const Head head{EntryNumber(9), {}};
  Welcome left_open{table, MessageNumber(0), head, Refusal::none};
  left_open.question = 1;
  left_open.frozen = "no seal on the box";
  OpenRound blocked;
  blocked.hands.round = RoundId("r 4");
  blocked.wagers = {{Seat(1), WagerId("g/w"), Amount::dollars(5)}};
  blocked.chips = 2;
  blocked.chips_expected = 1;
  left_open.open_rounds = {open_round(), blocked};
  left_open.open_round_count = 9;
  HeartbeatAnswer corrected{table, {}, false, {}};
  corrected.hands = std::vector<RoundHands>{corrected_hands()};
  corrected.frozen = "two agents";
  corrected.stopped = {LinkId("POKER")};
  Acknowledgement voided{MessageNumber(2), EntryNumber(10), Refusal::none, 99};
  voided.take_back = {award_notice(AwardKind::line, "flush")};
  Acknowledgement pot{MessageNumber(3), EntryNumber(11)};
  pot.no_contribution = true;
  return {left_open, Welcome{table, MessageNumber(5), head, Refusal::another_agent}, corrected,
          Acknowledgements{{voided, pot}, head}};
}

// What the agent stores of it: while people are asked, and after they have continued it.
inline std::vector<std::string> places_of_open_round() {
  RoundRecord round;
  round.house = "v1f00ba5e";
  RoundRecord asks = round.next(open_round());
  asks.is_left_open = true;
  RoundRecord goes_on = asks;
  goes_on.is_left_open = false;
  static_cast<void>(goes_on.on_hands({corrected_hands()}));
  goes_on.wins = goes_on.paid_before =
      goes_on.to_take_back = {award_notice(AwardKind::line, "flush")};
  return {asks.place(), goes_on.place()};
}

// For the round and for the pot that the fixture has played.
inline std::vector<ControlRequest> corrections() {
  const auto cards = [](const char* text) { return parse_cards(text).value(); };
  CorrectHand hand;
  hand.table = TableId("G-01");
  hand.round = RoundId("r3");
  hand.seat = Seat(4);
  hand.cards = cards("Ah Kh Qh Jh Th");
  hand.note = "camera 4";
  CorrectHand none = hand;
  none.cards = {};
  CorrectDealer dealer;
  dealer.table = hand.table;
  dealer.round = hand.round;
  dealer.cards = cards("As Ad");
  dealer.board = cards("2c 3c");
  dealer.magic = Card::from_index(7);
  dealer.lucky = Seat(0);
  CorrectPot pot;
  pot.table = TableId("P-01");
  pot.round = RoundId("h1");
  pot.hands = {{Seat(1), cards("2s Ks")},
               {Seat(2), cards("Kh 3s")},
               {Seat(3), {}, true},
               {Seat(4), {}, false, true}};
  pot.board = cards("2c 2d 2h Kc Kd");
  pot.showdown = true;
  std::vector<ControlRequest> all;
  for (OperatorCommand act : {OperatorCommand(hand), OperatorCommand(none), OperatorCommand(dealer),
                              OperatorCommand(pot)}) {
    all.push_back(ControlRequest{Badge("F-1"), "4711", "", std::move(act)});
  }
  return all;
}

}  // namespace linkmeter::fuzz
