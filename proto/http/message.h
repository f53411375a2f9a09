// What a web page or a program asks over HTTP, and what it is answered. Values only: who reads the
// bytes is WebServer.
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

struct WebRequest {
  std::string method = "GET";  // GET or POST; HEAD is answered as GET
  std::string path;            // decoded: "/sign/C4-MEGA"
  std::multimap<std::string, std::string> query;
  std::map<std::string, std::string> headers;  // names in lower case
  std::map<std::string, std::string> cookies;
  std::string body;
  std::string peer;       // its address: "10.1.2.3", or its network: "2001:db8:0:1::/64"
  std::string address;    // the whole of it: "10.1.2.3", "2001:db8:0:1::7"
  bool secure = false;    // it came over TLS
  bool is_known = false;  // its cookie is of who is signed in, as the server was told last

  // "" where there is none.
  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

struct WebResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  // Beside those that every response has. One named like one of those takes its place.
  std::vector<std::pair<std::string, std::string>> headers = {};
};

// Names of headers and hosts are the same in either case.
std::string lower(std::string_view text);

// {"error":"claim_unknown","message":"sentence"}
WebResponse web_refusal(int status, const std::string& error, const std::string& message);

// Server-sent events: the latest of each topic now, then every newer one; a slow reader skips to
// the latest.
struct WebStream {
  std::vector<std::string> topics;
};

// Answered by WebServer::answer() with this request's ticket.
struct Deferred {};

// Who is signed in: SHA-256 of the cookies' values, so that comparing them tells nothing; and from
// where.
struct SignedInClients {
  std::set<Digest> cookies;
  std::set<std::string> peers;
};

using WebReply = std::variant<WebResponse, WebStream, Deferred>;

// Names a request that waits for its answer. Never used twice.
struct RequestId {
  std::uint64_t value = 0;
  friend auto operator<=>(const RequestId&, const RequestId&) = default;
};

}  // namespace linkmeter
