#include "proto/http/request_context.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "meters/values/number.h"
#include "proto/http/request_target.h"

namespace linkmeter {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 5> every_response = {{
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
     "font-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-store"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
}};
constexpr const char* strictly_secure = "max-age=31536000";

// Headers that must not repeat: a duplicate could smuggle a second request.
constexpr std::array<std::string_view, 6> once = {
    "host", "content-length", "content-type", "origin", "x-linkmeter-token", "transfer-encoding"};

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char letter) {
    return (static_cast<unsigned char>(letter) < ' ' && letter != '\t') || letter == '\x7f';
  });
}

// RFC 9110, 5.6.2: the name of a header. A space before the colon could smuggle a request.
bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&marks](char letter) {
    const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    return is_letter || (letter >= '0' && letter <= '9') ||
           marks.find(letter) != std::string_view::npos;
  });
}

struct ReadHeaders {
  std::map<std::string, std::string> headers;
  std::size_t bytes = 0;
  std::size_t count = 0;
  bool is_malformed = false;
};

MHD_Result read_header(void* reading, MHD_ValueKind /*kind*/, const char* key, std::size_t key_size,
                       const char* value, std::size_t value_size) noexcept {
  auto& read = *static_cast<ReadHeaders*>(reading);
  const std::string name = lower({key, key_size});
  const std::string_view text(value == nullptr ? "" : value, value == nullptr ? 0 : value_size);
  read.bytes += name.size() + text.size();
  ++read.count;
  if (!is_token(name) || has_control(text)) read.is_malformed = true;
  const auto [found, is_new] = read.headers.emplace(name, text);
  if (is_new) return MHD_YES;
  if (std::find(once.begin(), once.end(), name) != once.end()) read.is_malformed = true;
  found->second += (name == "cookie" ? "; " : ", ") + std::string(text);
  return MHD_YES;
}

// Called by libmicrohttpd, so it must not throw.
ssize_t read_on(void* exchange, std::uint64_t /*at*/, char* to, std::size_t bytes_max) noexcept {
  return static_cast<RequestContext*>(exchange)->read(to, bytes_max);
}

// Whether the request has more bytes than the headers that were read from it: libmicrohttpd
// silently ends a value at a zero byte. Each header may have one space after its colon.
bool hides_bytes(const RequestContext& exchange, std::string_view method, const ReadHeaders& read) {
  const auto* size =
      MHD_get_connection_info(exchange.handle, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  if (size == nullptr) return true;
  constexpr std::string_view version = " HTTP/1.1\r\n", of_header = ": \r\n", end = "\r\n";
  const std::size_t known = method.size() + 1 + exchange.target.size() + version.size() +
                            read.bytes + read.count * of_header.size() + end.size();
  return size->header_size > known;
}

std::optional<WebResponse> refuse_body(const WebRequest& request, std::size_t bytes_max) {
  const std::string length = request.header("content-length");
  const bool is_chunked = request.headers.contains("transfer-encoding");
  if (is_chunked || (length.empty() && request.method == "POST")) {
    return web_refusal(411, "length_required", "a body needs its length: Content-Length");
  }
  if (length.empty()) return std::nullopt;
  if (parse_number(length, bytes_max)) return std::nullopt;
  if (length.find_first_not_of("0123456789") != std::string::npos) {
    return web_refusal(400, "length_malformed", "Content-Length must be a number of bytes");
  }
  return web_refusal(413, "body_too_large",
                     "a body may have at most " + std::to_string(bytes_max) + " bytes");
}

bool has(const WebResponse& response, std::string_view name) {
  return std::any_of(response.headers.begin(), response.headers.end(),
                     [name](const auto& header) { return lower(header.first) == lower(name); });
}

void add_headers(const RequestContext& exchange, const WebResponse& response, MHD_Response* made) {
  for (const auto& [name, value] : every_response) {
    if (!has(response, name)) MHD_add_response_header(made, name, value);
  }
  if (exchange.request.secure) {
    MHD_add_response_header(made, "Strict-Transport-Security", strictly_secure);
  }
  if (response.status != 304) {
    MHD_add_response_header(made, "Content-Type", response.type.c_str());
  }
  for (const auto& [name, value] : response.headers) {
    MHD_add_response_header(made, name.c_str(), value.c_str());
  }
  if (exchange.is_refused) MHD_add_response_header(made, "Connection", "close");
}

bool queue(const RequestContext& exchange, const WebResponse& response, MHD_Response* made) {
  if (made == nullptr) return false;
  add_headers(exchange, response, made);
  const auto queued =
      MHD_queue_response(exchange.handle, static_cast<unsigned>(response.status), made);
  MHD_destroy_response(made);
  return queued == MHD_YES;
}

}  // namespace

std::optional<WebResponse> read_headers(const char* method, bool secure, const ServerBounds& bounds,
                                        RequestContext& exchange) {
  WebRequest& request = exchange.request;
  request.secure = secure;
  request.peer = exchange.connection->peer;
  request.address = exchange.connection->address;
  request.method = method;
  exchange.is_head = request.method == "HEAD";
  if (exchange.is_head) request.method = "GET";
  if (exchange.target.size() > bounds.target_bytes_max) {
    return web_refusal(
        414, "target_too_long",
        "an address may have at most " + std::to_string(bounds.target_bytes_max) + " bytes");
  }
  ReadHeaders read;
  MHD_get_connection_values_n(exchange.handle, MHD_HEADER_KIND, read_header, &read);
  if (read.bytes > bounds.headers_bytes_max) {
    return web_refusal(
        431, "headers_too_large",
        "headers may have at most " + std::to_string(bounds.headers_bytes_max) + " bytes in all");
  }
  if (read.is_malformed || hides_bytes(exchange, method, read)) {
    return web_refusal(400, "header_malformed",
                       "a header is repeated that must not be, has a control character or a space "
                       "before its colon, or is not one line of NAME: VALUE");
  }
  request.headers = std::move(read.headers);
  request.cookies = parse_cookies(request.header("cookie"));
  auto target = parse_request_target(exchange.target);
  if (!target) return web_refusal(400, "address_malformed", "the address is not well-formed");
  request.path = std::move(target->path);
  request.query = std::move(target->query);
  if (request.method != "GET" && request.method != "POST") {
    WebResponse no = web_refusal(405, "method_not_allowed", "only GET and POST are allowed");
    no.headers.emplace_back("Allow", "GET, HEAD, POST");
    return no;
  }
  return refuse_body(request, bounds.body_bytes_max);
}

bool send_response(const RequestContext& exchange, const WebResponse& response) {
  // Copied, because libmicrohttpd takes no pointer to const.
  std::string body = response.body;
  return queue(exchange, response,
               MHD_create_response_from_buffer(body.size(), body.data(), MHD_RESPMEM_MUST_COPY));
}

bool send_stream(RequestContext& exchange) {
  constexpr std::size_t unused_buffer_bytes = 1'024;  // the connection has its own
  WebResponse head;
  head.type = "text/event-stream";
  return queue(exchange, head,
               MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, unused_buffer_bytes, read_on,
                                                 &exchange, nullptr));
}

}  // namespace linkmeter
