// Connection: the state of one table's conversation with the controller: when a Hello, a message or
// a heartbeat is due, and whether the table is locked out (lockout.h). It makes no frames and reads
// no clock; `now` measures intervals only, so any clock that never goes back will do.
//
// Laws:
// 1. Hello first. No message and no heartbeat is due before the Welcome that answers the Hello.
// 2. Start over. If resend_us pass without progress while something is unanswered, a Hello is due;
//    after its Welcome, everything unacknowledged is sent again.
// 3. While the table is welcome, a heartbeat is due every heartbeat_us, whatever else is sent.
// 4. A silence of lost_after_us locks the table and makes a Hello due. Only two things together
//    unlock it: a Welcome to a Hello that is younger than lost_after_us, and the acknowledgement
//    of every message that was submitted before that Welcome. So a frame that was delayed, or that
//    waited while this process stood still, unlocks nothing. Each Hello has a number, and its
//    Welcome names it.
// 5. Some refusals pass by themselves or by what people do (is_waited_for()). They lock the table,
//    and it says Hello again from time to time until the controller takes it.
// 6. A standby's refusal (not_the_writer) is not heard: it neither locks nor unlocks, nor keeps the
//    table open. A change to another controller begins with a Hello and nothing else changes, so
//    one that takes less than lost_after_us locks no table.
// 7. After pace_exceeded nothing is sent for pace_wait_us; the table is locked until the next
//    acknowledgement.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "meters/values/identity.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"
#include "proto/codec/wire_codec.h"
#include "table-agent/link/lockout.h"

namespace linkmeter {

// Whether the agent waits until this refusal passes: configuration_differs, history_not_accepted
// and another_agent. Every other refusal of a Hello is a fault.
bool is_waited_for(Refusal refusal);

class Connection {
 public:
  struct Intervals {
    std::int64_t resend_us = 500'000;
    std::int64_t lost_after_us = 2'000'000;  // L5
    std::int64_t pace_wait_us = 5'000'000;
    // Short enough that one or two lost heartbeats are not yet a silence.
    [[nodiscard]] std::int64_t heartbeat_us() const {
      return std::min<std::int64_t>(500'000, lost_after_us / 4);
    }
  };
  // The state of the table as the controller reported it last.
  struct Status {
    std::vector<SuspendedLink> suspended = {};
    std::vector<LinkId> stopped = {};  // links whose pot funds collect no more
    std::string frozen = {};           // why the table is frozen; "": it is not
  };

  explicit Connection(const Intervals& intervals) : intervals_(intervals) {}

  [[nodiscard]] const Intervals& intervals() const { return intervals_; }
  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] bool is_welcome() const { return phase_ == Phase::welcome; }
  [[nodiscard]] Lockout lockout(Timestamp now) const;

  // ---- What is due. `unacknowledged` is the number of messages without an answer. ----
  // Notices a silence.
  void notice_silence(Timestamp now);
  // Makes a Hello due if something is overdue.
  void notice_overdue(Timestamp now, std::size_t unacknowledged);
  [[nodiscard]] bool is_hello_due() const { return phase_ == Phase::hello_due; }
  [[nodiscard]] bool is_heartbeat_due(Timestamp now) const;
  // When something becomes due, or the lock-out changes, if nothing is submitted or received.
  [[nodiscard]] Timestamp wakes_at(std::size_t unacknowledged) const;

  // ---- What was sent. ----
  // A Hello is sent now; returns its number.
  std::uint64_t send_hello(Timestamp now);
  void on_heartbeat_sent(Timestamp now) { heartbeat_at_ = now; }
  // The unacknowledged messages to send now: those at the places [first, last). They count as
  // sent. REQUIRES: is_welcome().
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  [[nodiscard]] Range messages_to_send(Timestamp now, std::size_t unacknowledged);

  // ---- What was received. ----
  // Any frame of the controller for this table, except a refused Hello and what a standby says.
  // Before the Welcome it is no sign of life: the table may not be able to follow this controller.
  void on_heard(Timestamp now);
  // Whether this is the number of a Hello that was sent less than lost_after_us ago.
  [[nodiscard]] bool is_recent_hello(std::uint64_t number, Timestamp now) const;
  // A Hello was refused for a reason that passes (law 5).
  void on_waiting(Refusal reason);
  // Whether the answer to a Hello is expected. If not, the Hello was answered before.
  [[nodiscard]] bool expects_welcome() const { return phase_ == Phase::hello_sent; }
  // A Hello was accepted.
  void on_accepted(Timestamp now);
  // The table is welcome. `last` is the last number that was given out, `acknowledged` the last
  // one that is acknowledged.
  void on_welcome(Status status, MessageNumber last, MessageNumber acknowledged, Timestamp now);
  void on_heartbeat_answer(Status status, bool wants_hello, Timestamp now);
  // `count` more messages are acknowledged, up to this number.
  void on_acknowledged(std::size_t count, MessageNumber acknowledged, Timestamp now);
  // Messages were not taken, and their numbers are not used up. REQUIRES: pace_exceeded,
  // message_out_of_order, not_the_writer, or a refusal that is waited for.
  void on_not_taken(Refusal refusal, Timestamp now);

  // Begins with a Hello: the transport is new, or another agent may take the table.
  void start_over() { phase_ = Phase::hello_due; }
  // Locks the table until the next Welcome, and until everything is acknowledged.
  void lock() { state_ = Lockout::Cause::no_controller; }

 private:
  enum class Phase : std::uint8_t { hello_due, hello_sent, welcome };

  [[nodiscard]] std::int64_t resend_us() const;
  [[nodiscard]] bool is_waiting(std::size_t unacknowledged) const {
    return phase_ == Phase::hello_sent || unacknowledged > 0;
  }
  [[nodiscard]] bool is_lost_after(Timestamp moment, Timestamp now) const {
    return now.microseconds() - moment.microseconds() >= intervals_.lost_after_us;
  }
  [[nodiscard]] Lockout::Cause cause(Timestamp now) const;
  void unlock_if_caught_up(MessageNumber acknowledged);

  Intervals intervals_;
  Status status_;
  Phase phase_ = Phase::hello_due;
  std::uint64_t last_hello_ = 0;               // its number
  std::map<std::uint64_t, Timestamp> hellos_;  // the recent ones: number, and when it was sent
  std::size_t sent_count_ = 0;                 // of the unacknowledged messages, since the Welcome
  Timestamp progress_at_;   // last Hello, Welcome, acknowledgement, or first send after one of them
  Timestamp heartbeat_at_;  // the last one sent, or the Welcome
  Timestamp heard_at_;
  std::optional<Timestamp> paused_until_;  // law 7
  Refusal waiting_for_ = Refusal::none;    // law 5
  // no_controller until a Welcome, then catching_up up to the number below, then none.
  Lockout::Cause state_ = Lockout::Cause::no_controller;
  MessageNumber catch_up_to_;
};

}  // namespace linkmeter
