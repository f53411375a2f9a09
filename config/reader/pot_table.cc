#include "config/reader/pot_table.h"

#include <utility>

#include "config/reader/enumeration.h"
#include "meters/game/poker_threshold.h"
#include "meters/values/limits.h"

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

// The chapter leaves it to the house, and asks that it be posted.
bool stands(TomlTable& table, std::string_view key, const WagerRules& wager) {
  if (!table.has(key)) table.refuse(key, "is missing", wager.section);
  table.expect({key});
  return table.has(key);
}

std::optional<Amount> read_amount(TomlTable& table, std::string_view key, const WagerRules& wager) {
  return stands(table, key, wager) ? table.amount(key, Need::required) : std::nullopt;
}

std::optional<Rate> read_share(TomlTable& table, std::string_view key, const WagerRules& wager) {
  return stands(table, key, wager) ? table.rate(key, Need::required) : std::nullopt;
}

void read_contribution(TomlTable& table, const WagerRules& wager, PotConfig& pot) {
  if (!stands(table, "contribution", wager)) return;
  auto contribution = table.table("contribution", Need::required);
  if (!contribution) return;
  const auto minimum_pot = read_amount(*contribution, "minimum_pot", wager);
  const auto amount = read_amount(*contribution, "amount", wager);
  if (amount && (*amount <= Amount() || *amount > limits::wager_max)) {
    contribution->refuse("amount",
                         "is " + dollars(*amount) + "; a contribution is " +
                             dollars(Amount::cents(1)) + " to " + dollars(limits::wager_max),
                         wager.section);
  }
  if (minimum_pot && *minimum_pot > limits::pot_max) {
    contribution->refuse("minimum_pot", "is above the largest pot, " + dollars(limits::pot_max),
                         wager.section);
  } else if (minimum_pot && amount && *amount > *minimum_pot) {
    contribution->refuse("amount",
                         "is " + dollars(*amount) + ", more than the smallest pot that contributes",
                         wager.section);
  }
  contribution->finish();
  pot.minimum_pot = minimum_pot.value_or(Amount());
  pot.contribution = amount.value_or(Amount());
}

void read_split(TomlTable& table, const WagerRules& wager, PotConfig& pot) {
  if (!stands(table, "split", wager)) return;
  auto split = table.table("split", Need::required);
  if (!split) return;
  const auto losing_hand = read_share(*split, "losing_hand", wager);
  const auto winning_hand = read_share(*split, "winning_hand", wager);
  const auto others = read_share(*split, "table", wager);
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

// "full_house", or { category = "full_house", ranks = "AT" }: aces full of tens or better.
void read_qualifying(TomlTable& table, const WagerRules& wager, PotConfig& pot) {
  if (!stands(table, "qualifying", wager)) return;
  const auto category_of = [&wager](TomlTable& of, std::string_view key) {
    return of.choice(key, Need::required, poker_categories(), wager.section)
        .value_or(HandCategory::full_house);
  };
  if (!table.is_table("qualifying")) {
    pot.qualifying.category = category_of(table, "qualifying");
    return;
  }
  auto qualifying = table.table("qualifying", Need::required);
  if (!qualifying) return;
  PokerThreshold threshold{category_of(*qualifying, "category"),
                           qualifying->text("ranks", Need::required).value_or("")};
  qualifying->finish();
  const bool is_empty = qualifying->is_text("ranks") && threshold.ranks.empty();
  if (is_empty || !threshold.is_a_hand()) {
    qualifying->refuse("ranks",
                       "is \"" + threshold.ranks + "\", which no " +
                           threshold_words(PokerThreshold{threshold.category}) +
                           " has; of each group of equal cards it gives the rank, larger groups "
                           "first, of a straight the highest: \"AT\" of a full house",
                       wager.section);
    return;
  }
  pot.qualifying = std::move(threshold);
}

}  // namespace

PotConfig read_pot(TomlTable& table, const WagerRules& wager) {
  PotConfig pot;
  read_contribution(table, wager, pot);
  read_qualifying(table, wager, pot);
  read_split(table, wager, pot);
  if (table.has("discontinuation")) {
    pot.discontinuation = table.text("discontinuation", Need::optional).value_or("");
    if (table.is_text("discontinuation") && table.raw_text("discontinuation").empty()) {
      table.refuse("discontinuation",
                   "is empty; it names the Board's approval of the procedure, or is left out",
                   wager.section);
    }
  }
  return pot;
}

}  // namespace linkmeter
