// WritingObstacle: why this node must not become the writer, nor go on alone: the checks of a
// standby found a fault in its journal or balances, or its PIN key is not the one in force.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "controller/integrity/health_monitor.h"
#include "controller/turn/controller.h"

namespace linkmeter {

class WritingObstacle {
 public:
  // Both must outlive this. `data`: the data folder.
  WritingObstacle(const Controller& controller, HealthMonitor& health, std::filesystem::path data)
      : controller_(controller), health_(health), data_(std::move(data)) {}

  // "": it may. Call it in every round of a standby. A fault of the checks stays; a wrong key is
  // looked at again.
  [[nodiscard]] std::string operator()();

 private:
  const Controller& controller_;
  HealthMonitor& health_;
  const std::filesystem::path data_;
  std::string looked_at_, key_mistake_;  // the PIN key in force, and what is wrong with the file
};

}  // namespace linkmeter
