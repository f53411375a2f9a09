// WebAddress: where a program serves its pages, as written in an option or a floor file:
// http://127.0.0.1:6059, https://HOST:PORT, or "none". Port 0 means any free port.
//
// Law: plain HTTP is allowed only on this machine. An address that other machines can reach
// requires HTTPS.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sockaddr;

namespace linkmeter {

struct WebAddress {
  bool secure = false;
  std::string host = "127.0.0.1";  // an address without brackets, a name, or "*" for every address
  std::uint16_t port = 0;          // 0: any free port
  bool is_none = false;            // serve no pages
  friend bool operator==(const WebAddress&, const WebAddress&) = default;

  // Returns nullopt for an invalid address; web_address_mistake() gives the reason.
  static std::optional<WebAddress> parse(std::string_view text);
  // "http://127.0.0.1:6059", "https://[::1]:6059", "none".
  [[nodiscard]] std::string text() const;
};

// Returns why the address is invalid, as the rest of a sentence that begins with the option or key.
// Returns "" if it is valid.
std::string web_address_mistake(std::string_view text);

// Whether the host is an IPv4 or IPv6 address without brackets; otherwise it may be a name.
bool is_address(const std::string& host);
// 127.0.0.0/8, ::1 or localhost.
bool is_loopback(std::string_view host);
// The address of a socket, IPv4 or IPv6, without port; "" for another family.
std::string web_address_of(const sockaddr* address);

}  // namespace linkmeter
