#include "config/reader/link_levels.h"

#include <algorithm>
#include <map>
#include <set>

#include "config/reader/enumeration.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

std::string for_one(std::int64_t multiple) { return std::to_string(multiple) + " for 1"; }

// What a key says by level. An amount that is there but wrong has been refused: its level is in
// neither.
struct LevelAmounts {
  std::map<LevelId, Amount> amounts;
  std::set<LevelId> unsaid;

  [[nodiscard]] std::optional<Amount> of(const LevelId& level) const {
    const auto found = amounts.find(level);
    return found == amounts.end() ? std::optional<Amount>() : found->second;
  }
};

// `seed`, `reseed` or `limit` by level: one amount, or with several levels a table of them.
// REQUIRES: the paytable has a level.
LevelAmounts read_level_amounts(TomlTable& table, std::string_view key, const Paytable& paytable) {
  LevelAmounts result;
  if (!table.has(key)) {
    for (const LevelRule& rule : paytable.levels) result.unsaid.insert(rule.id);
    return result;
  }
  const std::string levels =
      enumeration(paytable.levels, [](const LevelRule& rule) { return rule.id.text(); });
  if (table.is_text(key)) {
    const std::optional<Amount> amount = table.amount(key, Need::required);
    if (paytable.levels.size() > 1) {
      table.refuse(key, "is one amount for several levels; give a table of " + levels);
    } else if (amount) {
      result.amounts[paytable.levels.front().id] = *amount;
    }
    return result;
  }
  if (!table.is_table(key)) {
    table.refuse_type(key, paytable.levels.size() == 1
                               ? std::string("a text in quotation marks")
                               : "a table of " + levels + " with texts in quotation marks");
    return result;
  }
  auto by_level = table.table(key, Need::required);
  for (const LevelRule& rule : paytable.levels) {
    const std::optional<Amount> amount = by_level->amount(rule.id.text(), Need::optional);
    if (amount) result.amounts[rule.id] = *amount;
    if (!by_level->has(rule.id.text())) result.unsaid.insert(rule.id);
  }
  by_level->finish();
  return result;
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

// The rate of a level, which the house must state where the text does not fix it, or of the
// reserve; nullopt if it cannot be known. `rates` is nullptr if the link has none.
std::optional<Rate> resolve_rate(TomlTable& table, TomlTable* rates, const std::string& name,
                                 std::optional<Rate> fixed, std::optional<Rate> minimum, Need need,
                                 const std::string& section) {
  std::optional<Rate> given;
  if (rates != nullptr) given = rates->rate(name, Need::optional);
  if (rates != nullptr && rates->has(name) && !given) return std::nullopt;
  if (fixed) {
    if (given && *given != *fixed) {
      rates->refuse(name, "is " + text(*given) + "; the chapter fixes " + text(*fixed), section);
    }
    return *fixed;
  }
  if (!given) {
    if (need == Need::optional) return Rate();
    const std::string sentence = name + " is missing; the chapter does not fix it";
    table.refuse_at(table.line_of("rates"), "rates." + sentence, section);
    return std::nullopt;
  }
  if (minimum && *given < *minimum) {
    rates->refuse(name, "is " + text(*given) + "; the chapter asks at least " + text(*minimum),
                  section);
  } else if (need == Need::required && *given == Rate()) {
    rates->refuse(name, "is 0%; a level has a rate of progression", section);
  }
  return given;
}

// What the house states within bounds. A missing reseed equals the seed.
void read_stated_openings(TomlTable& table, const LevelRule& rule, const Opening& seed,
                          const Opening& reseed, bool seed_unsaid, std::optional<Amount> unit,
                          LevelConfig& level) {
  if (seed_unsaid) {
    table.refuse("seed", "is missing" + of_level(rule) + "; the chapter does not fix it",
                 rule.section);
  }
  // What stands in for an amount that could not be read is nobody's mistake.
  if (seed.given) check_opening_minimum(table, rule, seed, unit);
  if (reseed.given) check_opening_minimum(table, rule, reseed, unit);
  level.seed = seed.given.value_or(Amount());
  level.reseed = reseed.given.value_or(level.seed);
}

void read_openings(TomlTable& table, const Paytable& paytable, LinkConfig& terms) {
  const LevelAmounts seeds = read_level_amounts(table, "seed", paytable);
  const LevelAmounts reseeds = read_level_amounts(table, "reseed", paytable);
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    const LevelRule& rule = paytable.levels[place];
    LevelConfig& level = terms.levels[place];
    const Opening seed{"seed", seeds.of(rule.id), rule.seed_for_one};
    const Opening reseed{"reseed", reseeds.of(rule.id),
                         rule.reseed_for_one ? rule.reseed_for_one : rule.seed_for_one};
    if (rule.seed_for_one) {
      level.seed = fixed_opening(table, rule, seed, terms.unit).value_or(Amount());
      level.reseed = fixed_opening(table, rule, reseed, terms.unit).value_or(Amount());
    } else {
      read_stated_openings(table, rule, seed, reseed, seeds.unsaid.contains(rule.id), terms.unit,
                           level);
    }
  }
}

// Nothing of a pot's contribution is the house's: all of it goes to patrons.
void check_sum_of_rates(TomlTable& table, const Paytable& paytable, const LinkConfig& terms,
                        std::int64_t sum) {
  if (sum > Rate::ppm_whole) {
    table.refuse("rates", "come to more than 100% of a wager together", paytable.section);
  } else if (terms.pot && sum < Rate::ppm_whole) {
    table.refuse("rates",
                 "come to " + text(Rate::from_ppm(sum)) +
                     " together; all of a contribution goes to the patrons, 100%",
                 paytable.section);
  }
}

void read_rates(TomlTable& table, const Paytable& paytable, LinkConfig& terms) {
  auto rates = table.table("rates", Need::optional);
  if (table.has("rates") && !rates) return;
  TomlTable* const given = rates ? &*rates : nullptr;
  std::int64_t sum = 0;
  bool all_known = true;
  const auto counted = [&](std::optional<Rate> rate) {
    sum += rate.value_or(Rate()).ppm();
    all_known = all_known && rate.has_value();
    return rate.value_or(Rate());
  };
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    const LevelRule& rule = paytable.levels[place];
    terms.levels[place].rate = counted(resolve_rate(table, given, rule.id.text(), rule.rate,
                                                    rule.rate_min, Need::required, rule.section));
  }
  terms.reserve_rate = counted(resolve_rate(table, given, "reserve", paytable.reserve_rate,
                                            std::nullopt, Need::optional, paytable.section));
  if (given != nullptr) given->finish();
  if (all_known || sum > Rate::ppm_whole) check_sum_of_rates(table, paytable, terms, sum);
}

// M9. A meter that opened above its limit would stand still and never fall to it.
void read_limits(TomlTable& table, const Paytable& paytable, LinkConfig& terms) {
  const LevelAmounts limits_given = read_level_amounts(table, "limit", paytable);
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    const LevelRule& rule = paytable.levels[place];
    LevelConfig& level = terms.levels[place];
    level.limit = limits_given.of(rule.id);
    if (!level.limit) continue;
    const std::string sentence = "is " + dollars(*level.limit) + of_level(rule);
    if (*level.limit <= Amount()) {
      table.refuse("limit", sentence + "; a limit is above $0.00", rule.section);
    } else if (*level.limit < level.seed) {
      table.refuse("limit", sentence + ", below the seed of " + dollars(level.seed), rule.section);
    } else if (*level.limit < level.reseed) {
      table.refuse("limit", sentence + ", below the reseed of " + dollars(level.reseed),
                   rule.section);
    }
  }
}

}  // namespace

void read_levels_of_link(TomlTable& table, const Paytable& paytable, LinkConfig& terms) {
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
