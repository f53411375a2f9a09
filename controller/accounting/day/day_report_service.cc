#include "controller/accounting/day/day_report_service.h"

#include <spdlog/spdlog.h>

namespace linkmeter {

void DayReportService::serve(Moment now) {
  worker_.serve(controller_.state(), now.uptime);
  for (const std::string& trouble : worker_.take_troubles()) spdlog::error("{}", trouble);
}

}  // namespace linkmeter
