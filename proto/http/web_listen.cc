#include "proto/http/web_listen.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr int waiting_connections_max = 1'024;

struct FreeAddresses {
  void operator()(addrinfo* first) const { ::freeaddrinfo(first); }
};

std::uint16_t port_of(int socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  // The sockets API takes every kind of address as this one.
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
  if (bound.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
}

Descriptor listening_at(const addrinfo& place) {
  Descriptor made(::socket(place.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1, no = 0;
  if (!made.is_open() ||
      ::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      (place.ai_family == AF_INET6 &&
       ::setsockopt(made.get(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) != 0) ||
      ::bind(made.get(), place.ai_addr, place.ai_addrlen) != 0 ||
      ::listen(made.get(), waiting_connections_max) != 0) {
    const int error = errno;
    made = Descriptor();
    errno = error;
  }
  return made;
}

}  // namespace

WebListening listen_at(const WebAddress& address) {
  addrinfo wanted{};
  wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  wanted.ai_socktype = SOCK_STREAM;
  // "*" is every address of both families: a socket for the newer one takes the older one too.
  if (address.host == "*") wanted.ai_family = AF_INET6;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(address.port);
  const char* host = address.host == "*" ? nullptr : address.host.c_str();
  int error = ::getaddrinfo(host, port.c_str(), &wanted, &found);
  if (error != 0) throw Fault(address.text() + ": " + ::gai_strerror(error));
  const std::unique_ptr<addrinfo, FreeAddresses> all(found);
  Descriptor made;
  for (const addrinfo* place = found; place != nullptr && !made.is_open(); place = place->ai_next) {
    made = listening_at(*place);
  }
  if (!made.is_open() && address.host == "*") {  // a machine without IPv6
    WebAddress four = address;
    four.host = "0.0.0.0";
    return listen_at(four);
  }
  if (!made.is_open()) {
    throw Fault("cannot serve pages at " + address.text() + ": " + std::strerror(errno));
  }
  const std::uint16_t taken = port_of(made.get());
  return {std::move(made), taken};
}

}  // namespace linkmeter
