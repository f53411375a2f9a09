// TableSocket: receives the tables' messages and sends the replies (ZeroMQ ROUTER). It handles
// bytes and peers; the turn interprets them.
//
// Laws: a message is one frame of at most message_bytes_max bytes. A longer one closes its
// connection; one with more or fewer frames is counted and dropped. (ZeroMQ bounds the size of a
// frame, not the number of frames; the service manager's MemoryMax bounds the cost.) Replies to
// disconnected peers are dropped; the table will resend. Nothing here blocks, whatever a peer does.
// ZapAuthenticator decides which connections are accepted; each message carries the key that its
// connection proved. A connection's name serves only to route its replies, and a name in use is not
// given again, so no connection can be taken over.
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

class TableSocket {
 public:
  static constexpr std::chrono::milliseconds handshake_max{2'000};
  // The bounds for one peer.
  struct Bounds {
    std::size_t message_bytes_max;
    int messages_waiting_max;  // per connection
    // The time limit of the handshake.
    std::chrono::milliseconds handshake_max = TableSocket::handshake_max;
  };
  static const Bounds of_tables;

  // Listens at `endpoint`, e.g. "tcp://127.0.0.1:6057" or "tcp://127.0.0.1:*", in that ZAP domain.
  // Throws Fault. `context` and `admission` must outlive this.
  TableSocket(zmq::context_t& context, ZapAuthenticator& admission, const std::string& endpoint,
              ZapAuthenticator::Domain door = ZapAuthenticator::Domain::tables,
              Bounds bounds = of_tables);

  // The bound address, with the port that replaced a "*".
  [[nodiscard]] std::string endpoint() const;
  // For poll.
  [[nodiscard]] zmq::socket_ref socket() { return socket_; }

  // Receives waiting messages: at most `messages_max` (dropped ones count, so that invalid messages
  // cannot hold up the turn) and about a turn's bytes.
  [[nodiscard]] std::vector<InboundMessage> drain(std::size_t messages_max);
  void reply(const Reply& reply);
  void reply_all(const std::vector<Reply>& replies) {
    for (const Reply& one : replies) reply(one);
  }

  // Messages dropped for their number of frames, since the start.
  [[nodiscard]] std::uint64_t dropped_count() const { return dropped_count_; }

 private:
  zmq::socket_t socket_;
  ZapAuthenticator* bounds_connections_ = nullptr;  // of nodes
  std::uint64_t dropped_count_ = 0;
};

// Binds, but never replaces a file or the socket of another program. Throws Fault with the endpoint
// and the reason.
void listen_at(zmq::socket_t& socket, const std::string& endpoint);

}  // namespace linkmeter
