#include "controller/turn/agent_takeover.h"

namespace linkmeter {

AgentTakeover::AgentTakeover(Controller& controller, std::chrono::microseconds lost_after,
                             std::chrono::microseconds uptime)
    : controller_(controller), due_(uptime + lost_after + reconnection_max) {
  controller_.await_previous_agents(true);
}

void AgentTakeover::on_tables_changed(const std::vector<TablePresence::Change>& changes,
                                      const State& /*state*/) {
  for (const TablePresence::Change& change : changes) {
    if (change.to == TableLinkState::lost) controller_.note_lost(change.table);
  }
}

void AgentTakeover::serve(Moment now) {
  if (!due_ || now.uptime < *due_) return;
  controller_.await_previous_agents(false);
  due_.reset();
}

}  // namespace linkmeter
