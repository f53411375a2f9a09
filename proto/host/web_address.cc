#include "proto/host/web_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <limits>

#include "meters/values/number.h"

namespace linkmeter {
namespace {

constexpr std::size_t host_bytes_max = 253;

bool is_name_of_host(std::string_view text) {
  if (text.empty() || text.size() > host_bytes_max || text.front() == '-') return false;
  return std::all_of(text.begin(), text.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '.' || letter == '-' || letter == '_';
  });
}

bool is_six(std::string_view host) {
  in6_addr address{};
  return ::inet_pton(AF_INET6, std::string(host).c_str(), &address) == 1;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  const auto port = parse_number(text, std::numeric_limits<std::uint16_t>::max());
  if (!port) return std::nullopt;
  return static_cast<std::uint16_t>(*port);
}

// Fills in the address. Returns the mistake in it, or "".
std::string read(std::string_view text, WebAddress& address) {
  constexpr std::string_view http = "http://", https = "https://";
  constexpr const char* shape = "pages are at http://127.0.0.1:PORT, https://HOST:PORT or none";
  if (text == "none") {
    address.is_none = true;
    return "";
  }
  address.secure = text.starts_with(https);
  if (!address.secure && !text.starts_with(http)) return shape;
  std::string_view rest = text.substr(address.secure ? https.size() : http.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t colon = rest.rfind(':');
  const std::size_t bracket = rest.rfind(']');
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) {
    return std::string("it has no port: ") + shape;
  }
  const auto port = parse_port(rest.substr(colon + 1));
  if (!port) return "a port is a number from 0 to 65535";
  address.port = *port;
  std::string_view host = rest.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    if (!is_six(host)) return "what stands in brackets is no IPv6 address";
  } else if (host != "*" && !is_name_of_host(host)) {
    return std::string("it has no host: ") + shape;
  }
  address.host = std::string(host);
  if (!address.secure && !is_loopback(host)) return "beyond loopback only https";
  return "";
}

}  // namespace

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

bool is_loopback(std::string_view host) {
  if (host == "localhost") return true;
  in_addr four{};
  if (::inet_pton(AF_INET, std::string(host).c_str(), &four) == 1) {
    return (ntohl(four.s_addr) >> 24U) == 127U;
  }
  in6_addr six{};
  return ::inet_pton(AF_INET6, std::string(host).c_str(), &six) == 1 &&
         IN6_IS_ADDR_LOOPBACK(&six) != 0;
}

std::optional<WebAddress> WebAddress::parse(std::string_view text) {
  WebAddress address;
  if (!read(text, address).empty()) return std::nullopt;
  return address;
}

std::string WebAddress::text() const {
  if (is_none) return "none";
  const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return (secure ? "https://" : "http://") + shown + ":" + std::to_string(port);
}

std::string web_address_mistake(std::string_view text) {
  WebAddress address;
  const std::string why = read(text, address);
  return why.empty() ? "" : "is \"" + std::string(text) + "\"; " + why;
}

std::string web_address_of(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address->sa_family == AF_INET) {
    const auto* four = reinterpret_cast<const sockaddr_in*>(address);
    ::inet_ntop(AF_INET, &four->sin_addr, text.data(), text.size());
  } else if (address->sa_family == AF_INET6) {
    const auto* six = reinterpret_cast<const sockaddr_in6*>(address);
    const bool is_four = IN6_IS_ADDR_V4MAPPED(&six->sin6_addr);
    ::inet_ntop(is_four ? AF_INET : AF_INET6, &six->sin6_addr.s6_addr[is_four ? 12 : 0],
                text.data(), text.size());
  }
  return text.data();
}

}  // namespace linkmeter
