// ConnectionLimiter: who is connected, from where and how long; whom a limit keeps out; whose time
// is over; and who asks too often. No clock of its own.
//
// Laws: an address of IPv6 counts by its network of 64 bits, for whoever has one has all of them.
// The last places are for addresses where somebody is signed in: strangers never take them. Of the
// others a connection without a request at the moment gives its place to a newcomer, then one that
// has never sent a request, first at the address with most of them: half-open connections keep
// nobody out. At last the address that has the most gives the oldest of its streams and slow
// readers to a newcomer that has fewer, and of streams the same holds: so no address has all of
// them. A signed-in person has a share of requests and streams, whatever others at that address
// ask.
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

#include "proto/http/server.h"

struct sockaddr;

namespace linkmeter {

// "10.1.2.3", of an IPv4 address in an IPv6 socket too; "2001:db8:0:1::/64"; "::1".
std::string web_peer(const sockaddr* address);

// One connection, and until when what it does now may take.
struct WebConnection {
  using Moment = std::chrono::steady_clock::time_point;
  int socket = -1;
  std::string peer;
  std::string address;
  std::string stream_owner;  // of the stream that it carries; "": it carries none
  Moment since;
  Moment deadline;
  const char* waiting_for = "headers";  // what is late after it, for the counts
  bool has_deadline = true;
  bool is_first = true;  // request
  bool is_idle = false;  // between two requests
  bool is_cut = false;
  bool is_kept = false;  // waits for an answer: not cut for a newcomer

  void expect(const char* what, Moment until);
  void expect_next(Moment until);
  void expect_nothing() { has_deadline = false; }
};

class ConnectionLimiter {
 public:
  using Moment = WebConnection::Moment;
  explicit ConnectionLimiter(const WebServer::Bounds& bounds) : bounds_(bounds) {}

  static constexpr const char* no_slot = "connections";
  // May one more connect from there? nullptr, or the limit that says no.
  [[nodiscard]] const char* refusal(const std::string& peer) const;
  // Connects somebody from there too often, were it only for handshakes and headers that nobody
  // answers? The same; an address where somebody is signed in never does.
  const char* is_over_rate(const std::string& peer, Moment now);
  // Where there is no more room for one from there: the one to be cut. The one that has asked
  // nothing for longest; else, of the address with the most connections that never began a request
  // (unfinished handshakes, headers that do not come), the oldest of these; else, where the address
  // with the most others that are not kept has more than `peer` would have then, the oldest of
  // those. nullptr: nobody's.
  WebConnection* take_idle(const std::string& peer);
  // Whose streams count together: those of an address, or of this machine. Of who is signed in, a
  // text of his session that is no address.
  [[nodiscard]] std::string owner_of(const std::string& peer) const;
  static constexpr const char* no_stream = "streams";
  // May one more stream begin? The same.
  [[nodiscard]] const char* stream_refusal(const std::string& owner, bool is_known) const;
  // Where all streams are taken: the one to be ended, which counts no more; the oldest of the
  // stranger with the most, if he still has no fewer than `owner` then. For who is signed in, of
  // anybody. nullptr: nobody's.
  WebConnection* take_stream(const std::string& owner, bool is_known);
  void stream_began(WebConnection& connection, const std::string& owner, bool is_known);
  // Of one that was ended already, too.
  void stream_ended(WebConnection& connection);
  // One request more, of an address or of a session. How long until it may come; nullopt: now.
  std::optional<std::chrono::milliseconds> spend(const std::string& who, Moment now);
  void know(std::set<std::string> peers) { known_ = std::move(peers); }
  WebConnection* opened(int socket, std::string peer, Moment now);
  // REQUIRES: one that was opened.
  void closed(WebConnection* connection);
  // The connections whose time is over, each once.
  std::vector<WebConnection*> late(Moment now);
  [[nodiscard]] std::size_t count() const { return connections_.size(); }

 private:
  struct Streams {
    std::deque<WebConnection*> open;  // the oldest first; never empty
    bool is_known = false;
  };
  [[nodiscard]] WebConnection* find_unbegun() const;
  [[nodiscard]] WebConnection* find_crowded(const std::string& peer) const;
  [[nodiscard]] std::size_t streams_of(const std::string& owner) const;

  const WebServer::Bounds& bounds_;
  std::map<WebConnection*, std::unique_ptr<WebConnection>> connections_;
  std::map<std::string, std::size_t> by_peer_;
  std::size_t stream_count_ = 0;
  std::map<std::string, Streams> streams_;  // by owner
  std::map<std::string, Moment> spent_;     // by who: when all that he asked would have been due
  std::set<std::string> known_;             // addresses where somebody is signed in
};

}  // namespace linkmeter
