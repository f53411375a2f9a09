#include "controller/turn/handshake.h"

#include <cstdint>
#include <optional>

#include "controller/store/hash_chain.h"
#include "meters/floor/config_digest.h"
#include "meters/rules/decide_restoration.h"
#include "meters/values/limits.h"

namespace linkmeter {

Refusal authorize_sender(const State& state, const std::string& key, const TableId& table) {
  const std::optional<TableIndex> own = state.table_of(key);
  if (!own) return Refusal::key_unknown;
  const std::optional<TableIndex> named = state.find_table(table);
  if (!named) return Refusal::table_unknown;
  if (*named != *own) return Refusal::table_not_yours;
  return waiting_restoration(state) != nullptr ? Refusal::history_not_accepted : Refusal::none;
}

Welcome welcome_of(const State& state, const FloorRules& rules, const std::string& key,
                   const Hello& hello) {
  Welcome answer;
  answer.table = hello.table;
  answer.question = hello.question;
  answer.refusal = authorize_sender(state, key, hello.table);
  if (answer.refusal != Refusal::none) return answer;
  const TableIndex table = *state.find_table(hello.table);
  answer.last_number = state.session(table).last_number();
  if (!hello.floor.empty()) {
    const std::string terms = table_config_text(state.floor(), rules, table);
    const bool differs = table_configs_differ(hello.floor, table_config_digest(sha256(terms)));
    if (differs) answer.refusal = Refusal::configuration_differs;
  }
  return answer;
}

std::string frame_of(Welcome answer) {
  while (true) {
    std::string bytes = encode(ToTable{answer});
    if (bytes.size() <= limits::message_bytes_max || answer.open_rounds.empty()) return bytes;
    answer.open_rounds.erase(answer.open_rounds.begin());
  }
}

std::string frame_of(HeartbeatAnswer answer) {
  while (true) {
    std::string bytes = encode(ToTable{answer});
    if (bytes.size() <= limits::message_bytes_max) return bytes;
    const std::size_t rounds = answer.hands ? answer.hands->size() : 0;
    if (rounds > 1 || (rounds > 0 && answer.claims.empty())) {
      // Sends only complete rounds: a missing seat would mean that it has no hand.
      answer.hands->erase(answer.hands->begin());
    } else if (!answer.claims.empty()) {
      answer.claims.erase(answer.claims.begin());
    } else {
      return bytes;
    }
  }
}

std::vector<SuspendedLink> suspended_at(const State& state, const TableId& table) {
  std::vector<SuspendedLink> suspended;
  const TableIndex table_index = state.find_table(table).value();
  for (std::uint32_t index = 0; index < state.floor().links.size(); ++index) {
    const LinkConfig& link = state.floor().link(LinkIndex(index));
    const LinkBalances& book = state.link(LinkIndex(index));
    std::string reason = book.suspended;
    // A pot fund that no longer collects can still be won by pots.
    const bool is_over = link.pot ? book.ending.has_ended() : !book.ending.collects();
    if (is_over) reason = "this progressive takes no more wagers";
    if (!reason.empty() && link.has_table(table_index)) suspended.push_back({link.id, reason});
  }
  return suspended;
}

std::vector<LinkId> stopped_at(const State& state, const TableId& table) {
  std::vector<LinkId> stopped;
  for (const LinkIndex index : state.floor().links_of(state.find_table(table).value())) {
    const LinkLifecycle& ending = state.link(index).ending;
    const LinkConfig& link = state.floor().link(index);
    if (link.pot && !ending.collects() && !ending.has_ended()) stopped.push_back(link.id);
  }
  return stopped;
}

}  // namespace linkmeter
