#include "controller/sockets/staff_requests.h"

#include <algorithm>
#include <variant>

#include "controller/turn/operator_reply.h"
#include "meters/facts/operator_command.h"
#include "meters/values/limits.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/secret.h"

namespace linkmeter {
namespace {

constexpr std::size_t askers_remembered_max = 4'096;

bool is_too_long(const LoginRequest& asked) {
  return asked.pin.size() > limits::pin_bytes_max || asked.new_pin.size() > limits::pin_bytes_max ||
         asked.witness_pin.size() > limits::pin_bytes_max ||
         asked.request.badge.text().size() > limits::name_length_max;
}

// The witness whose PIN is given beside the requester's; nullptr: none.
const Badge* witness_of(const LoginRequest& asked) {
  const Badge* witness = asked.witness_pin.empty() ? nullptr : second_pin_of(*asked.request.act);
  const bool is_another =
      witness != nullptr && !witness->empty() && *witness != asked.request.badge;
  return is_another ? witness : nullptr;
}

void forget_pins(LoginRequest& asked) {
  forget(asked.pin);
  forget(asked.new_pin);
  forget(asked.witness_pin);
}

}  // namespace

StaffRequests::StaffRequests(const StaffSocket& socket, StaffServer::MakeSnapshot make,
                             const Controller& controller)
    : controller_(controller), door_(socket, std::move(make)) {}

void StaffRequests::serve(Moment now) {
  for (StaffServer::Request& request : door_.take(taken_per_loop_max))
    take(std::move(request), now);
}

void StaffRequests::refuse(std::uint64_t connection, Refusal refusal, const std::string& more) {
  ControlReply no = refusal_reply(refusal);
  no.text += more;
  door_.reply(connection, encode(no));
}

void StaffRequests::take(StaffServer::Request request, Moment now) {
  if (is_status_request(request.bytes)) {
    status_askers_.push_back(request.connection);
    return;
  }
  std::optional<ControlRequest> read = decode_control_request(request.bytes);
  forget(request.bytes);
  if (!read) return refuse(request.connection, Refusal::message_malformed);
  const bool is_recovery = std::holds_alternative<Recover>(read->act);
  for (std::string& code : read->codes) forget(code);
  LoginRequest asked{OperatorRequest{{}, std::move(read->badge), false, std::move(read->act)},
                     std::move(read->pin), std::move(read->new_pin), std::move(read->witness_pin)};
  if (is_recovery || is_too_long(asked)) {
    forget_pins(asked);
    return refuse(request.connection, is_recovery ? Refusal::not_here : Refusal::message_malformed);
  }
  ask_pin(request.connection, request.user, std::move(asked), now);
}

void StaffRequests::ask_pin(std::uint64_t connection, uid_t user, LoginRequest asked, Moment now) {
  const std::string place = "uid/" + std::to_string(user);
  const Badge badge = asked.request.badge;
  const bool is_strange = !tries_.is_trusted_origin(badge, place, now.uptime);
  const Badge* witness = witness_of(asked);
  if (witness != nullptr && tries_.is_trusted_origin(*witness, place, now.uptime))
    witness = nullptr;
  auto wait = is_strange ? tries_of(badge).wait_of(badge, place, now.uptime) : std::nullopt;
  if (!wait && witness != nullptr) wait = tries_of(*witness).wait_of(*witness, place, now.uptime);
  if (!wait) wait = right_pins_.wait_of(badge.text(), now.uptime);
  if (wait) {
    forget_pins(asked);
    return refuse(connection, Refusal::too_many_attempts,
                  ": " + std::to_string(wait->count()) + " s");
  }
  Tried tried{connection, place, is_strange, {}};
  if (is_strange) tries_of(badge).note_try(badge, place, now.uptime);
  if (witness != nullptr) {
    tries_of(*witness).note_try(*witness, place, now.uptime);
    tried.untrusted_witness = *witness;
  }
  OperatorRequest& request = asked.request;
  request.peer = std::to_string(connection);
  request.source = RequestSource::staff;
  request.from = place;
  request.counts = !is_strange;
  request.witness_counts = witness == nullptr;
  tried_.emplace(request.peer, std::move(tried));
  waiting_.push_back({is_strange ? place : badge.text(), is_strange, std::move(asked)});
}

LoginThrottle& StaffRequests::tries_of(const Badge& badge) {
  return controller_.state().find_person(badge) == nullptr ? unknown_badge_tries_ : tries_;
}

// Trusted origins come first. Within each group, the one that has waited longest since it was
// served comes first.
std::optional<LoginRequest> StaffRequests::next() {
  if (waiting_.empty()) return std::nullopt;
  const auto rank = [this](const Waiting& one) {
    const auto served = served_.find(one.asker);
    return std::pair(one.is_strange, served == served_.end() ? 0 : served->second);
  };
  const auto first = std::min_element(
      waiting_.begin(), waiting_.end(),
      [&rank](const Waiting& one, const Waiting& other) { return rank(one) < rank(other); });
  if (served_.size() >= askers_remembered_max) served_.clear();
  served_[first->asker] = ++served_count_;
  LoginRequest asked = std::move(first->asked);
  waiting_.erase(first);
  return asked;
}

// The rule of the pages (web/login_queue.cc): a right PIN is not counted as a try, and makes this a
// trusted origin of its person. A witness's PIN was right if the command was accepted.
void StaffRequests::settle(const Tried& tried, const Badge& by, Refusal refusal, Moment now) {
  const bool was_wrong = refusal == Refusal::pin_wrong || refusal == Refusal::person_locked;
  // The verification failed (authenticator.h): the PIN is neither right nor wrong.
  const bool is_unknown = refusal == Refusal::too_many_requests;
  if (const Badge& witness = tried.untrusted_witness; !witness.empty()) {
    LoginThrottle& tries = tries_of(witness);
    if (refusal == Refusal::witness_not_signed) tries.note_wrong(witness);
    if (was_wrong || is_unknown || refusal == Refusal::none) tries.take_back(witness, tried.place);
    if (refusal == Refusal::none) tries.note_right(witness, tried.place, now.uptime);
  }
  if (was_wrong) {
    if (tried.is_strange) tries_of(by).note_wrong(by);
    return;
  }
  if (tried.is_strange) tries_of(by).take_back(by, tried.place);
  if (is_unknown) return;
  right_pins_.note(by.text(), now.uptime);
  tries_.note_right(by, tried.place, now.uptime);
}

void StaffRequests::on_turn(const CommittedTurn& done) {
  for (const Controller::Told& told : done.turn.told) {
    if (told.source == RequestSource::staff) answer(told, done.now);
  }
}

void StaffRequests::answer(const Controller::Told& told, Moment now) {
  auto found = tried_.extract(told.peer);
  if (found.empty()) return;
  settle(found.mapped(), told.by, told.reply.refusal, now);
  door_.reply(found.mapped().connection, encode(told.reply));
}

}  // namespace linkmeter
