#include "proto/http/connection_limiter.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "meters/values/invariant.h"
#include "proto/host/web_address.h"

namespace linkmeter {
namespace {

// Sent data that stays unacknowledged for this long means that the client, or the path, is gone.
constexpr unsigned unconfirmed_ms_max = 20'000;
// Clients whose requests are counted.
constexpr std::size_t spenders_max = 8'192;

}  // namespace

std::string web_peer(const sockaddr* address) {
  if (address->sa_family != AF_INET6) return web_address_of(address);
  const auto* six = reinterpret_cast<const sockaddr_in6*>(address);
  if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr) || IN6_IS_ADDR_LOOPBACK(&six->sin6_addr)) {
    return web_address_of(address);
  }
  sockaddr_in6 network = *six;
  std::fill(std::begin(network.sin6_addr.s6_addr) + 8, std::end(network.sin6_addr.s6_addr),
            std::uint8_t{0});
  return web_address_of(reinterpret_cast<const sockaddr*>(&network)) + "/64";
}

void WebConnection::expect(const char* what, Moment until) {
  waiting_for = what;
  deadline = until;
  has_deadline = true;
}

void WebConnection::expect_next(Moment until) {
  expect("next request", until);
  is_idle = true;
}

WebConnection* ConnectionLimiter::take_idle(const std::string& peer) {
  WebConnection* longest = nullptr;
  for (const auto& [connection, owner] : connections_) {
    if (!connection->is_idle || connection->is_cut) continue;
    if (longest == nullptr || connection->deadline < longest->deadline) longest = connection;
  }
  if (longest == nullptr) longest = find_unbegun();
  if (longest == nullptr) longest = find_crowded(peer);
  if (longest != nullptr) longest->is_cut = true;
  return longest;
}

WebConnection* ConnectionLimiter::find_unbegun() const {
  std::map<std::string_view, std::size_t> counts;  // by peer
  const auto is_unbegun = [](const WebConnection& one) { return one.is_first && !one.is_cut; };
  for (const auto& [connection, owner] : connections_) {
    if (is_unbegun(*connection)) ++counts[connection->peer];
  }
  WebConnection* found = nullptr;
  for (const auto& [connection, owner] : connections_) {
    if (!is_unbegun(*connection)) continue;
    const std::size_t count = counts[connection->peer];
    const std::size_t most = found == nullptr ? 0 : counts[found->peer];
    if (count > most || (count == most && connection->since < found->since)) found = connection;
  }
  return found;
}

WebConnection* ConnectionLimiter::find_crowded(const std::string& peer) const {
  std::map<std::string, std::size_t> counts;  // by owner
  const auto may_go = [](const WebConnection& one) { return !one.is_kept && !one.is_cut; };
  for (const auto& [connection, owner] : connections_) {
    if (may_go(*connection)) ++counts[owner_of(connection->peer)];
  }
  const std::size_t own = counts[owner_of(peer)];
  const auto most = std::max_element(
      counts.begin(), counts.end(),
      [](const auto& left, const auto& right) { return left.second < right.second; });
  if (most->second < own + 2) return nullptr;
  WebConnection* found = nullptr;
  for (const auto& [connection, owner] : connections_) {
    if (!may_go(*connection) || owner_of(connection->peer) != most->first) continue;
    if (found == nullptr || connection->since < found->since) found = connection;
  }
  return found;
}

const char* ConnectionLimiter::refusal(const std::string& peer) const {
  const auto found = by_peer_.find(peer);
  const std::size_t count = found == by_peer_.end() ? 0 : found->second;
  const bool is_spared = bounds_.spares_loopback && is_loopback(peer);
  // Checked first: no connection is closed for an address that has its share.
  if (!is_spared && count >= bounds_.connections_per_address_max) return "connections_of_address";
  const std::size_t kept = known_.contains(peer) ? bounds_.connections_kept : 0;
  return connections_.size() < bounds_.connections_max + kept ? nullptr : no_slot;
}

const char* ConnectionLimiter::is_over_rate(const std::string& peer, Moment now) {
  if (known_.contains(peer) || (bounds_.spares_loopback && is_loopback(peer))) return nullptr;
  return spend("connecting " + peer, now) ? "connections_in_haste" : nullptr;
}

std::string ConnectionLimiter::owner_of(const std::string& peer) const {
  return bounds_.spares_loopback && is_loopback(peer) ? "loopback" : peer;
}

std::size_t ConnectionLimiter::streams_of(const std::string& owner) const {
  const auto found = streams_.find(owner);
  return found == streams_.end() ? 0 : found->second.open.size();
}

const char* ConnectionLimiter::stream_refusal(const std::string& owner, bool is_known) const {
  // Checked first: no stream is ended for an owner that has its share.
  const std::size_t own = streams_of(owner);
  if (is_known && own >= bounds_.streams_per_session_max) return "streams_of_session";
  const bool is_spared = bounds_.spares_loopback && owner == owner_of("127.0.0.1");
  if (!is_known && !is_spared && own >= bounds_.streams_per_address_max) {
    return "streams_of_address";
  }
  const std::size_t kept = is_known ? bounds_.streams_kept : 0;
  return stream_count_ < bounds_.streams_max + kept ? nullptr : no_stream;
}

WebConnection* ConnectionLimiter::take_stream(const std::string& owner, bool is_known) {
  auto most = streams_.end();
  for (auto at = streams_.begin(); at != streams_.end(); ++at) {
    if (at->second.is_known && !is_known) continue;
    if (most == streams_.end() || at->second.open.size() > most->second.open.size()) most = at;
  }
  if (most == streams_.end() || most->second.open.size() < streams_of(owner) + 2) return nullptr;
  WebConnection* oldest = most->second.open.front();
  stream_ended(*oldest);
  return oldest;
}

void ConnectionLimiter::stream_began(WebConnection& connection, const std::string& owner,
                                     bool is_known) {
  connection.stream_owner = owner;
  Streams& streams = streams_[owner];
  streams.open.push_back(&connection);
  streams.is_known = is_known;
  ++stream_count_;
}

void ConnectionLimiter::stream_ended(WebConnection& connection) {
  const std::string owner = std::exchange(connection.stream_owner, "");
  if (owner.empty()) return;
  const auto found = streams_.find(owner);
  INVARIANT(found != streams_.end());
  std::erase(found->second.open, &connection);
  if (found->second.open.empty()) streams_.erase(found);
  --stream_count_;
}

std::optional<std::chrono::milliseconds> ConnectionLimiter::spend(const std::string& who,
                                                                  Moment now) {
  if (spent_.size() >= spenders_max && !spent_.contains(who)) {
    std::erase_if(spent_, [now](const auto& one) { return one.second <= now; });
    if (spent_.size() >= spenders_max) spent_.erase(spent_.begin());
  }
  const std::chrono::nanoseconds each =
      std::chrono::nanoseconds(std::chrono::seconds(1)) / bounds_.requests_per_second;
  Moment& due = spent_.try_emplace(who, now).first->second;
  const Moment begins = std::max(due, now);
  const Moment allowed = now + each * (bounds_.requests_burst - 1);
  if (begins > allowed) return std::chrono::ceil<std::chrono::milliseconds>(begins - allowed);
  due = begins + each;
  return std::nullopt;
}

WebConnection* ConnectionLimiter::opened(int socket, std::string peer, Moment now) {
  ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unconfirmed_ms_max,
               sizeof unconfirmed_ms_max);
  auto made = std::make_unique<WebConnection>();
  made->socket = socket;
  made->peer = std::move(peer);
  made->since = now;
  made->expect("headers", now + bounds_.headers_within);
  ++by_peer_[made->peer];
  WebConnection* connection = made.get();
  connections_.emplace(connection, std::move(made));
  return connection;
}

void ConnectionLimiter::closed(WebConnection* connection) {
  stream_ended(*connection);
  const auto peer = by_peer_.find(connection->peer);
  INVARIANT(peer != by_peer_.end());
  if (--peer->second == 0) by_peer_.erase(peer);
  connections_.erase(connection);
}

std::vector<WebConnection*> ConnectionLimiter::late(Moment now) {
  std::vector<WebConnection*> late;
  for (const auto& [connection, owner] : connections_) {
    if (!connection->has_deadline || connection->is_cut || now < connection->deadline) continue;
    connection->is_cut = true;
    late.push_back(connection);
  }
  return late;
}

}  // namespace linkmeter
