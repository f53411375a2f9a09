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
  return has_come || !(awaits_previous_ && hello.is_new && has_spoken);
}

void ServedAgents::serve(TableIndex table, const std::string& agent,
                         const std::string& connection) {
  Served& served = tables_[table];
  if (served.is_there && served.agent != agent) return;  // an agent without a name
  // Further messages of the previous agent are rejected.
  if (!served.connection.empty() && served.agent != agent) {
    record_refused(served, served.connection);
  }
  served.is_there = true;
  served.agent = agent;
  served.connection = connection;
  served.last_refused_agent.clear();
  std::erase(served.refused_connections, connection);
}

bool ServedAgents::refuse_agent(TableIndex table, const std::string& agent,
                                const std::string& connection) {
  Served& served = tables_[table];
  record_refused(served, connection);
  return std::exchange(served.last_refused_agent, agent) != agent;
}

void ServedAgents::record_refused(Served& served, const std::string& connection) {
  std::erase(served.refused_connections, connection);
  served.refused_connections.push_back(connection);
  if (served.refused_connections.size() > connections_remembered)
    served.refused_connections.pop_front();
}

bool ServedAgents::is_refused_agent(TableIndex table, const std::string& connection) const {
  const auto found = tables_.find(table);
  if (found == tables_.end() || !found->second.is_there) return false;
  const auto& refused_connections = found->second.refused_connections;
  return std::find(refused_connections.begin(), refused_connections.end(), connection) !=
         refused_connections.end();
}

void ServedAgents::note_leaving(TableIndex table, const std::string& connection) {
  const auto found = tables_.find(table);
  if (found != tables_.end() && found->second.connection == connection) note_lost(table);
}

void ServedAgents::note_lost(TableIndex table) {
  const auto found = tables_.find(table);
  if (found == tables_.end()) return;
  found->second.is_there = false;
  found->second.last_refused_agent.clear();
}

}  // namespace linkmeter
