// Report: what the controller tells of itself to whoever runs the machine: the service manager that
// watches over it, and the file of metrics. It is served by the loop of turns and by nothing else,
// so a loop that hangs falls silent and is seen.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "controller/integrity/health_monitor.h"
#include "controller/store/lmdb_journal.h"
#include "controller/telemetry/metrics.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/turn/table_presence.h"
#include "meters/state/state.h"
#include "proto/host/systemd_notify.h"

namespace linkmeter {

class Report {
 public:
  Report(const std::filesystem::path& metrics_file, std::filesystem::path journal_file)
      : file_(metrics_file), journal_file_(std::move(journal_file)) {}

  [[nodiscard]] Metrics& metrics() { return metrics_; }
  void note(const HealthMonitor& guard);
  // `trouble`: why the journal is not signed; "": it is.
  void note_signer(const std::string& trouble, std::optional<Timestamp> signed_now);
  void ready() { notice_.ready("ready"); }
  void stopping() { notice_.stopping(); }
  // Alive, in the middle of something long.
  void beat(std::chrono::microseconds uptime) { notice_.beat(uptime); }
  // In every round of the loop: alive, and every five seconds how everything stands.
  void serve(const State& state, const Presence& presence, const LmdbJournal& journal,
             const Moment& now);
  // Will serve() write the metrics?
  [[nodiscard]] bool is_due(std::chrono::microseconds uptime) const { return file_.is_due(uptime); }
  [[nodiscard]] std::chrono::milliseconds time_until_due(std::chrono::microseconds uptime) const;

 private:
  ServiceNotice notice_;
  Metrics metrics_;
  MetricsFile file_;
  std::filesystem::path journal_file_;
  Metrics::Signer signer_;
};

}  // namespace linkmeter
