#include "controller/web/session_service.h"

#include <utility>

#include "controller/view/role_names.h"
#include "controller/web/responses.h"
#include "controller/web/web_command.h"

namespace linkmeter {

std::vector<Router::Route> SessionService::routes() {
  using Self = SessionService;
  return {
      {"POST", "/api/sign-in", Access::sign_in, handler(this, &Self::sign_in)},
      {"POST", "/api/sign-out", Access::signed_in, handler(this, &Self::sign_out)},
      {"GET", "/api/me", Access::signed_in, handler(this, &Self::me)},
  };
}

WebReply SessionService::sign_in(WebCall& call) {
  PinRequest asked{OperatorRequest{{}, Badge(body_text(*call.body, "badge")), false, {}},
                   body_text(*call.body, "pin")};
  asked.request.signs_in = true;
  return logins_.add(call, std::move(asked),
                     [this](const WebRequest& request, const Controller::SocketReply& reply,
                            Moment now) { return open(request, reply.by, now); });
}

WebResponse SessionService::open(const WebRequest& request, const Badge& badge, Moment now) {
  const WebSession* session = sessions_.open(badge.text(), request, now.uptime);
  if (session == nullptr) return web_busy();
  const Person* person = state_.find_person(badge);
  if (person != nullptr) signed_in_[session->number] = {person->roles, person->pin};
  WebResponse response = json_response(me_json(*session));
  response.headers.emplace_back("Set-Cookie", sessions_.cookie_of(*session, request.secure));
  end(now);  // also forgets the session that the browser had before
  return response;
}

WebReply SessionService::sign_out(WebCall& call) {
  const std::uint64_t number = call.session->number;
  sessions_.end(call.now.uptime,
                [number](const WebSession& session) { return session.number == number; });
  forget_session(number);
  WebResponse done = json_response(Json{{"signed_out", true}});
  done.headers.emplace_back("Set-Cookie", sessions_.no_cookie(call.request.secure));
  return done;
}

WebReply SessionService::me(WebCall& call) { return json_response(me_json(*call.session)); }

Json SessionService::me_json(const WebSession& session) const {
  const Person* person = state_.find_person(Badge(session.badge));
  Json me{{"badge", session.badge}, {"name", ""}, {"roles", Json::array()}};
  if (person != nullptr) {
    me["name"] = person->name;
    me["roles"] = role_names(*person);
    me["rights"] = right_names(*person);
    me["pin_to_be_changed"] = person->pin_set_by_other;
  }
  me["token"] = session.token;
  me["zone"] = zone_;
  me["idle_s"] = WebSessions::idle_max.count();
  return me;
}

void SessionService::keep_after_pin_change(const WebRequest& request, const Badge& badge,
                                           Moment now) {
  const WebSession* session = sessions_.look(request, now.uptime);
  const Person* person = state_.find_person(badge);
  if (session == nullptr || person == nullptr || session->badge != badge.text()) return;
  const auto signed_in = signed_in_.find(session->number);
  if (signed_in != signed_in_.end()) signed_in->second.pin = person->pin;
}

void SessionService::end(Moment now) {
  sessions_.end(now.uptime, [this, now](const WebSession& session) {
    const Person* person = state_.find_person(Badge(session.badge));
    const auto signed_in = signed_in_.find(session.number);
    return person == nullptr || person->removed || person->is_locked(now.as_of) ||
           signed_in == signed_in_.end() || signed_in->second.roles != person->roles ||
           signed_in->second.pin != person->pin;
  });
  for (auto at = signed_in_.begin(); at != signed_in_.end();) {
    const std::uint64_t number = (at++)->first;
    if (!sessions_.has(number)) forget_session(number);
  }
  update_server();
}

void SessionService::update_server() {
  if (std::exchange(server_version_, sessions_.version()) == sessions_.version()) return;
  server_.know(sessions_.known());
}

void SessionService::forget_session(std::uint64_t session) {
  server_.end_streams(topic_of(session));
  signed_in_.erase(session);
}

}  // namespace linkmeter
