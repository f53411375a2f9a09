// AgentTakeover: decides from when another agent may take over a table (served_agents.h). A table
// that is lost may be taken over. After a start, no table may be taken over until the previous
// agents had time to reconnect.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "controller/turn/controller.h"
#include "controller/turn/service.h"

namespace linkmeter {

class AgentTakeover final : public Service {
 public:
  // How long agents may take to reconnect to a restarted controller, beyond lost_after.
  static constexpr std::chrono::seconds reconnection_max{2};

  // Call at a start. `controller` must outlive this.
  AgentTakeover(Controller& controller, std::chrono::microseconds lost_after,
                std::chrono::microseconds uptime);

  void on_tables_changed(const std::vector<TablePresence::Change>& changes,
                         const State& state) override;
  void serve(Moment now) override;

 private:
  Controller& controller_;
  // When previous agents are no longer awaited; nullopt: they are not awaited.
  std::optional<std::chrono::microseconds> due_;
};

}  // namespace linkmeter
