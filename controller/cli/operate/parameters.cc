#include <iostream>
#include <optional>
#include <utility>
#include <variant>

#include "config/reader/floor_file.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/or_null.h"
#include "controller/cli/shell/progress.h"
#include "controller/cli/shell/text_table.h"
#include "controller/store/config_history.h"
#include "controller/store/hash_chain.h"
#include "controller/store/journal_reader.h"
#include "controller/time/time_text.h"
#include "controller/view/format.h"
#include "meters/values/limits.h"
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
  Json told{{"link", link.id.text()},
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
    told["levels"].push_back(Json{{"level", level.id.text()},
                                  {"seed", text_cents(level.seed)},
                                  {"reseed", text_cents(level.reseed)},
                                  {"rate", text(level.rate)},
                                  {"limit", cents_or_null(level.limit)}});
  }
  for (const TableIndex table : link.tables) told["tables"].push_back(floor.table(table).id.text());
  return told;
}

Json table_json(const TableConfig& table) {
  return Json{{"table", table.id.text()}, {"game", table.game.text()},
              {"seats", table.seats},     {"decks", table.decks},
              {"asset", table.asset},     {"draw_rate", text(table.draw_rate)}};
}

// Who made the configuration, and when.
Json head_json(const Configuration& configuration) {
  return Json{{"entry", configuration.since.value()},
              {"since", text(configuration.at)},
              {"proposed_by", text_or_null(configuration.proposed_by)},
              {"confirmed_by", text_or_null(configuration.confirmed_by)},
              {"floor_sha256", hex(floor_digest(configuration.floor_text))},
              {"catalogue_sha256", hex(catalogue_digest(configuration.catalogue_texts))},
              {"changes", configuration.changes}};
}

std::string head_text(const Configuration& configuration) {
  const std::string at =
      "entry " + std::to_string(configuration.since.value()) + ", " + text(configuration.at);
  if (configuration.proposed_by.empty()) return at + ": opened by linkmeter init";
  return at + ": changed by " + configuration.proposed_by.text() + " and " +
         configuration.confirmed_by.text();
}

void print_text(const Configuration& configuration) {
  std::cout << head_text(configuration) << '\n'
            << "floor file " << hex(floor_digest(configuration.floor_text)) << '\n'
            << "chapters   " << hex(catalogue_digest(configuration.catalogue_texts)) << '\n';
  Column link{"link", true}, wager{"wager", true}, level{"level", true}, seed{"seed"},
      reseed{"reseed"}, rate{"rate"}, limit{"limit"};
  const auto add = [&](const std::vector<std::string>& row) {
    std::size_t at = 0;
    for (Column* column : {&link, &wager, &level, &seed, &reseed, &rate, &limit}) {
      column->cells.push_back(row[at++]);
    }
  };
  for (const LinkConfig& terms : configuration.floor.links) {
    std::string bets =
        terms.wager.text() + (terms.paytable.empty() ? "" : " " + terms.paytable.text());
    if (terms.unit) bets += " " + money_text(*terms.unit);
    if (terms.minimum) bets += " " + money_text(*terms.minimum);
    if (terms.maximum) bets += " to " + money_text(*terms.maximum);
    bool is_first = true;
    for (const LevelConfig& one : terms.levels) {
      add({is_first ? terms.id.text() : "", is_first ? bets : "", one.id.text(),
           money_text(one.seed), money_text(one.reseed), text(one.rate),
           one.limit ? money_text(*one.limit) : ""});
      is_first = false;
    }
    if (is_first) add({terms.id.text(), bets, "", "", "", "", ""});
    if (terms.reserve_rate > Rate()) add({"", "", "reserve", "", "", text(terms.reserve_rate), ""});
  }
  for (const std::string& line : table_lines({link, wager, level, seed, reseed, rate, limit})) {
    std::cout << line << '\n';
  }
}

}  // namespace

int parameters(const Source& from, bool as_json) {
  const auto journal = open_data(from);
  const Configuration configuration = configuration_in_force(*journal, current_state(*journal));
  if (!as_json) {
    print_text(configuration);
    return 0;
  }
  Json told = head_json(configuration);
  told["house"] = configuration.floor.house;
  told["links"] = Json::array();
  for (const LinkConfig& link : configuration.floor.links) {
    told["links"].push_back(link_json(configuration.floor, link));
  }
  told["tables"] = Json::array();
  for (const TableConfig& table : configuration.floor.tables) {
    told["tables"].push_back(table_json(table));
  }
  told["floor_file"] = configuration.floor_text;
  std::cout << told.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  return 0;
}

int parameters_history(const Source& from, bool as_json) {
  const auto journal = open_data(from.data);
  Progress progress("history", journal->head().entry.value(), "entries");
  Json all = Json::array();
  const EntryNumber head = journal->head().entry;
  read_between(*journal, EntryNumber(1), head, [&](const Entry& entry, const Digest&) {
    progress.show(entry.number.value());
    const auto configuration = configuration_of(entry);
    if (!configuration) return;
    if (as_json) {
      all.push_back(head_json(*configuration));
      return;
    }
    std::cout << head_text(*configuration) << '\n';
    for (const std::string& line : configuration->changes) std::cout << "  " << line << '\n';
  });
  if (as_json) std::cout << all.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  return 0;
}

int change_parameters(const OperatorClient& asker, const std::filesystem::path& floor,
                      const std::filesystem::path& catalogue) {
  auto read = read_new_floor(floor, catalogue.empty() ? default_catalogue_directory() : catalogue);
  if (const auto* violations = std::get_if<Violations>(&read)) {
    for (const Violation& violation : *violations) std::cerr << violation.text() << '\n';
    return 1;
  }
  FloorFile& file = std::get<FloorFile>(read);
  std::size_t bytes = file.text.size();
  for (const std::string& text : file.catalogue_texts) bytes += text.size();
  if (bytes > limits::parameters_bytes_max) {
    throw Fault(floor.string() + " and its chapters are longer than " +
                std::to_string(limits::parameters_bytes_max) + " bytes together");
  }
  return ask(asker,
             Propose{ChangeParameters{std::move(file.text), std::move(file.catalogue_texts)}});
}

}  // namespace linkmeter::cli
