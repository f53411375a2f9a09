#include "controller/event_loop.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <zmq.hpp>

#include "controller/sockets/poll_item.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

}  // namespace

void EventLoop::run(const ShutdownSignal& stop) {
  for (bool is_last = false; !is_last;) {
    if (open_.empty()) report(parts_.health.serve());
    is_last = wait(stop);
    parts_.each_round();
    if (is_last) parts_.journal.settle();
    if (!open_.empty()) {
      release();
      if (open_.empty()) {
        serve_all();  // before the next turn is taken, however many messages wait
      } else {
        take_ahead();
      }
      continue;
    }
    const Received received = receive();
    const Timestamp now = trusted_now();
    parts_.days.serve(parts_.shown, now, parts_.clock.take_change());
    if (!received.messages.empty() || !received.requests.empty()) take_turn(received, now);
    if (is_last) parts_.journal.settle();
    release();
    if (open_.empty()) serve_all();
  }
}

void EventLoop::serve_all() {
  note_presence();
  for (Service* service : services_) service->serve(moment());
}

bool EventLoop::wait(const ShutdownSignal& stop) const {
  std::vector<zmq_pollitem_t> items = {readable(stop.descriptor())};
  if (const auto advanced = parts_.journal.descriptor()) items.push_back(readable(*advanced));
  if (open_.empty() || may_take_ahead()) {
    items.push_back({parts_.tables.socket().handle(), 0, ZMQ_POLLIN, 0});
  }
  if (open_.empty()) {
    items.push_back(request_input(parts_.authenticator, parts_.operators));
    for (const Service* service : services_) {
      if (const auto descriptor = service->descriptor()) items.push_back(readable(*descriptor));
    }
  }
  const int ready = zmq_poll(items.data(), static_cast<int>(items.size()), time_to_wait().count());
  if (ready < 0 && errno != EINTR) throw zmq::error_t();
  return items.front().revents != 0;
}

milliseconds EventLoop::time_to_wait() const {
  if (!open_.empty()) return ahead_time;
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

// Each open turn waits for the disks of other machines; one more keeps this processor at work.
bool EventLoop::may_take_ahead() const {
  const auto waiting =
      std::count_if(open_.begin(), open_.end(), [](const Open& one) { return !one.is_durable; });
  return waiting == 1 && parts_.clock.uptime() - open_since_ < ahead_time &&
         parts_.days.time_until_due(parts_.clock.now()) > milliseconds(0);
}

void EventLoop::take_ahead() {
  if (!may_take_ahead()) return;
  const Received received{receive_messages(), {}};
  if (!received.messages.empty()) take_turn(received, trusted_now());
  release();
}

EventLoop::Received EventLoop::receive() {
  Received received{receive_messages(), {}};
  if (auto request = parts_.authenticator.take(state(), parts_.clock.now())) {
    if (!request->unchecked.empty()) spdlog::error("{}", request->unchecked);
    received.requests.push_back(std::move(*request));
  }
  return received;
}

std::vector<InboundMessage> EventLoop::receive_messages() {
  std::vector<InboundMessage> messages = parts_.tables.drain(limits::turn_messages_max);
  parts_.tables.reply_all(parts_.panels.take(messages, state(), parts_.clock.uptime()));
  return messages;
}

Timestamp EventLoop::trusted_now() {
  auto [now, changed] = parts_.clock_guard.trusted_now(parts_.clock);
  report(std::move(changed));
  return now;
}

void EventLoop::take_turn(const Received& received, Timestamp now) {
  const microseconds begun = parts_.clock.uptime();
  if (open_.empty()) open_since_ = begun;
  open_.push_back({parts_.controller.turn(received.messages, now, received.requests),
                   received.messages.size(), received.requests.size(), begun, now});
  heard_.insert(open_.back().turn.heard.begin(), open_.back().turn.heard.end());
}

void EventLoop::release() {
  const EntryNumber durable = parts_.journal.durable();
  bool all_durable = true;
  for (Open& one : open_) {
    if (one.is_durable) continue;
    all_durable = one.turn.last <= durable;
    if (!all_durable) break;
    parts_.each_round();  // the turn may have waited, or stood still
    for (const Reply& reply : one.turn.replies) parts_.tables.reply(reply);
    one.is_durable = true;
  }
  if (!all_durable) return;
  for (; !open_.empty(); open_.pop_front()) finish(open_.front());
}

// StaffRequests and Pages send their replies in on_turn().
void EventLoop::finish(const Open& done) {
  if (done.requests > 0) parts_.keys.settle(done.now);
  for (const Reply& reply : done.turn.person_replies) parts_.operators.reply(reply);
  for (const Controller::SocketReply& answer : done.turn.socket_replies) {
    if (answer.source != RequestSource::table) continue;
    parts_.tables.reply(parts_.panels.answer(answer, state(), parts_.clock.uptime()));
  }
  report(done.turn, done.messages, done.requests, done.begun);
}

void EventLoop::note_presence() {
  const auto changes = parts_.presence.note(std::exchange(heard_, {}), moment());
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
