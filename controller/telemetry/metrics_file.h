// Metrics file: the metrics as a file for node_exporter's textfile collector, replaced as a whole
// every five seconds, so that a reader finds the old text or the new one and never a part.
//
// Law: a file that cannot be written is said once, and said again when it could be written in
// between; it never stops a turn.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace linkmeter {

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
