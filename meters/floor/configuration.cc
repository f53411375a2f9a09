#include "meters/floor/configuration.h"

#include <algorithm>

#include "meters/floor/config_diff.h"

namespace linkmeter {

namespace {

template <class Terms>
bool have_same_names(const std::vector<Terms>& before, const std::vector<Terms>& after) {
  return std::equal(before.begin(), before.end(), after.begin(), after.end(),
                    [](const Terms& left, const Terms& right) { return left.id == right.id; });
}

void compare_pots(DifferenceList& lines, const PotConfig& before, const PotConfig& after) {
  lines.compare("minimum_pot", before.minimum_pot, after.minimum_pot);
  lines.compare("contribution", before.contribution, after.contribution);
  lines.compare("qualifying", before.qualifying, after.qualifying);
  lines.compare("losing_hand", before.losing_hand, after.losing_hand);
  lines.compare("winning_hand", before.winning_hand, after.winning_hand);
  lines.compare("table", before.table, after.table);
  lines.compare("discontinuation", before.discontinuation, after.discontinuation);
}

void compare_terms(std::vector<std::string>& all, const LinkConfig& before,
                   const LinkConfig& after) {
  DifferenceList lines(all, before.id.text());
  lines.compare("paytable", before.paytable, after.paytable);
  lines.compare("unit", before.unit, after.unit);
  lines.compare("minimum", before.minimum, after.minimum);
  lines.compare("maximum", before.maximum, after.maximum);
  for (std::size_t at = 0; at < std::min(before.levels.size(), after.levels.size()); ++at) {
    const LevelConfig& old_level = before.levels[at];
    const LevelConfig& new_level = after.levels[at];
    DifferenceList level(all, before.id.text() + " " + old_level.id.text());
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

// Compares the texts of chapters, including chapters without a table and texts that are not rules.
void compare_chapters(std::vector<std::string>& lines, const std::vector<ChapterText>& before,
                      const std::vector<ChapterText>& after) {
  const auto text_of = [](const std::vector<ChapterText>& chapters, const GameId& game) {
    const auto found =
        std::find_if(chapters.begin(), chapters.end(),
                     [&game](const ChapterText& chapter) { return chapter.game == game; });
    return found == chapters.end() ? nullptr : &found->text;
  };
  for (const ChapterText& chapter : before) {
    const std::string* const text = text_of(after, chapter.game);
    if (text == nullptr) {
      lines.push_back("chapter " + chapter.game.text() + " is taken away");
    } else if (*text != chapter.text) {
      lines.push_back("chapter " + chapter.game.text() + " is another one than in force");
    }
  }
  for (const ChapterText& chapter : after) {
    if (text_of(before, chapter.game) == nullptr) {
      lines.push_back("chapter " + chapter.game.text() + " is a new one");
    }
  }
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
  if (link.wager.payout_limit) link.wager.payout_limit->section.clear();
  link.wager.options.clear();  // the rules already contain the effect of the options
  return link;
}

GameRules rules_alone(GameRules game) {
  for (std::string* text : {&game.title, &game.chapter, &game.source, &game.effective, &game.status,
                            &game.seats_section, &game.cards_section}) {
    text->clear();
  }
  return game;
}

std::set<LinkIndex> links_changed(const Floor& before, const Floor& after) {
  std::set<LinkIndex> changed;
  for (std::uint32_t index = 0; index < before.links.size(); ++index) {
    const LinkConfig& link = before.links[index];
    const bool has_changed_table =
        std::any_of(link.tables.begin(), link.tables.end(),
                    [&](TableIndex table) { return before.table(table) != after.table(table); });
    if (link != after.links[index] || has_changed_table) changed.insert(LinkIndex(index));
  }
  return changed;
}

std::set<LinkIndex> links_changed(const Floor& before, const FloorRules& rules_before,
                                  const Floor& after, const FloorRules& rules_after) {
  std::set<LinkIndex> changed = links_changed(before, after);
  std::set<TableIndex> tables;
  for (std::uint32_t index = 0; index < before.tables.size(); ++index) {
    const TableIndex table(index);
    if (rules_alone(rules_before.game(table)) != rules_alone(rules_after.game(table))) {
      tables.insert(table);
    }
  }
  for (std::uint32_t index = 0; index < before.links.size(); ++index) {
    const LinkIndex link(index);
    const auto& at = before.links[index].tables;
    if (rules_alone(rules_before.link(link)) != rules_alone(rules_after.link(link)) ||
        std::any_of(at.begin(), at.end(),
                    [&](TableIndex table) { return tables.contains(table); })) {
      changed.insert(link);
    }
  }
  return changed;
}

bool has_same_clock(const FloorRules& before, const FloorRules& after) {
  return before.timezone == after.timezone && before.gaming_day_start == after.gaming_day_start;
}

std::vector<std::string> change_lines(const Floor& before, const FloorRules& rules_before,
                                      const Floor& after, const FloorRules& rules_after) {
  std::vector<std::string> lines;
  DifferenceList house(lines, "house");
  house.compare("name", before.house, after.house);
  house.compare("timezone", rules_before.timezone, rules_after.timezone);
  house.compare("gaming_day_start", rules_before.gaming_day_start, rules_after.gaming_day_start);
  if (before.second_signature != after.second_signature) {
    house.say("second_signature", text(before.second_signature), text(after.second_signature));
  }
  if (before.taxable != after.taxable) {
    house.say("taxable", text(before.taxable), text(after.taxable));
  }
  // Before all figures, so that they are in the summary even if it is cut.
  compare_chapters(lines, rules_before.chapters, rules_after.chapters);
  std::set<GameId> games;  // games already compared: several tables may have the same game
  for (std::uint32_t index = 0; index < before.tables.size(); ++index) {
    const TableConfig& table = before.tables[index];
    const TableIndex place(index);
    DifferenceList of_table(lines, table.id.text());
    of_table.compare("asset", table.asset, after.tables[index].asset);
    of_table.compare("draw_rate", table.draw_rate, after.tables[index].draw_rate);
    of_table.compare("pace", std::int64_t{table.pace}, std::int64_t{after.tables[index].pace});
    if (!games.insert(table.game).second) continue;
    compare_rules(lines, table.game.text(), rules_alone(rules_before.game(place)),
                  rules_alone(rules_after.game(place)));
  }
  for (std::uint32_t index = 0; index < before.links.size(); ++index) {
    const LinkConfig& link = before.links[index];
    const LinkIndex place(index);
    compare_terms(lines, link, after.links[index]);
    compare_rules(lines, link.id.text(), rules_alone(rules_before.link(place)),
                  rules_alone(rules_after.link(place)));
  }
  return lines;
}

}  // namespace linkmeter
