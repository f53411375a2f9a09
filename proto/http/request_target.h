// The target of an HTTP request, "/sign/C4%2DMEGA?turn=12", and its cookies, taken apart strictly:
// what is not well-formed is nothing at all, and never half of something.
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

// nullopt: no path, a percent sign without two hexadecimal digits, or a control character.
std::optional<RequestTarget> parse_request_target(std::string_view target);

// Of a Cookie header; what has no name is left out, of two the first is taken.
std::map<std::string, std::string> parse_cookies(std::string_view header);

}  // namespace linkmeter
