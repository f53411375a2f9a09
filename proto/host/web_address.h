// WebAddress: where a program serves its pages, as people write it in an option or a floor file:
// http://127.0.0.1:6059, https://HOST:PORT, or "none". Port 0 takes one that is free.
//
// Law: plain HTTP is only for this machine itself; whoever can be reached from beyond it is reached
// by HTTPS alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sockaddr;

namespace linkmeter {

struct WebAddress {
  bool secure = false;
  std::string host = "127.0.0.1";  // an address without brackets, a name, or "*": every address
  std::uint16_t port = 0;          // 0: one that is free
  bool is_none = false;            // no pages at all
  friend bool operator==(const WebAddress&, const WebAddress&) = default;

  // nullopt where web_address_mistake() says why.
  static std::optional<WebAddress> parse(std::string_view text);
  // "http://127.0.0.1:6059", "https://[::1]:6059", "none".
  [[nodiscard]] std::string text() const;
};

// What is wrong with it, as a sentence goes on after the name of the option or key. "" if nothing
// is.
std::string web_address_mistake(std::string_view text);

// An address of IPv4 or IPv6, without brackets; else it may be a name.
bool is_address(const std::string& host);
// 127.0.0.0/8, ::1 or localhost.
bool is_loopback(std::string_view host);
// The address of a socket, IPv4 or IPv6, without port; "" for another family.
std::string web_address_of(const sockaddr* address);

}  // namespace linkmeter
