// RequestContext: one request and what becomes of it, between libmicrohttpd's calls.
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
#include "proto/http/server.h"

namespace linkmeter {

struct RequestContext {
  std::string target;  // as it came
  WebRequest request;
  std::string asker;  // whose requests and streams it counts with: a session, or an address
  bool is_head = false;
  bool has_begun = false;  // its headers were looked at
  bool is_refused = false;
  bool is_suspended = false;
  RequestId ticket;  // 0: nobody was asked for an answer
  std::optional<WebReply> answer;
  std::unique_ptr<WebListener> listener;                         // of a stream
  std::function<ssize_t(char* to, std::size_t bytes_max)> read;  // its next bytes
  EventBroker::Moment told;  // when the stream said something last
  bool is_ended = false;     // the stream says nothing more
  MHD_Connection* handle = nullptr;
  WebConnection* connection = nullptr;

  RequestContext() = default;
  RequestContext(const RequestContext&) = delete;
  RequestContext& operator=(const RequestContext&) = delete;
  ~RequestContext() { forget(request.body); }
};

// Reads the headers into the request. What is wrong with them, or with the length of the body that
// they announce, as the response.
std::optional<WebResponse> read_headers(const char* method, bool secure,
                                        const WebServer::Bounds& bounds, RequestContext& exchange);

// Queues the response with the headers that every response has. False: the connection is to end.
bool send_response(const RequestContext& exchange, const WebResponse& response);
// The same for a stream, which exchange.read gives the bytes of.
bool send_stream(RequestContext& exchange);

}  // namespace linkmeter
