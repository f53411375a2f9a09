#include "controller/sockets/staff_requests.h"

#include <algorithm>
#include <variant>

#include "controller/turn/operator_reply.h"
#include "meters/facts/operator_command.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/secret.h"

namespace linkmeter {
namespace {

constexpr std::size_t askers_remembered_max = 4'096;

}  // namespace

StaffRequests::StaffRequests(const StaffSocket& socket, StaffServer::MakeSnapshot make,
                             const Controller& controller)
    : controller_(controller), server_(socket, std::move(make)) {}

void StaffRequests::serve(Moment now) {
  for (StaffServer::Request& request : server_.take(taken_per_loop_max))
    take(std::move(request), now);
}

void StaffRequests::refuse(std::uint64_t connection, Refusal refusal, const std::string& more) {
  ControlReply no = refusal_reply(refusal);
  no.text += more;
  server_.reply(connection, encode(no));
}

void StaffRequests::take(StaffServer::Request request, Moment now) {
  if (is_status_request(request.bytes)) {
    status_requests_.push_back(request.connection);
    return;
  }
  std::optional<ControlRequest> read = decode_control_request(request.bytes);
  forget(request.bytes);
  if (!read) return refuse(request.connection, Refusal::message_malformed);
  const bool is_recovery = std::holds_alternative<Recover>(read->act);
  for (std::string& code : read->codes) forget(code);
  PinRequest asked{OperatorRequest{{}, std::move(read->badge), false, std::move(read->act)},
                   std::move(read->pin), std::move(read->new_pin), std::move(read->witness_pin)};
  if (is_recovery || is_too_long(asked)) {
    forget_pins(asked);
    return refuse(request.connection, is_recovery ? Refusal::not_here : Refusal::message_malformed);
  }
  ask_pin(request.connection, request.user, std::move(asked), now);
}

void StaffRequests::ask_pin(std::uint64_t connection, uid_t user, PinRequest asked, Moment now) {
  const State& state = controller_.state();
  const std::string origin = "uid/" + std::to_string(user);
  const std::string& badge = asked.request.badge.text();
  Tried tried{connection, tries_.look(state, asked, origin, now.uptime)};
  auto wait = tries_.wait_of(state, tried.pins, now.uptime);
  if (!wait) wait = right_pins_.wait_of(badge, now.uptime);
  if (wait) {
    forget_pins(asked);
    return refuse(connection, Refusal::too_many_attempts,
                  ": " + std::to_string(wait->count()) + " s");
  }
  tries_.begin(state, tried.pins, now.uptime);
  const bool is_untrusted_origin = tried.pins.is_untrusted;
  OperatorRequest& request = asked.request;
  request.peer = std::to_string(connection);
  request.source = RequestSource::staff;
  request.from = origin;
  request.counts = !is_untrusted_origin;
  request.witness_counts = tried.pins.untrusted_witness.empty();
  tried_.emplace(request.peer, std::move(tried));
  waiting_.push_back({is_untrusted_origin ? origin : badge, is_untrusted_origin, std::move(asked)});
}

// Trusted origins come first. Within each group, the one that has waited longest since it was
// served comes first.
std::optional<PinRequest> StaffRequests::next() {
  if (waiting_.empty()) return std::nullopt;
  const auto rank = [this](const Waiting& one) {
    const auto served = served_.find(one.asker);
    return std::pair(one.is_untrusted_origin, served == served_.end() ? 0 : served->second);
  };
  const auto first = std::min_element(
      waiting_.begin(), waiting_.end(),
      [&rank](const Waiting& one, const Waiting& other) { return rank(one) < rank(other); });
  if (served_.size() >= askers_remembered_max) served_.clear();
  served_[first->asker] = ++served_count_;
  PinRequest request = std::move(first->asked);
  waiting_.erase(first);
  return request;
}

void StaffRequests::on_turn(const CommittedTurn& done) {
  for (const Controller::SocketReply& reply : done.turn.socket_replies) {
    if (reply.source == RequestSource::staff) answer(reply, done.now);
  }
}

void StaffRequests::answer(const Controller::SocketReply& reply, Moment now) {
  auto found = tried_.extract(reply.peer);
  if (found.empty()) return;
  const Refusal refusal = reply.reply.refusal;
  tries_.settle(controller_.state(), found.mapped().pins, reply.by, refusal, now.uptime);
  if (!was_wrong(refusal) && !was_not_verified(refusal)) {
    right_pins_.note(reply.by.text(), now.uptime);
  }
  server_.reply(found.mapped().connection, encode(reply.reply));
}

}  // namespace linkmeter
