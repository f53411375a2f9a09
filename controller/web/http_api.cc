#include "controller/web/http_api.h"

#include <utility>
#include <variant>

#include "controller/web/responses.h"
#include "meters/values/invariant.h"
#include "proto/codec/json_nesting.h"
#include "proto/host/fault.h"
#include "proto/host/secret.h"

namespace linkmeter {
namespace {

WebServer::Setup with_cookie(WebServer::Setup setup, const std::string& name) {
  setup.session_cookie = name;
  return setup;
}

// Spaces and tabs may stand before the parameters (RFC 9110, 5.6.6).
bool is_json(const WebRequest& request) {
  const std::string type = request.header("content-type");
  constexpr std::string_view json = "application/json";
  if (!type.starts_with(json)) return false;
  const std::size_t end = type.find_first_not_of(" \t", json.size());
  return end == std::string::npos || type[end] == ';';
}

WebReply nothing_here(WebCall& /*call*/) { return not_found(); }

}  // namespace

HttpApi::HttpApi(const WebServer::Setup& setup, const Subjects& subjects,
                 std::vector<std::string> own_hosts)
    : state_(subjects.controller.state()),
      own_hosts_(std::move(own_hosts)),
      server_(std::make_unique<WebServer>(
          with_cookie(setup, web_sessions_.cookie_name()),
          [this](const WebRequest& request, RequestId ticket) -> WebReply {
            return is_ready_ ? take(request, ticket) : web_busy();
          })),
      logins_(state_, web_sessions_, *server_),
      sessions_(state_, web_sessions_, logins_, subjects.slip_printer.zone(), *server_),
      pages_(state_.floor(), subjects.slip_printer.zone(), *server_),
      claims_(subjects.controller, subjects.journal, *server_),
      slips_(subjects.controller, claims_, subjects.slip_printer),
      accounting_(state_, subjects.journal, subjects.day_reports, subjects.calendar, *server_),
      operator_(state_, claims_, sessions_, logins_) {
  router_.add(pages_.routes());
  router_.add(sessions_.routes());
  router_.add(claims_.routes());
  router_.add(slips_.routes());
  router_.add(accounting_.routes());
  router_.add(operator_.routes());
  // Unknown paths answer 404 only to people who are signed in.
  router_.add({{"GET", "/api/{path}", Access::claims, nothing_here},
               {"POST", "/api/{path}", Access::signed_in, nothing_here}});
  is_ready_ = true;
}

// The workers answer by the server, and the server's thread calls the services.
HttpApi::~HttpApi() {
  pages_.stop();
  accounting_.stop();
  server_.reset();
}

// ---- on the server's thread -------------------------------------------------------------------

WebReply HttpApi::take(const WebRequest& request, RequestId ticket) {
  auto match = router_.find(request.method, request.path);
  if (!match) return not_found();
  if (request.method == "POST") {
    if (!is_json(request)) {
      return web_refusal(415, "not_json", "the body must be JSON: Content-Type application/json");
    }
    if (!is_own_origin(request, own_hosts_)) {
      return web_refusal(403, "origin_refused", "the request is not from a page of this server");
    }
  }
  Waiting waiting{match->route, {request, ticket, std::move(match->path)}};
  if (waiting.route->access == Access::everyone) return waiting.route->handler(waiting.call);
  return wait(std::move(waiting));
}

WebReply HttpApi::wait(Waiting waiting) {
  const WebRequest& request = waiting.call.request;
  const RequestId ticket = waiting.call.ticket;
  const auto cookie = request.cookies.find(web_sessions_.cookie_name());
  const bool is_known = request.is_known;
  const std::string asker =
      is_known && cookie != request.cookies.end() ? cookie->second : request.peer;
  std::optional<Waiting> refused;
  {
    const std::lock_guard held(waiting_mutex_);
    refused = waiting_.push(asker, is_known, std::move(waiting));
  }
  if (refused) {
    forget(refused->call.request.body);
    if (refused->call.ticket == ticket) return web_busy();
    server_->answer(refused->call.ticket, web_busy());
  }
  wake_.signal();
  return Deferred{};
}

// ---- on the loop's thread ---------------------------------------------------------------------

void HttpApi::serve(Moment now) {
  for (Waiting& waiting : take_waiting()) {
    // A request that the server has given up is not begun.
    if (server_->is_abandoned(waiting.call.ticket)) {
      forget(waiting.call.request.body);
      continue;
    }
    waiting.call.now = now;
    answer(waiting.call.ticket, serve_one(waiting));
  }
  claims_.continue_listings(now);
  has_more_ = has_more_ || claims_.is_listing();
  sessions_.update_server();
}

std::deque<HttpApi::Waiting> HttpApi::take_waiting() {
  std::deque<Waiting> taken;
  const std::lock_guard held(waiting_mutex_);
  while (taken.size() < taken_per_loop_max) {
    auto next = waiting_.pop();
    if (!next) break;
    taken.push_back(std::move(*next));
  }
  has_more_ = !waiting_.empty();
  if (!has_more_) wake_.clear();
  return taken;
}

WebReply HttpApi::serve_one(Waiting& waiting) {
  try {
    const bool is_post = waiting.call.request.method == "POST";
    return is_post ? post(*waiting.route, waiting.call) : read(*waiting.route, waiting.call);
  } catch (const Json::exception&) {
    return web_refusal(400, "body_malformed", "the body does not have the form that this needs");
  }
}

// A journal or state that cannot be read fails this request, not the controller.
WebReply HttpApi::read(const Router::Route& route, WebCall& call) {
  try {
    const ReadingScope reads;
    // GET /api/me follows an action of the person and keeps the session alive. The other reads are
    // also made by pages on their own, and do not.
    const bool is_use = route.access == Access::signed_in;
    call.session = is_use ? web_sessions_.find(call.request, call.now.uptime)
                          : web_sessions_.look(call.request, call.now.uptime);
    const Person* person = nullptr;
    if (call.session != nullptr) person = state_.find_person(Badge(call.session->badge));
    if (person == nullptr) return not_signed_in();
    // The person who made the PIN could be the one who reads.
    if (person->pin_set_by_other && route.access != Access::signed_in) {
      return refusal_response(Refusal::pin_to_be_changed);
    }
    if (!allows(route.access, *person)) return refusal_response(Refusal::right_missing);
    return route.handler(call);
  } catch (const BrokenLaw& error) {
    return not_read(error);
  } catch (const Fault& error) {
    return not_read(error);
  }
}

// The body of a request without a session is not read, except for the badge and PIN of a sign-in.
WebReply HttpApi::post(const Router::Route& route, WebCall& call) {
  constexpr std::size_t sign_in_bytes_max = 1'024;
  std::string& text = call.request.body;
  const bool is_sign_in = route.access == Access::sign_in;
  if (!is_sign_in) {
    call.session = web_sessions_.find(call.request, call.now.uptime);
    if (call.session == nullptr) return not_signed_in();
    if (const char* mistake = WebSessions::token_mistake(*call.session, call.request)) {
      return web_refusal(403, mistake, "the page's token is missing or is not the session's");
    }
  }
  const bool is_too_much =
      (is_sign_in && text.size() > sign_in_bytes_max) || is_nested_too_deep(text);
  Json body = is_too_much ? Json() : Json::parse(text, nullptr, false);
  const SecretBody forgotten(body);
  forget(text);
  if (!body.is_object()) {
    return web_refusal(400, "body_malformed", "the body must be a JSON object");
  }
  call.body = &body;
  return route.handler(call);
}

void HttpApi::answer(RequestId ticket, WebReply reply) {
  if (!std::holds_alternative<Deferred>(reply)) server_->answer(ticket, std::move(reply));
}

}  // namespace linkmeter
