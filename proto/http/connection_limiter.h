// ConnectionLimiter: the open connections, and the limits on connections, streams and requests. No
// clock of its own.
//
// Laws: IPv6 addresses count by their /64 network, because a client usually has all of it. The last
// places are reserved for addresses where somebody is signed in. When the other places are full, a
// new connection takes the place of an idle one; if none is idle, of one that never sent a request,
// at the address with the most of these, so half-open connections keep nobody out; and if there is
// none, of the oldest stream or slow reader of the address with the most, if the new connection's
// address has fewer. Streams give way by the same rule, so no address has all of them. A signed-in
// person has a separate share of requests and streams, whatever others at the same address do.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

struct sockaddr;

namespace linkmeter {

// The limits of a WebServer for connections, streams and requests.
struct ServerBounds {
  std::size_t connections_max = 1'024;
  std::size_t connections_kept = 64;  // in addition, for addresses where somebody is signed in
  std::size_t connections_per_address_max = 64;
  std::size_t streams_max = 600;
  std::size_t streams_kept = 64;  // in addition, for signed-in clients
  std::size_t streams_per_address_max = 48;
  std::size_t streams_per_session_max = 16;
  unsigned requests_per_second = 50;  // by address or session, sustained
  unsigned requests_burst = 200;      // at once
  // Limits by address do not apply to this machine. All its addresses then count as one when room
  // is made for others.
  bool spares_loopback = true;
  std::size_t body_bytes_max = std::size_t{64} << 10U;
  std::size_t target_bytes_max = 2'048;              // path and query
  std::size_t headers_bytes_max = 8'192;             // of names and values
  std::chrono::milliseconds headers_within{10'000};  // of connecting
  std::chrono::milliseconds request_within{15'000};  // of connecting
  std::chrono::milliseconds idle_max{20'000};        // between two requests
  std::chrono::milliseconds answer_within{30'000};   // a Deferred; then the response is 503
  std::chrono::milliseconds sending_max{60'000};     // a response that is not a stream
  std::chrono::milliseconds heartbeat{5'000};        // on a stream without events
};

// The address that limits apply to: "10.1.2.3", also if it is mapped to IPv6; "2001:db8:0:1::/64";
// "::1".
std::string web_peer(const sockaddr* address);

// One connection, and the deadline of its current step.
struct WebConnection {
  using Moment = std::chrono::steady_clock::time_point;
  int socket = -1;
  std::string peer;
  std::string address;
  std::string stream_owner;  // of the stream on it; "": no stream
  Moment since;
  Moment deadline;
  const char* waiting_for = "headers";  // the current step, for the counts
  bool has_deadline = true;
  bool is_first = true;  // no request has begun
  bool is_idle = false;  // between two requests
  bool is_cut = false;
  bool is_kept = false;  // waits for an answer, so it is not closed to make room

  void expect(const char* what, Moment until);
  void expect_next(Moment until);
  void expect_nothing() { has_deadline = false; }
};

class ConnectionLimiter {
 public:
  using Moment = WebConnection::Moment;
  explicit ConnectionLimiter(const ServerBounds& bounds) : bounds_(bounds) {}

  static constexpr const char* no_slot = "connections";
  // The limit that forbids one more connection from this address; nullptr: none.
  [[nodiscard]] const char* refusal(const std::string& peer) const;
  // The limit that the address exceeds by connecting too often, even if it never completes a
  // request; nullptr: none. An address where somebody is signed in never exceeds it.
  const char* is_over_rate(const std::string& peer, Moment now);
  // The connection to close so that one from `peer` fits: the one that is idle for longest; else
  // the oldest that never began a request, at the address with the most of these; else the oldest
  // that is not kept, at the address with the most of these, if `peer` would have fewer. nullptr:
  // none. The result counts as cut.
  WebConnection* take_idle(const std::string& peer);
  // The owner whose streams count together: the address, or "loopback". The streams of a session
  // count under a text that is not an address.
  [[nodiscard]] std::string owner_of(const std::string& peer) const;
  static constexpr const char* no_stream = "streams";
  // The limit that forbids one more stream; nullptr: none.
  [[nodiscard]] const char* stream_refusal(const std::string& owner, bool is_known) const;
  // The stream to end so that another fits: the oldest of the owner with the most, if that owner
  // then still has at least as many as `owner`. Only for a signed-in owner (`is_known`) may it be
  // the stream of another signed-in one. nullptr: none. The result no longer counts.
  WebConnection* take_stream(const std::string& owner, bool is_known);
  void stream_began(WebConnection& connection, const std::string& owner, bool is_known);
  // Does nothing if the stream has ended already.
  void stream_ended(WebConnection& connection);
  // Counts one more request of an address or a session. Returns how long it must wait, and then
  // does not count it; nullopt: it may proceed now.
  std::optional<std::chrono::milliseconds> spend(const std::string& who, Moment now);
  void know(std::set<std::string> peers) { known_ = std::move(peers); }
  WebConnection* opened(int socket, std::string peer, Moment now);
  // REQUIRES: opened() returned it, and it is not closed yet.
  void closed(WebConnection* connection);
  // The connections whose deadline has passed, each once.
  std::vector<WebConnection*> late(Moment now);
  [[nodiscard]] std::size_t count() const { return connections_.size(); }

 private:
  struct Streams {
    std::deque<WebConnection*> open;  // oldest first; never empty
    bool is_known = false;
  };
  [[nodiscard]] WebConnection* find_unbegun() const;
  [[nodiscard]] WebConnection* find_crowded(const std::string& peer) const;
  [[nodiscard]] std::size_t streams_of(const std::string& owner) const;

  const ServerBounds& bounds_;
  std::map<WebConnection*, std::unique_ptr<WebConnection>> connections_;
  std::map<std::string, std::size_t> by_peer_;
  std::size_t stream_count_ = 0;
  std::map<std::string, Streams> streams_;  // by owner
  std::map<std::string, Moment> spent_;     // by client: when its requests are all due
  std::set<std::string> known_;             // addresses where somebody is signed in
};

}  // namespace linkmeter
