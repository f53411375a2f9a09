#include "config/reader/payout_limit_reader.h"

#include <algorithm>
#include <map>
#include <string>

#include "config/reader/violation.h"
#include "meters/values/int128.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

// The largest fixed multiple ("N for 1") that one wager can win at once: its best line plus its
// bonuses.
std::int64_t largest_fixed_multiple(const Paytable& paytable) {
  std::int64_t largest = 0;
  for (const Line& line : paytable.lines) {
    if (line.pays.kind != Pays::Kind::meter) largest = std::max(largest, line.pays.multiple);
  }
  for (const Bonus& bonus : paytable.bonuses) largest += bonus.multiple;
  return largest;
}

// The most that the smallest wager of a link can win from the amounts that the paytable fixes
// . If awards of a meter are limited too, the true maximum is higher and depends on the
// meter.
Amount won_by_smallest_wager(const LinkConfig& link, const LinkRules& rules) {
  const std::optional<Amount> least = link.unit ? link.unit : link.minimum;
  return least ? least->times(largest_fixed_multiple(rules.paytable)) : Amount();
}

// The most that a seat can win with the smallest wager of this link and the smallest of each other
// wager that has a payout limit at the table. A table may offer one wager in several units, each
// with its own link; a seat bets one of them.
Int128 winnings_at(TableIndex table, std::size_t place, const Floor& floor,
                   const FloorRules& rules) {
  std::map<WagerId, Amount> others;
  for (std::size_t other = 0; other < floor.links.size(); ++other) {
    const LinkConfig& link = floor.links[other];
    const bool is_other = link.wager != floor.links[place].wager;
    if (!is_other || !link.payout_limit || !link.has_table(table)) continue;
    const Amount won = won_by_smallest_wager(link, rules.links[other]);
    Amount& least = others.try_emplace(link.wager, won).first->second;
    least = std::min(least, won);
  }
  Int128 sum = won_by_smallest_wager(floor.links[place], rules.links[place]).units();
  for (const auto& [wager, won] : others) sum += won.units();
  return sum;
}

}  // namespace

void read_payout_limit(TomlTable& table, const WagerRules& wager, LinkConfig& terms) {
  if (!wager.payout_limit) {
    if (table.has("payout_limit")) {
      table.refuse("payout_limit", "stands here, but the chapter limits no payout of this wager",
                   wager.section);
    }
    return;  // the catalogue allows payout_limit_caps_meter for no other wager
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
  for (std::size_t place = 0; place < floor.links.size(); ++place) {
    const LinkConfig& link = floor.links[place];
    const std::optional<PayoutLimitRule>& rule = rules.links[place].wager.payout_limit;
    // A limit below the chapter's amount was reported already.
    if (!rule || !link.payout_limit || *link.payout_limit < rule->at_least) continue;
    std::optional<TableIndex> worst;
    Int128 most = link.payout_limit->units();
    for (const TableIndex table : link.tables) {
      const Int128 sum = winnings_at(table, place, floor, rules);
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
