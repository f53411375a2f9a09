// WritingObstacle: why this node must not become the writer and must not go on alone: the checks of
// a standby found a fault in its journal or balances, or its PIN key is not the one in force.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "controller/integrity/health_monitor.h"

namespace linkmeter {

class WritingObstacle {
 public:
  // `use_pin_keys` takes the keys that the data folder has now into use, because somebody may have
  // replaced them there. It throws Fault if they are not those in force. `health` must outlive
  // this.
  WritingObstacle(HealthMonitor& health, std::function<void()> use_pin_keys)
      : health_(health), use_pin_keys_(std::move(use_pin_keys)) {}

  // "": it may. Call it in every round of a standby. A fault of the checks stays; a wrong key does
  // not, once the right one is there.
  [[nodiscard]] std::string operator()();

 private:
  HealthMonitor& health_;
  const std::function<void()> use_pin_keys_;
};

}  // namespace linkmeter
