// ZapAuthenticator: ZAP handler (RFC 27): decides which public keys may connect to which socket.
// All listening sockets use CURVE. It runs on its own thread so that connection floods do not delay
// the turn. A message carries the key that its connection proved (TableSocket), and the turn checks
// its owner again.
//
// Laws: a connection needs CURVE and a key enrolled for the socket's domain, and the feed sends
// nothing to a key that was removed. Refused connections are counted. A viewer only subscribes, and
// ZeroMQ keeps each subscription in memory: a connection to the feed that sends more than a viewer
// needs is closed (ViewerBounds). Many connections can still load the feed's thread together, so
// the rate of each key is limited (ViewerRate), and none is accepted while that thread is late;
// ZeroMQ's viewers then retry by themselves. When there are too many, the owner with the most loses
// its oldest (ViewerSlots). A node's connections are bounded in the same way (node_bounds); what it
// sends is its first subscription. REQUIRES: the guarded sockets are closed before this is
// destroyed, and the context after it.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/viewer_rate.h"
#include "meters/values/enrolment.h"
#include "proto/host/credentials.h"

namespace linkmeter {

class ZapAuthenticator {
 public:
  // The ZAP domains, each with its own list of keys.
  enum class Domain : std::uint8_t { tables, feed, control, nodes };
  static constexpr std::size_t doors = 4;
  // Since the start, over all domains.
  struct Counts {
    std::uint64_t connected = 0;          // connections accepted from the network
    std::uint64_t admitted = 0;           // connections admitted
    std::uint64_t key_unknown = 0;        // CURVE, with a key that is not enrolled
    std::uint64_t without_key = 0;        // ZeroMQ without CURVE
    std::uint64_t handshake_failed = 0;   // CURVE, but the handshake was invalid
    std::uint64_t handshake_expired = 0;  // handshake timed out, or was cut short
    // Connections that ended, admitted or not. Peers that do not use ZeroMQ show only here.
    std::uint64_t disconnected = 0;
    // Connections to the feed, or of nodes, that exceeded the ViewerBounds: closed, or refused.
    std::uint64_t viewers_ended = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
    // The sum of two counts.
    friend Counts operator+(const Counts& left, const Counts& right);
  };

  // Bounds on the input of connections to the feed. Bytes are those of TCP, with CURVE's handshake;
  // a connection's allowance refills by bytes_per_second.
  struct ViewerBounds {
    std::size_t connections_max = 1'024;                 // subscribed
    std::size_t connections_of_key_max = 32;             // subscribed, with one key
    std::size_t arriving_max = 512;                      // not subscribed yet (ViewerSlots)
    std::chrono::milliseconds arriving_time_max{5'000};  // until the first subscription
    ViewerRate::Bound rate_of_key{32, std::chrono::milliseconds(500)};
    ViewerRate::Bound rate_of_all{16, std::chrono::milliseconds(6)};
    std::chrono::milliseconds late_after{500};  // the feed's thread since its last round
    // For one connection: bytes_min plus two subscriptions to every topic, at most bytes_max.
    std::uint64_t bytes_min = std::uint64_t{3} << 10U;
    std::uint64_t bytes_max = std::uint64_t{256} << 10U;
    std::uint64_t all_bytes_max = std::uint64_t{4} << 20U;  // of all connections
    std::uint64_t bytes_per_second = 256;
    std::uint32_t unknown_topics_max = 16;   // of one connection: topics without a link
    std::chrono::milliseconds interval{50};  // between two checks of the bytes
  };
  static const ViewerBounds viewer_bounds;
  // Of connections of nodes (EntryServer). A node has one for entries, one for a file, and those
  // that its last process left half-dead. It may send as much as it likes.
  static const ViewerBounds node_bounds;

  // `keys` are the controller's own. Throws Fault. `context` must outlive this.
  ZapAuthenticator(zmq::context_t& context, KeyPair keys, std::string operator_key,
                   const ViewerBounds& viewers = viewer_bounds);
  ~ZapAuthenticator();
  ZapAuthenticator(const ZapAuthenticator&) = delete;
  ZapAuthenticator& operator=(const ZapAuthenticator&) = delete;

  // Makes the socket a CURVE server of this domain. REQUIRES: it is not bound yet.
  void secure_socket(zmq::socket_ref socket, Domain door);
  // From now on admits exactly these keys. If a key was removed, every connection to the feed is
  // closed, and viewers with enrolled keys reconnect: the feed only sends, so nothing else would
  // stop a removed key. A connected table or node stays connected; each of its messages is checked
  // again.
  void admit(const Enrolments& enrolments);

  // The feed connection with this descriptor has subscribed with its key, or the connection of a
  // node has asked. Any thread.
  void note_subscription(int connection, const std::string& key, bool is_known_topic);
  // The feed's topics: the total length of their names, and their number. Call before the feed's
  // socket is bound.
  void expect_topics(std::uint64_t bytes, std::size_t count);
  // The feed's thread begins a round. Without these calls no further connection is accepted. Any
  // thread.
  void note_feed_round();
  // From now on admits only this key of the operator's tool.
  void admit_operator(const std::string& key);

  [[nodiscard]] Counts counts() const;
  // Log lines since the last call: a few a second at most, and the number of suppressed ones.
  // Throws Fault if the thread has ended: then no further connection is accepted.
  [[nodiscard]] std::vector<std::string> take_log_lines();

 private:
  class Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace linkmeter
