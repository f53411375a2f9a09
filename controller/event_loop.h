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
//   5. If anything was received, take the turn. Controller::turn() returns when the turn is on
//      disk. Then replaced keys are settled, then the replies are sent, then on_turn() of every
//      service is called.
//   6. Find the tables that were linked or lost; call on_tables_changed() of every service.
//   7. Call serve() of every service.
// Links that steps 1 and 4 suspend are reported to on_turn() at once. Services are called in the
// order in which they were added.
//
// Laws: nothing is answered before it is committed. The loop sleeps until there is something to do.
// A stop signal ends it at the end of the round that sees it, so the current turn is committed and
// answered. Whatever is thrown here must end the process.
#pragma once

#include <chrono>
#include <cstddef>
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
  };

  explicit EventLoop(const Parts& parts) : parts_(parts) {}

  // `service` must outlive the loop.
  void add(Service& service) { services_.push_back(&service); }
  // Returns after a stop signal.
  void run(const ShutdownSignal& stop);

 private:
  struct Received {
    std::vector<InboundMessage> messages;
    std::vector<OperatorRequest> requests;
  };

  // Returns true if the stop signal came.
  [[nodiscard]] bool wait(const ShutdownSignal& stop) const;
  [[nodiscard]] std::chrono::milliseconds time_to_wait() const;
  Received receive();
  Timestamp trusted_now();
  // Returns the tables that sent anything valid in their own name.
  std::set<TableIndex> take_turn(const Received& received, Timestamp now);
  void send_replies(const Controller::Turn& turn);
  void note_presence(const std::set<TableIndex>& heard);
  // Reports links that the controller changed outside a turn; there may be none.
  void report(std::set<LinkIndex> changed);
  void report(const Controller::Turn& turn, std::size_t messages, std::size_t requests,
              std::chrono::microseconds begun);
  [[nodiscard]] const State& state() const { return parts_.controller.state(); }
  [[nodiscard]] Moment moment() const { return {parts_.clock.now(), parts_.clock.uptime()}; }

  Parts parts_;
  std::vector<Service*> services_;
};

}  // namespace linkmeter
