// Served agents: which agent speaks for each table. Two agents may run with one table's key, by
// mistake or because the key was copied; the one that came first is served, and goes on.
//
// Laws: an agent that is served is the table's until it leaves, or until the table is lost
// (table_presence.h). As long, another agent is refused (another_agent), and nothing that comes
// over its connections is taken. The same agent is welcome at any time, over any connection: it is
// known by the name that its outbox keeps, so also after a restart. An agent that tells no name
// (release 0.1.0) is refused nothing and takes nobody's place; two that speak in turn freeze their
// table (shared_key_watch.h), as does one that goes on after it was refused.
//
// A controller that has just started knows nobody. While it waits for the agents that it served
// before, an agent whose outbox is new is not served for a table that has spoken: the agent that
// spoke for the table is back soon, or is lost.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "meters/values/identity.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class ServedAgents {
 public:
  // May it speak for the table? `has_spoken`: the journal has a message of the table.
  [[nodiscard]] bool may_be_served(TableIndex table, const Hello& hello, bool has_spoken) const;
  // It was welcomed, over this connection.
  void serve(TableIndex table, const std::string& agent, const std::string& connection);
  // It was refused, over this connection. False: that is known, and was told.
  bool turn_away(TableIndex table, const std::string& agent, const std::string& connection);
  // Was the agent at the other end of this connection turned away?
  [[nodiscard]] bool is_turned_away(TableIndex table, const std::string& connection) const;

  // The agent that was served is gone: it said so over its connection, or the table is lost.
  void note_leaving(TableIndex table, const std::string& connection);
  void note_lost(TableIndex table);
  void wait_for_former(bool waits) { waits_for_former_ = waits; }

 private:
  static constexpr std::size_t connections_remembered = 8;
  struct Served {
    bool is_there = false;
    std::string agent;                    // that is served, or was last; "": it told no name
    std::string connection;               // its last one; "": nobody was served yet
    std::deque<std::string> turned_away;  // connections, the last one at the end
    std::string turned_away_last;         // agent; "": none since one is served
  };
  static void note_turned_away(Served& served, const std::string& connection);

  std::map<TableIndex, Served> tables_;
  bool waits_for_former_ = false;
};

}  // namespace linkmeter
