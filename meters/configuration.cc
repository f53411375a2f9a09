#include "meters/configuration.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace linkmeter {

namespace {

constexpr std::array<Option, 6> options_in_rules{Option::any_20,
                                                 Option::magic_card,
                                                 Option::lucky_bonus,
                                                 Option::fold_forfeits,
                                                 Option::folded_hand_gives_envy,
                                                 Option::envy_of_non_bettors};

std::string shown(Amount amount) {
  return "$" + (amount.is_whole_cents() ? text_cents(amount) : text_exact(amount));
}
std::string shown(const std::optional<Amount>& amount) { return amount ? shown(*amount) : "none"; }
std::string shown(Rate rate) { return text(rate); }
std::string shown(bool chosen) { return chosen ? "true" : "false"; }
std::string shown(const std::string& text) { return '"' + text + '"'; }
std::string shown(const PaytableId& paytable) { return shown(paytable.text()); }
std::string shown(HandCategory category) { return std::string(name(category)); }

template <class Terms>
bool have_same_names(const std::vector<Terms>& before, const std::vector<Terms>& after) {
  return std::equal(before.begin(), before.end(), after.begin(), after.end(),
                    [](const Terms& left, const Terms& right) { return left.id == right.id; });
}

// Did the house choose it? What an option does is all that rules know of it.
bool is_chosen(const LinkRules& link, Option option) {
  const auto has_bonus = [&link](Bonus::Kind kind) {
    return std::any_of(link.paytable.bonuses.begin(), link.paytable.bonuses.end(),
                       [kind](const Bonus& bonus) { return bonus.kind == kind; });
  };
  switch (option) {
    case Option::any_20:
      return std::any_of(link.paytable.lines.begin(), link.paytable.lines.end(),
                         [option](const Line& line) { return line.option == option; });
    case Option::magic_card: return has_bonus(Bonus::Kind::magic_card);
    case Option::lucky_bonus: return has_bonus(Bonus::Kind::lucky_bonus);
    case Option::fold_forfeits: return link.wager.fold_forfeits;
    case Option::folded_hand_gives_envy: return link.wager.folded_hand_gives_envy;
    case Option::envy_of_non_bettors: return link.wager.envy_of_non_bettors;
    case Option::payout_limit_caps_meter: return false;  // a term, no rule
  }
  return false;
}

LinkRules without(Option option, LinkRules link) {
  const auto erase_bonus = [&link](Bonus::Kind kind) {
    std::erase_if(link.paytable.bonuses, [kind](const Bonus& bonus) { return bonus.kind == kind; });
  };
  switch (option) {
    case Option::any_20:
      std::erase_if(link.paytable.lines,
                    [option](const Line& line) { return line.option == option; });
      break;
    case Option::magic_card: erase_bonus(Bonus::Kind::magic_card); break;
    case Option::lucky_bonus: erase_bonus(Bonus::Kind::lucky_bonus); break;
    case Option::fold_forfeits: link.wager.fold_forfeits = false; break;
    case Option::folded_hand_gives_envy: link.wager.folded_hand_gives_envy = false; break;
    case Option::envy_of_non_bettors: link.wager.envy_of_non_bettors = false; break;
    case Option::payout_limit_caps_meter: break;
  }
  return link;
}

// Gathers the lines about one link, table or level, which each begins with its name.
class Lines {
 public:
  Lines(std::vector<std::string>& lines, std::string whose)
      : lines_(lines), whose_(std::move(whose)) {}

  template <class Value>
  void compare(std::string_view term, const Value& before, const Value& after) {
    if (before == after) return;
    add(std::string(term) + " " + shown(before) + " -> " + shown(after));
  }
  void add(const std::string& what) { lines_.push_back(whose_ + " " + what); }

 private:
  std::vector<std::string>& lines_;
  std::string whose_;
};

void compare_pots(Lines& lines, const PotTerms& before, const PotTerms& after) {
  lines.compare("minimum_pot", before.minimum_pot, after.minimum_pot);
  lines.compare("contribution", before.contribution, after.contribution);
  lines.compare("qualifying", before.qualifying, after.qualifying);
  lines.compare("losing_hand", before.losing_hand, after.losing_hand);
  lines.compare("winning_hand", before.winning_hand, after.winning_hand);
  lines.compare("table", before.table, after.table);
}

void compare_terms(std::vector<std::string>& all, const LinkTerms& before, const LinkTerms& after) {
  Lines lines(all, before.id.text());
  lines.compare("paytable", before.paytable, after.paytable);
  lines.compare("unit", before.unit, after.unit);
  lines.compare("minimum", before.minimum, after.minimum);
  lines.compare("maximum", before.maximum, after.maximum);
  for (std::size_t at = 0; at < std::min(before.levels.size(), after.levels.size()); ++at) {
    const LevelTerms& old_level = before.levels[at];
    const LevelTerms& new_level = after.levels[at];
    Lines level(all, before.id.text() + " " + old_level.id.text());
    level.compare("reseed", old_level.reseed, new_level.reseed);
    level.compare("rate", old_level.rate, new_level.rate);
    level.compare("limit", old_level.limit, new_level.limit);
  }
  lines.compare("reserve rate", before.reserve_rate, after.reserve_rate);
  lines.compare("payout_limit", before.payout_limit, after.payout_limit);
  lines.compare("payout_limit_caps_meter", before.payout_limit_caps_meter,
                after.payout_limit_caps_meter);
  if (before.pot && after.pot) compare_pots(lines, *before.pot, *after.pot);
}

void compare_rules(std::vector<std::string>& all, const LinkTerms& terms, LinkRules before,
                   LinkRules after, bool has_same_paytable) {
  Lines lines(all, terms.id.text());
  for (const Option option : options_in_rules) {
    const bool was = is_chosen(before, option);
    const bool is = is_chosen(after, option);
    if (was == is) continue;
    lines.compare(name(option), was, is);
    before = without(option, std::move(before));
    after = without(option, std::move(after));
  }
  // What another paytable says needs no second line.
  if (has_same_paytable && before != after) lines.add("other rules of " + terms.wager.text());
}

}  // namespace

bool has_same_tables(const Floor& before, const Floor& after) {
  return have_same_names(before.tables, after.tables);
}

bool has_same_links(const Floor& before, const Floor& after) {
  return have_same_names(before.links, after.links);
}

LinkRules rules_alone(LinkRules link) {
  link.wager.title.clear();
  link.wager.section.clear();
  link.wager.linked_section.clear();
  link.paytable.section.clear();
  for (LevelRule& level : link.paytable.levels) level.section.clear();
  for (Line& line : link.paytable.lines) line.section.clear();
  for (EnvyLine& envy : link.paytable.envy) envy.section.clear();
  for (Bonus& bonus : link.paytable.bonuses) bonus.section.clear();
  link.wager.options.clear();  // what was chosen among them is in the rules already
  return link;
}

GameRules rules_alone(GameRules game) {
  for (std::string* text : {&game.title, &game.chapter, &game.source, &game.effective, &game.status,
                            &game.seats_section, &game.cards_section}) {
    text->clear();
  }
  return game;
}

std::set<LinkPlace> links_changed(const Floor& before, const Floor& after) {
  std::set<LinkPlace> changed;
  for (std::uint32_t index = 0; index < before.links.size(); ++index) {
    const LinkTerms& link = before.links[index];
    const bool has_changed_table =
        std::any_of(link.tables.begin(), link.tables.end(),
                    [&](TablePlace table) { return before.table(table) != after.table(table); });
    if (link != after.links[index] || has_changed_table) changed.insert(LinkPlace(index));
  }
  return changed;
}

std::set<LinkPlace> links_changed(const Floor& before, const FloorRules& rules_before,
                                  const Floor& after, const FloorRules& rules_after) {
  std::set<LinkPlace> changed = links_changed(before, after);
  std::set<TablePlace> tables;
  for (std::uint32_t index = 0; index < before.tables.size(); ++index) {
    const TablePlace table(index);
    if (rules_alone(rules_before.game(table)) != rules_alone(rules_after.game(table))) {
      tables.insert(table);
    }
  }
  for (std::uint32_t index = 0; index < before.links.size(); ++index) {
    const LinkPlace link(index);
    const auto& at = before.links[index].tables;
    if (rules_alone(rules_before.link(link)) != rules_alone(rules_after.link(link)) ||
        std::any_of(at.begin(), at.end(),
                    [&](TablePlace table) { return tables.contains(table); })) {
      changed.insert(link);
    }
  }
  return changed;
}

std::vector<std::string> change_lines(const Floor& before, const FloorRules& rules_before,
                                      const Floor& after, const FloorRules& rules_after) {
  std::vector<std::string> lines;
  Lines(lines, "house").compare("name", before.house, after.house);
  for (std::uint32_t index = 0; index < before.tables.size(); ++index) {
    const TableTerms& table = before.tables[index];
    const TablePlace place(index);
    Lines of_table(lines, table.id.text());
    of_table.compare("asset", table.asset, after.tables[index].asset);
    of_table.compare("draw_rate", table.draw_rate, after.tables[index].draw_rate);
    if (rules_alone(rules_before.game(place)) != rules_alone(rules_after.game(place))) {
      of_table.add("other rules of " + table.game.text());
    }
  }
  for (std::uint32_t index = 0; index < before.links.size(); ++index) {
    const LinkTerms& link = before.links[index];
    const LinkPlace place(index);
    compare_terms(lines, link, after.links[index]);
    compare_rules(lines, link, rules_alone(rules_before.link(place)),
                  rules_alone(rules_after.link(place)),
                  link.paytable == after.links[index].paytable);
  }
  return lines;
}

}  // namespace linkmeter
