// The target of an HTTP request, as "/sign/C4%2DMEGA?turn=12", and its cookies. Parsing is strict:
// a malformed target gives no result, never a part of one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace linkmeter {

struct RequestTarget {
  std::string path;  // decoded
  std::multimap<std::string, std::string> query;
};

// nullopt: it does not begin with '/', has a percent sign without two hexadecimal digits, or has a
// control character, also after decoding.
std::optional<RequestTarget> parse_request_target(std::string_view target);

// The cookies of a Cookie header. One without a name is left out; of two with the same name the
// first counts.
std::map<std::string, std::string> parse_cookies(std::string_view header);

}  // namespace linkmeter
