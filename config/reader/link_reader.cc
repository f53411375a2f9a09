#include "config/reader/link_reader.h"

#include <algorithm>

#include "config/reader/enumeration.h"
#include "config/reader/link_levels.h"
#include "config/reader/link_options.h"
#include "config/reader/link_stakes.h"
#include "config/reader/payout_limit_reader.h"
#include "config/reader/pot_table.h"

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
    const std::optional<TableIndex> place = floor.find_table(TableId(name.text));
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

// What hangs on the paytable.
void read_figures(TomlTable& table, const WagerRules& wager, const Paytable& paytable,
                  LinkConfig& terms) {
  read_stakes(table, wager, paytable, terms);
  read_levels_of_link(table, paytable, terms);
}

// Without a paytable of the wager, what is wrong is what would be wrong by each of them. Of what
// the link says only the stakes are known then.
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
    for (const std::string_view key : {"contribution", "qualifying", "split", "discontinuation"}) {
      if (table.has(key))
        table.refuse(key, "is for funds of pot contributions only", wager->section);
    }
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
