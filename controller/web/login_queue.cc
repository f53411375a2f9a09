#include "controller/web/login_queue.h"

#include <utility>

#include "controller/web/responses.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

WebResponse too_many_attempts(std::chrono::seconds wait, const char* why) {
  WebResponse no = web_refusal(429, "too_many_attempts", why);
  no.headers.emplace_back("Retry-After", std::to_string(wait.count()));
  return no;
}

std::optional<WebResponse> check_form(const PinRequest& request) {
  if (request.pin.empty() || request.request.badge.empty()) {
    return web_refusal(400, "pin_missing", "this needs a badge and its PIN");
  }
  const Badge* witness = witness_of(request);
  if (is_too_long(request) ||
      (witness != nullptr && witness->text().size() > limits::name_length_max)) {
    return web_refusal(400, "pin_malformed", "a badge or PIN is too long");
  }
  return std::nullopt;
}

}  // namespace

WebReply LoginQueue::add(WebCall& call, PinRequest&& request, OnAccepted on_accepted) {
  Pending pending{call.ticket, {}, std::move(on_accepted), {}, {}, {}};
  auto no = check_form(request);
  if (!no) no = begin(call, request, pending);
  if (!no) pending.asked = std::exchange(request, {});
  forget_pins(request);
  if (no) return std::move(*no);
  const bool is_known = call.session != nullptr || !pending.pins.is_untrusted;
  const std::string asker = call.session != nullptr ? call.session->badge
                            : is_known              ? pending.pins.badge.text()
                                                    : call.request.peer;
  pending.request = std::move(call.request);
  auto refused = waiting_.push(asker, is_known, std::move(pending));
  if (refused) drop(std::move(*refused));
  return Deferred{};
}

std::optional<WebResponse> LoginQueue::begin(const WebCall& call, PinRequest& asked,
                                             Pending& pending) {
  const std::chrono::microseconds uptime = call.now.uptime;
  OperatorRequest& request = asked.request;
  pending.pins = throttle_.look(state_, asked, call.request.address, uptime);
  if (call.session != nullptr && call.session->badge == request.badge.text()) {
    pending.pins.is_untrusted = false;
  }
  pending.limit_key = limit_key(call, request.badge, !pending.pins.is_untrusted);
  auto wait = sessions_.wait_of(pending.limit_key, uptime);
  if (!wait) wait = throttle_.wait_of(state_, pending.pins, uptime);
  if (wait) return too_many_attempts(*wait, "too many wrong PINs; wait before the next one");
  if (const auto pause = sessions_.wait_of_right_pin(request.badge.text(), uptime)) {
    return too_many_attempts(*pause, "this badge signed too often within a minute; wait");
  }
  sessions_.note_failure(pending.limit_key, uptime);
  throttle_.begin(state_, pending.pins, uptime);
  request.counts = !pending.pins.is_untrusted;
  request.witness_counts = pending.pins.untrusted_witness.empty();
  request.source = RequestSource::web;
  request.peer = std::to_string(call.ticket.value);
  return std::nullopt;
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

// The PIN was not verified, so the try does not count.
void LoginQueue::drop(Pending pending) {
  forget_pins(pending.asked);
  sessions_.forgive(pending.limit_key);
  throttle_.take_back(state_, pending.pins);
  server_.answer(pending.ticket, web_busy());
}

std::optional<PinRequest> LoginQueue::next() {
  while (auto waiting = waiting_.pop()) {
    Pending pending = std::move(*waiting);
    if (server_.is_abandoned(pending.ticket)) {
      drop(std::move(pending));
      continue;
    }
    PinRequest request = std::move(pending.asked);
    in_progress_.emplace(request.request.peer, std::move(pending));
    return request;
  }
  return std::nullopt;
}

void LoginQueue::settle(const Pending& pending, const Badge& by, Refusal refusal, Moment now) {
  throttle_.settle(state_, pending.pins, by, refusal, now.uptime);
  if (was_wrong(refusal)) return;
  sessions_.forgive(pending.limit_key);
  if (!was_not_verified(refusal)) sessions_.note_right_pin(by.text(), now.uptime);
}

void LoginQueue::answer(const Controller::SocketReply& answer, Moment now) {
  const auto found = in_progress_.find(answer.peer);
  if (found == in_progress_.end()) return;
  const Pending pending = std::move(found->second);
  in_progress_.erase(found);
  const ControlReply& reply = answer.reply;
  settle(pending, answer.by, reply.refusal, now);
  if (reply.refusal == Refusal::none) {
    return server_.answer(pending.ticket, pending.on_accepted(pending.request, answer, now));
  }
  WebResponse no = json_response(Json{
      {"error", name(reply.refusal)}, {"message", reply.text}, {"entry", reply.entry.value()}});
  no.status = status_of(reply.refusal);
  server_.answer(pending.ticket, std::move(no));
}

}  // namespace linkmeter
