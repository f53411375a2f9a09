#include "table-agent/deal_table.h"

#include <algorithm>
#include <utility>

#include "meters/check.h"
#include "meters/edge/fault.h"

namespace linkmeter {

namespace {

constexpr std::uint64_t seat_taken_percent = 70;
constexpr std::uint64_t wager_placed_percent = 55;

AskedWager wager_on(const Offer& offer, Seat seat, Chance& chance) {
  const LinkTerms& link = offer.links[chance.below(offer.links.size())];
  if (link.unit) return {seat, offer.wager, *link.unit};
  CHECK(link.minimum && link.maximum);
  const std::int64_t steps = (*link.maximum - *link.minimum).units() / Amount::units_per_dollar;
  return {seat, offer.wager, *link.minimum + Amount::dollars(chance.between(0, steps))};
}

}  // namespace

DealTable DealTable::at(const Floor& floor, const FloorRules& rules, TablePlace place) {
  DealTable table{floor.table(place), rules.game(place), {}, std::nullopt};
  for (std::uint32_t index = 0; index < floor.links.size(); ++index) {
    const LinkTerms& link = floor.link(LinkPlace(index));
    if (!link.has_table(place)) continue;
    if (link.pot) {
      table.pot = link.pot;
      continue;
    }
    const WagerRules& wager = rules.link(LinkPlace(index)).wager;
    const auto known = std::find_if(table.offers.begin(), table.offers.end(),
                                    [&](const Offer& offer) { return offer.wager == link.wager; });
    if (known != table.offers.end()) {
      known->links.push_back(link);
    } else {
      table.offers.push_back(
          {link.wager, wager.placement, wager.decided_by, wager.folded_hand_gives_envy, {link}});
    }
  }
  const bool is_poker = table.game.dealing == Dealing::holdem;
  if (is_poker ? !table.pot : table.offers.empty()) {
    throw Fault("table " + table.terms.id.text() +
                ": no link of the floor takes a wager here, so there is nothing to deal for");
  }
  return table;
}

const Offer& DealTable::offer(const WagerId& wager) const {
  const auto found = std::find_if(offers.begin(), offers.end(),
                                  [&](const Offer& one) { return one.wager == wager; });
  CHECK(found != offers.end());
  return *found;
}

std::vector<Seat> take_seats(const DealTable& table, std::uint8_t least, Chance& chance) {
  CHECK(least <= table.terms.seats);
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

std::vector<AskedWager> take_wagers(const DealTable& table, const std::vector<Seat>& seats,
                                    Chance& chance) {
  std::vector<AskedWager> wagers;
  for (const Seat seat : seats) {
    for (const Offer& offer : table.offers) {
      if (chance.happens(wager_placed_percent)) wagers.push_back(wager_on(offer, seat, chance));
    }
  }
  if (wagers.empty()) {
    const Offer& offer = table.offers[chance.below(table.offers.size())];
    wagers.push_back(wager_on(offer, seats[chance.below(seats.size())], chance));
  }
  return wagers;
}

LockRound lock_round(const DealTable& table, const RoundId& round, std::vector<AskedWager> wagers) {
  const auto chips = std::count_if(wagers.begin(), wagers.end(), [&](const AskedWager& wager) {
    return table.offer(wager.wager).placement == Placement::chip;
  });
  return LockRound{round, std::move(wagers), static_cast<std::uint32_t>(chips), Badge()};
}

}  // namespace linkmeter
