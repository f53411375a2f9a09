// DayReportService: runs the DayReportWorker in the event loop, and logs what it could not do.
#pragma once

#include <optional>

#include "controller/accounting/day/day_report_worker.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"

namespace linkmeter {

class DayReportService final : public Service {
 public:
  // Both must outlive this.
  DayReportService(const Controller& controller, DayReportWorker& worker)
      : controller_(controller), worker_(worker) {}

  [[nodiscard]] std::optional<int> descriptor() const override { return worker_.descriptor(); }
  [[nodiscard]] std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds /*uptime*/) const override {
    return worker_.due();
  }
  void serve(Moment now) override;

 private:
  const Controller& controller_;
  DayReportWorker& worker_;
};

}  // namespace linkmeter
