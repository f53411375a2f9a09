#include "controller/cli/inspect/odds.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <thread>
#include <utility>

#include "controller/cli/inspect/wager_catalogue.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/odds/dealer_draw.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

// The value of an option is not a number, or out of range: exit 2.
class WrongUsage : public Fault {
  using Fault::Fault;
};

Amount read_amount(const std::string& option, const std::string& text) {
  const std::optional<Amount> amount = parse_cents(text);
  if (!amount) throw WrongUsage(option + " is dollars, as 5000.00; \"" + text + "\" is not");
  return *amount;
}

Rate read_rate(const std::string& option, const std::string& text) {
  const std::optional<Rate> rate = parse_rate(text);
  if (!rate) throw WrongUsage(option + " is a percentage, as 14.25%; \"" + text + "\" is not");
  return *rate;
}

void ask_between(const std::string& option, int least, int value, int most) {
  if (value >= least && value <= most) return;
  throw WrongUsage(option + " is a number from " + std::to_string(least) + " to " +
                   std::to_string(most));
}

// The place of the level that is named, or without a name of the only one.
std::size_t level_meant(const std::string& option, const std::string& name,
                        const Paytable& paytable) {
  if (name.empty() && paytable.levels.size() == 1) return 0;
  std::string known;
  for (std::size_t place = 0; place < paytable.levels.size(); ++place) {
    if (paytable.levels[place].id.text() == name) return place;
    known += " " + paytable.levels[place].id.text();
  }
  std::string says = paytable.id.empty() ? "the paytable" : "paytable " + paytable.id.text();
  if (name.empty()) says += " has several levels, say which, as LEVEL=VALUE, to " + option + ':';
  if (!name.empty()) says += " has no level " + name + "; it has:";
  throw Fault(says + known);
}

// "mega=5000.00" for one level; "5000.00" where there is only one.
template <class Figure>
void state(const std::string& option, const std::vector<std::string>& texts,
           Figure (*read)(const std::string&, const std::string&),
           std::optional<Figure> odds::StatedLevel::*figure, const Paytable& paytable,
           odds::Stated& stated) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const bool is_named = equals != std::string::npos;
    const Figure value = read(option, is_named ? text.substr(equals + 1) : text);
    const std::string name = is_named ? text.substr(0, equals) : "";
    stated.levels[level_meant(option, name, paytable)].*figure = value;
  }
}

// Refuses options that change no figure of this wager: a mistake of the user.
void refuse_idle_options(const OddsOptions& options, const WagerRules& wager) {
  const auto has = [&wager](const auto& trait) {
    return std::any_of(wager.paytables.begin(), wager.paytables.end(), trait);
  };
  const bool is_shared = wager.sharing == Sharing::equal || wager.sharing == Sharing::proportional;
  const bool has_levels = has([](const Paytable& paytable) { return !paytable.levels.empty(); }) &&
                          !odds::is_dealer_side_only(wager);
  const bool has_envy = has([](const Paytable& paytable) { return !paytable.envy.empty(); });
  const bool has_draw = has([](const Paytable& paytable) { return !paytable.bonuses.empty(); });
  const std::string no_meter = odds::is_dealer_side_only(wager)
                                   ? "only the dealer's side is computed, and no return"
                                   : "it has no meter";
  struct Idle {
    const char* option;
    bool is_idle;
    std::string why;
  };
  for (const Idle& idle :
       {Idle{"--meter", !options.meters.empty() && !has_levels, no_meter},
        Idle{"--seed", !options.seeds.empty() && !has_levels, no_meter},
        Idle{"--reseed", !options.reseeds.empty() && !has_levels, no_meter},
        Idle{"--rate", !options.rates.empty() && !has_levels, no_meter},
        Idle{"--reserve", options.reserve && !has_levels, no_meter},
        Idle{"--winners", options.winners && (!is_shared || !has_levels),
             is_shared ? no_meter
                       : "several winners do not share its meter, each is paid in turn (" +
                             wager.section + ")"},
        Idle{"--draw", options.draw_rate && !has_draw, "nothing is drawn for it"},
        Idle{"--seats", options.seats && !has_envy && !has_draw && !options.winners,
             "it has neither envy nor a Lucky position"}}) {
    if (!idle.is_idle) continue;
    throw WrongUsage(std::string(idle.option) + " is not for " + wager.id.text() + ": " + idle.why);
  }
}

odds::Stated stated_for(const OddsOptions& options, const GameRules& game,
                        const Paytable& paytable) {
  odds::Stated stated;
  stated.unit = read_amount("--unit", options.unit);
  if (stated.unit <= Amount() || stated.unit > limits::wager_max) {
    throw WrongUsage("--unit is more than 0.00 and at most " + text_cents(limits::wager_max));
  }
  stated.levels.resize(paytable.levels.size());
  state("--meter", options.meters, read_amount, &odds::StatedLevel::meter, paytable, stated);
  state("--seed", options.seeds, read_amount, &odds::StatedLevel::seed, paytable, stated);
  state("--reseed", options.reseeds, read_amount, &odds::StatedLevel::reseed, paytable, stated);
  state("--rate", options.rates, read_rate, &odds::StatedLevel::rate, paytable, stated);
  if (options.reserve) stated.reserve_rate = read_rate("--reserve", *options.reserve);
  if (options.draw_rate) stated.draw_rate = read_rate("--draw", *options.draw_rate);
  stated.seats = options.seats.value_or(game.seats_max);
  ask_between("--seats", 1, stated.seats, game.seats_max);
  stated.winners = options.winners.value_or(1);
  ask_between("--winners", 1, stated.winners, stated.seats);
  stated.decks = options.decks.value_or(game.decks_default);
  ask_between("--decks", 1, stated.decks, limits::decks_max);
  if (options.decks && !game.decks_vary && *options.decks != game.decks_default) {
    throw WrongUsage("the number of decks of " + game.id.text() + " is fixed at " +
                     std::to_string(game.decks_default));
  }
  return stated;
}

// The paytables to print. Without --paytable: all as text; in JSON, which holds one, the first.
std::vector<Paytable> chosen_paytables(const OddsOptions& options, const WagerRules& wager) {
  if (!options.paytable) {
    return options.json ? std::vector{wager.paytables.front()} : wager.paytables;
  }
  if (const Paytable* paytable = wager.find_paytable(PaytableId(*options.paytable))) {
    return {*paytable};
  }
  std::string known;
  for (const Paytable& paytable : wager.paytables) known += " " + paytable.id.text();
  const bool is_nameless = wager.paytables.front().id.empty();
  throw Fault(wager.id.text() + " has no paytable " + *options.paytable + "; " +
              (is_nameless ? "its only one has no name" : "it has:" + known));
}

std::vector<odds::OddsReport> counted_sheets(const OddsOptions& options, const GameRules& game,
                                             const WagerRules& wager) {
  std::vector<std::pair<Paytable, odds::OddsInputs>> wanted;
  for (const Paytable& paytable : chosen_paytables(options, wager)) {
    wanted.emplace_back(paytable,
                        odds::odds_inputs_of(wager, paytable, stated_for(options, game, paytable)));
  }
  const odds::HandCounts counts =
      odds::count_hands(wager.hand, std::max(1U, std::thread::hardware_concurrency()),
                        Progress("counting", odds::hands_of(wager.hand), "hands").callback());
  std::vector<odds::OddsReport> sheets;
  sheets.reserve(wanted.size());
  for (const auto& [paytable, terms] : wanted) {
    sheets.push_back(odds::counted_report(wager, paytable, terms, counts));
  }
  return sheets;
}

// JSON: first the requested number of decks, or the game's default, then the usual numbers. Text:
// the requested number alone, or the usual numbers.
std::vector<odds::OddsReport> drawn_sheets(const OddsOptions& options, const GameRules& game,
                                           const WagerRules& wager) {
  const Paytable paytable = chosen_paytables(options, wager).front();
  odds::Stated stated = stated_for(options, game, paytable);
  std::vector<int> numbers;
  if (options.json || options.decks) numbers.push_back(stated.decks);
  if (options.json || !options.decks) {
    for (const int usual : {1, 2, 4, 6, 8}) numbers.push_back(usual);
  }
  std::vector<odds::OddsReport> sheets;
  for (const int decks : numbers) {
    stated.decks = decks;
    sheets.push_back(
        odds::drawn_report(wager, paytable, odds::odds_inputs_of(wager, paytable, stated)));
  }
  return sheets;
}

std::vector<odds::OddsReport> sheets_of(const OddsOptions& options, const GameRules& game,
                                        const WagerRules& wager) {
  refuse_idle_options(options, wager);
  if (odds::is_countable(wager.hand)) return counted_sheets(options, game, wager);
  if (odds::depends_on_draw(wager.hand)) return drawn_sheets(options, game, wager);
  throw Fault(wager.id.text() +
              " has no odds of this kind: how often a hand is beaten depends on which hands the "
              "players keep to the showdown");
}

// Exit 2 also if an option's value is not a number.
int print_odds(const OddsOptions& options, const std::filesystem::path& catalogue_directory) {
  try {
    const Catalogue catalogue = read_catalogue(catalogue_directory);
    const WagerRules& wager = find_wager(catalogue, WagerId(options.wager));
    const GameRules& game = *catalogue.find_game(wager.game);
    const std::vector<odds::OddsReport> sheets = sheets_of(options, game, wager);
    (options.json ? print_odds_json : print_odds_text)(std::cout, wager, sheets);
    return 0;
  } catch (const WrongUsage& wrong) {
    std::cerr << "linkmeter: " << wrong.what() << '\n';
    return 2;
  }
}

}  // namespace

void declare_odds(CLI::App& app, CommandBuilder& declare) {
  auto& asked = declare.own<OddsOptions>();
  CLI::App* odds = declare.command(
      app, "odds", "Exact frequency of every line, return, break-even meter, hold",
      [&asked, &given = declare.options] { return print_odds(asked, given.catalogue); });
  odds->add_option("--wager", asked.wager, "A wager id, e.g. crazy-4/five-card")->required();
  odds->add_option("--paytable", asked.paytable,
                   "Its paytable, e.g. C; default: all of them, with --json the first");
  odds->add_flag("--json", asked.json, "Print one JSON document");
  declare.takes_catalogue(odds);
  odds->add_option("--unit", asked.unit, "The wager; seeds \"for 1\" follow it")
      ->capture_default_str();
  odds->add_option("--meter", asked.meters,
                   "Return at this meter, as 12000.00, or LEVEL=12000.00 if there are several; "
                   "default: the seed");
  odds->add_option("--seed", asked.seeds, "Seed, if the chapter does not set it; as --meter");
  odds->add_option("--reseed", asked.reseeds, "Reseed, if it is not the seed; as --meter");
  odds->add_option("--rate", asked.rates,
                   "Incrementation rate, if the chapter does not set it; 12%, or LEVEL=12%");
  odds->add_option("--reserve", asked.reserve,
                   "Rate of the reserve, if the chapter does not set it");
  constexpr std::uint64_t int_max = std::numeric_limits<int>::max();
  odds->add_option("--winners", asked.winners,
                   "Number of players with equal wagers who share an award of the meter (1)")
      ->transform(a_number(0, int_max));
  odds->add_option("--draw", asked.draw_rate,
                   "How often the table draws a Magic Card and a Lucky position (100%)");
  odds->add_option("--seats", asked.seats, "Seats of the table; default: the chapter's maximum")
      ->transform(a_number(0, int_max));
  odds->add_option("--decks", asked.decks, "Decks in the shoe, if the house chooses them")
      ->transform(a_number(0, int_max));
}

std::string pays_text(const Pays& pays, const Paytable& paytable) {
  if (pays.kind == Pays::Kind::for_one) return std::to_string(pays.multiple) + " for 1";
  if (pays.kind == Pays::Kind::to_one) return std::to_string(pays.multiple) + " to 1";
  return text(pays.share) + " of " + paytable.levels[pays.level.value()].id.text();
}

std::vector<std::string> open_questions(const WagerRules& wager, const odds::OddsReport& sheet) {
  std::vector<std::string> open;
  if (odds::is_dealer_side_only(wager)) {
    open.emplace_back(
        "Only the dealer's side: how likely the dealer makes each line's hand. Whether a player "
        "holds 20 against it depends on the player's choices, and so do the return and the line "
        "for "
        "any 20.");
  }
  if (odds::is_bonus_on_base_wager(wager)) {
    open.emplace_back(
        "A bonus on the Play Wager, which the base game decides: what it adds to each $1 of a Play "
        "Wager that every hand would make. It has no return and no hold of its own.");
  }
  if (!sheet.figures) return open;
  for (const odds::Level& level : sheet.terms.levels) {
    if (!level.seed) {
      open.push_back("The chapter sets no seed for " + level.id.text() +
                     ": the return needs --seed.");
    }
    if (!level.rate) {
      open.push_back("The chapter sets no rate for " + level.id.text() +
                     ": the long-run return, the hold and the mean meter need --rate.");
    }
  }
  return open;
}

namespace {

using nlohmann::ordered_json;
using odds::Rational;

constexpr unsigned return_places = 12;
constexpr unsigned chance_places = 18;
constexpr unsigned dollar_places = 8;

ordered_json rounded(const std::optional<Rational>& value, unsigned places) {
  return value ? ordered_json(odds::decimal(*value, places)) : ordered_json(nullptr);
}

ordered_json cents(const std::optional<Amount>& amount) {
  return amount ? ordered_json(text_cents(*amount)) : ordered_json(nullptr);
}

ordered_json lines_json(const odds::OddsReport& sheet) {
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

ordered_json levels_json(const odds::OddsReport& sheet) {
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

ordered_json envy_json(const odds::OddsReport& sheet) {
  ordered_json envy = ordered_json::array();
  for (const odds::EnvyReturn& line : sheet.envy) {
    ordered_json by_players = ordered_json::object();
    for (int others = 1; others < sheet.terms.seats; ++others) {
      by_players[std::to_string(others)] =
          odds::decimal(Rational(line.per_player * others), return_places);
    }
    envy.push_back({{"wager", text_cents(line.wager)},
                    {"or_more", line.or_more},
                    {"return_by_other_players", std::move(by_players)}});
  }
  return envy;
}

ordered_json bonuses_json(const odds::OddsReport& sheet) {
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

// The figures that depend on the number of decks.
void add_sheet(ordered_json& document, const odds::OddsReport& sheet) {
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
                     const std::vector<odds::OddsReport>& sheets) {
  INVARIANT(!sheets.empty());
  const odds::OddsReport& first = sheets.front();
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
