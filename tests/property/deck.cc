#include "tests/property/deck.h"

#include <algorithm>
#include <numeric>

namespace linkmeter {

namespace {

std::uint8_t card(int rank, int suit) { return static_cast<std::uint8_t>(4 * (rank - 2) + suit); }

// `count` consecutive ranks; the ace also counts below the deuce.
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

std::vector<std::uint8_t> with_any(Dice& dice, std::vector<std::uint8_t> cards, std::size_t count) {
  while (cards.size() < count) {
    const auto index = static_cast<std::uint8_t>(dice.below(52));
    if (std::find(cards.begin(), cards.end(), index) == cards.end()) cards.push_back(index);
  }
  return cards;
}

// The best four of five.
std::vector<std::uint8_t> four_wish(Dice& dice) {
  const std::size_t kind = dice.below(100);
  if (kind < 30) return with_any(dice, of_a_kind(14, 4), 5);
  if (kind < 50) return with_any(dice, of_a_kind(dice.between(2, 14), 4), 5);
  if (kind < 85) return with_any(dice, suited(some_run(dice, 4), dice.between(0, 3)), 5);
  return with_any(dice, of_a_kind(dice.between(2, 14), 3), 5);
}

std::vector<std::uint8_t> joined(std::vector<std::uint8_t> left,
                                 const std::vector<std::uint8_t>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::vector<std::uint8_t> seven_wish(Dice& dice) {
  const int suit = dice.between(0, 3);
  const int other = (suit + dice.between(1, 3)) % 4;
  const std::size_t kind = dice.below(100);
  std::vector<std::uint8_t> wish;
  if (kind < 20) {
    wish = suited(some_run(dice, 7), suit);
  } else if (kind < 32) {
    const int high = dice.between(13, 14);
    wish = joined(suited({10, 11, 12, 13, 14}, suit), suited({high, high - 1}, other));
  } else if (kind < 40) {
    wish = joined(suited({10, 11, 12, 13, 14}, suit), suited({dice.between(9, 14)}, other));
  } else if (kind < 50) {
    wish = joined(of_a_kind(14, 4), {52});
  } else if (kind < 60) {
    wish = suited(some_run(dice, 5), suit);
  } else if (kind < 67) {
    wish = of_a_kind(dice.between(2, 14), 4);
  } else if (kind < 74) {
    wish = joined(of_a_kind(dice.between(8, 14), 3), of_a_kind(dice.between(2, 7), 2));
  } else if (kind < 80) {
    wish = joined(joined(of_a_kind(14, 2), {52}), of_a_kind(dice.between(2, 13), 2));
  } else if (kind < 86) {
    wish = flush(dice, 5);
  } else if (kind < 92) {
    wish = mixed(dice, some_run(dice, 5));
  } else if (kind < 96) {
    wish = of_a_kind(dice.between(2, 14), dice.between(2, 3));
  }
  // The joker may replace any of them.
  const bool has_joker = std::find(wish.begin(), wish.end(), 52) != wish.end();
  if (!wish.empty() && !has_joker && dice.percent(45)) wish[dice.below(wish.size())] = 52;
  return with_any(dice, wish, 7);
}

// Ranks that make 21 or, now and then, a card's value less or more.
std::vector<std::uint8_t> twenty_one_wish(Dice& dice) {
  const std::vector<std::vector<int>> ways{{14, 10},
                                           {14, 13},
                                           {7, 7, 7},
                                           {14, 10, 13},
                                           {5, 6, 12},
                                           {14, 2, 8},
                                           {5, 5, 5, 6},
                                           {14, 14, 9, 11},
                                           {14, 3, 3, 4},
                                           {2, 3, 4, 5, 7},
                                           {14, 14, 2, 3, 4},
                                           {2, 2, 3, 4, 5, 5},
                                           {14, 14, 14, 4, 4, 10},
                                           {14, 2, 2, 3, 3, 5, 5},
                                           {2, 2, 2, 2, 3, 3, 7},
                                           {14, 14, 2, 2, 3, 3, 4, 5},
                                           {14, 14, 14, 14, 2, 2, 2, 2, 3, 3, 3}};
  std::vector<int> ranks = dice.pick(ways);
  if (dice.percent(20)) ranks[dice.below(ranks.size())] = dice.between(2, 14);
  return mixed(dice, ranks);
}

std::vector<std::uint8_t> twenty_wish(Dice& dice) {
  const std::vector<std::vector<int>> ways{
      {10, 13},   {11, 12},    {14, 9},      {10, 10},        {6, 4, 10},         {14, 14, 8},
      {14, 4, 5}, {14, 9, 13}, {5, 5, 5, 5}, {2, 3, 4, 5, 6}, {14, 14, 14, 7, 10}};
  std::vector<int> ranks = dice.pick(ways);
  if (dice.percent(25)) ranks[dice.below(ranks.size())] = dice.between(2, 14);
  return mixed(dice, ranks);
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

Deck::Deck(int decks, bool joker) {
  left_.fill(decks);
  if (!joker) left_.back() = 0;
}

bool Deck::take(const Wish& wish) {
  std::array<int, 53> left = left_;
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
    if (wish.empty() || (count != 0 && wish.size() != count) || !take(wish)) continue;
    std::vector<Card> cards;
    for (const std::uint8_t index : wish) cards.push_back(Card::from_index(index));
    // The order of the cards must not matter.
    for (std::size_t place = cards.size(); place > 1; --place) {
      std::swap(cards[place - 1], cards[dice.below(place)]);
    }
    return cards;
  }
  return any_cards(dice, count == 0 ? 2 : count);
}

std::vector<Card> Deck::three_cards(Dice& dice) { return wished(dice, 3, three_wish); }

std::vector<Card> Deck::five_cards(Dice& dice) {
  return dice.percent(40) ? wished(dice, 5, four_wish) : wished(dice, 5, five_wish);
}

std::vector<Card> Deck::seven_cards(Dice& dice) { return wished(dice, 7, seven_wish); }

std::vector<Card> Deck::player_cards(Dice& dice) { return wished(dice, 0, twenty_wish); }

std::vector<Card> Deck::dealer_cards(Dice& dice) {
  if (dice.percent(50)) return wished(dice, 0, twenty_one_wish);
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
  // An exhausted deck returns cards that it does not have: they are refused, and that is a test,
  // too.
  while (cards.size() < count) {
    const auto index = static_cast<std::uint8_t>(dice.below(53));
    if (left_[index] == 0 && (all > static_cast<int>(count) || index == 52)) continue;
    --left_[index];
    if (left_[index] < 0) left_[index] = 0;
    cards.push_back(Card::from_index(index));
  }
  return cards;
}

PotCards deal_pot(Dice& dice, std::size_t seats) {
  // A board of two pairs or of a run in one suit, and pockets that fit it well.
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
    // Sometimes four of the run are on the board, and both of its ends make a straight flush.
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
  if (dice.percent(15)) {  // a random deal
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
