#include "meters/codec/link_table.h"

#include <algorithm>

#include "meters/codec/enumeration.h"
#include "meters/codec/link_levels.h"
#include "meters/limits.h"

namespace linkmeter {
namespace {

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
  if (wager.paytables.empty()) {
    table.refuse("wager", "is " + wager.id.text() + ", which has no paytable in the catalogue");
    return nullptr;
  }
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

void read_tables(TomlTable& table, const WagerRules* wager, const Floor& floor, LinkTerms& terms) {
  const std::vector<TomlText> names = table.texts("tables", Need::required);
  if (table.is_empty_array("tables")) {
    table.refuse("tables", "holds no table");
  }
  for (const TomlText& name : names) {
    const std::string sentence = "tables holds \"" + name.text + "\"";
    const std::optional<TablePlace> place = floor.find_table(TableId(name.text));
    if (!place) {
      table.refuse_at(name.line, sentence + "; the floor has no such [[table]]");
      continue;
    }
    if (terms.has_table(*place)) {
      table.refuse_at(name.line, sentence + " a second time");
      continue;
    }
    const GameId& game = floor.table(*place).game;
    if (wager != nullptr && game != wager->game) {
      table.refuse_at(
          name.line,
          sentence + ", a table of " + game.text() + "; the wager is of " + wager->game.text(),
          wager->section);
    }
    terms.tables.push_back(*place);
  }
  if (wager != nullptr && names.size() > 1 && !wager->may_be_linked) {
    table.refuse("tables",
                 "holds " + std::to_string(names.size()) +
                     " tables; the chapter does not let tables share this wager",
                 wager->linked_section);
  }
}

// The amount of a wager; nullopt if it is missing or could not be one.
std::optional<Amount> read_wager_amount(TomlTable& table, std::string_view key) {
  const std::optional<Amount> amount = table.amount(key, Need::optional);
  if (amount && (*amount <= Amount() || *amount > limits::wager_max)) {
    table.refuse(key, "is " + dollars(*amount) + "; a wager is " + dollars(Amount::cents(1)) +
                          " to " + dollars(limits::wager_max));
    return std::nullopt;
  }
  return amount;
}

// Why the wagers of a link must be of one unit: the section that says so, nullptr if they need not.
const std::string* section_of_unit(const Paytable& paytable) {
  for (const LevelRule& rule : paytable.levels) {
    if (rule.seed_for_one || rule.seed_for_one_min) return &rule.section;
  }
  return paytable.envy.empty() ? nullptr : &paytable.envy.front().section;
}

void check_envy(TomlTable& table, const Paytable& paytable, Amount unit) {
  for (const EnvyLine& envy : paytable.envy) {
    const bool listed = std::any_of(envy.by_wager.begin(), envy.by_wager.end(),
                                    [&](const auto& entry) { return entry.first == unit; });
    if (listed) continue;
    table.refuse(
        "unit",
        "is " + dollars(unit) + "; the chapter has Envy Bonuses for wagers of " +
            enumeration(envy.by_wager, [](const auto& entry) { return dollars(entry.first); }),
        envy.section);
    return;
  }
}

void read_stakes(TomlTable& table, const WagerRules& wager, const Paytable* paytable,
                 LinkTerms& terms) {
  if (wager.placement == Placement::pot) {
    for (const std::string_view key : {"unit", "minimum", "maximum"}) {
      if (table.has(key)) table.refuse(key, "is for wagers; pots have none", wager.section);
    }
    return;
  }
  terms.unit = read_wager_amount(table, "unit");
  terms.minimum = read_wager_amount(table, "minimum");
  terms.maximum = read_wager_amount(table, "maximum");
  const std::string* const section = paytable == nullptr ? nullptr : section_of_unit(*paytable);
  if (table.has("unit")) {
    for (const std::string_view key : {"minimum", "maximum"}) {
      if (table.has(key)) table.refuse(key, "stands beside unit; a link has one or the other");
    }
    if (terms.unit && paytable != nullptr) check_envy(table, *paytable, *terms.unit);
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
    table.refuse("minimum", "is " + dollars(*terms.minimum) + ", above the maximum of " +
                                dollars(*terms.maximum));
  }
}

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

}  // namespace

LinkRead read_link(TomlTable& table, const Catalogue& catalogue, const Floor& floor) {
  LinkRead link;
  table.expect({"id", "wager", "paytable", "unit", "minimum", "maximum", "seed", "reseed", "rates",
                "tables", "contribution", "qualifying", "split"});
  table.finish();
  link.terms.id = LinkId(table.name("id", Need::required).value_or(""));
  const WagerRules* const wager = read_wager(table, catalogue);
  read_tables(table, wager, floor, link.terms);
  if (wager == nullptr) return link;
  link.terms.wager = wager->id;
  const Paytable* const paytable = read_paytable_choice(table, *wager);
  read_stakes(table, *wager, paytable, link.terms);
  if (wager->placement == Placement::pot) {
    link.terms.pot = read_pot(table, *wager);
  } else {
    for (const std::string_view key : {"contribution", "qualifying", "split"}) {
      if (table.has(key))
        table.refuse(key, "is for funds of pot contributions only", wager->section);
    }
  }
  if (paytable == nullptr) return link;
  link.terms.paytable = paytable->id;
  for (const LevelRule& rule : paytable->levels) link.terms.levels.push_back({rule.id, {}, {}, {}});
  read_openings(table, *paytable, link.terms);
  read_rates(table, *paytable, link.terms);
  link.rules.wager = *wager;
  link.rules.wager.paytables.clear();
  link.rules.paytable = *paytable;
  return link;
}

}  // namespace linkmeter
