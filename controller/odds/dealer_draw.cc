#include "controller/odds/dealer_draw.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "meters/game/hand.h"
#include "meters/values/invariant.h"

namespace linkmeter::odds {

namespace {

constexpr int rank_deuce = 2;
constexpr std::size_t rank_count = 13;
constexpr int copies_per_deck = 4;
constexpr int stand_points = 17;
constexpr int points_max = 21;

// The number of cards of each rank, deuces first.
using Holding = std::array<std::uint8_t, rank_count>;

int rank_at(std::size_t place) { return rank_deuce + static_cast<int>(place); }

int card_count(const Holding& holding) {
  int count = 0;
  for (const int cards : holding) count += cards;
  return count;
}

// One ace counts eleven if that does not bust the hand.
int points(const Holding& holding) {
  int sum = 0;
  for (std::size_t place = 0; place < rank_count; ++place) {
    const int rank = rank_at(place);
    sum += holding[place] * (rank == rank_ace ? 1 : std::min(rank, rank_ten));
  }
  return holding.back() > 0 && sum + 10 <= points_max ? sum + 10 : sum;
}

bool is_complete(const Holding& holding) {
  return card_count(holding) >= 2 && points(holding) >= stand_points;
}

// from x (from - 1) x ... with `count` factors: the number of ways to draw cards in a row.
mpz_class falling(int from, int count) {
  mpz_class product = 1;
  for (int step = 0; step < count; ++step) product *= from - step;
  return product;
}

DealerHand complete_hand(const Holding& holding, std::uint64_t orders, int decks) {
  mpz_class ways(static_cast<unsigned long>(orders));
  DealerHand hand;
  for (std::size_t place = 0; place < rank_count; ++place) {
    ways *= falling(copies_per_deck * decks, holding[place]);
    for (int copy = 0; copy < holding[place]; ++copy) {
      const int index = 4 * static_cast<int>(place) + copy % 4;
      hand.cards.push_back(Card::from_index(static_cast<std::uint8_t>(index)));
    }
  }
  hand.probability = Rational(ways, falling(Card::per_deck * decks, card_count(holding)));
  hand.probability.canonicalize();
  return hand;
}

}  // namespace

std::vector<DealerHand> dealer_hands(int decks) {
  INVARIANT(decks >= 1);
  std::vector<DealerHand> hands;
  // Card by card: the dealer's possible cards, and the number of orders of ranks that lead to them.
  std::map<Holding, std::uint64_t> drawn{{Holding{}, 1}};
  while (!drawn.empty()) {
    std::map<Holding, std::uint64_t> next;
    for (const auto& [holding, orders] : drawn) {
      if (is_complete(holding)) {
        hands.push_back(complete_hand(holding, orders, decks));
        continue;
      }
      for (std::size_t place = 0; place < rank_count; ++place) {
        if (holding[place] == copies_per_deck * decks) continue;
        Holding more = holding;
        ++more[place];
        next[more] += orders;
      }
    }
    drawn = std::move(next);
  }
  return hands;
}

bool depends_on_draw(HandKind kind) {
  return kind == HandKind::dealer_cards || kind == HandKind::twenty_against_dealer;
}

std::vector<Rational> dealer_chances(HandKind kind, const Paytable& paytable,
                                     const std::vector<DealerHand>& hands) {
  INVARIANT(depends_on_draw(kind));
  const std::array twenty{*parse_card("Ks"), *parse_card("Qd")};
  std::vector<Rational> chances(paytable.lines.size());
  for (const DealerHand& hand : hands) {
    const CategorySet set = kind == HandKind::dealer_cards ? categories(kind, hand.cards)
                                                           : categories(kind, twenty, hand.cards);
    const Line* line = paytable.line_for(set);
    if (line == nullptr) continue;
    chances[static_cast<std::size_t>(line - paytable.lines.data())] += hand.probability;
  }
  return chances;
}

}  // namespace linkmeter::odds
