#include "controller/event_loop.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <zmq.hpp>

#include "meters/values/limits.h"

namespace linkmeter {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

zmq_pollitem_t readable(int descriptor) { return {nullptr, descriptor, ZMQ_POLLIN, 0}; }

// While a PIN is verified, requests wait in the operator's socket.
zmq_pollitem_t readable(const Authenticator& authenticator, ControlSocket& operators) {
  if (authenticator.is_busy()) return readable(authenticator.descriptor());
  return operators.awaited();
}

}  // namespace

void EventLoop::run(const ShutdownSignal& stop) {
  for (bool is_last = false; !is_last;) {
    report(parts_.health.serve());
    is_last = wait(stop);
    const Received received = receive();
    const Timestamp now = trusted_now();
    parts_.days.serve(parts_.shown, now, parts_.clock.take_change());
    std::set<TableIndex> heard;
    if (!received.messages.empty() || !received.requests.empty()) heard = take_turn(received, now);
    note_presence(heard);
    for (Service* service : services_) service->serve(moment());
  }
}

bool EventLoop::wait(const ShutdownSignal& stop) const {
  std::vector<zmq_pollitem_t> items = {readable(stop.descriptor()),
                                       {parts_.tables.socket().handle(), 0, ZMQ_POLLIN, 0},
                                       readable(parts_.authenticator, parts_.operators)};
  for (const Service* service : services_) {
    if (const auto descriptor = service->descriptor()) items.push_back(readable(*descriptor));
  }
  const int ready = zmq_poll(items.data(), static_cast<int>(items.size()), time_to_wait().count());
  if (ready < 0 && errno != EINTR) throw zmq::error_t();
  return items.front().revents != 0;
}

milliseconds EventLoop::time_to_wait() const {
  if (parts_.authenticator.is_waiting()) return milliseconds(0);
  const Moment now = moment();
  milliseconds wait = parts_.days.time_until_due(now.as_of);
  const auto wait_until = [&wait, &now](std::optional<microseconds> due) {
    if (!due) return;
    wait = std::min(wait,
                    std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*due - now.uptime)));
  };
  wait_until(parts_.presence.due());
  for (const Service* service : services_) wait_until(service->due(now.uptime));
  return wait;
}

EventLoop::Received EventLoop::receive() {
  Received received;
  received.messages = parts_.tables.drain(limits::turn_messages_max);
  parts_.tables.reply_all(parts_.panels.take(received.messages, state(), parts_.clock.uptime()));
  if (auto request = parts_.authenticator.take(state(), parts_.clock.now())) {
    if (!request->unchecked.empty()) spdlog::error("{}", request->unchecked);
    received.requests.push_back(std::move(*request));
  }
  return received;
}

Timestamp EventLoop::trusted_now() {
  auto [now, changed] = parts_.clock_guard.trusted_now(parts_.clock);
  report(std::move(changed));
  return now;
}

std::set<TableIndex> EventLoop::take_turn(const Received& received, Timestamp now) {
  const microseconds begun = parts_.clock.uptime();
  const Controller::Turn turn = parts_.controller.turn(received.messages, now, received.requests);
  if (!received.requests.empty()) parts_.keys.settle(now);
  send_replies(turn);
  report(turn, received.messages.size(), received.requests.size(), begun);
  return turn.heard;
}

// StaffRequests and Pages send their replies in on_turn().
void EventLoop::send_replies(const Controller::Turn& turn) {
  for (const Reply& reply : turn.replies) parts_.tables.reply(reply);
  for (const Reply& reply : turn.person_replies) parts_.operators.reply(reply);
  for (const Controller::SocketReply& answer : turn.socket_replies) {
    if (answer.source != RequestSource::table) continue;
    parts_.tables.reply(parts_.panels.answer(answer, state(), parts_.clock.uptime()));
  }
}

void EventLoop::note_presence(const std::set<TableIndex>& heard) {
  const auto changes = parts_.presence.note(heard, moment());
  if (changes.empty()) return;
  for (Service* service : services_) service->on_tables_changed(changes, state());
}

void EventLoop::report(std::set<LinkIndex> changed) {
  if (changed.empty()) return;
  Controller::Turn turn;
  turn.changed = std::move(changed);
  report(turn, 0, 0, parts_.clock.uptime());
}

void EventLoop::report(const Controller::Turn& turn, std::size_t messages, std::size_t requests,
                       microseconds begun) {
  for (Service* service : services_) {
    service->on_turn({turn, state(), messages, requests, begun, moment()});
  }
}

}  // namespace linkmeter
