// JSON input: lines of a floor script, actions of a dealer's panel, and requests of pages. It is
// compared with the JSON library itself: an accepted input is an object there, without unknown
// keys. An accepted input that can be written is accepted again, with the same meaning.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "controller/web/web_command.h"
#include "meters/values/invariant.h"
#include "meters/values/text.h"
#include "proto/codec/round_script.h"
#include "table-agent/round/dealer_action.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

const std::set<std::string, std::less<>> script_words{
    "event",  "round", "wagers",   "chips",  "by",     "note",  "hands", "dealer",
    "board",  "draw",  "showdown", "pot",    "won",    "seat",  "cards", "ms",
    "reason", "line",  "magic",    "folded", "amount", "wager", "on"};

bool has_known_keys(const nlohmann::json& json) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      if (!script_words.contains(key) || !has_known_keys(value)) return false;
    }
  }
  if (!json.is_array()) return true;
  return std::all_of(json.begin(), json.end(), has_known_keys);
}

bool is_written_in_cents(const TableCommand& command) {
  const auto whole = [](const auto& wagers) {
    return std::all_of(wagers.begin(), wagers.end(),
                       [](const AskedWager& one) { return one.amount.is_whole_cents(); });
  };
  if (const auto* lock = std::get_if<LockRound>(&command)) return whole(lock->wagers);
  if (const auto* resolve = std::get_if<ResolveCount>(&command)) return whole(resolve->wagers);
  return true;
}

}  // namespace

void judge_script(std::string_view bytes) {
  const auto parsed = parse_script_line(bytes);
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  if (const auto* error = std::get_if<ScriptError>(&parsed)) {
    INVARIANT(!error->message.empty());
    return;
  }
  INVARIANT(json.is_object());
  INVARIANT(json.contains("event") && json["event"].is_string());
  INVARIANT(has_known_keys(json));
  const auto* command = std::get_if<TableCommand>(&std::get<ScriptEvent>(parsed));
  INVARIANT((command == nullptr) == (json["event"] == "wait"));
  if (command == nullptr) {
    INVARIANT(json["ms"] == std::get<Wait>(std::get<ScriptEvent>(parsed)).milliseconds);
    return;
  }
  INVARIANT(event_name(*command) == json["event"].get<std::string>());
  INVARIANT(round_of(*command).text() == json["round"].get<std::string>());
  if (!is_written_in_cents(*command)) return;
  const auto again = parse_script_line(event_text(*command));
  // A value that no script can express is refused when it is written, for example a negative
  // amount.
  INVARIANT(std::holds_alternative<ScriptEvent>(again));
  INVARIANT(std::get<TableCommand>(std::get<ScriptEvent>(again)) == *command);
}

void judge_dealer_action(std::string_view bytes) {
  const auto parsed = parse_dealer_action(bytes);
  if (const auto* error = std::get_if<DealerActionError>(&parsed)) {
    INVARIANT(!error->message.empty());
    return;
  }
  auto touched = std::get<DealerAction>(parsed);
  INVARIANT(touched.id.size() <= action_id_length_max);
  INVARIANT(touched.by.empty());
  INVARIANT(!name(touched).empty());
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  INVARIANT(json.is_object() && json.contains("touch") && json["touch"].is_object());
  sign(touched, Badge("D-1"));
  INVARIANT(touched.by == Badge("D-1"));
}

// PATH, a newline, and the body.
void judge_web_command(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string path(bytes.substr(0, end));
  const Json body = Json::parse(bytes.substr(std::min(end + 1, bytes.size())), nullptr, false);
  if (!body.is_object()) return;
  for (const CommandRoute& row : command_routes()) {
    const auto variables = match_path(row.pattern, path);
    if (!variables) continue;
    INVARIANT(path.starts_with("/api/"));
    const CommandOrRefusal read = row.read(*variables, body, Played::once().state);
    const auto* no = std::get_if<WebResponse>(&read);
    if (no == nullptr) continue;
    INVARIANT(no->status >= 400 && no->status < 500);
    INVARIANT(Json::parse(no->body).contains("error"));
  }
}

}  // namespace linkmeter::fuzz
