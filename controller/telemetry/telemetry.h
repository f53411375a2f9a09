// Telemetry: reports to the people who run the machine: the service manager's watchdog, and the
// metrics file. Only the main loop serves it, so a loop that hangs stops reporting and is detected.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/integrity/health_monitor.h"
#include "controller/integrity/journal_signer.h"
#include "controller/store/journal.h"
#include "controller/telemetry/metrics.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "controller/turn/table_presence.h"
#include "proto/host/systemd_notify.h"

namespace linkmeter {

class Telemetry final : public Service {
 public:
  // What the metrics describe.
  struct Subjects {
    const Controller& controller;
    const TablePresence& presence;
    const Journal& journal;
    std::filesystem::path journal_file;  // its size is a metric
    const HealthMonitor& health;
    const JournalSigning* signing;  // nullptr: a standby signs nothing
  };

  // `metrics`, `service_manager` and the subjects must outlive this.
  Telemetry(const std::filesystem::path& metrics_file, Metrics& metrics,
            SystemdNotify& service_manager, Subjects subjects);

  // `set` is called before the metrics are written. It sets values that this class does not know.
  void add_source(std::function<void(Metrics&)> set) { sources_.push_back(std::move(set)); }
  // The status that the service manager shows, instead of the tables and links.
  void set_status(std::function<std::string()> status) { status_ = std::move(status); }

  void on_turn(const CommittedTurn& done) override;
  // Reports that the program is alive, and every five seconds all metrics.
  void serve(Moment now) override;
  [[nodiscard]] std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds uptime) const override;

 private:
  void collect();
  [[nodiscard]] Metrics::Gauges gauges(Timestamp as_of) const;

  Metrics& metrics_;
  SystemdNotify& service_manager_;
  MetricsFile file_;
  Subjects subjects_;
  std::vector<std::function<void(Metrics&)>> sources_;
  std::function<std::string()> status_;
};

}  // namespace linkmeter
