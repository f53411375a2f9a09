#include "table-agent/simulator/holdem_deal.h"

#include <algorithm>
#include <array>

#include "meters/game/hand.h"
#include "meters/values/invariant.h"
#include "table-agent/simulator/deal_wagers.h"
#include "table-agent/simulator/shuffle.h"

namespace linkmeter {

namespace {

constexpr std::uint8_t players_min = 6;
constexpr std::size_t players_max = 9;
constexpr std::int64_t pot_min_cents = 2'00;
constexpr std::int64_t pot_max_cents = 300'00;

struct Street {
  std::size_t cards;           // dealt to the board
  std::uint64_t fold_percent;  // of each player still in the hand, after these cards
};
constexpr std::array<Street, 4> streets{{{0, 60}, {3, 30}, {1, 25}, {1, 20}}};

std::vector<Seat> deal_in(const TableOffers& table, Prng& chance) {
  const std::uint8_t least = std::min(players_min, table.terms.seats);
  std::vector<Seat> seats = take_seats(table, least, chance);
  while (seats.size() > players_max) {
    seats.erase(seats.begin() + static_cast<std::ptrdiff_t>(chance.below(seats.size())));
  }
  return seats;
}

std::size_t live_count(const PlayPot& pot) {
  return static_cast<std::size_t>(std::count_if(
      pot.hands.begin(), pot.hands.end(), [](const ShownHand& hand) { return !hand.folded; }));
}

// Deals the streets until one player is left or the river is over.
void play_streets(PlayPot& pot, Shuffle& shuffle, Prng& chance) {
  for (const Street& street : streets) {
    for (const Card card : shuffle.draw(street.cards)) pot.board.push_back(card);
    for (ShownHand& hand : pot.hands) {
      if (!hand.folded && live_count(pot) > 1 && chance.happens(street.fold_percent)) {
        hand.folded = true;
        hand.cards.clear();
      }
    }
    if (live_count(pot) == 1) return;
  }
  pot.showdown = true;
}

// The best live hands share the pot after the contribution. Odd cents go to the highest seats
// first.
void pay_winners(PlayPot& pot, Amount won) {
  PokerRank best;
  std::vector<ShownHand*> winners;
  for (auto hand = pot.hands.rbegin(); hand != pot.hands.rend(); ++hand) {
    if (hand->folded) continue;
    PokerRank rank;
    if (pot.showdown) {
      std::vector<Card> cards = hand->cards;
      cards.insert(cards.end(), pot.board.begin(), pot.board.end());
      rank = best_five(cards);
    }
    if (winners.empty() || rank > best) winners.clear();
    if (winners.empty() || rank == best) winners.push_back(&*hand);
    best = std::max(best, rank);
  }
  INVARIANT(!winners.empty());
  const auto count = static_cast<std::int64_t>(winners.size());
  std::int64_t odd_cents = won.in_cents() % count;
  for (ShownHand* winner : winners) {
    winner->won = Amount::cents(won.in_cents() / count + (odd_cents-- > 0 ? 1 : 0));
  }
}

}  // namespace

std::vector<TableCommand> deal_holdem(const TableOffers& table, const RoundId& round,
                                      Prng& chance) {
  INVARIANT(table.pot.has_value());
  PlayPot pot{round, {}, {}, false, {}, Badge()};
  const std::vector<Seat> seats = deal_in(table, chance);
  Shuffle shuffle = shuffle_of(table, chance);
  for (const Seat seat : seats) {
    pot.hands.push_back({seat, shuffle.draw(table.game.player_cards_max), false, Amount()});
  }
  play_streets(pot, shuffle, chance);
  pot.pot = Amount::cents(chance.between(pot_min_cents, pot_max_cents));
  const bool contributes = pot.pot >= table.pot->minimum_pot;
  const Amount contribution = contributes ? table.pot->contribution : Amount();
  pay_winners(pot, pot.pot - std::min(contribution, pot.pot));
  return {pot};
}

}  // namespace linkmeter
