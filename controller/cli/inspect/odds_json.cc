#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "controller/cli/inspect/odds.h"
#include "meters/values/check.h"

namespace linkmeter::cli {

namespace {

using nlohmann::ordered_json;
using odds::Exact;

constexpr unsigned return_places = 12;
constexpr unsigned chance_places = 18;
constexpr unsigned dollar_places = 8;

ordered_json rounded(const std::optional<Exact>& value, unsigned places) {
  return value ? ordered_json(odds::decimal(*value, places)) : ordered_json(nullptr);
}

ordered_json cents(const std::optional<Amount>& amount) {
  return amount ? ordered_json(text_cents(*amount)) : ordered_json(nullptr);
}

ordered_json lines_json(const odds::Sheet& sheet) {
  ordered_json lines = ordered_json::array();
  for (std::size_t place = 0; place < sheet.paytable.lines.size(); ++place) {
    const Line& line = sheet.paytable.lines[place];
    ordered_json row{{"line", line.id.text()}};
    if (sheet.total) row["count"] = sheet.hands[place];
    row["pays"] = pays_text(line.pays, sheet.paytable);
    row["probability"] = odds::decimal(sheet.chances[place], chance_places);
    row["exact"] = odds::text(sheet.chances[place]);
    if (sheet.figures) row["return"] = rounded(sheet.figures->per_line[place], return_places);
    lines.push_back(std::move(row));
  }
  return lines;
}

ordered_json levels_json(const odds::Sheet& sheet) {
  ordered_json levels = ordered_json::array();
  for (std::size_t place = 0; place < sheet.terms.levels.size(); ++place) {
    const odds::Level& level = sheet.terms.levels[place];
    ordered_json row{{"level", level.id.text()},
                     {"seed", cents(level.seed)},
                     {"reseed", cents(level.reseed)},
                     {"rate", nullptr},
                     {"meter", cents(level.meter)}};
    if (level.rate) row["rate"] = text(*level.rate);
    if (sheet.figures) {
      const odds::LevelFigures& figures = sheet.figures->levels[place];
      row["break_even_meter"] = rounded(figures.break_even, dollar_places);
      row["mean_meter_at_payout"] = rounded(figures.mean_meter, dollar_places);
      row["mean_meter_with_reserve"] = rounded(figures.mean_meter_with_reserve, dollar_places);
      row["house_funded"] = rounded(figures.house_funded, return_places);
    }
    levels.push_back(std::move(row));
  }
  return levels;
}

ordered_json envy_json(const odds::Sheet& sheet) {
  ordered_json envy = ordered_json::array();
  for (const odds::EnvyReturn& line : sheet.envy) {
    ordered_json by_players = ordered_json::object();
    for (int others = 1; others < sheet.terms.seats; ++others) {
      by_players[std::to_string(others)] =
          odds::decimal(Exact(line.per_player * others), return_places);
    }
    envy.push_back({{"wager", text_cents(line.wager)},
                    {"or_more", line.or_more},
                    {"return_by_other_players", std::move(by_players)}});
  }
  return envy;
}

ordered_json bonuses_json(const odds::Sheet& sheet) {
  ordered_json bonuses = ordered_json::array();
  for (std::size_t place = 0; place < sheet.bonuses.size(); ++place) {
    const odds::BonusReturn& bonus = sheet.bonuses[place];
    bonuses.push_back(
        {{"bonus", bonus.kind == Bonus::Kind::magic_card ? "magic_card" : "lucky_bonus"},
         {"pays", std::to_string(sheet.paytable.bonuses[place].multiple) + " for 1"},
         {"draw_rate", text(sheet.terms.draw_rate)},
         {"probability", odds::decimal(bonus.chance, chance_places)},
         {"exact", odds::text(bonus.chance)},
         {"return", odds::decimal(bonus.returns, return_places)}});
  }
  return bonuses;
}

ordered_json return_json(const odds::Figures& figures) {
  ordered_json exact{
      {"fixed_lines", odds::text(figures.fixed)}, {"at_meter", nullptr}, {"long_run", nullptr}};
  if (figures.at_meter) exact["at_meter"] = odds::text(*figures.at_meter);
  if (figures.long_run) exact["long_run"] = odds::text(*figures.long_run);
  return {{"fixed_lines", odds::decimal(figures.fixed, return_places)},
          {"at_meter", rounded(figures.at_meter, return_places)},
          {"long_run", rounded(figures.long_run, return_places)},
          {"exact", std::move(exact)}};
}

// What hangs on the paytable's chances: with other decks, other figures.
void add_sheet(ordered_json& document, const odds::Sheet& sheet) {
  document["lines"] = lines_json(sheet);
  document["levels"] = levels_json(sheet);
  if (sheet.figures) {
    document["return"] = return_json(*sheet.figures);
    document["hold"] = rounded(sheet.figures->hold, return_places);
    document["hold_above_25_percent"] =
        sheet.figures->hold && *sheet.figures->hold > odds::fraction(odds::hold_warning);
  }
  document["envy"] = envy_json(sheet);
  document["bonuses"] = bonuses_json(sheet);
}

}  // namespace

void print_odds_json(std::ostream& out, const WagerRules& wager,
                     const std::vector<odds::Sheet>& sheets) {
  CHECK(!sheets.empty());
  const odds::Sheet& first = sheets.front();
  ordered_json document{{"wager", wager.id.text()}, {"paytable", first.paytable.id.text()}};
  document["paytables"] = ordered_json::array();
  for (const Paytable& paytable : wager.paytables) {
    document["paytables"].push_back(paytable.id.text());
  }
  if (first.total) {
    document["total"] = *first.total;
  } else {
    document["decks"] = first.terms.decks;
  }
  document["unit"] = text_cents(first.terms.unit);
  document["reserve_rate"] = text(first.terms.reserve_rate);
  document["winners"] = first.terms.winners;
  add_sheet(document, first);
  if (!first.total) {
    document["by_decks"] = ordered_json::array();
    for (std::size_t place = 1; place < sheets.size(); ++place) {
      ordered_json row{{"decks", sheets[place].terms.decks}};
      add_sheet(row, sheets[place]);
      document["by_decks"].push_back(std::move(row));
    }
  }
  document["dealer_side_only"] = odds::is_dealer_side_only(wager);
  document["notes"] = open_questions(wager, first);
  out << document.dump(2) << '\n';
}

}  // namespace linkmeter::cli
