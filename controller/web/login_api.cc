// How HttpApi has people's PINs looked at, and what it makes of the answers: acts, and sessions
// that begin and end.
#include <utility>

#include "controller/web/api.h"
#include "controller/web/operator_api.h"
#include "meters/facts/operator_command.h"
#include "meters/values/limits.h"
#include "proto/host/secret.h"

namespace linkmeter {
namespace {

std::string ticket_text(RequestId ticket) { return std::to_string(ticket.value); }

WebResponse to_wait(std::chrono::seconds wait, const char* why) {
  WebResponse no = web_refusal(429, "too_many_attempts", why);
  no.headers.emplace_back("Retry-After", std::to_string(wait.count()));
  return no;
}

}  // namespace

void HttpApi::ask_pin(Waiting waiting, LoginRequest asked, ClaimNumber claim,
                      const WebSession* session, Moment now) {
  const std::string peer = waiting.request.peer, address = waiting.request.address;
  const Badge& badge = asked.request.badge;
  const Badge* witness =
      asked.request.act && !asked.witness_pin.empty() ? second_pin_of(*asked.request.act) : nullptr;
  if (asked.pin.empty() || badge.empty()) {
    return answer(waiting.ticket,
                  web_refusal(400, "pin_missing", "this needs a badge and its PIN"));
  }
  if (asked.pin.size() > limits::pin_bytes_max || asked.new_pin.size() > limits::pin_bytes_max ||
      asked.witness_pin.size() > limits::pin_bytes_max ||
      badge.text().size() > limits::name_length_max ||
      (witness != nullptr && witness->text().size() > limits::name_length_max)) {
    return answer(waiting.ticket, web_refusal(400, "pin_malformed", "a badge or PIN is too long"));
  }
  const bool has_session = session != nullptr;
  const bool is_own_session = has_session && session->badge == badge.text();
  const bool is_trusted_origin =
      is_own_session || tries_.is_trusted_origin(badge, address, now.uptime);
  const bool is_strange = !is_trusted_origin;
  // A person at home is counted apart from strangers at the same address.
  std::string from = is_trusted_origin ? badge.text() + " at " + address : peer;
  if (has_session) from = "badge/" + session->badge;
  // Nobody's PIN is looked at while its person is locked: such tries leave the place free for when
  // the lock has ended.
  const Person* person = state().find_person(badge);
  if (person != nullptr && person->is_locked(now.as_of)) {
    from = badge.text() + " while locked, from " + from;
  }
  const std::string asker = has_session ? session->badge : is_trusted_origin ? badge.text() : peer;
  auto wait = sessions_.wait_of(from, now.uptime);
  if (!wait && is_strange) wait = tries_of(badge).wait_of(badge, address, now.uptime);
  const bool is_witness_strange = witness != nullptr && *witness != badge &&
                                  !tries_.is_trusted_origin(*witness, address, now.uptime);
  if (!wait && is_witness_strange) wait = tries_of(*witness).wait_of(*witness, address, now.uptime);
  if (wait) {
    return answer(waiting.ticket,
                  to_wait(*wait, "too many wrong PINs: nobody looks at another one yet"));
  }
  if (const auto pause = sessions_.wait_of_right_pin(badge.text(), now.uptime)) {
    return answer(waiting.ticket,
                  to_wait(*pause, "this badge signed too often within a minute: wait a little"));
  }
  sessions_.note_failure(from, now.uptime);
  if (is_strange) tries_of(badge).note_try(badge, address, now.uptime);
  Badge untrusted_witness;
  if (is_witness_strange) {
    tries_of(*witness).note_try(*witness, address, now.uptime);
    untrusted_witness = *witness;
  }
  asked.request.counts = !is_strange;
  asked.request.witness_counts = !is_witness_strange;
  asked.request.source = RequestSource::web;
  asked.request.peer = ticket_text(waiting.ticket);
  auto refused =
      pins_.push(asker, has_session || is_trusted_origin,
                 Acting{waiting.ticket, std::move(waiting.request), claim, std::move(asked),
                        std::move(from), is_strange, std::move(untrusted_witness)});
  if (refused) drop(std::move(*refused));
}

// Its PIN was not looked at, so no try counts.
void HttpApi::drop(Acting acting) {
  forget(acting.asked.pin);
  forget(acting.asked.new_pin);
  forget(acting.asked.witness_pin);
  sessions_.forgive(acting.from);
  const Badge& badge = acting.asked.request.badge;
  if (acting.is_strange) tries_of(badge).take_back(badge, acting.request.address);
  const Badge& witness = acting.untrusted_witness;
  if (!witness.empty()) tries_of(witness).take_back(witness, acting.request.address);
  answer(acting.ticket, web_busy());
}

LoginThrottle& HttpApi::tries_of(const Badge& badge) {
  return state().find_person(badge) == nullptr ? unknown_badge_tries_ : tries_;
}

std::optional<LoginRequest> HttpApi::next() {
  while (auto waiting = pins_.pop()) {
    Acting acting = std::move(*waiting);
    if (server_->has_given_up(acting.ticket)) {
      drop(std::move(acting));
      continue;
    }
    LoginRequest asked = std::move(acting.asked);
    acting_.emplace(asked.request.peer, std::move(acting));
    return asked;
  }
  return std::nullopt;
}

// A try of the witness's PIN is taken back where the act shows that the PIN was right, and where
// nobody looked at it. It makes the witness at home there as the witness's own sign-in would.
void HttpApi::settle_witness(const Acting& acting, Refusal refusal, Moment now) {
  const Badge& witness = acting.untrusted_witness;
  if (witness.empty()) return;
  const std::string& address = acting.request.address;
  LoginThrottle& tries = tries_of(witness);
  if (refusal == Refusal::witness_not_signed) return tries.note_wrong(witness);
  const bool was_unread = refusal == Refusal::pin_wrong || refusal == Refusal::person_locked;
  if (was_unread || refusal == Refusal::none) tries.take_back(witness, address);
  if (refusal == Refusal::none) tries.note_right(witness, address, now.uptime);
}

void HttpApi::settle(const Acting& acting, const Badge& by, Refusal refusal, Moment now) {
  settle_witness(acting, refusal, now);
  if (refusal == Refusal::pin_wrong || refusal == Refusal::person_locked) {
    if (acting.is_strange) tries_of(by).note_wrong(by);
    return;
  }
  sessions_.forgive(acting.from);
  sessions_.note_right_pin(by.text(), now.uptime);
  const std::string& address = acting.request.address;
  if (acting.is_strange) tries_.take_back(by, address);
  tries_.note_right(by, address, now.uptime);
}

void HttpApi::answer(const Controller::Told& told, Moment now) {
  const auto found = acting_.find(told.peer);
  if (found == acting_.end()) return;
  const Acting acting = std::move(found->second);
  acting_.erase(found);
  const ControlReply& reply = told.reply;
  settle(acting, told.by, reply.refusal, now);
  if (reply.refusal != Refusal::none) {
    WebResponse no =
        web_refusal(web_status_of(reply.refusal), std::string(name(reply.refusal)), reply.text);
    Json body = Json::parse(no.body);
    body["entry"] = reply.entry.value();
    no.body = body.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    return answer(acting.ticket, std::move(no));
  }
  if (acting.request.path == "/api/sign-in") {
    return answer(acting.ticket, signed_in(acting.request, told.by, now));
  }
  if (acting.request.path == "/api/pin") note_own_pin(acting.request, told.by, now);
  Json body{{"entry", reply.entry.value()}, {"text", reply.text}};
  if (reply.slip != SlipNumber()) body["slip"] = reply.slip.value();
  const Claim* claim = state().find_claim(acting.claim);
  body["claim"] = claim == nullptr ? Json() : whole(*claim, now);
  WebResponse done;
  done.body = body.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  answer(acting.ticket, std::move(done));
}

// The session at which a person changed his PIN goes on.
void HttpApi::note_own_pin(const WebRequest& request, const Badge& badge, Moment now) {
  const WebSession* session = sessions_.look(request, now.uptime);
  const Person* person = state().find_person(badge);
  if (session == nullptr || person == nullptr || session->badge != badge.text()) return;
  if (const auto began = began_.find(session->number); began != began_.end()) {
    began->second.pin = person->pin;
  }
}

WebResponse HttpApi::signed_in(const WebRequest& request, const Badge& badge, Moment now) {
  const WebSession* opened = sessions_.open(badge.text(), request, now.uptime);
  if (opened == nullptr) return web_busy();
  const WebSession& session = *opened;
  const Person* person = state().find_person(badge);
  if (person != nullptr) began_[session.number] = {person->roles, person->pin};
  WebResponse response;
  response.body = me(session).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  response.headers.emplace_back("Set-Cookie", sessions_.cookie_of(session, request.secure));
  end_sessions(now);  // the one that the browser had
  return response;
}

void HttpApi::end_sessions(Moment now) {
  sessions_.end(now.uptime, [this, now](const WebSession& session) {
    const Person* person = state().find_person(Badge(session.badge));
    const auto began = began_.find(session.number);
    return person == nullptr || person->removed || person->is_locked(now.as_of) ||
           began == began_.end() || began->second.roles != person->roles ||
           began->second.pin != person->pin;
  });
  for (auto at = began_.begin(); at != began_.end();) {
    const std::uint64_t number = (at++)->first;
    if (!sessions_.has(number)) end_stream_of(number);
  }
  tell_server();
}

void HttpApi::end_stream_of(std::uint64_t session) {
  server_->end_streams("session/" + std::to_string(session));
  began_.erase(session);
}

}  // namespace linkmeter
