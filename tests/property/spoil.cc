// The mistakes of generator.h: one for each command.

#include <algorithm>
#include <optional>

#include "tests/property/generator.h"

namespace linkmeter {

namespace {

struct Spoil {
  Dice& dice;
  std::uint8_t seats;
  const std::string& used_round;

  Seat odd_seat() {
    const std::vector<Seat> odd{Seat(0), Seat(static_cast<std::uint8_t>(seats + 1)), Seat(255)};
    return dice.pick(odd);
  }
  std::string bad_name() {
    const std::vector<std::string> bad{"", "two words", std::string(65, 'r'), "r\n", "r\xc3\xa4"};
    return dice.pick(bad);
  }

  void round(RoundId& id, Badge& by) {
    const std::size_t kind = dice.below(4);
    if (kind == 0) id = RoundId(bad_name());
    if (kind == 1) id = RoundId(used_round);
    if (kind == 2) id = RoundId("unheard-of");
    if (kind == 3) by = Badge("two words");
  }

  void wagers(std::vector<AskedWager>& list) {
    const std::vector<Amount> odd{Amount(),
                                  Amount::cents(-100),
                                  Amount::cents(101),
                                  Amount::cents(2'500),
                                  Amount::cents(2'501),
                                  Amount::dollars(1'000'000'000),
                                  Amount::cents(1),
                                  Amount::cents(499)};
    if (list.empty()) {
      list.push_back({odd_seat(), WagerId("crazy-4/five-card"), Amount::dollars(1), false});
      return;
    }
    AskedWager& one = list[dice.below(list.size())];
    switch (dice.below(8)) {
      case 0: one.seat = odd_seat(); return;
      case 1: one.amount = dice.pick(odd); return;
      case 2: one.wager = WagerId("crazy-4/none"); return;
      case 3: one.wager = WagerId("blackjack/hit-and-run"); return;
      case 4: list.push_back(AskedWager(one)); return;
      case 5: {  // the same seat on the other unit
        AskedWager other = one;
        other.amount = one.amount == Amount::dollars(1) ? Amount::dollars(5) : Amount::dollars(1);
        list.push_back(other);
        return;
      }
      case 6: one.on_dealer = !one.on_dealer; return;
      default: list.resize(dice.percent(50) ? 65 : 64, AskedWager(one)); return;
    }
  }

  void cards(std::vector<Card>& list) {
    switch (dice.below(4)) {
      case 0: list.push_back(Card::from_index(static_cast<std::uint8_t>(dice.below(52)))); return;
      case 1: list.resize(list.size() / 2, Card::from_index(0)); return;
      case 2:
        if (!list.empty()) list.front() = list.back();
        return;
      default:
        if (!list.empty()) list.back() = Card::from_index(Card::joker_index);
        return;
    }
  }

  void hands(std::vector<ShownHand>& list) {
    if (list.empty()) {
      list.push_back({Seat(1), {}, true, Amount()});
      return;
    }
    ShownHand& one = list[dice.below(list.size())];
    switch (dice.below(6)) {
      case 0: one.seat = odd_seat(); return;
      case 1: one.folded = !one.folded; return;
      case 2: list.push_back(ShownHand(one)); return;
      case 3: one.cards = list.front().cards; return;
      case 4: one.cards.clear(); return;
      default: cards(one.cards); return;
    }
  }

  // A second, different draw; or an impossible one.
  void draw(std::optional<Draw>& drawn) {
    if (!drawn) drawn = Draw{Card::from_index(17), Seat(1)};
    switch (dice.below(5)) {
      case 0: drawn->magic = Card::from_index(static_cast<std::uint8_t>(dice.below(52))); return;
      case 1: drawn->magic = Card::from_index(Card::joker_index); return;
      case 2: drawn->seat = odd_seat(); return;
      case 3: drawn->seat.reset(); return;
      default: drawn->seat = Seat(static_cast<std::uint8_t>(dice.below(seats + 1U))); return;
    }
  }

  void operator()(LockRound& lock) {
    if (dice.percent(25)) return round(lock.round, lock.by);
    if (dice.percent(15)) {
      lock.chips = 4'000'000'000U;
      return;
    }
    wagers(lock.wagers);
  }
  void operator()(ResolveCount& resolve) {
    if (dice.percent(30)) return round(resolve.round, resolve.by);
    wagers(resolve.wagers);
  }
  void operator()(ShowHands& show) {
    if (dice.percent(15)) return round(show.round, show.by);
    if (dice.percent(20)) return draw(show.draw);
    if (dice.percent(15)) {  // the dealer is named, without cards
      show.names_dealer = true;
      show.dealer.clear();
      return;
    }
    if (dice.percent(25)) {
      cards(dice.percent(70) ? show.dealer : show.board);
      show.names_dealer = show.names_dealer || !show.dealer.empty();
      return;
    }
    hands(show.hands);
  }
  void operator()(CloseRound& close) { round(close.round, close.by); }
  void operator()(VoidRound& request) {
    if (dice.percent(50)) return round(request.round, request.by);
    const std::vector<std::string> reasons{"", std::string(201, 'm'), "tab\there",
                                           std::string(200, 'm'), "a good reason"};
    request.reason = dice.pick(reasons);
  }
  void operator()(PlayPot& pot) {
    const std::vector<Amount> odd{Amount(), Amount::cents(-1), Amount::cents(1'000'000'001)};
    switch (dice.below(6)) {
      case 0: return round(pot.round, pot.by);
      case 1: pot.pot = dice.pick(odd); return;
      case 2: pot.hands[dice.below(pot.hands.size())].won = dice.pick(odd); return;
      case 3: return cards(pot.board);
      case 4:
        for (ShownHand& one : pot.hands) one.folded = dice.percent(80);
        return;
      default: return hands(pot.hands);
    }
  }
};

// A valid command for the wrong game.
TableCommand other_game(const TableCommand& command, const std::string& round) {
  if (std::holds_alternative<PlayPot>(command)) {
    return LockRound{RoundId(round), {}, std::nullopt, Badge()};
  }
  PlayPot pot;
  pot.round = RoundId(round);
  pot.pot = Amount::dollars(40);
  return pot;
}

}  // namespace

void spoil(TableCommand& command, Dice& dice, std::uint8_t seats, const std::string& used_round) {
  if (dice.one_in(25)) {
    command = other_game(command, dice.percent(60) ? "odd" : used_round);
    return;
  }
  Spoil spoiling{dice, seats, used_round};
  const int mistakes = dice.one_in(4) ? 2 : 1;  // two at once: which one is named first?
  for (int count = 0; count < mistakes; ++count) std::visit(spoiling, command);
}

}  // namespace linkmeter
