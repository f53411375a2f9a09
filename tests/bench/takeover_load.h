// Takeover load: tables that play at a pace while the writer of a cluster is killed or hands over,
// and go on with another node, as fast as that node lets them. Sockets without an outbox, but each
// unanswered message is sent again to the other node, with the same bytes.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace linkmeter::bench {

struct Takeover {
  std::string endpoint;        // of the writer
  std::string other;           // the name of the node that takes over
  std::filesystem::path data;  // the writer's data folder, with the keys of the tables
  std::size_t tables = 8;
  std::chrono::milliseconds pace{20};                     // from one message of a table to its next
  std::chrono::milliseconds before{1'500}, after{1'500};  // play before and after
  std::function<void()> event;                            // kills the writer, or begins a handover
};

struct TakenOver {
  // From the event to the first acknowledgement of the other node.
  std::chrono::nanoseconds first{};
  // From the last acknowledgement of the writer to that one.
  std::chrono::nanoseconds gap{};
  std::size_t messages = 0;  // all were acknowledged once
};

// Throws Fault if a message is refused, if the other node does not take over in a minute, or if it
// acknowledges anything else than what each table sent, in order.
TakenOver play(const Takeover& takeover);

}  // namespace linkmeter::bench
