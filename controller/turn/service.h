// Service: a part of the controller that the event loop (event_loop.h) calls between two turns. It
// waits for input, for a time or for changes, and does its work then.
//
// Laws: all calls come from the main thread. Every call returns soon, because the tables wait
// meanwhile; long work belongs in a thread that makes descriptor() readable when it is done. A
// service may commit entries of its own in serve(), and only there.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/turn/table_presence.h"
#include "meters/state/state.h"

namespace linkmeter {

// A turn on disk, with its replies sent. If the controller itself suspended or resumed links
// outside a turn, this reports it too: then only `turn.changed` is set, and nothing was received.
struct CommittedTurn {
  const Controller::Turn& turn;
  const State& state;                 // after the turn
  std::size_t messages = 0;           // received from tables
  std::size_t requests = 0;           // received from people
  std::chrono::microseconds begun{};  // the uptime at which the turn began
  Moment now = {};
};

class Service {
 public:
  Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  virtual ~Service() = default;

  // Becomes readable when serve() has work. nullopt: no descriptor.
  [[nodiscard]] virtual std::optional<int> descriptor() const { return std::nullopt; }
  // The uptime at which serve() has work without input; a past one means at once. nullopt: never.
  [[nodiscard]] virtual std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds /*uptime*/) const {
    return std::nullopt;
  }
  // A turn was committed.
  virtual void on_turn(const CommittedTurn& /*done*/) {}
  // Tables were linked or lost.
  virtual void on_tables_changed(const std::vector<TablePresence::Change>& /*changes*/,
                                 const State& /*state*/) {}
  // Does what waits or is due. The loop calls this in every round, so it must be cheap if there is
  // nothing to do. Throws Fault: then the process must end.
  virtual void serve(Moment /*now*/) {}
};

}  // namespace linkmeter
