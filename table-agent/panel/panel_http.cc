#include "table-agent/panel/panel_http.h"

#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>

#include "meters/values/limits.h"
#include "meters/values/time_text.h"
#include "proto/codec/json_nesting.h"
#include "proto/host/atomic_file.h"
#include "proto/host/certificate.h"
#include "proto/host/fault.h"
#include "proto/host/secret.h"
#include "proto/host/uptime.h"
#include "proto/http/static_files.h"
#include "table-agent/panel/panel.h"
#include "table-agent/panel/panel_driver.h"

namespace linkmeter {

std::span<const StaticFile> panel_pages();  // embedded

namespace {

using Json = nlohmann::json;
using std::chrono::microseconds;

constexpr std::string_view topic = "panel";
constexpr std::size_t pin_bytes_max = 64;
constexpr std::uint32_t maximum_age_ms = 3'000;

Timestamp moment_now() {
  return Timestamp::from_microseconds(
      std::chrono::duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
}

std::string wall_text() { return text(moment_now()); }

WebResponse json_response(const Json& json) {
  return {200, "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

WebResponse refusal(std::string_view name, const std::string& words = {}) {
  static const std::set<std::string_view> not_him = {"pin_wrong", "person_unknown", "person_locked",
                                                     "not_signed_in"};
  static const std::set<std::string_view> not_now = {
      "no_controller",        "no_answer", "busy",          "stopping",     "catching_up",
      "history_not_accepted", "frozen",    "pace_exceeded", "another_agent"};
  int status = 409;
  if (not_him.contains(name)) status = 401;
  if (not_now.contains(name)) status = 503;
  if (name == "too_many_failures") status = 429;
  if (name == "right_missing" || name == "pin_to_be_changed") status = 403;
  return web_refusal(status, std::string(name), words.empty() ? panel_words(name) : words);
}

// Whether the PIN of a request was right, from the reason of its refusal. nullopt: the reason does
// not tell.
std::optional<bool> was_right(std::string_view why) {
  if (why.empty() || why == "right_missing") return true;
  static const std::set<std::string_view> wrong = {"pin_wrong", "person_unknown", "person_locked",
                                                   "too_many_failures"};
  return wrong.contains(why) ? std::optional(false) : std::nullopt;
}

bool is_json(const WebRequest& request) {
  const std::string type = request.header("content-type");
  return type == "application/json" || type.starts_with("application/json;");
}

// The text of a key, or "" if it has none.
std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// Reads the signer from a request's body. Returns nullopt if the badge or PIN is malformed.
std::optional<PanelSignature> signature_of(const Json& json, const std::string& own_badge) {
  std::string badge = text_of(json, "badge"), pin = text_of(json, "pin");
  if (badge.empty()) badge = own_badge;
  if (!is_well_formed_name(badge) || pin.empty() || pin.size() > pin_bytes_max) {
    return std::nullopt;
  }
  return PanelSignature{Badge(std::move(badge)), std::move(pin)};
}

// Why the request may not be carried out for the session's person; nullopt: it may.
std::optional<WebResponse> mistake_of(const WebSession* session, const WebRequest& request) {
  if (session == nullptr) return refusal("not_signed_in", "nobody is signed in at this browser");
  const char* mistake = WebSessions::token_mistake(*session, request);
  if (mistake == nullptr) return std::nullopt;
  return web_refusal(403, mistake, "the page's token is missing or wrong: sign in again");
}

}  // namespace

PanelHttp::PanelHttp(const WebServer::Setup& setup, const TableId& table,
                     std::filesystem::path trusted_origins)
    : sessions_("linkmeter-panel-" + table.text(), panel_people_max),
      origins_file_(std::move(trusted_origins)),
      public_("{}"),
      hosts_(own_hosts()),
      is_secure_(setup.address.secure),
      woken_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (!woken_.is_open()) throw Fault("eventfd: " + std::string(std::strerror(errno)));
  hosts_.push_back(setup.address.host);
  if (setup.certificate) {
    for (std::string& name : names_of(*setup.certificate)) {
      hosts_.push_back(std::move(name));
    }
  }
  // If the file cannot be read, people may have to wait longer, and it is written again.
  if (const auto kept = origins_file_.empty() ? std::nullopt : read_file(origins_file_)) {
    static_cast<void>(tries_.read_trusted_origins(*kept, uptime(), moment_now()));
  }
  WebServer::Setup named = setup;
  named.session_cookie = sessions_.cookie_name();
  server_ = std::make_unique<WebServer>(
      named, [this](const WebRequest& request, RequestId ticket) -> WebReply {
        const std::lock_guard lock(mutex_);
        return handle(request, ticket);
      });
}

PanelHttp::~PanelHttp() { server_.reset(); }

// ---- the session's thread ----------------------------------------------------------------------

std::vector<PanelRequest> PanelHttp::take() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto length = ::read(woken_.get(), &count, sizeof count);
  const std::lock_guard lock(mutex_);
  std::vector<PanelRequest> words = std::exchange(words_, {});
  // The client has gone and could not learn the outcome, so the request is not executed.
  std::erase_if(words, [this](const PanelRequest& word) {
    if (!server_->is_abandoned({word.ticket})) return false;
    const auto found = waiting_.extract(word.ticket);
    if (!found.empty() && !found.mapped().from.empty()) settle(found.mapped(), std::nullopt);
    return true;
  });
  return words;
}

void PanelHttp::answer(std::uint64_t ticket, const PanelAnswer& answer) {
  WebResponse response = answer.why.empty() ? WebResponse() : refusal(answer.why, answer.words);
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.extract(ticket);
    if (found.empty()) return;
    const Waiting& waiting = found.mapped();
    if (!waiting.from.empty()) settle(waiting, was_right(answer.why));
    if (answer.why.empty()) response = json_response({{"done", waiting.action}});
  }
  server_->answer({ticket}, std::move(response));
}

void PanelHttp::complete_sign_in(std::uint64_t ticket, const TableSignedIn& person) {
  WebResponse response;
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.extract(ticket);
    if (found.empty()) return;
    const microseconds now = uptime();
    settle(found.mapped(), true);
    const WebSession* session = sessions_.open(person.badge.text(), found.mapped().request, now);
    if (session == nullptr) {
      response = refusal("busy");
    } else {
      people_[session->number] = person;
      response = me(*session);
      response.headers.emplace_back("Set-Cookie", sessions_.cookie_of(*session, is_secure_));
    }
    end_sessions();
  }
  server_->answer({ticket}, std::move(response));
}

void PanelHttp::show(const std::string& view) {
  const Json json = Json::parse(view, nullptr, false);
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    ++sequence_;
    public_ = Json{{"table", json["table"]},
                   {"asset", json["asset"]},
                   {"house", json["house"]},
                   {"game", json["game"]["title"]},
                   {"mode", json["mode"]},
                   {"linked", json["connection"]["linked"]},
                   {"words", json["connection"]["words"]}}
                  .dump(-1, ' ', false, Json::error_handler_t::replace);
    text = "{\"sequence\":" + std::to_string(sequence_) + ",\"as_of\":\"" + wall_text() +
           "\",\"age_ms\":" + std::string(web_age_mark) +
           ",\"maximum_age_ms\":" + std::to_string(maximum_age_ms) + "," + view.substr(1);
    end_sessions();
  }
  server_->publish(std::string(topic), std::string(topic), std::move(text), sequence_);
}

std::vector<PanelPerson> PanelHttp::signed_in_people() {
  std::set<PanelPerson> people;
  const std::lock_guard lock(mutex_);
  for (const auto& [session, person] : people_) {
    people.insert({person.badge, person.roles, person.pin_mark});
  }
  return {people.begin(), people.end()};
}

void PanelHttp::end(const Badge& badge) {
  const std::lock_guard lock(mutex_);
  end_sessions([&badge](const WebSession& session) { return session.badge == badge.text(); });
}

void PanelHttp::end_sessions(const std::function<bool(const WebSession&)>& is_over) {
  sessions_.end(uptime(), is_over);
  // Some sessions ended in other ways: a browser has a new one, or there were too many.
  const auto ended =
      std::erase_if(people_, [this](const auto& one) { return !sessions_.has(one.first); });
  // Other listeners reconnect by themselves.
  if (ended > 0) server_->end_streams(std::string(topic));
  if (std::exchange(sent_version_, sessions_.version()) != sessions_.version()) {
    server_->know(sessions_.known());
  }
}

void PanelHttp::settle(const Waiting& waiting, std::optional<bool> is_right) {
  if (is_right == false) return;
  sessions_.forgive(waiting.from);
  const std::string& address = waiting.request.address;
  if (waiting.is_untrusted_origin) tries_.take_back(waiting.badge, address);
  if (!is_right) return;
  sessions_.note_right_pin(waiting.badge.text(), uptime());
  tries_.note_right(waiting.badge, address, uptime());
  store_trusted_origins();
}

// If the disk is full, people may have to wait longer after the next start; nothing else fails.
void PanelHttp::store_trusted_origins() {
  if (origins_file_.empty() || std::exchange(kept_version_, tries_.trusted_origins_version()) ==
                                   tries_.trusted_origins_version()) {
    return;
  }
  try {
    write_atomically(origins_file_, tries_.trusted_origins(uptime(), moment_now()),
                     readable_by_owner);
  } catch (const Fault& fault) {
    spdlog::warn("where people are at home is not kept: {}", fault.what());
  }
}

// ---- the server's thread -----------------------------------------------------------------------

WebReply PanelHttp::handle(const WebRequest& request, RequestId ticket) {
  if (!is_own_origin(request, hosts_)) {
    return web_refusal(403, "origin_foreign", "another site asked for this");
  }
  if (request.method == "GET") return handle_get(request);
  if (request.path != "/api/sign-in" && request.path != "/api/sign-out" &&
      request.path != "/api/touch") {
    return web_refusal(404, "not_found", "there is nothing here");
  }
  if (!is_json(request)) {
    return web_refusal(415, "type_not_json", "only application/json is taken");
  }
  if (request.path == "/api/sign-in") return sign_in(request, ticket);
  return request.path == "/api/touch" ? touch(request, ticket) : sign_out(request);
}

WebReply PanelHttp::handle_get(const WebRequest& request) {
  const StaticFiles pages(panel_pages());
  if (request.path == "/api/table") return WebResponse{200, "application/json", public_};
  if (request.path == "/") {
    if (auto page = pages.named("panel.html", request)) return *std::move(page);
  }
  const bool is_private =
      request.path == "/api/me" || request.path == "/api/panel" || request.path == "/events/panel";
  if (!is_private) {
    if (auto page = pages.at(request)) return *std::move(page);
    return web_refusal(404, "not_found", "there is nothing here");
  }
  // Only a person's activity extends a session: the page requests /api/me when he touched the
  // screen.
  const WebSession* session = request.path == "/api/me" ? sessions_.find(request, uptime())
                                                        : sessions_.look(request, uptime());
  if (session == nullptr) return refusal("not_signed_in", "nobody is signed in at this browser");
  if (request.path == "/api/me") return me(*session);
  if (request.path == "/events/panel") return WebStream{{std::string(topic)}};
  return WebResponse{200, "application/json", server_->latest(std::string(topic)).value_or("{}")};
}

WebResponse PanelHttp::me(const WebSession& session) const {
  const auto person = people_.find(session.number);
  if (person == people_.end()) return refusal("not_signed_in");
  return json_response({{"badge", session.badge},
                        {"name", person->second.name},
                        {"roles", person->second.roles},
                        {"rights", person->second.rights},
                        {"token", session.token},
                        {"idle_s", WebSessions::idle_max.count()}});
}

WebReply PanelHttp::later(const WebRequest& request, const WebSession* session, Waiting waiting,
                          PanelRequest word) {
  if (word.signature) {
    waiting.badge = word.signature->badge;
    if (auto no = try_pin(request, session, waiting)) return *std::move(no);
    word.signature->is_untrusted_origin = waiting.is_untrusted_origin;
  }
  if (words_.size() >= words_max) return refusal("busy");
  waiting_.emplace(word.ticket, std::move(waiting));
  words_.push_back(std::move(word));
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto length = ::write(woken_.get(), &one, sizeof one);
  return Deferred{};
}

std::optional<WebResponse> PanelHttp::try_pin(const WebRequest& request, const WebSession* session,
                                              Waiting& waiting) {
  const microseconds now = uptime();
  const std::string &peer = request.peer, &address = request.address;
  const bool is_own_session = session != nullptr && session->badge == waiting.badge.text();
  const bool is_trusted_origin =
      is_own_session || tries_.is_trusted_origin(waiting.badge, address, now);
  // Attempts of unknown people from the same address do not count against him.
  waiting.from = is_trusted_origin ? waiting.badge.text() + " at " + address : peer;
  if (session != nullptr) waiting.from = "badge/" + session->badge;
  waiting.is_untrusted_origin = !is_trusted_origin;
  auto wait = sessions_.wait_of(waiting.from, now);
  if (!wait && waiting.is_untrusted_origin) wait = tries_.wait_of(waiting.badge, address, now);
  const auto pause = sessions_.wait_of_right_pin(waiting.badge.text(), now);
  if (wait || pause) {
    WebResponse response = refusal(
        "too_many_failures", wait ? "too many wrong PINs: nobody looks at another one yet"
                                  : "this badge signed too often within a minute: wait a little");
    response.headers.emplace_back("Retry-After", std::to_string((wait ? *wait : *pause).count()));
    return response;
  }
  if (words_.size() >= words_max) return refusal("busy");
  sessions_.note_failure(waiting.from, now);
  if (waiting.is_untrusted_origin) tries_.note_try(waiting.badge, address, now);
  return std::nullopt;
}

WebReply PanelHttp::sign_in(const WebRequest& request, RequestId ticket) {
  Json json = is_nested_too_deep(request.body) ? Json() : Json::parse(request.body, nullptr, false);
  const SecretBody forgotten(json);
  if (!json.is_object()) return web_refusal(400, "body_malformed", "the body is no JSON object");
  auto signature = signature_of(json, "");
  if (!signature) return web_refusal(400, "body_malformed", "a badge and a PIN are needed");
  Waiting waiting{request, {}};
  forget(waiting.request.body);
  return later(request, nullptr, std::move(waiting), {ticket.value, {}, std::move(signature)});
}

WebReply PanelHttp::sign_out(const WebRequest& request) {
  const WebSession* session = sessions_.look(request, uptime());
  if (auto no = mistake_of(session, request)) return *std::move(no);
  const std::uint64_t number = session->number;
  end_sessions([number](const WebSession& one) { return one.number == number; });
  WebResponse response = json_response({{"done", "sign_out"}});
  response.headers.emplace_back("Set-Cookie", sessions_.no_cookie(is_secure_));
  return response;
}

WebReply PanelHttp::touch(const WebRequest& request, RequestId ticket) {
  const WebSession* session = sessions_.find(request, uptime());
  if (auto no = mistake_of(session, request)) return *std::move(no);
  auto parsed = parse_dealer_action(request.body);
  if (const auto* error = std::get_if<DealerActionError>(&parsed)) {
    return web_refusal(400, "touch_malformed", error->message);
  }
  auto& touched = std::get<DealerAction>(parsed);
  std::string action(name(touched));
  if (action == "resolve" || action == "void") {
    Json json = Json::parse(request.body, nullptr, false);
    const SecretBody forgotten(json);
    // Only a void with pending claims needs a signature; the controller refuses one without it.
    if (action == "resolve" || json.contains("pin")) {
      auto signature = signature_of(json, session->badge);
      if (!signature) {
        return web_refusal(400, "body_malformed",
                           "a floorperson's badge and PIN are needed for this");
      }
      Waiting waiting{{}, std::move(action)};
      waiting.request.peer = request.peer;
      waiting.request.address = request.address;
      return later(request, session, std::move(waiting),
                   {ticket.value, std::move(touched), std::move(signature)});
    }
  }
  const auto person = people_.find(session->number);
  if (person == people_.end() || !may_act(person->second.rights, touched)) {
    return refusal("right_missing", "your role does not run the round at a table");
  }
  sign(touched, Badge(session->badge));
  return later(request, session, {{}, std::move(action)}, {ticket.value, std::move(touched)});
}

}  // namespace linkmeter
