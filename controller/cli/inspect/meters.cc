#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "controller/cli/shell/command.h"
#include "controller/view/meters_json.h"
#include "meters/values/time_text.h"

namespace linkmeter::cli {

namespace {

constexpr std::chrono::seconds patience{20};

// The floor's tables with the controller's status of each. A table that it does not list was never
// seen.
std::vector<TableLinkStatus> standings(const Floor& floor, const ControllerStatus& status) {
  std::map<TableId, TableLinkStatus> told;
  for (const TableLinkStatus& one : status.tables) told.emplace(one.table, one);
  std::vector<TableLinkStatus> all;
  for (const TableConfig& table : floor.tables) {
    const auto found = told.find(table.id);
    all.push_back(
        found != told.end()
            ? found->second
            : TableLinkStatus{table.id, TableLinkState::never_seen, status.started_at, {}});
  }
  return all;
}

Json links_json(const State& state, TableIndex table) {
  Json links = Json::array();
  for (std::uint32_t at = 0; at < state.floor().links.size(); ++at) {
    const LinkConfig& link = state.floor().link(LinkIndex(at));
    const std::string& reason = state.link(LinkIndex(at)).suspended;
    if (!link.has_table(table)) continue;
    links.push_back(Json{{"link", link.id.text()},
                         {"status", reason.empty() ? "operating" : "suspended"},
                         {"reason", text_or_null(reason)}});
  }
  return links;
}

std::string links_cell(const Json& links) {
  std::string text;
  for (const Json& link : links) {
    text += (text.empty() ? "" : " ") + plain_cell(link.at("link"));
    if (link.at("status") == "suspended") text += " (SUSPENDED)";
  }
  return text;
}

std::string table_state_cell(const Json& table) {
  std::string state = plain_cell(table.at("state"));
  if (state == name(TableLinkState::lost)) state = "LOST";
  if (state == name(TableLinkState::never_seen)) state = "never seen";
  if (state == name(TableLinkState::not_seen)) state = "not seen since the start";
  return state + (table.at("frozen").is_null() ? "" : ", FROZEN");
}

Json tables_json(const State& state, const ControllerStatus& status) {
  const std::vector<TableLinkStatus> all = standings(state.floor(), status);
  Json json{{"started_at", text(status.started_at)}, {"tables", Json::array()}};
  for (std::uint32_t at = 0; at < all.size(); ++at) {
    const TableConfig& terms = state.floor().table(TableIndex(at));
    json["tables"].push_back(Json{
        {"table", terms.id.text()},
        {"game", terms.game.text()},
        {"asset", text_or_null(terms.asset)},
        {"state", name(all[at].standing)},
        {"frozen", text_or_null(state.session(TableIndex(at)).frozen())},
        {"frozen_by", text_or_null(state.session(TableIndex(at)).frozen_by().text())},
        {"since", text(all[at].since)},
        {"last_heard", all[at].last_heard_at ? Json(text(*all[at].last_heard_at)) : Json(nullptr)},
        {"links", links_json(state, TableIndex(at))}});
  }
  return json;
}

// As the running controller reports them.
int list_tables(const Source& from, bool as_json) {
  const ControllerStatus status = ask_status(from, patience);
  const Json json = tables_json(current_state(*open_data(from)), status);
  if (as_json) {
    print_json(json);
    return 0;
  }
  std::cout << "the controller runs since " << seconds_cell(json.at("started_at")) << '\n';
  print_table(json.at("tables"),
              {left("table"), left("game"), left("state", "", table_state_cell),
               left("since", "since", seconds_cell), left("last heard", "last_heard", seconds_cell),
               left("links", "links", links_cell)});
  return 0;
}

int list_meters(const Source& from, bool as_json) {
  if (!as_json) {
    print_meters(from);
    return 0;
  }
  print_json(meters_json(current_state(*open_data(from))));
  return 0;
}

}  // namespace

void declare_meters(CLI::App& app, CommandBuilder& declare) {
  const CommandOptions& given = declare.options;
  declare.reading(app, "meters", "List every link and level: amounts, counts, tables",
                  [&given] { return list_meters(given.from, given.json); });
  declare.reading(app, "tables", "List every table: linked, lost since when, or never seen",
                  [&given] { return list_tables(given.from, given.json); });
}

}  // namespace linkmeter::cli
