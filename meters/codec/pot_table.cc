#include "meters/codec/pot_table.h"

#include "meters/codec/enumeration.h"
#include "meters/limits.h"

namespace linkmeter {
namespace {

std::vector<std::pair<std::string_view, HandCategory>> poker_categories() {
  std::vector<std::pair<std::string_view, HandCategory>> categories;
  for (const HandCategory category :
       {HandCategory::royal_flush, HandCategory::straight_flush, HandCategory::four_of_a_kind,
        HandCategory::full_house, HandCategory::flush, HandCategory::straight,
        HandCategory::three_of_a_kind, HandCategory::two_pair, HandCategory::pair,
        HandCategory::high_card}) {
    categories.emplace_back(name(category), category);
  }
  return categories;
}

}  // namespace

PotTerms read_pot(TomlTable& table, const WagerRules& wager) {
  PotTerms pot;
  if (auto contribution = table.table("contribution", Need::required)) {
    const auto minimum_pot = contribution->amount("minimum_pot", Need::required);
    const auto amount = contribution->amount("amount", Need::required);
    if (amount && (*amount <= Amount() || *amount > limits::wager_max)) {
      contribution->refuse("amount", "is " + dollars(*amount) + "; a contribution is " +
                                         dollars(Amount::cents(1)) + " to " +
                                         dollars(limits::wager_max));
    }
    if (minimum_pot && *minimum_pot > limits::pot_max) {
      contribution->refuse("minimum_pot", "is above the largest pot, " + dollars(limits::pot_max));
    } else if (minimum_pot && amount && *amount > *minimum_pot) {
      contribution->refuse("amount", "is " + dollars(*amount) +
                                         ", more than the smallest pot that " + "contributes");
    }
    contribution->finish();
    pot.minimum_pot = minimum_pot.value_or(Amount());
    pot.contribution = amount.value_or(Amount());
  }
  pot.qualifying = table.choice("qualifying", Need::required, poker_categories())
                       .value_or(HandCategory::full_house);
  if (auto split = table.table("split", Need::required)) {
    const auto losing_hand = split->rate("losing_hand", Need::required);
    const auto winning_hand = split->rate("winning_hand", Need::required);
    const auto others = split->rate("table", Need::required);
    split->finish();
    pot.losing_hand = losing_hand.value_or(Rate());
    pot.winning_hand = winning_hand.value_or(Rate());
    pot.table = others.value_or(Rate());
    const std::int64_t sum = pot.losing_hand.ppm() + pot.winning_hand.ppm() + pot.table.ppm();
    if (losing_hand && winning_hand && others && sum != Rate::ppm_whole) {
      table.refuse("split", "does not come to 100%", wager.section);
    } else if (losing_hand == Rate() && winning_hand == Rate()) {
      table.refuse("split", "gives both hands nothing; with nobody else dealt in none could win",
                   wager.section);
    }
  }
  return pot;
}

}  // namespace linkmeter
