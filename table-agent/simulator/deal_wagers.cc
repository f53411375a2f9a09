#include "table-agent/simulator/deal_wagers.h"

#include <algorithm>

#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

constexpr std::uint64_t seat_taken_percent = 70;
constexpr std::uint64_t wager_placed_percent = 55;

Amount amount_on(const Offer& offer, Prng& chance) {
  const LinkConfig& link = offer.links[chance.below(offer.links.size())];
  if (link.unit) return *link.unit;
  INVARIANT(link.minimum && link.maximum);
  const std::int64_t steps = (*link.maximum - *link.minimum).units() / Amount::units_per_dollar;
  return *link.minimum + Amount::dollars(chance.between(0, steps));
}

// Places the seat's bet, or two bets if it bets on both hands.
void place_bet(const Offer& offer, Seat seat, std::vector<AskedWager>& wagers, Prng& chance) {
  const Amount amount = amount_on(offer, chance);
  if (offer.rules.decided_by != DecidedBy::either_hand) {
    wagers.push_back({seat, offer.wager, amount, false});
    return;
  }
  enum : std::uint8_t { own_hand, dealers_hand, both_hands, count };
  const std::uint64_t hand = chance.below(count);
  if (hand != dealers_hand) wagers.push_back({seat, offer.wager, amount, false});
  if (hand != own_hand) wagers.push_back({seat, offer.wager, amount, true});
}

}  // namespace

Shuffle shuffle_of(const TableOffers& table, Prng& chance) {
  const auto joker = table.game.joker ? Shuffle::Joker::one_with_each_deck : Shuffle::Joker::none;
  return {table.terms.decks, joker, chance};
}

std::vector<Seat> take_seats(const TableOffers& table, std::uint8_t least, Prng& chance) {
  INVARIANT(least <= table.terms.seats);
  std::vector<Seat> taken;
  std::vector<Seat> free;
  for (std::uint8_t number = 1; number <= table.terms.seats; ++number) {
    (chance.happens(seat_taken_percent) ? taken : free).emplace_back(number);
  }
  while (taken.size() < least) {
    const auto chosen = free.begin() + static_cast<std::ptrdiff_t>(chance.below(free.size()));
    taken.push_back(*chosen);
    free.erase(chosen);
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

std::vector<AskedWager> take_wagers(const TableOffers& table, const std::vector<Seat>& seats,
                                    Prng& chance) {
  std::vector<AskedWager> wagers;
  for (const Seat seat : seats) {
    for (const Offer& offer : table.offers) {
      if (chance.happens(wager_placed_percent)) place_bet(offer, seat, wagers, chance);
    }
  }
  if (wagers.empty()) {
    const Offer& offer = table.offers[chance.below(table.offers.size())];
    place_bet(offer, seats[chance.below(seats.size())], wagers, chance);
  }
  return wagers;
}

}  // namespace linkmeter
