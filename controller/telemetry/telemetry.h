// Telemetry: reports to the people who run the machine: the service manager's watchdog, and the
// metrics file. Only the loop of turns serves it, so a loop that hangs stops reporting and is
// detected.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "controller/integrity/health_monitor.h"
#include "controller/store/journal.h"
#include "controller/telemetry/metrics.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/turn/table_presence.h"
#include "meters/state/state.h"
#include "proto/host/systemd_notify.h"

namespace linkmeter {

class Telemetry {
 public:
  Telemetry(const std::filesystem::path& metrics_file, std::filesystem::path journal_file)
      : file_(metrics_file), journal_file_(std::move(journal_file)) {}

  [[nodiscard]] Metrics& metrics() { return metrics_; }
  void note(const HealthMonitor& guard);
  // `trouble`: why the journal is not signed; "": it is.
  void note_signer(const std::string& trouble, std::optional<Timestamp> signed_now);
  void ready() { notice_.ready("ready"); }
  void stopping() { notice_.stopping(); }
  // Reports that the program is alive, during long work.
  void beat(std::chrono::microseconds uptime) { notice_.beat(uptime); }
  // Call in every round of the loop: reports that the program is alive, and every five seconds all
  // metrics.
  void serve(const State& state, const TablePresence& presence, const Journal& journal,
             const Moment& now);
  // Whether serve() would write the metrics.
  [[nodiscard]] bool is_due(std::chrono::microseconds uptime) const { return file_.is_due(uptime); }
  [[nodiscard]] std::chrono::milliseconds time_until_due(std::chrono::microseconds uptime) const;

 private:
  SystemdNotify notice_;
  Metrics metrics_;
  MetricsFile file_;
  std::filesystem::path journal_file_;
  Metrics::Signer signer_;
};

}  // namespace linkmeter
