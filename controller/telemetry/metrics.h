// Metrics: the controller's measurements, as text for Prometheus. Input: counts and moments;
// output: text. config/systemd/README.md lists every metric.
//
// Metric names are a contract with monitoring: names are added, never renamed.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/integrity/background_audit.h"
#include "controller/turn/controller.h"
#include "meters/values/timestamp.h"
#include "proto/codec/cluster_status.h"
#include "proto/http/server.h"

namespace linkmeter {

// Counts of the values at or below each bound, and their sum.
class Histogram {
 public:
  explicit Histogram(std::vector<std::int64_t> bounds) : bounds_(std::move(bounds)) {
    counts_.resize(bounds_.size() + 1);
  }
  void add(std::int64_t value);
  enum class Unit : std::uint8_t { one, microsecond };  // microseconds are written as seconds
  [[nodiscard]] std::string text(const std::string& name, Unit unit) const;

 private:
  std::vector<std::int64_t> bounds_;  // ascending
  std::vector<std::uint64_t> counts_;
  std::int64_t sum_ = 0;
};

class Metrics {
 public:
  // Values as of when the text is made.
  struct Gauges {
    Timestamp as_of;
    std::uint64_t tables_linked = 0, tables_lost = 0, tables_never_seen = 0, tables_not_seen = 0;
    std::uint64_t tables_frozen = 0;
    std::uint64_t links_operating = 0, links_suspended = 0;
    std::uint64_t journal_entries = 0, journal_bytes = 0;
    std::uint32_t map_used_ppm = 0;
    std::uint64_t unsigned_entries = 0;
  };
  // State of the journal's signer.
  struct Signer {
    bool works = true;
    std::optional<Timestamp> signed_at = {};  // since the start
  };
  // The check at the start, or a later balance check that found a difference.
  struct SelfCheck {
    Timestamp at;
    bool passed = false;
  };

  Metrics();

  // A turn that took `received` messages and requests, at tables of this floor.
  void note(const Controller::Turn& turn, const Floor& floor, std::size_t received,
            std::chrono::microseconds took);
  void note_commit(std::chrono::microseconds took) { commit_times_.add(took.count()); }
  // Since the start, by reason: the total is the caller's.
  void set_connections_refused(const std::string& reason, std::uint64_t total) {
    connections_refused_[reason] = total;
  }
  void set_connections_refused(const std::map<std::string, std::uint64_t>& totals) {
    for (const auto& [reason, total] : totals) set_connections_refused(reason, total);
  }
  // Counts of the web server; without it the text has none.
  void set_web(WebServer::Counts counts) { web_ = std::move(counts); }
  // What this node knows of its cluster; without it, or if the controller is not a node, the text
  // has nothing of a cluster.
  void set_cluster(ClusterStatus cluster) { cluster_ = std::move(cluster); }
  void set_self_check(const SelfCheck& check) { self_check_ = check; }
  void set_signer(const Signer& signer) { signer_ = signer; }
  // Progress of the background audit, during and after it: the journal as of the start.
  void set_verification(BackgroundAudit::Progress progress) { background_audit_ = progress; }

  [[nodiscard]] std::string text(const Gauges& gauges) const;

 private:
  [[nodiscard]] std::string journal_text(const Gauges& gauges) const;
  [[nodiscard]] std::string cluster_text() const;

  Histogram turn_times_, commit_times_, turn_messages_;
  std::map<Refusal, std::uint64_t> refusals_;
  std::uint64_t claims_ = 0;
  std::map<std::string, std::uint64_t> connections_refused_, outbox_;
  ClusterStatus cluster_;
  std::optional<SelfCheck> self_check_;
  Signer signer_;
  std::optional<BackgroundAudit::Progress> background_audit_;
  std::optional<WebServer::Counts> web_;
};

// MetricsFile: the metrics as a file for node_exporter's textfile collector, replaced atomically
// every five seconds, so that a reader never sees a partial file.
//
// Law: a write error is logged once, and again after a successful write in between; it never stops
// a turn.

class MetricsFile {
 public:
  static constexpr std::chrono::seconds interval{5};

  explicit MetricsFile(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] bool is_due(std::chrono::microseconds uptime) const { return uptime >= due_; }
  [[nodiscard]] std::chrono::milliseconds time_until_due(std::chrono::microseconds uptime) const;
  void write(const std::string& text, std::chrono::microseconds uptime);

 private:
  std::filesystem::path path_;
  std::chrono::microseconds due_{};
  bool failed_ = false;
};

}  // namespace linkmeter
