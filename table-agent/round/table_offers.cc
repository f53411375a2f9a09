#include "table-agent/round/table_offers.h"

#include <algorithm>
#include <utility>

#include "meters/values/invariant.h"
#include "proto/host/fault.h"

namespace linkmeter {

bool Offer::may_receive_envy(Amount amount) const {
  return std::any_of(envy.begin(), envy.end(),
                     [amount](const EnvyStep& step) { return step.covers(amount); });
}

TableOffers TableOffers::at(const Floor& floor, const FloorRules& rules, TableIndex table_index) {
  TableOffers table{floor.table(table_index), rules.game(table_index), {}, std::nullopt};
  table.floor = floor;
  table.rules = rules;
  table.index = FloorIndex(floor);
  table.place = table_index;
  for (const LinkIndex index : floor.links_of(table_index)) {
    const LinkConfig& link = floor.link(index);
    if (link.pot) {
      table.pot = link.pot;
      table.pot_link = link.id;
      table.pot_award_not_from = rules.link(index).wager.meter_award_not_from;
      continue;
    }
    const LinkRules& link_rules = rules.link(index);
    auto offer = std::find_if(table.offers.begin(), table.offers.end(),
                              [&](const Offer& one) { return one.wager == link.wager; });
    if (offer == table.offers.end()) {
      offer = table.offers.insert(offer, {link.wager, link_rules.wager, {}});
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
  INVARIANT(found != offers.end());
  return *found;
}

std::vector<PlacedWager> TableOffers::placed(const std::vector<AskedWager>& wagers) const {
  std::vector<PlacedWager> placed;
  for (const AskedWager& wager : wagers) {
    auto link = checks().find_link(wager);
    if (!link) link = floor.find_link(offer(wager.wager).links.front().id);
    placed.push_back({wager.seat, *link, wager.amount, wager.on_dealer});
  }
  return placed;
}

std::uint32_t TableOffers::chip_count(const std::vector<AskedWager>& wagers) const {
  return checks().chips_expected(placed(wagers));
}

LockRound lock_round(const TableOffers& table, const RoundId& round,
                     std::vector<AskedWager> wagers) {
  const std::uint32_t chips = table.chip_count(wagers);
  return LockRound{round, std::move(wagers), chips, Badge()};
}

void leave_out_idle_folds(ShowHands& show, const std::vector<AskedWager>& wagers) {
  std::erase_if(show.hands, [&wagers](const ShownHand& hand) {
    return hand.folded && std::none_of(wagers.begin(), wagers.end(), [&](const AskedWager& wager) {
             return wager.seat == hand.seat;
           });
  });
}

}  // namespace linkmeter
