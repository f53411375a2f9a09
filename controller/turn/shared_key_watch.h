// SharedKeyWatch: detects two live agents with one table's key. Each connection has its own name,
// and an agent that reconnects never sends over its old connection again. So repeated alternation
// between connections of one table means two agents: a second one was started by mistake, or the
// key was copied.
//
// Data that was sent over an ended connection may still be read after the first data of the next
// connection. So at most one return a second counts, and only several within half a minute are
// evidence. To keep an attacker from displacing the agent's own connection with many others, the
// watch remembers more connections than one agent can open: an agent sends twice a second, so 128
// new connections within half a minute, or fewer of which one returns, mean more than one agent.
// The watch processes every heartbeat and message with the table's key, also those of a refused
// agent (served_agents.h): an agent that waits sends only Hellos. It has no clock.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class SharedKeyWatch {
 public:
  static constexpr std::size_t returns_max = 3;
  static constexpr std::size_t new_connections_max = 128;
  static constexpr std::chrono::microseconds return_interval{1'000'000};
  static constexpr std::chrono::microseconds window{30'000'000};

  // True: there are two agents; then the watch starts over. `now` never goes back.
  [[nodiscard]] bool note(TableIndex table, const std::string& connection, Timestamp now);

 private:
  struct Seen {
    // At most new_connections_max; the latest sender last.
    std::deque<std::string> connections;
    std::deque<Timestamp> begun;  // when unknown connections first sent
    std::deque<Timestamp> returns;
  };
  // Adds an event. Returns whether there are `count_max` within the window.
  static bool are_too_many(std::deque<Timestamp>& moments, std::size_t count_max, Timestamp now);

  std::map<TableIndex, Seen> tables_;
};

}  // namespace linkmeter
