#include "meters/codec/link_payout_limit.h"

#include <algorithm>
#include <map>
#include <string>

#include "meters/codec/enumeration.h"
#include "meters/limits.h"
#include "meters/wide.h"

namespace linkmeter {
namespace {

// "N for 1" of everything fixed that one wager can win at once: its best line and its bonuses.
std::int64_t largest_fixed_multiple(const Paytable& paytable) {
  std::int64_t largest = 0;
  for (const Line& line : paytable.lines) {
    if (line.pays.kind != Pays::Kind::meter) largest = std::max(largest, line.pays.multiple);
  }
  for (const Bonus& bonus : paytable.bonuses) largest += bonus.multiple;
  return largest;
}

// What the smallest wager of a link can win. Where the award of a meter is capped too, it is more;
// how much, only the meter knows. The floor of the limit counts what the paytable fixes.
Amount won_by_smallest_wager(const LinkTerms& link, const LinkRules& rules) {
  const std::optional<Amount> least = link.unit ? link.unit : link.minimum;
  return least ? least->times(largest_fixed_multiple(rules.paytable)) : Amount();
}

// By table, and there by wager, what the smallest wager can win: a seat makes each wager once.
using Winnings = std::map<TablePlace, std::map<WagerId, Amount>>;

Winnings winnings_of(const Floor& floor, const FloorRules& rules) {
  Winnings winnings;
  for (std::size_t place = 0; place < floor.links.size(); ++place) {
    const LinkTerms& link = floor.links[place];
    if (!link.payout_limit) continue;
    for (const TablePlace table : link.tables) {
      Amount& won = winnings[table][link.wager];
      won = std::max(won, won_by_smallest_wager(link, rules.links[place]));
    }
  }
  return winnings;
}

}  // namespace

void read_payout_limit(TomlTable& table, const WagerRules& wager, LinkTerms& terms) {
  if (!wager.payout_limit) {
    if (table.has("payout_limit")) {
      table.refuse("payout_limit", "stands here, but the chapter limits no payout of this wager",
                   wager.section);
    }
    return;  // the catalogue lets no other wager list payout_limit_caps_meter
  }
  const PayoutLimitRule& rule = *wager.payout_limit;
  if (!table.has("payout_limit")) {
    if (terms.payout_limit_caps_meter) {
      table.refuse("payout_limit_caps_meter", "is true, but the link has no payout_limit",
                   rule.section);
    }
    return;
  }
  terms.payout_limit = table.amount("payout_limit", Need::required);
  if (terms.payout_limit && *terms.payout_limit < rule.at_least) {
    table.refuse("payout_limit",
                 "is " + dollars(*terms.payout_limit) + "; the chapter asks at least " +
                     dollars(rule.at_least),
                 rule.section);
  }
}

void check_payout_limits(std::vector<TomlTable>& tables, const Floor& floor,
                         const FloorRules& rules) {
  const Winnings winnings = winnings_of(floor, rules);
  for (std::size_t place = 0; place < floor.links.size(); ++place) {
    const LinkTerms& link = floor.links[place];
    const std::optional<PayoutLimitRule>& rule = rules.links[place].wager.payout_limit;
    // A limit below the chapter's amount has been refused already.
    if (!rule || !link.payout_limit || *link.payout_limit < rule->at_least) continue;
    std::optional<TablePlace> worst;
    Wide most = link.payout_limit->units();
    for (const TablePlace table : link.tables) {
      Wide sum = 0;
      for (const auto& [wager, won] : winnings.at(table)) sum += won.units();
      if (sum <= most) continue;
      worst = table;
      most = sum;
    }
    if (!worst) continue;
    tables[place].refuse("payout_limit",
                         "is " + dollars(*link.payout_limit) + ", but the smallest wagers of " +
                             floor.table(*worst).id.text() + " can win " +
                             (most > limits::amount_max.units()
                                  ? "more than " + dollars(limits::amount_max)
                                  : dollars(Amount::from_units(static_cast<std::int64_t>(most)))),
                         rule->section);
  }
}

}  // namespace linkmeter
