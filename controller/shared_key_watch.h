// SharedKeyWatch: do two live agents speak with one table's key? Each connection has a name of its
// own, and an agent that reconnects never speaks over its old connection again. So a connection
// that speaks after another one of the same table did, again and again, means two agents: a second
// one was started by mistake, or the key was copied.
//
// What an ended connection had sent before may still be read after the first words of the next one.
// So a return counts only once a second, and only several of them within half a minute are
// evidence. It is fed with every heartbeat and message that comes with the table's key, also with
// those of an agent that was refused (served_agents.h): an agent that waits says only Hellos. It
// has no clock.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "meters/identity.h"
#include "meters/timestamp.h"

namespace linkmeter {

class SharedKeyWatch {
 public:
  static constexpr std::size_t returns_max = 3;
  static constexpr std::chrono::microseconds return_interval{1'000'000};
  static constexpr std::chrono::microseconds window{30'000'000};

  // True: two agents are there. Then it begins anew. `now` never goes back.
  [[nodiscard]] bool note(TablePlace table, const std::string& connection, Timestamp now);

 private:
  static constexpr std::size_t connections_remembered = 8;
  struct Seen {
    std::deque<std::string> connections;  // the one that spoke last is at the end
    std::deque<Timestamp> returns;
  };
  std::map<TablePlace, Seen> tables_;
};

}  // namespace linkmeter
