// Intake: where the tables' messages come in and the answers go out (ZeroMQ ROUTER). It knows bytes
// and peers; what they mean is the turn's business.
//
// Laws: a message is one frame of at most so many bytes (Bounds); a longer one costs its sender
// the connection, one with more or fewer frames is counted and dropped (ZeroMQ bounds a frame, not
// how many make a message: what that may cost is the service manager's MemoryMax). A peer that
// nobody is connected as is answered into nothing: the table will ask again. Nothing here blocks,
// whatever a peer does. Who may connect is admission's business; each message carries the key that
// its connection proved. What a connection calls itself is nothing but where its answers go, and a
// name that is taken is not given again: so none can be taken over.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/zap_authenticator.h"
#include "controller/turn/message.h"

namespace linkmeter {

class Intake {
 public:
  static constexpr std::chrono::milliseconds handshake_max{2'000};
  // What one peer may ask of us.
  struct Bounds {
    std::size_t message_bytes_max;
    int messages_waiting_max;  // per connection
    // How long a connection may be half open.
    std::chrono::milliseconds handshake_max = Intake::handshake_max;
  };
  static const Bounds of_tables;

  // Listens at `endpoint`, e.g. "tcp://127.0.0.1:6057" or "tcp://127.0.0.1:*", behind that door.
  // Throws Fault. `context` and `admission` must outlive this.
  Intake(zmq::context_t& context, Admission& admission, const std::string& endpoint,
         Admission::Door door = Admission::Door::tables, Bounds bounds = of_tables);

  // Where it really listens, with the port that a "*" became.
  [[nodiscard]] std::string endpoint() const;
  // For poll.
  [[nodiscard]] zmq::socket_ref socket() { return socket_; }

  // Takes what is waiting, at most `messages_max` messages (dropped ones count, so that junk cannot
  // hold the turn) and about a turn's bytes.
  [[nodiscard]] std::vector<Received> drain(std::size_t messages_max);
  void reply(const Reply& reply);
  void reply_all(const std::vector<Reply>& replies) {
    for (const Reply& one : replies) reply(one);
  }

  // Messages dropped for their number of frames, since the start.
  [[nodiscard]] std::uint64_t dropped_count() const { return dropped_count_; }

 private:
  zmq::socket_t socket_;
  std::uint64_t dropped_count_ = 0;
};

// Binds, and never at a path where another program
// listens or a file is. Throws Fault with the endpoint and the reason.
void listen_at(zmq::socket_t& socket, const std::string& endpoint);

}  // namespace linkmeter
