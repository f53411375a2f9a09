#include "meters/edge/web_door.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <utility>

namespace linkmeter {
namespace {

// What was sent and nobody confirmed: the other end, or the way to it, is gone.
constexpr unsigned unconfirmed_ms_max = 20'000;

}  // namespace

std::string web_peer(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address->sa_family == AF_INET) {
    const auto* four = reinterpret_cast<const sockaddr_in*>(address);
    ::inet_ntop(AF_INET, &four->sin_addr, text.data(), text.size());
  } else if (address->sa_family == AF_INET6) {
    const auto* six = reinterpret_cast<const sockaddr_in6*>(address);
    if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
      ::inet_ntop(AF_INET, &six->sin6_addr.s6_addr[12], text.data(), text.size());
    } else {
      ::inet_ntop(AF_INET6, &six->sin6_addr, text.data(), text.size());
    }
  }
  return text.data();
}

void WebConnection::expect(const char* what, Moment until) {
  waiting_for = what;
  deadline = until;
  has_deadline = true;
}

const char* WebDoor::refusal(const std::string& peer) const {
  if (connections_.size() >= bounds_.connections_max) return "connections";
  if (is_loopback(peer)) return nullptr;
  const auto found = by_peer_.find(peer);
  const std::size_t count = found == by_peer_.end() ? 0 : found->second;
  return count < bounds_.connections_per_address_max ? nullptr : "connections_of_address";
}

WebConnection* WebDoor::opened(int socket, std::string peer, Moment now) {
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

void WebDoor::closed(WebConnection* connection) {
  const auto peer = by_peer_.find(connection->peer);
  if (peer != by_peer_.end() && --peer->second == 0) by_peer_.erase(peer);
  connections_.erase(connection);
}

std::vector<WebConnection*> WebDoor::late(Moment now) {
  std::vector<WebConnection*> late;
  for (const auto& [connection, owner] : connections_) {
    if (!connection->has_deadline || connection->is_cut || now < connection->deadline) continue;
    connection->is_cut = true;
    late.push_back(connection);
  }
  return late;
}

}  // namespace linkmeter
