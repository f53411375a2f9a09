#include "controller/turn/served_agents.h"

#include <algorithm>
#include <utility>

namespace linkmeter {

bool ServedAgents::may_be_served(TableIndex table, const Hello& hello, bool has_spoken) const {
  if (hello.agent.empty()) return true;
  const auto found = tables_.find(table);
  if (found != tables_.end() && found->second.is_there) return found->second.agent == hello.agent;
  // Once the previous agent has come and gone again, it is no longer awaited.
  const bool has_come = found != tables_.end() && !found->second.connection.empty();
  return has_come || !(waits_for_former_ && hello.is_new && has_spoken);
}

void ServedAgents::serve(TableIndex table, const std::string& agent,
                         const std::string& connection) {
  Served& served = tables_[table];
  if (served.is_there && served.agent != agent) return;  // an agent without a name
  // Further messages of the previous agent are rejected.
  if (!served.connection.empty() && served.agent != agent) {
    note_turned_away(served, served.connection);
  }
  served.is_there = true;
  served.agent = agent;
  served.connection = connection;
  served.turned_away_last.clear();
  std::erase(served.turned_away, connection);
}

bool ServedAgents::turn_away(TableIndex table, const std::string& agent,
                             const std::string& connection) {
  Served& served = tables_[table];
  note_turned_away(served, connection);
  return std::exchange(served.turned_away_last, agent) != agent;
}

void ServedAgents::note_turned_away(Served& served, const std::string& connection) {
  std::erase(served.turned_away, connection);
  served.turned_away.push_back(connection);
  if (served.turned_away.size() > connections_remembered) served.turned_away.pop_front();
}

bool ServedAgents::is_turned_away(TableIndex table, const std::string& connection) const {
  const auto found = tables_.find(table);
  if (found == tables_.end() || !found->second.is_there) return false;
  const auto& turned_away = found->second.turned_away;
  return std::find(turned_away.begin(), turned_away.end(), connection) != turned_away.end();
}

void ServedAgents::note_leaving(TableIndex table, const std::string& connection) {
  const auto found = tables_.find(table);
  if (found != tables_.end() && found->second.connection == connection) note_lost(table);
}

void ServedAgents::note_lost(TableIndex table) {
  const auto found = tables_.find(table);
  if (found == tables_.end()) return;
  found->second.is_there = false;
  found->second.turned_away_last.clear();
}

}  // namespace linkmeter
