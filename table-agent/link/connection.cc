#include "table-agent/link/connection.h"

#include <utility>

#include "meters/values/limits.h"

namespace linkmeter {

bool is_waited_for(Refusal refusal) {
  return refusal == Refusal::configuration_differs || refusal == Refusal::history_not_accepted ||
         refusal == Refusal::another_agent;
}

// ---- The lock-out. ------------------------------------------------------------------------------

Lockout Connection::lockout(Timestamp now) const {
  return {cause(now), status_.suspended, status_.frozen};
}

Lockout::Cause Connection::cause(Timestamp now) const {
  if (waiting_for_ == Refusal::configuration_differs) return Lockout::Cause::configuration_differs;
  if (waiting_for_ == Refusal::another_agent) return Lockout::Cause::another_agent;
  if (waiting_for_ != Refusal::none) return Lockout::Cause::history_not_accepted;
  if (is_lost_after(heard_at_, now) || state_ == Lockout::Cause::no_controller) {
    return Lockout::Cause::no_controller;
  }
  if (!status_.frozen.empty()) return Lockout::Cause::frozen;
  return paused_until_ ? Lockout::Cause::pace_exceeded : state_;
}

void Connection::notice_silence(Timestamp now) {
  if (state_ == Lockout::Cause::no_controller || !is_lost_after(heard_at_, now)) return;
  lock();
  start_over();
}

void Connection::unlock_if_caught_up(MessageNumber acknowledged) {
  if (state_ != Lockout::Cause::catching_up || acknowledged < catch_up_to_) return;
  state_ = Lockout::Cause::none;
}

// ---- What is due. -------------------------------------------------------------------------------

std::int64_t Connection::resend_us() const {
  constexpr std::int64_t people_factor = 10;  // people need minutes, not half seconds
  const bool waits_for_people =
      waiting_for_ != Refusal::none && waiting_for_ != Refusal::another_agent;
  return waits_for_people ? people_factor * intervals_.resend_us : intervals_.resend_us;
}

void Connection::notice_overdue(Timestamp now, std::size_t unacknowledged) {
  const bool is_overdue =
      now < progress_at_ || now.microseconds() - progress_at_.microseconds() >= resend_us();
  if (is_waiting(unacknowledged) && is_overdue) start_over();
}

bool Connection::is_heartbeat_due(Timestamp now) const {
  return heartbeat_at_.after(intervals_.heartbeat_us()) <= now;
}

Timestamp Connection::wakes_at(std::size_t unacknowledged) const {
  if (phase_ == Phase::hello_due) return progress_at_;
  const Timestamp heartbeat_due = heartbeat_at_.after(intervals_.heartbeat_us());
  Timestamp wakes = is_waiting(unacknowledged) ? progress_at_.after(resend_us()) : heartbeat_due;
  if (phase_ == Phase::welcome) wakes = std::min(wakes, heartbeat_due);
  if (paused_until_ && sent_count_ == 0) wakes = std::min(wakes, *paused_until_);
  if (state_ != Lockout::Cause::no_controller) {
    wakes = std::min(wakes, heard_at_.after(intervals_.lost_after_us));
  }
  return wakes;
}

// ---- What was sent. -----------------------------------------------------------------------------

std::uint64_t Connection::send_hello(Timestamp now) {
  std::erase_if(hellos_, [&](const auto& hello) { return is_lost_after(hello.second, now); });
  hellos_.emplace(++last_hello_, now);
  phase_ = Phase::hello_sent;
  sent_count_ = 0;
  progress_at_ = now;
  return last_hello_;
}

Connection::Range Connection::messages_to_send(Timestamp now, std::size_t unacknowledged) {
  // The first of them: the wait for its answer begins now.
  if (sent_count_ == 0 && unacknowledged > 0) progress_at_ = now;
  if (paused_until_ && now < *paused_until_) return {};
  // A resend after a restoration may have more than messages_open_max to send.
  const std::size_t last =
      std::max(sent_count_, std::min(unacknowledged, limits::messages_open_max));
  return {std::exchange(sent_count_, last), last};
}

// ---- What was received. -------------------------------------------------------------------------

bool Connection::is_recent_hello(std::uint64_t number, Timestamp now) const {
  const auto hello = hellos_.find(number);
  return hello != hellos_.end() && !is_lost_after(hello->second, now);
}

void Connection::on_waiting(Refusal reason) {
  waiting_for_ = reason;
  lock();
}

void Connection::on_accepted(Timestamp now) {
  waiting_for_ = Refusal::none;
  heard_at_ = now;
}

void Connection::on_welcome(Status status, MessageNumber last, MessageNumber acknowledged,
                            Timestamp now) {
  phase_ = Phase::welcome;
  sent_count_ = 0;
  progress_at_ = now;
  heartbeat_at_ = now;
  status_ = std::move(status);
  if (state_ == Lockout::Cause::no_controller) {
    state_ = Lockout::Cause::catching_up;
    catch_up_to_ = last;
  }
  unlock_if_caught_up(acknowledged);
}

void Connection::on_heard(Timestamp now) {
  if (is_welcome()) heard_at_ = now;
}

void Connection::on_heartbeat_answer(Status status, bool wants_hello, Timestamp now) {
  on_heard(now);
  status_ = std::move(status);
  if (sent_count_ == 0) progress_at_ = now;  // Nothing is missing.
  if (wants_hello && is_welcome()) start_over();
}

void Connection::on_acknowledged(std::size_t count, MessageNumber acknowledged, Timestamp now) {
  sent_count_ -= std::min(sent_count_, count);
  progress_at_ = now;
  paused_until_.reset();
  unlock_if_caught_up(acknowledged);
}

void Connection::on_not_taken(Refusal refusal, Timestamp now) {
  if (refusal == Refusal::pace_exceeded) {
    paused_until_ = now.after(intervals_.pace_wait_us);
    sent_count_ = 0;
    progress_at_ = now;
    return;
  }
  if (!is_welcome()) return;  // A Hello is on its way: this answers what was sent before it.
  start_over();
  if (is_waited_for(refusal))
    on_waiting(refusal);  // The next Welcome tells whether it still holds.
}

}  // namespace linkmeter
