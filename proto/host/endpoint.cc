#include "proto/host/endpoint.h"

#include <arpa/inet.h>
#include <sys/un.h>

#include <algorithm>

#include "meters/values/number.h"

namespace linkmeter {
namespace {

constexpr std::string_view tcp = "tcp://";
constexpr std::string_view ipc = "ipc://";
// Including the terminating zero.
constexpr std::size_t ipc_path_size = sizeof(sockaddr_un::sun_path);
constexpr std::uint64_t port_max = 65'535;

bool is_port(std::string_view text) { return parse_number(text, port_max).value_or(0) >= 1; }

bool has_blank(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char letter) {
    return static_cast<unsigned char>(letter) <= ' ' || letter == '\x7f';
  });
}

std::string tcp_mistake(std::string_view address, EndpointUse use) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return "it has no port: tcp://HOST:PORT";
  const std::string_view host = address.substr(0, colon);
  const std::string_view port = address.substr(colon + 1);
  const bool may_be_open = use == EndpointUse::listen;
  if (host.empty()) return "it has no host: tcp://HOST:PORT";
  if (host.find('/') != std::string_view::npos) return "a host has no slash";
  if (!may_be_open && (host == "*" || port == "*")) return "a * is only for who listens";
  if (!is_port(port) && port != "*") return "a port is a number from 1 to 65535";
  return "";
}

std::string mistake(std::string_view endpoint, EndpointUse use) {
  if (has_blank(endpoint)) return "an endpoint has no blanks";
  if (endpoint.starts_with(tcp)) return tcp_mistake(endpoint.substr(tcp.size()), use);
  if (!endpoint.starts_with(ipc)) return "an endpoint is tcp://HOST:PORT or ipc://PATH";
  const std::string_view path = ipc_path(endpoint);
  if (path.empty()) return "it has no path: ipc://PATH";
  if (path.size() < ipc_path_size) return "";
  return "its path is not shorter than " + std::to_string(ipc_path_size) + " bytes";
}

}  // namespace

std::string endpoint_mistake(std::string_view endpoint, EndpointUse use) {
  const std::string why = mistake(endpoint, use);
  return why.empty() ? "" : "is \"" + std::string(endpoint) + "\"; " + why;
}

std::string endpoint_list_mistake(const std::vector<std::string>& endpoints,
                                  std::size_t count_max) {
  if (endpoints.size() > count_max) {
    return "has " + std::to_string(endpoints.size()) + " endpoints; at most " +
           std::to_string(count_max) + " are allowed";
  }
  for (auto one = endpoints.begin(); one != endpoints.end(); ++one) {
    if (std::find(endpoints.begin(), one, *one) != one) {
      return "has \"" + *one + "\" twice; each endpoint is named once";
    }
  }
  return "";
}

bool has_host_name(std::string_view endpoint) {
  if (!endpoint.starts_with(tcp)) return false;
  std::string host(endpoint.substr(tcp.size(), endpoint.rfind(':') - tcp.size()));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  in6_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) != 1 &&
         ::inet_pton(AF_INET6, host.c_str(), &address) != 1;
}

std::string_view ipc_path(std::string_view endpoint) {
  return endpoint.starts_with(ipc) ? endpoint.substr(ipc.size()) : std::string_view();
}

}  // namespace linkmeter
