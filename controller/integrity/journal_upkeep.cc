#include "controller/integrity/journal_upkeep.h"

#include <spdlog/spdlog.h>

namespace linkmeter {

void JournalUpkeep::serve(Moment now) {
  if (!maintenance_due_) maintenance_due_ = now.uptime + maintenance_interval;
  if (now.uptime >= *maintenance_due_) {
    journal_.maintain();
    maintenance_due_ = now.uptime + maintenance_interval;
  }
  if (const double used = journal_.room().used_fraction; used >= warning_due_) {
    spdlog::warn("the journal's map is {:.0f} % full; at 100 % the controller stops", 100 * used);
    warning_due_ = used + 0.01;
  }
}

}  // namespace linkmeter
