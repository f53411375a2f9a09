#include <iostream>
#include <optional>
#include <utility>
#include <variant>

#include "config/reader/floor_file.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/store/config_history.h"
#include "controller/store/hash_chain.h"
#include "controller/store/journal_reader.h"
#include "meters/values/amount.h"
#include "meters/values/limits.h"
#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

Json pot_json(const PotConfig& pot) {
  return Json{
      {"minimum_pot", text_cents(pot.minimum_pot)},
      {"contribution", text_cents(pot.contribution)},
      {"qualifying", name(pot.qualifying.category)},
      {"qualifying_ranks", pot.qualifying.ranks.empty() ? Json() : Json(pot.qualifying.ranks)},
      {"losing_hand", text(pot.losing_hand)},
      {"winning_hand", text(pot.winning_hand)},
      {"table", text(pot.table)}};
}

Json link_json(const Floor& floor, const LinkConfig& link) {
  Json json{{"link", link.id.text()},
            {"wager", link.wager.text()},
            {"paytable", text_or_null(link.paytable)},
            {"unit", cents_or_null(link.unit)},
            {"minimum", cents_or_null(link.minimum)},
            {"maximum", cents_or_null(link.maximum)},
            {"reserve_rate", text(link.reserve_rate)},
            {"payout_limit", cents_or_null(link.payout_limit)},
            {"payout_limit_caps_meter", link.payout_limit_caps_meter},
            {"levels", Json::array()},
            {"tables", Json::array()},
            {"pot", link.pot ? pot_json(*link.pot) : Json(nullptr)}};
  for (const LevelConfig& level : link.levels) {
    json["levels"].push_back(Json{{"level", level.id.text()},
                                  {"seed", text_cents(level.seed)},
                                  {"reseed", text_cents(level.reseed)},
                                  {"rate", text(level.rate)},
                                  {"limit", cents_or_null(level.limit)}});
  }
  for (const TableIndex table : link.tables) json["tables"].push_back(floor.table(table).id.text());
  return json;
}

Json table_json(const TableConfig& table) {
  return Json{{"table", table.id.text()}, {"game", table.game.text()},
              {"seats", table.seats},     {"decks", table.decks},
              {"asset", table.asset},     {"draw_rate", text(table.draw_rate)}};
}

// The persons who made the configuration, and when.
Json head_json(const Configuration& configuration) {
  return Json{{"entry", configuration.since.value()},
              {"since", text(configuration.at)},
              {"proposed_by", text_or_null(configuration.proposed_by)},
              {"confirmed_by", text_or_null(configuration.confirmed_by)},
              {"floor_sha256", hex(floor_digest(configuration.floor_text))},
              {"catalogue_sha256", hex(catalogue_digest(configuration.catalogue_texts))},
              {"changes", configuration.changes}};
}

std::string head_text(const Json& head) {
  const std::string at =
      "entry " + plain_cell(head.at("entry")) + ", " + plain_cell(head.at("since"));
  if (head.at("proposed_by").is_null()) return at + ": opened by linkmeter init";
  return at + ": changed by " + plain_cell(head.at("proposed_by")) + " and " +
         plain_cell(head.at("confirmed_by"));
}

// "crazy-4/five-card A $1.00 to $5.00".
std::string bets_text(const Json& link) {
  std::string bets = plain_cell(link.at("wager"));
  const auto add = [&](const char* before, const std::string& text) {
    if (!text.empty()) bets += before + text;
  };
  add(" ", plain_cell(link.at("paytable")));
  add(" ", money_cell(link.at("unit")));
  add(" ", money_cell(link.at("minimum")));
  add(" to ", money_cell(link.at("maximum")));
  return bets;
}

// A row for each level of the link, and one for its reserve.
void add_rows(const Json& link, Json& rows) {
  const std::size_t first = rows.size();
  for (const Json& level : link.at("levels")) rows.push_back(level);
  if (rows.size() == first) rows.push_back(Json::object());
  rows[first]["link"] = link.at("link");
  rows[first]["wager"] = bets_text(link);
  if (link.at("reserve_rate") != text(Rate())) {
    rows.push_back(Json{{"level", "reserve"}, {"rate", link.at("reserve_rate")}});
  }
}

void print_text(const Json& json) {
  std::cout << head_text(json) << '\n'
            << "floor file " << plain_cell(json.at("floor_sha256")) << '\n'
            << "chapters   " << plain_cell(json.at("catalogue_sha256")) << '\n';
  Json rows = Json::array();
  for (const Json& link : json.at("links")) add_rows(link, rows);
  print_table(rows, {left("link"), left("wager"), left("level"), right("seed", "seed", money_cell),
                     right("reseed", "reseed", money_cell), right("rate"),
                     right("limit", "limit", money_cell)});
}

Json parameters_json(const Journal& journal, const State& state) {
  const Configuration configuration = configuration_in_force(journal, state);
  Json json = head_json(configuration);
  json["house"] = configuration.floor.house;
  json["links"] = Json::array();
  for (const LinkConfig& link : configuration.floor.links) {
    json["links"].push_back(link_json(configuration.floor, link));
  }
  json["tables"] = Json::array();
  for (const TableConfig& table : configuration.floor.tables) {
    json["tables"].push_back(table_json(table));
  }
  json["floor_file"] = configuration.floor_text;
  return json;
}

int list_configurations(const Source& from, bool as_json) {
  const auto journal = open_data(from.data);
  Progress progress("history", journal->head().entry.value(), "entries");
  Json all = Json::array();
  const EntryNumber head = journal->head().entry;
  read_between(*journal, EntryNumber(1), head, [&](const Entry& entry, const Digest&) {
    progress.show(entry.number.value());
    const auto configuration = configuration_of(entry);
    if (!configuration) return;
    Json json = head_json(*configuration);
    if (as_json) {
      all.push_back(std::move(json));
      return;
    }
    std::cout << head_text(json) << '\n';
    for (const std::string& line : configuration->changes) std::cout << "  " << line << '\n';
  });
  if (as_json) print_json(all);
  return 0;
}

// Proposes a floor file and its chapters as the new configuration.
int change_parameters(const OperatorClient& asker, const CommandOptions& given) {
  auto read = read_new_floor(given.floor, given.catalogue);
  FloorFile* file = read_or_print(read);
  if (file == nullptr) return 1;
  std::size_t bytes = file->text.size();
  for (const std::string& text : file->catalogue_texts) bytes += text.size();
  if (bytes > limits::parameters_bytes_max) {
    throw Fault(given.floor.string() + " and its chapters are longer than " +
                std::to_string(limits::parameters_bytes_max) + " bytes together");
  }
  return ask(asker,
             Propose{ChangeParameters{std::move(file->text), std::move(file->catalogue_texts)}});
}

}  // namespace

void declare_parameters(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  CLI::App& parameters =
      CommandBuilder::group(app, "parameters", "The configuration in force, and changes of it");
  declare.showing(parameters, "show", "Show the configuration in force and the entry that set it",
                  parameters_json, print_text);
  declare.reading_folder(parameters, "history", "List all configurations with their changes",
                         [&given] { return list_configurations(given.from, given.json); });
  CLI::App* changing =
      declare.asking(parameters, "change", "Propose a new floor file",
                     [&given](const OperatorClient& by) { return change_parameters(by, given); });
  declare.takes_floor(changing, "The new floor file");
  declare.takes_catalogue(changing);
  changing->footer(
      "Every link that it changes must be suspended, with no wager waiting for its hand; links,\n"
      "tables, levels and seeds stay what they are. It takes effect when the manager of the other\n"
      "department confirms it; meters, reserves and claims stay as they are. Then seal the new\n"
      "floor file, restart the agents of changed tables with it, and resume the links. The next\n"
      "start of the controller takes the new file and no other.");
}

}  // namespace linkmeter::cli
