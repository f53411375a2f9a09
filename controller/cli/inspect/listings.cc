#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/or_null.h"
#include "controller/cli/shell/text_table.h"
#include "controller/store/config_history.h"
#include "controller/time/time_text.h"
#include "controller/view/claim_json.h"
#include "controller/view/format.h"
#include "controller/view/meters_json.h"
#include "controller/view/simultaneous_wins.h"

namespace linkmeter::cli {

namespace {

constexpr std::chrono::seconds patience{20};

// The floor's tables with what the controller says of each. One that it does not name it has not
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

std::string links_text(const State& state, TableIndex table) {
  std::string text;
  for (std::uint32_t at = 0; at < state.floor().links.size(); ++at) {
    const LinkConfig& link = state.floor().link(LinkIndex(at));
    if (!link.has_table(table)) continue;
    text += (text.empty() ? "" : " ") + link.id.text();
    if (!state.link(LinkIndex(at)).suspended.empty()) text += " (SUSPENDED)";
  }
  return text;
}

std::string_view words(TableLinkState standing) {
  switch (standing) {
    case TableLinkState::never_seen: return "never seen";
    case TableLinkState::linked: return "linked";
    case TableLinkState::lost: return "LOST";
    case TableLinkState::not_seen: return "not seen since the start";
  }
  return "";
}

// "2026-03-01T14:05:09Z": nobody looks for a lost table by the microsecond.
std::string to_the_second(Timestamp moment) {
  const std::string exact = text(moment);
  return exact.substr(0, exact.find('.')) + "Z";
}

void print_json(const State& state, const ControllerStatus& status,
                const std::vector<TableLinkStatus>& all) {
  Json told{{"started_at", text(status.started_at)}, {"tables", Json::array()}};
  for (std::uint32_t at = 0; at < all.size(); ++at) {
    const TableConfig& terms = state.floor().table(TableIndex(at));
    told["tables"].push_back(Json{
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
  std::cout << told.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_table(const State& state, const ControllerStatus& status,
                 const std::vector<TableLinkStatus>& all) {
  Column table{"table", true}, game{"game", true}, stands{"state", true}, since{"since", true},
      heard{"last heard", true}, links{"links", true};
  for (std::uint32_t at = 0; at < all.size(); ++at) {
    const TableLinkStatus& one = all[at];
    table.cells.push_back(one.table.text());
    game.cells.push_back(state.floor().table(TableIndex(at)).game.text());
    const bool is_frozen = !state.session(TableIndex(at)).frozen().empty();
    stands.cells.emplace_back(std::string(words(one.standing)) + (is_frozen ? ", FROZEN" : ""));
    since.cells.push_back(to_the_second(one.since));
    heard.cells.emplace_back(one.last_heard_at ? to_the_second(*one.last_heard_at) : "");
    links.cells.push_back(links_text(state, TableIndex(at)));
  }
  std::cout << "the controller runs since " << to_the_second(status.started_at) << '\n';
  for (const std::string& line : table_lines({table, game, stands, since, heard, links})) {
    std::cout << line << '\n';
  }
}

}  // namespace

int tables(const Source& from, bool as_json) {
  const ControllerStatus status = ask_status(from, patience);
  const State state = current_state(*open_data(from));
  const std::vector<TableLinkStatus> all = standings(state.floor(), status);
  as_json ? print_json(state, status, all) : print_table(state, status, all);
  return 0;
}

namespace {

std::string level_text(const Floor& floor, const Claim& claim) {
  return claim.level ? floor.link(claim.link).levels[claim.level->value()].id.text() : "";
}

// Old entries do not say what the meter stood at.
bool has_meter_amount(const Claim& claim) { return claim.level && claim.stood >= claim.amount; }

void print_table(const State& state) {
  Column number{"claim", true}, stands{"state", true}, link{"link", true}, table{"table", true},
      round{"round", true}, seat{"seat", true}, line{"line", true}, level{"level", true},
      amount{"amount"}, call{"call"}, stood{"of"}, sent{"sent", true}, raised{"raised", true};
  const Floor& floor = state.floor();
  for (const Claim& claim : state.claims()) {
    number.cells.push_back(std::to_string(claim.number.value()));
    stands.cells.emplace_back(name(claim.state));
    link.cells.push_back(floor.link(claim.link).id.text());
    table.cells.push_back(floor.table(claim.table).id.text());
    round.cells.push_back(claim.round.text());
    seat.cells.push_back(std::to_string(claim.seat.value()));
    line.cells.push_back(claim.line.text());
    level.cells.push_back(level_text(floor, claim));
    amount.cells.push_back(money_text(claim.amount));
    call.cells.push_back(claim.level ? std::to_string(claim.call) : "");
    stood.cells.push_back(has_meter_amount(claim) ? text_exact(claim.stood) : "");
    sent.cells.push_back(text(claim.sent_at));
    raised.cells.push_back(text(claim.raised_at));
  }
  for (const std::string& told : table_lines({number, stands, link, table, round, seat, line, level,
                                              call, stood, sent, raised, amount})) {
    std::cout << told << '\n';
  }
  for (const Claim& claim : state.claims()) {
    for (const Claim* other : simultaneous_wins(state.claims(), claim)) {
      if (other->number < claim.number) continue;
      std::cout << "claim " << claim.number.value() << " and claim " << other->number.value()
                << " within 2 s: " << why_in_order(*other, claim) << '\n';
    }
  }
}

}  // namespace

int claims(const Source& from, bool as_json) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  if (!as_json) {
    print_table(state);
    return 0;
  }
  Json all = Json::array();
  const Configuration configuration = configuration_in_force(*journal, state);
  const auto resolved = resolve_again(configuration.floor_text, configuration.catalogue_texts);
  const FloorFile* file = std::get_if<FloorFile>(&resolved);
  for (const Claim& claim : state.claims()) {
    const LinkRules* rules = file == nullptr ? nullptr : &file->rules.link(claim.link);
    all.push_back(claim_json(state, claim, rules));
  }
  std::cout << all.dump(2) << '\n';
  return 0;
}

int meters(const Source& from, bool as_json) {
  if (!as_json) return watch(from, true);
  const State state = current_state(*open_data(from));
  std::cout << meters_json(state).dump(2) << '\n';
  return 0;
}

}  // namespace linkmeter::cli
