// PeopleTraffic: corrections of hands by a floorperson; mostly of a shown seat, often into a hand
// that wins.

#include <algorithm>

#include "tests/property/deck.h"
#include "tests/property/people_traffic.h"

namespace linkmeter {

std::vector<Card> PeopleTraffic::other_cards(const NaiveTable& table, const NaiveShown& hand) {
  const std::size_t choice = dice_.below(100);
  std::vector<Card> cards = hand.cards;
  if (choice < 8) return cards;
  if (choice < 14 && !cards.empty()) {
    cards.pop_back();
    return cards;
  }
  if (choice < 34) return {};  // nobody has a hand there
  if (choice < 54 && !cards.empty()) {
    const std::size_t last = dice_.one_in(10) ? 53 : 52;
    cards[dice_.below(cards.size())] =
        Card::from_index(static_cast<std::uint8_t>(dice_.below(last)));
    return cards;
  }
  Deck deck(table.decks, table.game == "pai-gow-poker");
  if (table.game == "crazy-4") return deck.five_cards(dice_);
  if (table.game == "pai-gow-poker") return deck.seven_cards(dice_);
  if (table.game == "blackjack") return deck.player_cards(dice_);
  return deck.three_cards(dice_);
}

// Replaces some of a hand's cards.
std::vector<Card> PeopleTraffic::altered(std::vector<Card> cards) {
  if (cards.empty() || dice_.one_in(12)) return cards;
  if (dice_.one_in(10)) cards.pop_back();
  const std::size_t last = dice_.one_in(20) ? 53 : 52;
  for (Card& card : cards) {
    if (dice_.one_in(2)) card = Card::from_index(static_cast<std::uint8_t>(dice_.below(last)));
  }
  return cards;
}

PersonMessage PeopleTraffic::dealer_correction(const NaiveModel& model) {
  struct Choice {
    const NaiveTable* table;
    const std::string* id;
    const NaiveRound* round;
  };
  std::vector<Choice> open, shown;
  for (const NaiveTable& table : model.tables()) {
    for (const auto& [id, round] : table.rounds) {
      open.push_back({&table, &id, &round});
      if (!round.dealer.empty() || round.draw) shown.push_back(open.back());
    }
  }
  CorrectDealer asked;
  asked.reason = static_cast<HandReason>(1 + dice_.below(5));
  asked.note = note();
  if (open.empty()) {
    asked.table = TableId(dice_.pick(model.tables()).id);
    asked.round = RoundId("r0");
    return {one_with(model, Role::floorperson), asked};
  }
  const Choice& one = dice_.pick(shown.empty() || dice_.one_in(8) ? open : shown);
  asked.table = TableId(one.table->id);
  asked.round = RoundId(*one.id);
  if (!one.round->dealer.empty() && dice_.percent(80)) asked.cards = altered(one.round->dealer);
  if (!one.round->board.empty() && dice_.one_in(3)) asked.board = altered(one.round->board);
  const auto& draw = one.round->draw;
  if (draw && draw->magic && dice_.one_in(2)) {
    asked.magic =
        Card::from_index(static_cast<std::uint8_t>(dice_.below(dice_.one_in(9) ? 53 : 52)));
  }
  if ((draw && draw->seat && dice_.one_in(2)) || dice_.one_in(15)) {
    asked.lucky = Seat(
        static_cast<std::uint8_t>(dice_.below(static_cast<std::size_t>(one.table->seats) + 2)));
  }
  return {one_with(model, Role::floorperson), asked};
}

PersonMessage PeopleTraffic::pot_correction(const NaiveModel& model) {
  std::vector<const NaiveTable*> tables;
  for (const NaiveTable& table : model.tables()) {
    if (!table.pots.empty()) tables.push_back(&table);
  }
  CorrectPot asked;
  asked.reason = static_cast<HandReason>(1 + dice_.below(5));
  asked.note = note();
  const Role role = dice_.one_in(2) ? Role::floorperson : Role::poker_shift_supervisor;
  if (tables.empty()) {
    asked.table = TableId(dice_.pick(model.tables()).id);
    asked.round = RoundId("r0");
    return {one_with(model, role), asked};
  }
  const NaiveTable& table = *dice_.pick(tables);
  const std::size_t back = dice_.below(std::min<std::size_t>(table.pots.size(), 4));
  const auto& [id, known] = table.pots[table.pots.size() - 1 - back];
  asked.table = TableId(table.id);
  asked.round = RoundId(dice_.one_in(20) ? "r0" : id);
  for (const ShownHand& hand : known.pot.hands) {
    if (dice_.one_in(2)) continue;
    CorrectPot::Hand other{hand.seat, altered(hand.cards), hand.folded, false};
    if (dice_.one_in(6)) other.folded = !other.folded;
    if (dice_.one_in(12)) other = {hand.seat, {}, false, true};
    asked.hands.push_back(std::move(other));
  }
  if (dice_.one_in(5)) asked.board = altered(known.pot.board);
  if (dice_.one_in(8)) asked.showdown = !known.pot.showdown;
  return {one_with(model, role), asked};
}

PersonMessage PeopleTraffic::correction(const NaiveModel& model) {
  if (dice_.one_in(4)) return dealer_correction(model);
  if (dice_.one_in(5)) return pot_correction(model);
  CorrectHand asked;
  asked.reason = static_cast<HandReason>(1 + dice_.below(5));
  asked.note = note();
  asked.folded = dice_.one_in(8);
  struct Choice {
    const NaiveTable* table;
    const std::string* round;
    int seat;
    const NaiveShown* hand;
  };
  std::vector<Choice> shown, paid;
  for (const NaiveTable& table : model.tables()) {
    for (const auto& [id, round] : table.rounds) {
      for (const auto& [seat, hand] : round.hands) {
        shown.push_back({&table, &id, seat, &hand});
        if (!hand.brought.empty()) paid.push_back(shown.back());
      }
    }
  }
  if (shown.empty() || dice_.one_in(10)) {
    const NaiveTable& table = dice_.pick(model.tables());
    asked.table = TableId(dice_.one_in(6) ? "NOWHERE" : table.id);
    asked.round = RoundId(table.rounds.empty() ? "r0" : table.rounds.begin()->first);
    if (!table.ended.empty() && dice_.one_in(3)) asked.round = RoundId(table.ended.back());
    if (dice_.one_in(8)) asked.round = RoundId(dice_.one_in(2) ? "" : "tab\there");
    asked.seat =
        Seat(static_cast<std::uint8_t>(dice_.below(static_cast<std::size_t>(table.seats) + 2)));
    return {one_with(model, Role::floorperson), asked};
  }
  const Choice& one = dice_.pick(paid.empty() || dice_.one_in(2) ? shown : paid);
  asked.table = TableId(one.table->id);
  asked.round = RoundId(*one.round);
  asked.seat = Seat(static_cast<std::uint8_t>(one.seat));
  asked.cards = other_cards(*one.table, *one.hand);
  if (dice_.percent(90) && one.hand->folded && dice_.one_in(3)) asked.folded = true;
  return {one_with(model, Role::floorperson), asked};
}

}  // namespace linkmeter
