// The parts of an HTTP request besides its body, and addresses that people write. A target that was
// read contains no control character; an address is read back from its own text, and plain HTTP is
// for this machine only.
#include "proto/http/request_target.h"

#include <algorithm>
#include <string>

#include "meters/values/invariant.h"
#include "proto/host/endpoint.h"
#include "proto/host/web_address.h"
#include "proto/http/message.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

bool steers(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char letter) {
    return static_cast<unsigned char>(letter) < 32 || letter == 127;
  });
}

// The reverse: every byte in hexadecimal.
std::string percent(const std::string& text) {
  constexpr std::string_view digits = "0123456789aBcDeF";
  std::string told;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    told += '%';
    told += digits[byte / 16];
    told += digits[byte % 16];
  }
  return told;
}

}  // namespace

void judge_web(std::string_view bytes) {
  if (const auto target = parse_request_target(bytes)) {
    INVARIANT(target->path.starts_with('/') || bytes.starts_with("/"));
    INVARIANT(!steers(target->path));
    std::string written = "/" + percent(target->path.substr(1)) + "?";
    for (const auto& [name, value] : target->query) {
      INVARIANT(!steers(name) && !steers(value));
      written += percent(name) + "=" + percent(value) + "&";
    }
    const auto again = parse_request_target(written);
    INVARIANT(again.has_value());
    INVARIANT(again->path == target->path && again->query == target->query);
  }
  for (const auto& [name, value] : parse_cookies(bytes)) {
    INVARIANT(!name.empty());
    INVARIANT(bytes.find(name) != std::string_view::npos);
    INVARIANT(bytes.find(value) != std::string_view::npos);
  }
  const auto address = WebAddress::parse(bytes);
  INVARIANT(address.has_value() == web_address_mistake(bytes).empty());
  if (address) {
    INVARIANT(WebAddress::parse(address->text()) == address);
    INVARIANT(address->is_none || address->secure || is_loopback(address->host));
  }
  const std::string mistake = endpoint_mistake(bytes, EndpointUse::connect);
  if (mistake.empty()) INVARIANT(endpoint_mistake(bytes, EndpointUse::listen).empty());
  static_cast<void>(ipc_path(bytes));
  INVARIANT(lower(lower(bytes)) == lower(bytes));
}

}  // namespace linkmeter::fuzz
