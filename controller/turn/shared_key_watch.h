// SharedKeyWatch: do two live agents speak with one table's key? Each connection has a name of its
// own, and an agent that reconnects never speaks over its old connection again. So a connection
// that speaks after another one of the same table did, again and again, means two agents: a second
// one was started by mistake, or the key was copied.
//
// What an ended connection had sent before may still be read after the first words of the next one.
// So a return counts only once a second, and only several of them within half a minute are
// evidence. Many connections could speak in turn until the agent's own is forgotten. So as many are
// remembered as one agent cannot open: it speaks twice a second, so 128 new connections within half
// a minute, or fewer of which one returns, are more than one agent. It is fed with every heartbeat
// and message that comes with the table's key, also with those of an agent that was refused
// (served_agents.h): an agent that waits says only Hellos. It has no clock.
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

  // True: two agents are there. Then it begins anew. `now` never goes back.
  [[nodiscard]] bool note(TableIndex table, const std::string& connection, Timestamp now);

 private:
  struct Seen {
    // At most new_connections_max; the one that spoke last is at the end.
    std::deque<std::string> connections;
    std::deque<Timestamp> begun;  // when connections spoke that were not among these
    std::deque<Timestamp> returns;
  };
  // One more of these happened: are there `count_max` within the window?
  static bool are_too_many(std::deque<Timestamp>& moments, std::size_t count_max, Timestamp now);

  std::map<TableIndex, Seen> tables_;
};

}  // namespace linkmeter
