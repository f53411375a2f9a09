// ServedAgents: which agent speaks for each table. Two agents may run with one table's key, by
// mistake or because the key was copied; the one that came first is served, and stays.
//
// Laws: an agent is served until it leaves, or until the table is lost (table_presence.h). Until
// then another agent is refused (another_agent), and everything from its connections is rejected.
// The same agent may reconnect at any time, over any connection: it is identified by the name that
// its outbox keeps, also after a restart. An agent without a name (release 0.1.0) is not refused
// and displaces no other agent. Two agents that send in turn freeze their table
// (shared_key_watch.h), as does one that continues after it was refused.
//
// A controller that has just started has no served agents. While it waits for the agents that it
// served before, it refuses an agent with a new outbox for a table that has sent before: the
// previous agent either returns soon or is lost.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "meters/values/identity.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class ServedAgents {
 public:
  // Whether this agent may speak for the table. `has_spoken`: the journal has a message of the
  // table.
  [[nodiscard]] bool may_be_served(TableIndex table, const Hello& hello, bool has_spoken) const;
  // The agent was welcomed over this connection.
  void serve(TableIndex table, const std::string& agent, const std::string& connection);
  // The agent was refused over this connection. False: this was known, and reported.
  bool refuse_agent(TableIndex table, const std::string& agent, const std::string& connection);
  // Whether the agent at the other end of this connection was refused.
  [[nodiscard]] bool is_refused_agent(TableIndex table, const std::string& connection) const;

  // The served agent is gone: it left over its connection, or the table is lost.
  void note_leaving(TableIndex table, const std::string& connection);
  void note_lost(TableIndex table);
  void await_previous(bool waits) { awaits_previous_ = waits; }

 private:
  static constexpr std::size_t connections_remembered = 8;
  struct Served {
    bool is_there = false;
    std::string agent;  // the agent served now or last; "": it has no name
    // The agent's last connection; "": no agent was served yet.
    std::string connection;
    std::deque<std::string> refused_connections;  // refused connections, latest last
    std::string last_refused_agent;  // the last refused agent; "": none since one is served
  };
  static void record_refused(Served& served, const std::string& connection);

  std::map<TableIndex, Served> tables_;
  bool awaits_previous_ = false;
};

}  // namespace linkmeter
