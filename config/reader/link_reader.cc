#include "config/reader/link_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "config/reader/payout_limit_reader.h"
#include "config/reader/violation.h"
#include "meters/game/poker_threshold.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

constexpr std::array all_options{Option::any_20,
                                 Option::magic_card,
                                 Option::lucky_bonus,
                                 Option::payout_limit_caps_meter,
                                 Option::fold_forfeits,
                                 Option::folded_hand_gives_envy,
                                 Option::envy_of_non_bettors};

const WagerRules* read_wager(TomlTable& table, const Catalogue& catalogue) {
  const std::optional<std::string> id = table.text("wager", Need::required);
  if (!id) return nullptr;
  const WagerRules* const wager = catalogue.find_wager(WagerId(*id));
  if (wager == nullptr) {
    std::vector<std::string> known;
    for (const GameRules& game : catalogue.games) {
      for (const WagerRules& rules : game.wagers) known.push_back(rules.id.text());
    }
    table.refuse("wager", "is \"" + *id + "\"; the catalogue has " +
                              enumeration(known, [](const std::string& name) { return name; }));
  }
  return wager;
}

const Paytable* read_paytable_choice(TomlTable& table, const WagerRules& wager) {
  const std::string& section = wager.paytables.front().section;
  const bool nameless = wager.find_paytable(PaytableId()) != nullptr;
  if (nameless) {
    if (table.has("paytable")) {
      table.refuse("paytable",
                   "stands here, but the chapter has one paytable, without a name; " +
                       std::string("leave it out"),
                   section);
    }
    return &wager.paytables.front();
  }
  const std::string known =
      enumeration(wager.paytables, [](const Paytable& paytable) { return paytable.id.text(); });
  if (!table.has("paytable")) {
    table.refuse("paytable", "is missing; the chapter has " + known, section);
    return nullptr;
  }
  const std::optional<std::string> id = table.text("paytable", Need::required);
  if (!id) return nullptr;
  const Paytable* const paytable = wager.find_paytable(PaytableId(*id));
  if (paytable == nullptr) {
    table.refuse("paytable", "is \"" + *id + "\"; the chapter has " + known, section);
  }
  return paytable;
}

void read_tables(TomlTable& table, const WagerRules* wager, const Floor& floor, LinkConfig& terms) {
  const std::vector<TomlText> names = table.texts("tables", Need::required);
  if (table.is_empty_array("tables")) {
    table.refuse("tables", "holds no table");
  }
  for (const TomlText& name : names) {
    const std::string sentence = "tables holds \"" + name.text + "\"";
    const std::optional<TableIndex> index = floor.find_table(TableId(name.text));
    if (!index) {
      table.refuse_at(name.line, sentence + "; the floor has no such [[table]]");
      continue;
    }
    if (terms.has_table(*index)) {
      table.refuse_at(name.line, sentence + " a second time");
      continue;
    }
    const GameId& game = floor.table(*index).game;
    if (wager != nullptr && game != wager->game) {
      table.refuse_at(
          name.line,
          sentence + ", a table of " + game.text() + "; the wager is of " + wager->game.text(),
          wager->section);
    }
    terms.tables.push_back(*index);
  }
  if (wager != nullptr && names.size() > 1 && !wager->may_be_linked) {
    table.refuse("tables",
                 "holds " + std::to_string(names.size()) +
                     " tables; the chapter does not let tables share this wager",
                 wager->linked_section);
  }
}

std::string for_one(std::int64_t multiple) { return std::to_string(multiple) + " for 1"; }

// The amounts of a key by level. An invalid amount was reported; its level is in neither member.
struct LevelAmounts {
  std::map<LevelId, Amount> amounts;
  std::set<LevelId> unsaid;

  [[nodiscard]] std::optional<Amount> of(const LevelId& level) const {
    const auto found = amounts.find(level);
    return found == amounts.end() ? std::optional<Amount>() : found->second;
  }
};

// Reads `seed`, `reseed` or `limit` by level: one amount, or a table of amounts for several levels.
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

// One of a level's two opening amounts, as stated by the house or fixed by the chapter.
struct Opening {
  std::string_view key;                 // "seed", "reseed"
  std::optional<Amount> given;          // stated by the house
  std::optional<std::int64_t> for_one;  // fixed by the chapter
};

std::string of_level(const LevelRule& rule) { return " for " + rule.id.text(); }

// The fixed amount, if the unit is known. The house may repeat it.
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

// Reads the rate of a level or of the reserve. The house must state it if the chapter does not fix
// it. nullopt: the rate is unknown. `rates` is nullptr if the link has none.
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

// Reads the openings that the house states within bounds. A missing reseed equals the seed.
void read_stated_openings(TomlTable& table, const LevelRule& rule, const Opening& seed,
                          const Opening& reseed, bool seed_unsaid, std::optional<Amount> unit,
                          LevelConfig& level) {
  if (seed_unsaid) {
    table.refuse("seed", "is missing" + of_level(rule) + "; the chapter does not fix it",
                 rule.section);
  }
  // Amounts that could not be read were reported already; do not check their substitutes.
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

// The house keeps no part of a pot's contribution: all of it goes to patrons, so its rates must
// come to 100%.
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

// M9. A meter that opened above its limit would take no contributions and never fall to the limit.
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

// Reads seed, reseed, rates and limit into terms.levels, one for each level of the paytable, in its
// order. A wager with fixed awards only has no levels, and none of these keys. REQUIRES: terms.unit
// is read.
void read_levels_of_link(TomlTable& table, const Paytable& paytable, LinkConfig& terms) {
  if (paytable.levels.empty()) {
    table.refuse_each({"seed", "reseed", "rates", "limit"},
                      "is for meters; the chapter has only fixed awards for this wager",
                      paytable.section);
    return;
  }
  for (const LevelRule& rule : paytable.levels) {
    terms.levels.push_back({rule.id, {}, {}, {}, {}});
  }
  read_openings(table, paytable, terms);
  read_rates(table, paytable, terms);
  read_limits(table, paytable, terms);
}

std::string options_in_words(const WagerRules& wager) {
  if (wager.options.empty()) return "it has none";
  return "it has " + enumeration(wager.options, [](const OptionRule& rule) {
           return std::string(name(rule.option));
         });
}

// All options of the wager, each with the house's choice or the chapter's default. A key of an
// option that the wager does not have is refused.
std::map<Option, bool> read_options(TomlTable& table, const WagerRules& wager) {
  std::map<Option, bool> options;
  for (const Option option : all_options) {
    const OptionRule* const rule = wager.find_option(option);
    if (rule != nullptr) {
      options[option] = table.boolean(name(option), Need::optional).value_or(rule->standard);
    } else {
      table.refuse_each({name(option)},
                        "is no option of " + wager.id.text() + "; " + options_in_words(wager),
                        wager.section);
    }
  }
  return options;
}

// Applies the options to the configuration and rules of a link, removing what the link does not
// offer. REQUIRES: `rules` are the chapter's.
void apply_options(const std::map<Option, bool>& options, LinkConfig& terms, LinkRules& rules) {
  const auto chosen = [&](Option option, bool otherwise) {
    const auto found = options.find(option);
    return found == options.end() ? otherwise : found->second;
  };
  WagerRules& wager = rules.wager;
  wager.fold_forfeits = chosen(Option::fold_forfeits, wager.fold_forfeits);
  wager.folded_hand_gives_envy =
      chosen(Option::folded_hand_gives_envy, wager.folded_hand_gives_envy);
  wager.envy_of_non_bettors = chosen(Option::envy_of_non_bettors, wager.envy_of_non_bettors);
  terms.payout_limit_caps_meter = chosen(Option::payout_limit_caps_meter, false);

  Paytable& paytable = rules.paytable;
  std::erase_if(paytable.lines,
                [&](const Line& line) { return line.option && !chosen(*line.option, false); });
  std::erase_if(paytable.envy, [&](const EnvyLine& envy) {
    return std::none_of(paytable.lines.begin(), paytable.lines.end(),
                        [&](const Line& line) { return line.id == envy.line; });
  });
  std::erase_if(paytable.bonuses, [&](const Bonus& bonus) {
    return !chosen(bonus.kind == Bonus::Kind::magic_card ? Option::magic_card : Option::lucky_bonus,
                   false);
  });
}

// Reads the amount of a wager; nullopt: it is missing or out of range.
std::optional<Amount> read_wager_amount(TomlTable& table, std::string_view key) {
  const std::optional<Amount> amount = table.amount(key, Need::optional);
  if (amount && (*amount <= Amount() || *amount > limits::wager_max)) {
    table.refuse(key, "is " + dollars(*amount) + "; a wager is " + dollars(Amount::cents(1)) +
                          " to " + dollars(limits::wager_max));
    return std::nullopt;
  }
  return amount;
}

bool is_for_exact_wagers(const EnvyLine& envy) {
  return std::none_of(envy.by_wager.begin(), envy.by_wager.end(),
                      [](const EnvyStep& step) { return step.or_more; });
}

// The section that requires the wagers of a link to have one unit; nullptr: none.
const std::string* section_of_unit(const Paytable& paytable) {
  for (const LevelRule& rule : paytable.levels) {
    if (rule.seed_for_one || rule.seed_for_one_min) return &rule.section;
  }
  for (const EnvyLine& envy : paytable.envy) {
    if (is_for_exact_wagers(envy)) return &envy.section;
  }
  return nullptr;
}

void check_envy(TomlTable& table, const Paytable& paytable, Amount unit) {
  for (const EnvyLine& envy : paytable.envy) {
    const bool listed = std::any_of(envy.by_wager.begin(), envy.by_wager.end(),
                                    [&](const EnvyStep& step) { return step.covers(unit); });
    if (listed || !is_for_exact_wagers(envy)) continue;
    table.refuse(
        "unit",
        "is " + dollars(unit) + "; the chapter has Envy Bonuses for wagers of " +
            enumeration(envy.by_wager, [](const EnvyStep& step) { return dollars(step.wager); }),
        envy.section);
    return;
  }
}

// Reads the amounts that one wager of the link may have: a unit, or a minimum and a maximum.
//
// A unit is required where seeds, or Envy schedules with exact wagers, depend on the wager; it must
// then be one that every Envy schedule of the chapter lists. Schedules with wagers "or more"
// require none.
void read_stakes(TomlTable& table, const WagerRules& wager, const Paytable& paytable,
                 LinkConfig& terms) {
  if (wager.placement == Placement::pot) {
    table.refuse_each({"unit", "minimum", "maximum"}, "is for wagers; pots have none",
                      wager.section);
    return;
  }
  terms.unit = read_wager_amount(table, "unit");
  terms.minimum = read_wager_amount(table, "minimum");
  terms.maximum = read_wager_amount(table, "maximum");
  const std::string* const section = section_of_unit(paytable);
  if (table.has("unit")) {
    table.refuse_each({"minimum", "maximum"}, "stands beside unit; a link has one or the other");
    if (terms.unit) check_envy(table, paytable, *terms.unit);
    return;
  }
  if (section != nullptr) {
    table.refuse("unit", "is missing; seeds or Envy Bonuses of the chapter follow the wager",
                 *section);
  } else if (!table.has("minimum") && !table.has("maximum")) {
    table.refuse("unit", "is missing; give unit, or minimum and maximum");
  } else {
    for (const std::string_view key : {"minimum", "maximum"}) {
      if (!table.has(key)) table.refuse(key, "is missing beside its counterpart");
    }
  }
  if (terms.minimum && terms.maximum && *terms.minimum > *terms.maximum) {
    table.refuse(
        "minimum",
        "is " + dollars(*terms.minimum) + ", above the maximum of " + dollars(*terms.maximum),
        wager.section);
  }
}

void read_contribution(TomlTable& table, const WagerRules& wager, PotConfig& pot) {
  auto contribution = table.table("contribution", Need::required);
  if (!contribution) return;
  const auto minimum_pot = contribution->amount("minimum_pot", Need::required);
  const auto amount = contribution->amount("amount", Need::required);
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
  auto split = table.table("split", Need::required);
  if (!split) return;
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

// "full_house", or { category = "full_house", ranks = "AT" }: aces full of tens or better.
void read_qualifying(TomlTable& table, const WagerRules& wager, PotConfig& pot) {
  const auto category_of = [&wager](TomlTable& of, std::string_view key) {
    return of
        .choice(key, Need::required,
                {HandCategory::royal_flush, HandCategory::straight_flush,
                 HandCategory::four_of_a_kind, HandCategory::full_house, HandCategory::flush,
                 HandCategory::straight, HandCategory::three_of_a_kind, HandCategory::two_pair,
                 HandCategory::pair, HandCategory::high_card},
                wager.section)
        .value_or(HandCategory::full_house);
  };
  if (!table.is_table("qualifying")) {
    pot.qualifying.category = category_of(table, "qualifying");
    return;
  }
  auto qualifying = table.table("qualifying", Need::required);
  if (!qualifying) return;
  qualifying->set_missing_section("");
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

// Reads how much each pot contributes, which losing hand qualifies, and how an award is split. The
// chapter leaves these to the house (§ 553.20(a), (b)), but the house must post them.
PotConfig read_pot(TomlTable table, const WagerRules& wager) {
  PotConfig pot;
  table.set_missing_section(wager.section);
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

// Reads the keys that depend on the paytable.
void read_figures(TomlTable& table, const WagerRules& wager, const Paytable& paytable,
                  LinkConfig& terms) {
  read_stakes(table, wager, paytable, terms);
  read_levels_of_link(table, paytable, terms);
}

// If the wager's paytable is unknown, reports only the violations that occur with each of its
// paytables. Only the stakes of the link are known in that case.
void read_figures_of_any(TomlTable& table, const WagerRules& wager, LinkConfig& terms) {
  std::optional<Violations> agreed;
  LinkConfig figures;
  for (const Paytable& paytable : wager.paytables) {
    Violations violations;
    TomlTable on_trial = table.reporting_to(violations);
    figures = terms;
    read_figures(on_trial, wager, paytable, figures);
    if (!agreed) agreed = violations;
    std::erase_if(*agreed, [&](const Violation& violation) {
      return std::none_of(violations.begin(), violations.end(), [&](const Violation& other) {
        return other.line == violation.line && other.message == violation.message;
      });
    });
  }
  for (const Violation& violation : agreed.value_or(Violations())) table.refuse_as(violation);
  terms.unit = figures.unit;
  terms.minimum = figures.minimum;
  terms.maximum = figures.maximum;
}

}  // namespace

LinkRead read_link(TomlTable& table, const Catalogue& catalogue, const Floor& floor) {
  LinkRead link;
  table.expect({"id", "wager", "paytable", "unit", "minimum", "maximum", "seed", "reseed", "rates",
                "limit", "payout_limit", "tables", "contribution", "qualifying", "split",
                "discontinuation", "notices"});
  for (const Option option : all_options) table.expect({name(option)});
  table.finish();
  link.terms.id = LinkId(table.name("id", Need::required).value_or(""));
  const WagerRules* const wager = read_wager(table, catalogue);
  read_tables(table, wager, floor, link.terms);
  if (wager == nullptr) return link;
  link.terms.wager = wager->id;
  link.rules.wager = *wager;
  link.rules.wager.paytables.clear();
  if (wager->placement == Placement::pot) {
    link.terms.pot = read_pot(table, *wager);
  } else {
    table.refuse_each({"contribution", "qualifying", "split", "discontinuation"},
                      "is for funds of pot contributions only", wager->section);
  }
  if (const Paytable* const paytable = read_paytable_choice(table, *wager)) {
    link.terms.paytable = paytable->id;
    link.rules.paytable = *paytable;
    read_figures(table, *wager, *paytable, link.terms);
  } else {
    read_figures_of_any(table, *wager, link.terms);
  }
  apply_options(read_options(table, *wager), link.terms, link.rules);
  read_payout_limit(table, *wager, link.terms);
  return link;
}

}  // namespace linkmeter
