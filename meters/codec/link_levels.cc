#include "meters/codec/link_levels.h"

#include <algorithm>
#include <map>

#include "meters/codec/enumeration.h"
#include "meters/limits.h"

namespace linkmeter {
namespace {

std::string for_one(std::int64_t multiple) { return std::to_string(multiple) + " for 1"; }

// `seed`, `reseed` or `limit` by level: one amount, or with several levels a table of them.
std::map<LevelId, Amount> read_level_amounts(TomlTable& table, std::string_view key,
                                             const Paytable& paytable) {
  std::map<LevelId, Amount> amounts;
  if (!table.has(key)) return amounts;
  const std::string levels =
      enumeration(paytable.levels, [](const LevelRule& rule) { return rule.id.text(); });
  if (table.is_text(key)) {
    const std::optional<Amount> amount = table.amount(key, Need::required);
    if (paytable.levels.size() > 1) {
      table.refuse(key, "is one amount for several levels; give a table of " + levels);
    } else if (amount && !paytable.levels.empty()) {
      amounts[paytable.levels.front().id] = *amount;
    }
    return amounts;
  }
  auto by_level = table.table(key, Need::required);
  if (!by_level) return amounts;
  for (const LevelRule& rule : paytable.levels) {
    const std::optional<Amount> amount = by_level->amount(rule.id.text(), Need::optional);
    if (amount) amounts[rule.id] = *amount;
  }
  by_level->finish();
  return amounts;
}

// One of a level's two opening amounts, as the house states it or as the text fixes it.
struct Opening {
  std::string_view key;                 // "seed", "reseed"
  std::optional<Amount> given;          // by the house
  std::optional<std::int64_t> for_one;  // by the text
};

std::string of_level(const LevelRule& rule) { return " for " + rule.id.text(); }

// The fixed amount, if the unit is known; the house may repeat it.
std::optional<Amount> fixed_opening(TomlTable& table, const LevelRule& rule, const Opening& opening,
                                    std::optional<Amount> unit) {
  if (!unit) return std::nullopt;
  const Amount fixed = unit->times(*opening.for_one);
  if (fixed > limits::amount_max) {
    table.refuse("unit", "is " + dollars(*unit) + ", which takes the " + std::string(opening.key) +
                             " above " + dollars(limits::amount_max));
    return std::nullopt;
  }
  if (opening.given && *opening.given != fixed) {
    table.refuse(opening.key,
                 "is " + dollars(*opening.given) + of_level(rule) + "; the chapter fixes " +
                     for_one(*opening.for_one) + ", " + dollars(fixed),
                 rule.section);
  }
  return fixed;
}

void check_opening_minimum(TomlTable& table, const LevelRule& rule, const Opening& opening,
                           std::optional<Amount> unit) {
  std::optional<Amount> minimum = rule.seed_min;
  if (unit && rule.seed_for_one_min) {
    minimum = std::max(minimum.value_or(Amount()), unit->times(*rule.seed_for_one_min));
  }
  if (minimum && *opening.given < *minimum) {
    table.refuse(opening.key,
                 "is " + dollars(*opening.given) + of_level(rule) + "; the chapter asks at least " +
                     dollars(*minimum),
                 rule.section);
  }
}

// The rate of a level or of the reserve. `rates` is nullptr if the link has none.
Rate resolve_rate(TomlTable& table, TomlTable* rates, const std::string& name,
                  std::optional<Rate> fixed, std::optional<Rate> minimum, Need need,
                  const std::string& section) {
  std::optional<Rate> given;
  if (rates != nullptr) given = rates->rate(name, Need::optional);
  if (rates != nullptr && rates->has(name) && !given) return Rate();
  if (fixed) {
    if (given && *given != *fixed) {
      rates->refuse(name, "is " + text(*given) + "; the chapter fixes " + text(*fixed), section);
    }
    return *fixed;
  }
  if (!given) {
    if (need == Need::required) {
      const std::string sentence = name + " is missing; the chapter does not fix it";
      table.refuse_at(table.line_of("rates"), "rates." + sentence, section);
    }
    return Rate();
  }
  if (minimum && *given < *minimum) {
    rates->refuse(name, "is " + text(*given) + "; the chapter asks at least " + text(*minimum),
                  section);
  }
  return *given;
}

void read_openings(TomlTable& table, const Paytable& paytable, LinkTerms& terms) {
  const std::map<LevelId, Amount> seeds = read_level_amounts(table, "seed", paytable);
  const std::map<LevelId, Amount> reseeds = read_level_amounts(table, "reseed", paytable);
  const auto given = [](const std::map<LevelId, Amount>& amounts, const LevelId& level) {
    const auto found = amounts.find(level);
    return found == amounts.end() ? std::optional<Amount>() : found->second;
  };
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    const LevelRule& rule = paytable.levels[place];
    LevelTerms& level = terms.levels[place];
    Opening seed{"seed", given(seeds, rule.id), rule.seed_for_one};
    Opening reseed{"reseed", given(reseeds, rule.id),
                   rule.reseed_for_one ? rule.reseed_for_one : rule.seed_for_one};
    if (rule.seed_for_one) {
      level.seed = fixed_opening(table, rule, seed, terms.unit).value_or(Amount());
      level.reseed = fixed_opening(table, rule, reseed, terms.unit).value_or(Amount());
      continue;
    }
    if (!seed.given) {
      // An amount that is there but wrong has been refused already.
      if (!table.has("seed")) {
        table.refuse("seed", "is missing" + of_level(rule) + "; the chapter does not fix it",
                     rule.section);
      } else if (!table.is_text("seed")) {
        table.refuse("seed", "says nothing valid" + of_level(rule), rule.section);
      }
      continue;
    }
    if (!reseed.given) reseed.given = seed.given;
    check_opening_minimum(table, rule, seed, terms.unit);
    if (table.has("reseed")) check_opening_minimum(table, rule, reseed, terms.unit);
    level.seed = *seed.given;
    level.reseed = *reseed.given;
  }
}

void read_rates(TomlTable& table, const Paytable& paytable, LinkTerms& terms) {
  auto rates = table.table("rates", Need::optional);
  if (table.has("rates") && !rates) return;
  TomlTable* const given = rates ? &*rates : nullptr;
  std::int64_t sum = 0;
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    const LevelRule& rule = paytable.levels[place];
    Rate& rate = terms.levels[place].rate;
    rate = resolve_rate(table, given, rule.id.text(), rule.rate, rule.rate_min, Need::required,
                        rule.section);
    sum += rate.ppm();
  }
  terms.reserve_rate = resolve_rate(table, given, "reserve", paytable.reserve_rate, std::nullopt,
                                    Need::optional, paytable.section);
  sum += terms.reserve_rate.ppm();
  if (given != nullptr) given->finish();
  if (sum > Rate::ppm_whole) table.refuse("rates", "come to more than 100% of a wager together");
}

// M9. A meter that opened above its limit would stand still and never fall to it.
void read_limits(TomlTable& table, const Paytable& paytable, LinkTerms& terms) {
  const std::map<LevelId, Amount> limits_given = read_level_amounts(table, "limit", paytable);
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    const LevelRule& rule = paytable.levels[place];
    LevelTerms& level = terms.levels[place];
    const auto given = limits_given.find(rule.id);
    if (given == limits_given.end()) continue;
    const std::string sentence = "is " + dollars(given->second) + of_level(rule);
    if (given->second <= Amount()) {
      table.refuse("limit", sentence + "; a limit is above $0.00", rule.section);
    } else if (given->second < level.seed) {
      table.refuse("limit", sentence + ", below the seed of " + dollars(level.seed), rule.section);
    } else if (given->second < level.reseed) {
      table.refuse("limit", sentence + ", below the reseed of " + dollars(level.reseed),
                   rule.section);
    }
    level.limit = given->second;
  }
}

}  // namespace

void read_levels_of_link(TomlTable& table, const Paytable& paytable, LinkTerms& terms) {
  if (paytable.levels.empty()) {
    for (const std::string_view key : {"seed", "reseed", "rates", "limit"}) {
      if (table.has(key)) {
        table.refuse(key, "is for meters; the chapter has only fixed awards for this wager",
                     paytable.section);
      }
    }
    return;
  }
  for (const LevelRule& rule : paytable.levels) {
    terms.levels.push_back({rule.id, {}, {}, {}, {}});
  }
  read_openings(table, paytable, terms);
  read_rates(table, paytable, terms);
  read_limits(table, paytable, terms);
}

}  // namespace linkmeter
