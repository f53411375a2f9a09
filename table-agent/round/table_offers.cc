#include "table-agent/round/table_offers.h"

#include <algorithm>
#include <utility>

#include "meters/values/check.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

constexpr std::uint64_t seat_taken_percent = 70;
constexpr std::uint64_t wager_placed_percent = 55;

Amount amount_on(const Offer& offer, Prng& chance) {
  const LinkConfig& link = offer.links[chance.below(offer.links.size())];
  if (link.unit) return *link.unit;
  CHECK(link.minimum && link.maximum);
  const std::int64_t steps = (*link.maximum - *link.minimum).units() / Amount::units_per_dollar;
  return *link.minimum + Amount::dollars(chance.between(0, steps));
}

// The seat's bet, or two where it bets on both hands.
void place_bet(const Offer& offer, Seat seat, std::vector<AskedWager>& wagers, Prng& chance) {
  const Amount amount = amount_on(offer, chance);
  if (offer.decided_by != DecidedBy::either_hand) {
    wagers.push_back({seat, offer.wager, amount, false});
    return;
  }
  enum : std::uint8_t { own_hand, dealers_hand, both_hands, count };
  const std::uint64_t hand = chance.below(count);
  if (hand != dealers_hand) wagers.push_back({seat, offer.wager, amount, false});
  if (hand != own_hand) wagers.push_back({seat, offer.wager, amount, true});
}

}  // namespace

bool Offer::may_receive_envy(Amount amount) const {
  return std::any_of(envy.begin(), envy.end(),
                     [amount](const EnvyStep& step) { return step.covers(amount); });
}

TableOffers TableOffers::at(const Floor& floor, const FloorRules& rules, TableIndex place) {
  TableOffers table{floor.table(place), rules.game(place), {}, std::nullopt};
  for (std::uint32_t index = 0; index < floor.links.size(); ++index) {
    const LinkConfig& link = floor.link(LinkIndex(index));
    if (!link.has_table(place)) continue;
    if (link.pot) {
      table.pot = link.pot;
      table.pot_link = link.id;
      table.pot_award_not_from = rules.link(LinkIndex(index)).wager.meter_award_not_from;
      continue;
    }
    const LinkRules& link_rules = rules.link(LinkIndex(index));
    const WagerRules& wager = link_rules.wager;
    auto offer = std::find_if(table.offers.begin(), table.offers.end(),
                              [&](const Offer& one) { return one.wager == link.wager; });
    if (offer == table.offers.end()) {
      offer = table.offers.insert(
          offer,
          {link.wager, wager.placement, wager.decided_by, wager.folded_hand_gives_envy, {}, {}});
      offer->title = wager.title;
      offer->envy_of_non_bettors = wager.envy_of_non_bettors;
      offer->meter_award_not_from = wager.meter_award_not_from;
      offer->fold_forfeits = wager.fold_forfeits;
      offer->cards_stay = wager.cards_stay;
    }
    offer->is_drawn = offer->is_drawn || !link_rules.paytable.bonuses.empty();
    offer->links.push_back(link);
    for (const Line& line : link_rules.paytable.lines) {
      if (std::find(offer->lines.begin(), offer->lines.end(), line.id) == offer->lines.end()) {
        offer->lines.push_back(line.id);
      }
    }
    for (const EnvyLine& line : link_rules.paytable.envy) {
      offer->envy.insert(offer->envy.end(), line.by_wager.begin(), line.by_wager.end());
    }
  }
  const bool is_poker = table.game.dealing == Dealing::holdem;
  if (is_poker ? !table.pot : table.offers.empty()) {
    throw Fault("table " + table.terms.id.text() +
                ": no link of the floor takes a wager here, so there is nothing to deal for");
  }
  return table;
}

const Offer& TableOffers::offer(const WagerId& wager) const {
  const auto found = std::find_if(offers.begin(), offers.end(),
                                  [&](const Offer& one) { return one.wager == wager; });
  CHECK(found != offers.end());
  return *found;
}

Shuffle TableOffers::shuffle(Prng& chance) const {
  const auto joker = game.joker ? Shuffle::Joker::one_with_each_deck : Shuffle::Joker::none;
  return {terms.decks, joker, chance};
}

std::vector<Seat> take_seats(const TableOffers& table, std::uint8_t least, Prng& chance) {
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

LockRound lock_round(const TableOffers& table, const RoundId& round,
                     std::vector<AskedWager> wagers) {
  const auto chips = std::count_if(wagers.begin(), wagers.end(), [&](const AskedWager& wager) {
    return table.offer(wager.wager).placement == Placement::chip;
  });
  return LockRound{round, std::move(wagers), static_cast<std::uint32_t>(chips), Badge()};
}

void leave_out_idle_folds(ShowHands& show, const std::vector<AskedWager>& wagers) {
  std::erase_if(show.hands, [&wagers](const ShownHand& hand) {
    return hand.folded && std::none_of(wagers.begin(), wagers.end(), [&](const AskedWager& wager) {
             return wager.seat == hand.seat;
           });
  });
}

}  // namespace linkmeter
