#include "controller/web/login_queue.h"

#include <utility>

#include "controller/web/responses.h"
#include "meters/facts/operator_command.h"
#include "meters/values/limits.h"
#include "proto/host/secret.h"

namespace linkmeter {
namespace {

WebResponse too_many_attempts(std::chrono::seconds wait, const char* why) {
  WebResponse no = web_refusal(429, "too_many_attempts", why);
  no.headers.emplace_back("Retry-After", std::to_string(wait.count()));
  return no;
}

std::optional<WebResponse> check_form(const LoginRequest& asked, const Badge* witness) {
  const Badge& badge = asked.request.badge;
  if (asked.pin.empty() || badge.empty()) {
    return web_refusal(400, "pin_missing", "this needs a badge and its PIN");
  }
  if (asked.pin.size() > limits::pin_bytes_max || asked.new_pin.size() > limits::pin_bytes_max ||
      asked.witness_pin.size() > limits::pin_bytes_max ||
      badge.text().size() > limits::name_length_max ||
      (witness != nullptr && witness->text().size() > limits::name_length_max)) {
    return web_refusal(400, "pin_malformed", "a badge or PIN is too long");
  }
  return std::nullopt;
}

}  // namespace

WebReply LoginQueue::add(WebCall& call, LoginRequest asked, OnAccepted on_accepted) {
  const Badge* witness =
      asked.request.act && !asked.witness_pin.empty() ? second_pin_of(*asked.request.act) : nullptr;
  if (auto no = check_form(asked, witness)) return std::move(*no);
  const std::string address = call.request.address;
  const std::chrono::microseconds uptime = call.now.uptime;
  const Badge& badge = asked.request.badge;
  const bool has_session = call.session != nullptr;
  const bool is_own_session = has_session && call.session->badge == badge.text();
  const bool is_trusted = is_own_session || throttle_.is_trusted_origin(badge, address, uptime);
  const bool is_witness_untrusted = witness != nullptr && !witness->empty() && *witness != badge &&
                                    !throttle_.is_trusted_origin(*witness, address, uptime);
  std::string key = limit_key(call, badge, is_trusted);
  auto wait = sessions_.wait_of(key, uptime);
  if (!wait && !is_trusted) wait = throttle_of(badge).wait_of(badge, address, uptime);
  if (!wait && is_witness_untrusted) {
    wait = throttle_of(*witness).wait_of(*witness, address, uptime);
  }
  if (wait) return too_many_attempts(*wait, "too many wrong PINs; wait before the next one");
  if (const auto pause = sessions_.wait_of_right_pin(badge.text(), uptime)) {
    return too_many_attempts(*pause, "this badge signed too often within a minute; wait");
  }
  sessions_.note_failure(key, uptime);
  if (!is_trusted) throttle_of(badge).note_try(badge, address, uptime);
  if (is_witness_untrusted) throttle_of(*witness).note_try(*witness, address, uptime);
  const Badge untrusted_witness = is_witness_untrusted ? *witness : Badge();
  asked.request.counts = is_trusted;
  asked.request.witness_counts = !is_witness_untrusted;
  asked.request.source = RequestSource::web;
  asked.request.peer = std::to_string(call.ticket.value);
  const std::string asker = has_session  ? call.session->badge
                            : is_trusted ? badge.text()
                                         : call.request.peer;
  auto refused =
      waiting_.push(asker, has_session || is_trusted,
                    Pending{call.ticket, std::move(call.request), std::move(on_accepted),
                            std::move(asked), std::move(key), !is_trusted, untrusted_witness});
  if (refused) drop(std::move(*refused));
  return Deferred{};
}

// A person at a trusted origin has a limit apart from strangers at the same address. While the
// person is locked, no PIN is verified, and such tries count apart: they do not delay the person
// after the lock has ended.
std::string LoginQueue::limit_key(const WebCall& call, const Badge& badge, bool is_trusted) const {
  std::string key = is_trusted ? badge.text() + " at " + call.request.address : call.request.peer;
  if (call.session != nullptr) key = "badge/" + call.session->badge;
  const Person* person = state_.find_person(badge);
  const bool is_locked = person != nullptr && person->is_locked(call.now.as_of);
  return is_locked ? badge.text() + " while locked, from " + key : key;
}

LoginThrottle& LoginQueue::throttle_of(const Badge& badge) {
  return state_.find_person(badge) == nullptr ? unknown_badge_throttle_ : throttle_;
}

// The PIN was not verified, so the try does not count.
void LoginQueue::drop(Pending pending) {
  forget(pending.asked.pin);
  forget(pending.asked.new_pin);
  forget(pending.asked.witness_pin);
  sessions_.forgive(pending.limit_key);
  const Badge& badge = pending.asked.request.badge;
  if (pending.is_untrusted) throttle_of(badge).take_back(badge, pending.request.address);
  const Badge& witness = pending.untrusted_witness;
  if (!witness.empty()) throttle_of(witness).take_back(witness, pending.request.address);
  server_.answer(pending.ticket, web_busy());
}

std::optional<LoginRequest> LoginQueue::next() {
  while (auto waiting = waiting_.pop()) {
    Pending pending = std::move(*waiting);
    if (server_.has_given_up(pending.ticket)) {
      drop(std::move(pending));
      continue;
    }
    LoginRequest asked = std::move(pending.asked);
    in_progress_.emplace(asked.request.peer, std::move(pending));
    return asked;
  }
  return std::nullopt;
}

// The witness's try is taken back if the accepted command shows that the PIN was right, or if that
// PIN was not verified. A right PIN makes the address a trusted origin, as the witness's own
// sign-in would.
void LoginQueue::settle_witness(const Pending& pending, Refusal refusal, Moment now) {
  const Badge& witness = pending.untrusted_witness;
  if (witness.empty()) return;
  const std::string& address = pending.request.address;
  LoginThrottle& throttle = throttle_of(witness);
  if (refusal == Refusal::witness_not_signed) return throttle.note_wrong(witness);
  const bool was_not_verified = refusal == Refusal::pin_wrong ||
                                refusal == Refusal::person_locked ||
                                refusal == Refusal::too_many_requests;
  if (was_not_verified || refusal == Refusal::none) throttle.take_back(witness, address);
  if (refusal == Refusal::none) throttle.note_right(witness, address, now.uptime);
}

void LoginQueue::settle(const Pending& pending, const Badge& by, Refusal refusal, Moment now) {
  settle_witness(pending, refusal, now);
  if (refusal == Refusal::pin_wrong || refusal == Refusal::person_locked) {
    if (pending.is_untrusted) throttle_of(by).note_wrong(by);
    return;
  }
  sessions_.forgive(pending.limit_key);
  const std::string& address = pending.request.address;
  if (pending.is_untrusted) throttle_of(by).take_back(by, address);
  // The verification failed (authenticator.h): the PIN is neither right nor wrong.
  if (refusal == Refusal::too_many_requests) return;
  sessions_.note_right_pin(by.text(), now.uptime);
  throttle_.note_right(by, address, now.uptime);
}

void LoginQueue::answer(const Controller::Told& told, Moment now) {
  const auto found = in_progress_.find(told.peer);
  if (found == in_progress_.end()) return;
  const Pending pending = std::move(found->second);
  in_progress_.erase(found);
  const ControlReply& reply = told.reply;
  settle(pending, told.by, reply.refusal, now);
  if (reply.refusal == Refusal::none) {
    return server_.answer(pending.ticket, pending.on_accepted(pending.request, told, now));
  }
  WebResponse no = json_response(Json{
      {"error", name(reply.refusal)}, {"message", reply.text}, {"entry", reply.entry.value()}});
  no.status = status_of(reply.refusal);
  server_.answer(pending.ticket, std::move(no));
}

}  // namespace linkmeter
