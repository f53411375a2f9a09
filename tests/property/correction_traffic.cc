// PeopleTraffic: hands that a floorperson puts right; mostly of a seat that was shown, often into
// one that pays.

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

PersonMessage PeopleTraffic::correction(const NaiveModel& model) {
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
