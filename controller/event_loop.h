// EventLoop: the main thread of the controller, one round after the other until a stop signal.
//
// One round:
//   1. The controller checks itself (health_monitor.h). It may suspend links.
//   2. Wait for input, for the stop signal, or until something is due.
//   3. Receive messages of tables, at most limits::turn_messages_max, and one request of a person
//      whose PIN was verified.
//   4. Read the trusted time. A doubt about the clock is journaled, and may suspend links
//      (clock_guard.h). Gaming days that are over end now, because what was received belongs to the
//      day of this moment.
//   5. If anything was received, take the turn. When it is durable, send the replies to tables;
//      then settle replaced keys, reply to people, and call on_turn() of every service.
//   6. Find the tables that were linked or lost; call on_tables_changed() of every service.
//   7. Call serve() of every service.
// Links that steps 1 and 4 suspend are reported to on_turn() at once. Services are called in the
// order in which they were added.
//
// With a journal on several machines a turn is not durable at once. Then the loop takes one more
// turn of tables meanwhile (steps 2, 3 and 5), and waits with everything else until nothing is
// open: people and services see the state only when all of it is durable. After ahead_time no
// further turn is taken before that.
//
// Laws: nothing is answered before it is durable, and nothing after the node's lease may have
// ended. The loop sleeps until there is something to do. A stop signal ends it at the end of the
// round that sees it, so the current turn is committed and answered. Whatever is thrown here must
// end the process.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <set>
#include <vector>

#include "controller/accounting/day/day_rollover_service.h"
#include "controller/auth/authenticator.h"
#include "controller/auth/panel_logins.h"
#include "controller/integrity/clock_guard.h"
#include "controller/integrity/health_monitor.h"
#include "controller/integrity/key_replacement.h"
#include "controller/sockets/control_socket.h"
#include "controller/sockets/table_socket.h"
#include "controller/store/journal.h"
#include "controller/time/clock.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "controller/turn/table_presence.h"
#include "proto/host/shutdown_signal.h"

namespace linkmeter {

class EventLoop {
 public:
  // What the loop itself uses in a round. All must outlive the loop.
  struct Parts {
    Controller& controller;
    Journal& journal;
    Clock& clock;
    HealthMonitor& health;
    ClockGuard& clock_guard;
    DayRolloverService& days;
    const ShownAmounts& shown;  // the amounts on the signs, for the end of a day
    TablePresence& presence;
    TableSocket& tables;
    PanelLogins& panels;
    ControlSocket& operators;
    Authenticator& authenticator;
    KeyReplacement& keys;
    // Called in each round, and before each turn is answered. Throws Fault if this controller may
    // not answer now.
    std::function<void()> each_round = [] {};
  };

  explicit EventLoop(const Parts& parts) : parts_(parts) {}

  // `service` must outlive the loop.
  void add(Service& service) { services_.push_back(&service); }
  // Returns after a stop signal.
  void run(const ShutdownSignal& stop);

 private:
  static constexpr std::chrono::milliseconds ahead_time{20};

  struct Received {
    std::vector<InboundMessage> messages;
    std::vector<OperatorRequest> requests;
  };
  // A turn whose results have not all left.
  struct Open {
    Controller::Turn turn;
    std::size_t messages = 0;
    std::size_t requests = 0;
    std::chrono::microseconds begun{};
    Timestamp now;
    bool is_durable = false;  // the replies to its tables were sent
  };

  // Returns true if the stop signal came.
  [[nodiscard]] bool wait(const ShutdownSignal& stop) const;
  [[nodiscard]] std::chrono::milliseconds time_to_wait() const;
  // Takes another turn of tables although one is not durable, if the time allows.
  void take_ahead();
  [[nodiscard]] bool may_take_ahead() const;
  Received receive();
  std::vector<InboundMessage> receive_messages();
  Timestamp trusted_now();
  void take_turn(const Received& received, Timestamp now);
  // Lets the results of durable turns leave; those that show the state, when no turn is open.
  void release();
  void finish(const Open& done);
  // Steps 6 and 7. REQUIRES: no turn is open.
  void serve_all();
  void note_presence();
  // Reports links that the controller changed outside a turn; there may be none.
  void report(std::set<LinkIndex> changed);
  void report(const Controller::Turn& turn, std::size_t messages, std::size_t requests,
              std::chrono::microseconds begun);
  [[nodiscard]] const State& state() const { return parts_.controller.state(); }
  [[nodiscard]] Moment moment() const { return {parts_.clock.now(), parts_.clock.uptime()}; }

  Parts parts_;
  std::vector<Service*> services_;
  std::deque<Open> open_;       // in order
  std::set<TableIndex> heard_;  // tables that sent anything valid in their own name
  std::chrono::microseconds open_since_{};
};

}  // namespace linkmeter
