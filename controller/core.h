// Core: the parts of a controller that decide and journal.
#pragma once

#include <string>

#include "config/reader/floor_file.h"
#include "controller/accounting/day/day_rollover_service.h"
#include "controller/auth/authenticator.h"
#include "controller/integrity/clock_guard.h"
#include "controller/options.h"
#include "controller/store/journal.h"
#include "controller/store/timed_journal.h"
#include "controller/telemetry/metrics.h"
#include "controller/time/clock.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "meters/state/state.h"
#include "proto/host/credentials.h"

namespace linkmeter {

struct Core {
  const Options& options;
  const FloorFile& floor;
  Clock& clock;
  Metrics metrics;
  Journal& stored;  // for other threads: what is durable
  TimedJournal journal;
  const Credentials own;
  const std::string operator_key;  // public
  Controller controller;
  DayRolloverService days;
  ClockGuard clock_guard;

  // All but `state` must outlive this. `store`: the journal of the turn; `durable`: what it has
  // committed on this machine. Throws Fault if the folder's credentials cannot be read.
  Core(const Options& chosen, const FloorFile& house, Clock& time, Journal& durable, Journal& store,
       State state);

  [[nodiscard]] Moment now() const { return {clock.now(), clock.uptime()}; }
  // Of the folder, now. Throws Fault, also if they are not those in force.
  [[nodiscard]] PinKeys pin_keys() const;
};

}  // namespace linkmeter
