#include "controller/integrity/config_check.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "meters/floor/config_diff.h"
#include "meters/floor/configuration.h"

namespace linkmeter {
namespace {

std::string exact_or_none(const std::optional<Amount>& amount) {
  return amount ? text_exact(*amount) : std::string("none");
}

std::string differs(const std::string& whose, std::string_view field, const std::string& journaled,
                    const std::string& file) {
  return whose + ": " + std::string(field) + " is " + journaled + " in the journal, " + file +
         " in the floor file";
}

std::string differs(const std::string& whose, std::string_view field) {
  return whose + ": " + std::string(field) + " differs from the one in force";
}

std::optional<std::string> level_difference(const std::string& whose, const LevelConfig& journaled,
                                            const LevelConfig& file) {
  const std::string level = whose + ", level " + journaled.id.text();
  if (journaled.id != file.id) {
    return differs(whose, "a level", journaled.id.text(), file.id.text());
  }
  if (journaled.seed != file.seed) {
    return differs(level, "seed", text_exact(journaled.seed), text_exact(file.seed));
  }
  if (journaled.reseed != file.reseed) {
    return differs(level, "reseed", text_exact(journaled.reseed), text_exact(file.reseed));
  }
  if (journaled.rate != file.rate) return differs(level, "rate");
  if (journaled.limit != file.limit) {
    return differs(level, "limit", exact_or_none(journaled.limit), exact_or_none(file.limit));
  }
  return std::nullopt;
}

// Named by the floor file's keys.
std::optional<std::string> pot_difference(const std::string& whose, const PotConfig& journaled,
                                          const PotConfig& file) {
  if (journaled.minimum_pot != file.minimum_pot) {
    return differs(whose, "contribution minimum_pot", text_exact(journaled.minimum_pot),
                   text_exact(file.minimum_pot));
  }
  if (journaled.contribution != file.contribution) {
    return differs(whose, "contribution amount", text_exact(journaled.contribution),
                   text_exact(file.contribution));
  }
  if (journaled.qualifying != file.qualifying) {
    return differs(whose, "qualifying", shown(journaled.qualifying), shown(file.qualifying));
  }
  if (journaled.losing_hand != file.losing_hand) return differs(whose, "split losing_hand");
  if (journaled.winning_hand != file.winning_hand) return differs(whose, "split winning_hand");
  if (journaled.table != file.table) return differs(whose, "split table");
  if (journaled.discontinuation != file.discontinuation) {
    return differs(whose, "discontinuation", shown(journaled.discontinuation),
                   shown(file.discontinuation));
  }
  return std::nullopt;
}

std::optional<std::string> link_difference(const LinkConfig& journaled, const LinkConfig& file) {
  const std::string whose = "link " + journaled.id.text();
  if (journaled.id != file.id) return differs("the links", whose, "here", "link " + file.id.text());
  if (journaled.wager != file.wager) {
    return differs(whose, "wager", journaled.wager.text(), file.wager.text());
  }
  if (journaled.paytable != file.paytable) {
    return differs(whose, "paytable", '"' + journaled.paytable.text() + '"',
                   '"' + file.paytable.text() + '"');
  }
  if (journaled.unit != file.unit) {
    return differs(whose, "unit", exact_or_none(journaled.unit), exact_or_none(file.unit));
  }
  if (journaled.minimum != file.minimum) {
    return differs(whose, "minimum", exact_or_none(journaled.minimum), exact_or_none(file.minimum));
  }
  if (journaled.maximum != file.maximum) {
    return differs(whose, "maximum", exact_or_none(journaled.maximum), exact_or_none(file.maximum));
  }
  if (journaled.levels.size() != file.levels.size()) return differs(whose, "the number of levels");
  for (std::size_t at = 0; at < file.levels.size(); ++at) {
    if (auto found = level_difference(whose, journaled.levels[at], file.levels[at])) return found;
  }
  if (journaled.reserve_rate != file.reserve_rate) return differs(whose, "reserve rate");
  if (journaled.tables != file.tables) return differs(whose, "its list of tables");
  if (journaled.payout_limit != file.payout_limit) {
    return differs(whose, "payout_limit", exact_or_none(journaled.payout_limit),
                   exact_or_none(file.payout_limit));
  }
  if (journaled.payout_limit_caps_meter != file.payout_limit_caps_meter) {
    return differs(whose, "payout_limit_caps_meter");
  }
  if (journaled.pot.has_value() != file.pot.has_value()) return differs(whose, "contribution");
  if (journaled.pot) {
    if (auto found = pot_difference(whose, *journaled.pot, *file.pot)) return found;
  }
  if (!(journaled == file)) return differs(whose, "a field");
  return std::nullopt;
}

std::optional<std::string> table_difference(const TableConfig& journaled, const TableConfig& file) {
  const std::string whose = "table " + journaled.id.text();
  if (journaled.id != file.id) {
    return differs("the tables", whose, "here", "table " + file.id.text());
  }
  if (journaled.game != file.game) {
    return differs(whose, "game", journaled.game.text(), file.game.text());
  }
  if (journaled.seats != file.seats) {
    return differs(whose, "seats", std::to_string(journaled.seats), std::to_string(file.seats));
  }
  if (journaled.decks != file.decks) {
    return differs(whose, "decks", std::to_string(journaled.decks), std::to_string(file.decks));
  }
  if (journaled.asset != file.asset) {
    return differs(whose, "asset", '"' + journaled.asset + '"', '"' + file.asset + '"');
  }
  if (journaled.draw_rate != file.draw_rate) return differs(whose, "draw_rate");
  if (journaled.pace != file.pace) {
    return differs(whose, "pace", std::to_string(journaled.pace), std::to_string(file.pace));
  }
  if (!(journaled == file)) return differs(whose, "a field");
  return std::nullopt;
}

// Elements that only one of journal and file has.
template <class Terms>
std::optional<std::string> count_difference(std::string_view kind,
                                            const std::vector<Terms>& journaled,
                                            const std::vector<Terms>& file) {
  const std::size_t both = std::min(journaled.size(), file.size());
  if (journaled.size() > both) {
    return std::string(kind) + " " + journaled[both].id.text() + " is not in the floor file";
  }
  if (file.size() > both) {
    return std::string(kind) + " " + file[both].id.text() + " is not in the journal";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> floor_difference(const Floor& journaled, const Floor& file) {
  for (std::size_t at = 0; at < std::min(journaled.tables.size(), file.tables.size()); ++at) {
    if (auto found = table_difference(journaled.tables[at], file.tables[at])) return found;
  }
  if (auto found = count_difference("table", journaled.tables, file.tables)) return found;
  for (std::size_t at = 0; at < std::min(journaled.links.size(), file.links.size()); ++at) {
    if (auto found = link_difference(journaled.links[at], file.links[at])) return found;
  }
  if (auto found = count_difference("link", journaled.links, file.links)) return found;
  if (journaled.house != file.house) {
    return differs("[house]", "name", '"' + journaled.house + '"', '"' + file.house + '"');
  }
  if (journaled.second_signature != file.second_signature) {
    return differs("[house]", "second_signature", text(journaled.second_signature),
                   text(file.second_signature));
  }
  if (journaled.taxable != file.taxable) {
    return differs("[house]", "taxable", text(journaled.taxable), text(file.taxable));
  }
  if (!(journaled == file)) return differs("the floor", "a field");
  return std::nullopt;
}

std::optional<std::string> rules_difference(const Floor& floor, const FloorRules& journaled,
                                            const FloorRules& file) {
  if (journaled.timezone != file.timezone) {
    return differs("[house]", "timezone", '"' + journaled.timezone + '"',
                   '"' + file.timezone + '"');
  }
  if (journaled.gaming_day_start != file.gaming_day_start) {
    return differs("[house]", "gaming_day_start", '"' + journaled.gaming_day_start + '"',
                   '"' + file.gaming_day_start + '"');
  }
  const std::string rules_differ = ": the catalogue's rules are not what is in force, for ";
  for (std::size_t at = 0; at < floor.links.size(); ++at) {
    const LinkIndex place(static_cast<std::uint32_t>(at));
    if (!(rules_alone(journaled.link(place)) == rules_alone(file.link(place)))) {
      return "link " + floor.links[at].id.text() + rules_differ + floor.links[at].wager.text();
    }
  }
  for (std::size_t at = 0; at < floor.tables.size(); ++at) {
    const TableIndex place(static_cast<std::uint32_t>(at));
    if (!(rules_alone(journaled.game(place)) == rules_alone(file.game(place)))) {
      return "table " + floor.tables[at].id.text() + rules_differ + floor.tables[at].game.text();
    }
  }
  return std::nullopt;
}

std::optional<std::string> floor_difference(const Configuration& journaled, const FloorFile& file) {
  if (auto found = floor_difference(journaled.floor, file.floor)) return found;
  const auto resolved = resolve_again(journaled.floor_text, journaled.catalogue_texts);
  if (const auto* violations = std::get_if<Violations>(&resolved)) {
    return "the floor as journaled cannot be resolved by this release" +
           (violations->empty() ? std::string() : ": " + violations->front().text());
  }
  return rules_difference(file.floor, std::get<FloorFile>(resolved).rules, file.rules);
}

}  // namespace linkmeter
