// HTTP requests and responses, as values. WebServer reads and writes their bytes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "meters/values/identity.h"

namespace linkmeter {

// In published data, this mark is replaced by the milliseconds since publish() whenever the data is
// sent. No JSON has these bytes.
inline constexpr std::string_view web_age_mark =
    "\x1b"
    "age\x1b";

struct WebRequest {
  std::string method = "GET";  // GET or POST; HEAD becomes GET
  std::string path;            // decoded: "/sign/C4-MEGA"
  std::multimap<std::string, std::string> query;
  std::map<std::string, std::string> headers;  // names in lower case
  std::map<std::string, std::string> cookies;
  std::string body;
  std::string peer;       // for limits: "10.1.2.3" or a network, "2001:db8:0:1::/64"
  std::string address;    // in full: "10.1.2.3", "2001:db8:0:1::7"
  bool secure = false;    // over TLS
  bool is_known = false;  // its cookie is that of a signed-in client (WebServer::know)

  // "": no such header.
  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

struct WebResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  // In addition to those of every response; one with the same name replaces it.
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// In lower case, ASCII only: names of headers and hosts ignore case.
std::string lower(std::string_view text);

// {"error":"claim_unknown","message":"sentence"}
WebResponse web_refusal(int status, const std::string& error, const std::string& message);

// A response of server-sent events: the latest event of each topic now, then every newer one. A
// slow reader skips to the latest.
struct WebStream {
  std::vector<std::string> topics;
};

// The response comes later, by WebServer::answer() with the request's ticket.
struct Deferred {};

// The signed-in clients: the SHA-256 of their cookies' values, so that the time of a comparison
// reveals nothing, and their addresses.
struct SignedInClients {
  std::set<Digest> cookies;
  std::set<std::string> peers;
};

using WebReply = std::variant<WebResponse, WebStream, Deferred>;

// Identifies a request that waits for its response. Never used twice.
struct RequestId {
  std::uint64_t value = 0;
  friend auto operator<=>(const RequestId&, const RequestId&) = default;
};

}  // namespace linkmeter
