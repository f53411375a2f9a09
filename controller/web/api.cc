#include "controller/web/api.h"

#include <spdlog/spdlog.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "controller/web/operator_api.h"
#include "controller/web/sign_board.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "meters/values/number.h"
#include "proto/codec/json_depth.h"
#include "proto/host/fault.h"
#include "proto/host/secret.h"

namespace linkmeter {

std::span<const StaticFile> controller_pages();

namespace {

WebResponse not_signed_in() {
  return web_refusal(401, "not_signed_in", "sign in with badge and PIN");
}

WebResponse nothing_here() { return web_refusal(404, "not_found", "there is nothing here"); }

}  // namespace

HttpApi::HttpApi(const WebServer::Setup& setup, const Controller& controller,
                 const Journal& journal, std::vector<std::string> own_hosts)
    : controller_(controller),
      journal_(journal),
      own_hosts_(std::move(own_hosts)),
      pages_(controller_pages()),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      accounts_(std::make_unique<AccountingWorker>(
          [this](RequestId ticket, WebResponse response) { answer(ticket, std::move(response)); },
          [this](RequestId ticket) { return server_->has_given_up(ticket); })) {
  if (!wake_.is_open()) throw Fault(std::string("cannot make an eventfd: ") + std::strerror(errno));
  for (const LinkConfig& link : state().floor().links) links_.insert(link.id.text());
  WebServer::Setup named = setup;
  named.session_cookie = sessions_.cookie_name();
  server_ = std::make_unique<WebServer>(
      named, [this](const WebRequest& request, RequestId ticket) -> WebReply {
        if (!is_made_) return web_busy();
        return take(request, ticket);
      });
  is_made_ = true;
}

// ---- on the server's thread -------------------------------------------------------------------

WebReply HttpApi::take(const WebRequest& request, RequestId ticket) {
  if (request.method == "GET") {
    if (auto reply = public_reply(request, ticket)) return std::move(*reply);
    const bool is_slip = request.path.starts_with("/slips/") && request.path.ends_with(".pdf");
    if (!is_slip && !request.path.starts_with("/api/") && request.path != "/events/floor") {
      return nothing_here();
    }
  } else {
    if (!request.path.starts_with("/api/")) return nothing_here();
    if (!request.header("content-type").starts_with("application/json")) {
      return web_refusal(415, "not_json", "a body is JSON: Content-Type application/json");
    }
    if (!is_own_origin(request, own_hosts_)) {
      return web_refusal(403, "origin_refused", "this was not asked by a page of this server");
    }
  }
  const auto cookie = request.cookies.find(sessions_.cookie_name());
  const std::string& asker =
      request.is_known && cookie != request.cookies.end() ? cookie->second : request.peer;
  std::optional<Waiting> refused;
  {
    const std::lock_guard held(waiting_mutex_);
    refused = waiting_.push(asker, request.is_known, {ticket, request});
  }
  if (refused) {
    forget(refused->request.body);
    if (refused->ticket == ticket) return web_busy();
    answer(refused->ticket, web_busy());
  }
  ::eventfd_write(wake_.get(), 1);
  return Deferred{};
}

std::optional<WebReply> HttpApi::public_reply(const WebRequest& request, RequestId ticket) {
  constexpr std::string_view sign = "/sign/", png = ".png";
  if (request.path.starts_with(sign) && request.path.ends_with(png)) {
    const std::size_t length = request.path.size() - sign.size() - png.size();
    return still(request.path.substr(sign.size(), length), request, ticket);
  }
  if (request.path == "/api/meters") return meters();
  if (request.path == "/events/signs") return open_signs(request);
  return page(request);
}

std::optional<WebReply> HttpApi::page(const WebRequest& request) const {
  constexpr std::string_view sign = "/sign/", slip = "/slips/", rules = "/rules/";
  constexpr std::string_view distribution = "/distribution/";
  const std::string& path = request.path;
  if (path == "/") {
    return WebResponse{303, "text/plain", "", {{"Location", "/signs"}}};
  }
  std::optional<WebResponse> found;
  if (path.starts_with(sign) || path.starts_with(rules)) {
    const bool is_sign = path.starts_with(sign);
    found = pages_.named(is_sign ? "sign.html" : "rules.html", request);
    // A person is told by the page, a program by the status.
    const std::string link = path.substr(is_sign ? sign.size() : rules.size());
    if (found && !links_.contains(link)) found->status = 404;
  } else if (path.starts_with(slip) && parse_number(path.substr(slip.size()))) {
    found = pages_.named("slip.html", request);
  } else if (path.starts_with(distribution) && parse_number(path.substr(distribution.size()))) {
    found = pages_.named("distribution.html", request);
  } else {
    found = pages_.at(request);
  }
  if (!found) return std::nullopt;
  return std::move(*found);
}

WebReply HttpApi::open_signs(const WebRequest& request) const {
  WebStream stream;
  const auto [first, last] = request.query.equal_range("link");
  for (auto at = first; at != last; ++at) {
    if (!links_.contains(at->second)) {
      return web_refusal(404, "link_unknown", "there is no such link");
    }
    const std::string topic = SignBoard::topic_of(LinkId(at->second));
    if (std::find(stream.topics.begin(), stream.topics.end(), topic) == stream.topics.end()) {
      stream.topics.push_back(topic);
    }
  }
  if (first == last) {
    for (const std::string& link : links_) {
      stream.topics.push_back(SignBoard::topic_of(LinkId(link)));
    }
  }
  return stream;
}

WebReply HttpApi::still(const std::string& link, const WebRequest& request, RequestId ticket) {
  const auto latest = links_.contains(link) ? server_->latest(SignBoard::topic_of(LinkId(link)))
                                            : std::optional<std::string>();
  if (!latest) return nothing_here();
  const auto asked = request.query.find("size");
  const auto size = sign_image_size(asked == request.query.end() ? "1920x1080" : asked->second);
  if (!size) {
    return web_refusal(400, "size_unknown", "\"size\" is 1920x1080, 3840x2160 or 1080x1920");
  }
  const auto drawn = [this, ticket](std::optional<std::string> picture) {
    if (!picture) return answer(ticket, web_refusal(500, "not_drawn", "it cannot be drawn"));
    WebResponse response;
    response.type = "image/png";
    response.body = std::move(*picture);
    answer(ticket, std::move(response));
  };
  const Json update = Json::parse(*latest);
  if (update.at("age_ms") > update.at("maximum_age_ms")) {
    WebResponse old = web_refusal(503, "value_too_old", "what was told last of it is too old");
    old.headers.emplace_back("Retry-After", "2");
    return old;
  }
  const std::string zone = slip_printer_ == nullptr ? "UTC" : slip_printer_->zone();
  SignImageWorker::Asked picture{request.peer, link + " " + std::to_string(size->first),
                                 sign_image_of(update, zone), size->first, size->second};
  if (!stills_.draw(std::move(picture), drawn)) return web_busy();
  return Deferred{};
}

WebResponse HttpApi::meters() const {
  const auto newest = server_->latest("meters");
  if (!newest) return web_busy();
  // Texts that were published, put together: what a sign shows, of every link.
  std::string all;
  for (const std::string& link : links_) {
    const auto latest = server_->latest(SignBoard::topic_of(LinkId(link)));
    if (latest) all += (all.empty() ? "" : ",") + *latest;
  }
  WebResponse response;
  response.body = *newest + "\"links\":[" + all + "]}\n";
  return response;
}

// ---- on the loop's thread ---------------------------------------------------------------------

void HttpApi::serve(Moment now) {
  std::deque<Waiting> taken;
  {
    const std::lock_guard held(waiting_mutex_);
    while (taken.size() < taken_per_loop_max) {
      auto next = waiting_.pop();
      if (!next) break;
      taken.push_back(std::move(*next));
    }
    has_more_ = !waiting_.empty();
    eventfd_t count = 0;
    if (!has_more_) ::eventfd_read(wake_.get(), &count);
  }
  for (Waiting& one : taken) {
    // Nobody waits for it, or knows what becomes of it: so nothing does.
    if (server_->has_given_up(one.ticket)) {
      forget(one.request.body);
    } else {
      serve_one(std::move(one), now);
    }
  }
  go_on_listing(now);
  has_more_ = has_more_ || listing_ || !listings_.empty();
  tell_server();
}

void HttpApi::tell_server() {
  if (std::exchange(told_version_, sessions_.version()) == sessions_.version()) return;
  server_->know(sessions_.known());
}

void HttpApi::serve_one(Waiting waiting, Moment now) {
  const RequestId ticket = waiting.ticket;
  try {
    waiting.request.method == "GET" ? read(std::move(waiting), now) : post(std::move(waiting), now);
  } catch (const Json::exception&) {
    answer(ticket, web_refusal(400, "body_malformed", "the body is not what is asked for here"));
  }
}

WebResponse HttpApi::not_read(const std::exception& error) {
  spdlog::error("a page cannot be read: {}", error.what());
  return web_refusal(500, "not_read", "this cannot be read; the log says why");
}

// A page that cannot be read must not stop the floor.
void HttpApi::read(Waiting waiting, Moment now) {
  try {
    const ReadingScope reads;
    get(waiting, now);
  } catch (const BrokenLaw& error) {
    answer(waiting.ticket, not_read(error));
  } catch (const Fault& error) {
    answer(waiting.ticket, not_read(error));
  }
}

void HttpApi::post(Waiting waiting, Moment now) {
  WebRequest& request = waiting.request;
  const bool signs_in = request.path == "/api/sign-in";
  // A stranger's body is not read: but for a sign-in, which is a badge and a PIN.
  const WebSession* session = signs_in ? nullptr : sessions_.find(request, now.uptime);
  if (!signs_in && session == nullptr) return answer(waiting.ticket, not_signed_in());
  const char* mistake = signs_in ? nullptr : WebSessions::token_mistake(*session, request);
  if (mistake != nullptr) {
    answer(waiting.ticket,
           web_refusal(403, mistake, "the page's token is missing or not this one's"));
    return;
  }
  constexpr std::size_t sign_in_bytes_max = 1'024;
  const bool is_too_much =
      (signs_in && request.body.size() > sign_in_bytes_max) || is_nested_too_deep(request.body);
  Json body = is_too_much ? Json() : Json::parse(request.body, nullptr, false);
  const SecretBody forgotten(body);
  forget(request.body);
  if (!body.is_object()) {
    answer(waiting.ticket, web_refusal(400, "body_malformed", "the body is no JSON object"));
    return;
  }
  if (signs_in) return sign_in(std::move(waiting), body, now);
  if (request.path == "/api/sign-out") {
    const std::uint64_t number = session->number;
    sessions_.end(now.uptime, [number](const WebSession& one) { return one.number == number; });
    end_stream_of(number);
    WebResponse done;
    done.body = "{\"signed_out\":true}\n";
    done.headers.emplace_back("Set-Cookie", sessions_.no_cookie(request.secure));
    return answer(waiting.ticket, std::move(done));
  }
  act(std::move(waiting), body, *session, now);
}

void HttpApi::sign_in(Waiting waiting, const Json& body, Moment now) {
  LoginRequest asked{OperatorRequest{{}, Badge(body_text(body, "badge")), false, {}},
                     body_text(body, "pin")};
  asked.request.signs_in = true;
  ask_pin(std::move(waiting), std::move(asked), {}, nullptr, now);
}

void HttpApi::act(Waiting waiting, const Json& body, const WebSession& session, Moment now) {
  auto read = web_act(waiting.request.path, body, state());
  if (!read) return answer(waiting.ticket, nothing_here());
  if (auto* wrong = std::get_if<WebResponse>(&*read)) {
    return answer(waiting.ticket, std::move(*wrong));
  }
  WebCommand& asks = std::get<WebCommand>(*read);
  const std::string other = body_text(body, "badge");
  LoginRequest asked{
      OperatorRequest{{}, Badge(other.empty() ? session.badge : other), false, std::move(asks.act)},
      body_text(body, "pin"), body_text(body, "new_pin"), body_text(body, "witness_pin")};
  ask_pin(std::move(waiting), std::move(asked), asks.claim, &session, now);
}

}  // namespace linkmeter
