// How WebServer's thread serves one request: reads it, asks the handler, and sends what that says.
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "meters/values/check.h"
#include "proto/host/sha256.h"
#include "proto/http/server_impl.h"

namespace linkmeter {
namespace {

using Clock = std::chrono::steady_clock;

// A reader of events that takes nothing for so long is none.
constexpr std::chrono::seconds stuck_max{30};

}  // namespace

MHD_Result WebServer::Service::take(RequestContext& exchange, const char* method, const char* body,
                                    std::size_t* bytes) {
  if (!exchange.has_begun) {
    exchange.has_begun = true;
    WebConnection& connection = *exchange.connection;
    const Moment now = Clock::now();
    const auto& bounds = setup_.bounds;
    connection.expect("request", connection.is_first
                                     ? connection.since + bounds.request_within
                                     : now + (bounds.request_within - bounds.headers_within));
    connection.is_first = false;
    connection.is_idle = false;
    auto refusal = read_headers(method, setup_.address.secure, bounds, exchange);
    if (!refusal) refusal = refuse_haste(exchange, now);
    if (!refusal) return MHD_YES;
    exchange.is_refused = true;
    return respond(exchange, *refusal);
  }
  if (*bytes > 0) {
    // No more than the announced length comes, which is within the bounds.
    exchange.request.body.append(body, *bytes);
    *bytes = 0;
    return MHD_YES;
  }
  if (exchange.answer) return reply(exchange, std::move(*exchange.answer));
  return ask_handler(exchange);
}

std::optional<WebResponse> WebServer::Service::refuse_haste(RequestContext& exchange, Moment now) {
  WebRequest& request = exchange.request;
  const auto cookie = request.cookies.find(setup_.session_cookie);
  exchange.asker = door_.owner_of(request.peer);
  std::string who = request.peer;
  if (!known_cookies_.empty() && cookie != request.cookies.end()) {
    const Digest digest = sha256(cookie->second);
    request.is_known = known_cookies_.contains(digest);
    if (request.is_known) exchange.asker = who = hex(digest);
  }
  if (setup_.bounds.spares_loopback && is_loopback(request.peer)) return std::nullopt;
  const auto wait = door_.spend(who, now);
  if (!wait) return std::nullopt;
  count_refused("requests");
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(*wait).count();
  WebResponse no = web_refusal(429, "too_many_requests", "too much was asked from here; wait");
  no.headers.emplace_back("Retry-After", std::to_string(seconds));
  return no;
}

MHD_Result WebServer::Service::respond(RequestContext& exchange, const WebResponse& response) {
  exchange.connection->expect("reading", Clock::now() + setup_.bounds.sending_max);
  exchange.connection->is_kept = false;
  {
    const std::lock_guard held(counts_mutex_);
    ++counts_.responses[response.status];
  }
  return send_response(exchange, response) ? MHD_YES : MHD_NO;
}

MHD_Result WebServer::Service::ask_handler(RequestContext& exchange) {
  if (is_stopping_) return respond(exchange, web_refusal(503, "stopping", "the program stops"));
  exchange.ticket = RequestId{++last_ticket_};
  WebReply said;
  try {
    const ReadingScope reads;
    said = handler_(exchange.request, exchange.ticket);
  } catch (const std::exception&) {
    said = web_refusal(500, "internal", "something went wrong here; nothing was changed");
  }
  return reply(exchange, std::move(said));
}

MHD_Result WebServer::Service::reply(RequestContext& exchange, WebReply said) {
  if (const auto* response = std::get_if<WebResponse>(&said)) return respond(exchange, *response);
  if (auto* stream = std::get_if<WebStream>(&said)) {
    return begin_stream(exchange, std::move(*stream));
  }
  waiting_.emplace(exchange.ticket, &exchange);
  exchange.connection->expect_nothing();
  exchange.connection->deadline = Clock::now() + setup_.bounds.answer_within;
  exchange.connection->is_kept = true;
  suspend(exchange);
  return MHD_YES;
}

MHD_Result WebServer::Service::begin_stream(RequestContext& exchange, WebStream stream) {
  if (exchange.is_head) {
    WebResponse head;
    head.type = "text/event-stream";
    return respond(exchange, head);
  }
  const bool is_known = exchange.request.is_known;
  const char* limit = door_.stream_refusal(exchange.asker, is_known);
  if (limit == ConnectionLimiter::no_stream && make_stream_room(exchange)) limit = nullptr;
  if (limit != nullptr) {
    count_refused(limit);
    WebResponse full = web_refusal(503, "too_many_streams", "too many signs are open; try again");
    full.headers.emplace_back("Retry-After", "5");
    return respond(exchange, full);
  }
  for (const std::string& topic : stream.topics) listeners_[topic].insert(&exchange);
  exchange.listener = std::make_unique<WebListener>(std::move(stream.topics));
  exchange.read = [this, &exchange](char* to, std::size_t bytes_max) {
    return read_stream(exchange, to, bytes_max);
  };
  exchange.told = Clock::now();
  streams_.insert(&exchange);
  door_.stream_began(*exchange.connection, exchange.asker, is_known);
  exchange.connection->is_kept = false;
  count_connections();
  exchange.connection->expect("reading", exchange.told + stuck_max);
  {
    const std::lock_guard held(counts_mutex_);
    ++counts_.responses[200];
  }
  return send_stream(exchange) ? MHD_YES : MHD_NO;
}

// The one that is ended comes back, as every sign does, and finds its address at its share.
bool WebServer::Service::make_stream_room(const RequestContext& newcomer) {
  const WebConnection* ended = door_.take_stream(newcomer.asker, newcomer.request.is_known);
  if (ended == nullptr) return false;
  count_cut("streams");
  for (RequestContext* stream : streams_) {
    if (stream->connection != ended) continue;
    stream->is_ended = true;
    resume(*stream);
  }
  ::shutdown(ended->socket, SHUT_RDWR);  // of one that does not read, too
  return true;
}

ssize_t WebServer::Service::read_stream(RequestContext& exchange, char* to, std::size_t bytes_max) {
  if (exchange.is_ended || is_stopping_) return MHD_CONTENT_READER_END_OF_STREAM;
  const Moment now = Clock::now();
  const std::string_view piece = exchange.listener->read(topics_, bytes_max, now);
  if (piece.empty()) {
    suspend(exchange);
    exchange.connection->expect_nothing();
    return 0;
  }
  std::copy(piece.begin(), piece.end(), to);
  exchange.told = now;
  exchange.connection->expect("reading", now + stuck_max);
  return static_cast<ssize_t>(piece.size());
}

void WebServer::Service::suspend(RequestContext& exchange) {
  exchange.is_suspended = true;
  MHD_suspend_connection(exchange.handle);
}

void WebServer::Service::resume(RequestContext& exchange) {
  if (!exchange.is_suspended) return;
  exchange.is_suspended = false;
  if (exchange.listener) exchange.connection->expect("reading", Clock::now() + stuck_max);
  MHD_resume_connection(exchange.handle);
}

void WebServer::Service::forget(RequestContext& exchange) {
  waiting_.erase(exchange.ticket);
  if (exchange.listener) {
    for (const std::string& topic : exchange.listener->topics()) {
      const auto found = listeners_.find(topic);
      if (found == listeners_.end()) continue;
      found->second.erase(&exchange);
      if (found->second.empty()) listeners_.erase(found);
    }
    streams_.erase(&exchange);
    door_.stream_ended(*exchange.connection);
    count_connections();
  }
  exchange.connection->expect_next(Clock::now() + setup_.bounds.idle_max);
}

void WebServer::Service::count_refused(const char* why) {
  const std::lock_guard held(counts_mutex_);
  ++counts_.refused[why];
}

void WebServer::Service::count_cut(const char* why) {
  const std::lock_guard held(counts_mutex_);
  ++counts_.cut[why];
}

void WebServer::Service::count_connections() {
  const std::lock_guard held(counts_mutex_);
  counts_.connections = door_.count();
  counts_.streams = streams_.size();
}

}  // namespace linkmeter
