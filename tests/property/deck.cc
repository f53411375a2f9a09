#include "tests/property/deck.h"

#include <algorithm>
#include <numeric>

namespace linkmeter {

namespace {

std::uint8_t card(int rank, int suit) { return static_cast<std::uint8_t>(4 * (rank - 2) + suit); }

// `count` ranks that follow each other; the ace below the deuce too.
std::vector<int> some_run(Dice& dice, int count) {
  const int low = dice.one_in(3) ? 1 : dice.between(1, 15 - count);
  std::vector<int> run;
  for (int step = 0; step < count; ++step) run.push_back(low + step == 1 ? 14 : low + step);
  return run;
}

std::vector<std::uint8_t> suited(const std::vector<int>& ranks, int suit) {
  std::vector<std::uint8_t> cards;
  for (const int rank : ranks) cards.push_back(card(rank, suit));
  return cards;
}

std::vector<std::uint8_t> of_a_kind(int rank, int count) {
  std::vector<std::uint8_t> cards;
  for (int suit = 0; suit < count; ++suit) cards.push_back(card(rank, suit));
  return cards;
}

std::vector<std::uint8_t> mixed(Dice& dice, const std::vector<int>& ranks) {
  std::vector<std::uint8_t> cards;
  for (const int rank : ranks) cards.push_back(card(rank, dice.between(0, 3)));
  return cards;
}

std::vector<std::uint8_t> flush(Dice& dice, int count) {
  std::vector<int> ranks;
  while (static_cast<int>(ranks.size()) < count) {
    const int rank = dice.between(2, 14);
    if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end()) ranks.push_back(rank);
  }
  return suited(ranks, dice.between(0, 3));
}

std::vector<std::uint8_t> three_wish(Dice& dice) {
  const std::size_t kind = dice.below(100);
  if (kind < 15) return suited({14, 13, 12}, 3);
  if (kind < 30) return suited({12, 14, 13}, dice.between(0, 3));
  if (kind < 45) return suited(some_run(dice, 3), dice.between(0, 3));
  if (kind < 55) return of_a_kind(dice.between(2, 14), 3);
  if (kind < 70) return mixed(dice, some_run(dice, 3));
  if (kind < 80) return flush(dice, 3);
  return {};
}

std::vector<std::uint8_t> groups(Dice& dice, int first, int second) {
  const int rank = dice.between(2, 14);
  const int other = rank == 14 ? 2 : rank + 1;
  std::vector<std::uint8_t> cards = of_a_kind(rank, first);
  for (const std::uint8_t more : of_a_kind(other, second)) cards.push_back(more);
  while (cards.size() < 5) cards.push_back(card(rank == 9 ? 4 : 9, dice.between(0, 3)));
  return cards;
}

std::vector<std::uint8_t> five_wish(Dice& dice) {
  const std::size_t kind = dice.below(100);
  if (kind < 15) return suited({10, 11, 12, 13, 14}, dice.between(0, 3));
  if (kind < 30) return suited(some_run(dice, 5), dice.between(0, 3));
  if (kind < 45) return groups(dice, 4, 0);
  if (kind < 55) return groups(dice, 3, 2);
  if (kind < 62) return flush(dice, 5);
  if (kind < 70) return mixed(dice, some_run(dice, 5));
  if (kind < 78) return groups(dice, 3, 1);
  if (kind < 82) return groups(dice, 2, 2);
  return {};
}

}  // namespace

Deck::Deck(int decks) { left_.fill(decks); }

bool Deck::take(const Wish& wish) {
  std::array<int, 52> left = left_;
  for (const std::uint8_t index : wish) {
    if (--left[index] < 0) return false;
  }
  left_ = left;
  return true;
}

template <class MakeWish>
std::vector<Card> Deck::wished(Dice& dice, std::size_t count, const MakeWish& make_wish) {
  for (int tries = 0; tries < 8; ++tries) {
    Wish wish = make_wish(dice);
    if (wish.size() != count || !take(wish)) continue;
    std::vector<Card> cards;
    for (const std::uint8_t index : wish) cards.push_back(Card::from_index(index));
    // The order in which cards lie says nothing.
    for (std::size_t place = cards.size(); place > 1; --place) {
      std::swap(cards[place - 1], cards[dice.below(place)]);
    }
    return cards;
  }
  return any_cards(dice, count);
}

std::vector<Card> Deck::three_cards(Dice& dice) { return wished(dice, 3, three_wish); }

std::vector<Card> Deck::five_cards(Dice& dice) { return wished(dice, 5, five_wish); }

std::vector<Card> Deck::dealer_cards(Dice& dice) {
  const std::vector<std::size_t> counts{2, 2, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9, 12, 24};
  const std::size_t count = dice.pick(counts);
  if (count != 2 || dice.percent(30)) return any_cards(dice, count);
  return wished(dice, 2, [](Dice& chance) {
    return Wish{card(14, chance.between(0, 3)), card(chance.between(9, 13), chance.between(0, 3))};
  });
}

std::vector<Card> Deck::any_cards(Dice& dice, std::size_t count) {
  const int all = std::accumulate(left_.begin(), left_.end(), 0);
  std::vector<Card> cards;
  // A deck that is dealt out gives what it has not: refused, and that is worth a test too.
  while (cards.size() < count) {
    const auto index = static_cast<std::uint8_t>(dice.below(52));
    if (left_[index] == 0 && all > static_cast<int>(count)) continue;
    --left_[index];
    if (left_[index] < 0) left_[index] = 0;
    cards.push_back(Card::from_index(index));
  }
  return cards;
}

PotCards deal_pot(Dice& dice, std::size_t seats) {
  // A board of two pairs or of a run in one suit; pockets that make the most of it.
  const int high = dice.between(6, 14);
  const int low = dice.between(2, 5);
  const int suit = dice.between(0, 3);
  std::vector<std::uint8_t> board, pockets;
  if (dice.percent(60)) {
    board = {card(high, 0), card(high, 1), card(low, 0), card(low, 1),
             card(high == 14 ? 13 : high + 1, 2)};
    pockets = {card(high, 2),
               card(high, 3),
               card(low, 2),
               card(low, 3),
               card(high == 14 ? 13 : high + 1, 0),
               card(high == 14 ? 13 : high + 1, 1)};
    if (dice.percent(50)) {
      pockets = {card(high, 2), card(low, 2), card(high, 3), card(low, 3)};
    }
  } else {
    const int first = std::min(high, 10);
    board = suited({first, first + 1, first + 2}, suit);
    // Sometimes four of the run lie there, and both its ends make a straight flush.
    board.push_back(dice.percent(30) ? card(first + 3, suit) : card(first, (suit + 1) % 4));
    board.push_back(card(first + 1, (suit + 1) % 4));
    pockets = {card(first + 4, suit),
               card(first + 3, board[3] == card(first + 3, suit) ? (suit + 1) % 4 : suit),
               card(first, (suit + 2) % 4),
               card(first, (suit + 3) % 4),
               card(first + 1, (suit + 2) % 4),
               card(first + 1, (suit + 3) % 4),
               card(first - 1, suit),
               card(first + 2, (suit + 2) % 4)};
  }
  std::vector<std::uint8_t> rest;
  for (std::uint8_t index = 0; index < 52; ++index) {
    const auto is_in = [index](const std::vector<std::uint8_t>& cards) {
      return std::find(cards.begin(), cards.end(), index) != cards.end();
    };
    if (!is_in(board) && !is_in(pockets)) rest.push_back(index);
  }
  const auto shuffle = [&dice](std::vector<std::uint8_t>& cards) {
    for (std::size_t place = cards.size(); place > 1; --place) {
      std::swap(cards[place - 1], cards[dice.below(place)]);
    }
  };
  shuffle(rest);
  if (dice.percent(15)) {  // nothing arranged
    pockets.insert(pockets.end(), board.begin(), board.end());
    rest.insert(rest.end(), pockets.begin(), pockets.end());
    pockets.clear();
    shuffle(rest);
    board.assign(rest.end() - 5, rest.end());
    rest.resize(rest.size() - 5);
  }
  PotCards dealt;
  for (const std::uint8_t index : board) dealt.board.push_back(Card::from_index(index));
  pockets.insert(pockets.end(), rest.begin(), rest.end());
  for (std::size_t seat = 0; seat < seats; ++seat) {
    dealt.hands.push_back(
        {Card::from_index(pockets[2 * seat]), Card::from_index(pockets[2 * seat + 1])});
  }
  for (std::size_t place = seats; place > 1; --place) {
    std::swap(dealt.hands[place - 1], dealt.hands[dice.below(place)]);
  }
  return dealt;
}

}  // namespace linkmeter
