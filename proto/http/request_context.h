// RequestContext: one request and its response, between the calls of libmicrohttpd.
#pragma once

#include <microhttpd.h>
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "proto/host/secret.h"
#include "proto/http/connection_limiter.h"
#include "proto/http/event_broker.h"
#include "proto/http/message.h"

namespace linkmeter {

struct RequestContext {
  std::string target;  // as received
  WebRequest request;
  std::string asker;  // the owner for limits: a session or an address
  bool is_head = false;
  bool has_begun = false;  // its headers were read
  bool is_refused = false;
  bool is_suspended = false;
  RequestId ticket;  // 0: the handler was not called
  std::optional<WebReply> answer;
  std::unique_ptr<WebListener> listener;                         // for a stream
  std::function<ssize_t(char* to, std::size_t bytes_max)> read;  // the stream's next bytes
  EventBroker::Moment last_sent;  // when the stream last sent something
  bool is_ended = false;          // the stream sends nothing more
  MHD_Connection* handle = nullptr;
  WebConnection* connection = nullptr;

  RequestContext() = default;
  RequestContext(const RequestContext&) = delete;
  RequestContext& operator=(const RequestContext&) = delete;
  ~RequestContext() { forget(request.body); }
};

// Reads the headers into the request. Returns a response if they are malformed or exceed a bound,
// or if the announced body does.
std::optional<WebResponse> read_headers(const char* method, bool secure, const ServerBounds& bounds,
                                        RequestContext& exchange);

// Queues the response, with the headers of every response. False: the connection must end.
bool send_response(const RequestContext& exchange, const WebResponse& response);
// The same for a stream, whose bytes come from exchange.read.
bool send_stream(RequestContext& exchange);

}  // namespace linkmeter
