// MinuteCounts: how often something happened within the last minute, by key, and how long until it
// may happen again.
//
// Laws: what is remembered is bounded. No clock of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace linkmeter {

class MinuteCounts {
 public:
  using Uptime = std::chrono::microseconds;
  static constexpr std::chrono::seconds within{60};
  static constexpr std::size_t keys_max = 4'096;

  explicit MinuteCounts(std::size_t count_max) : count_max_(count_max) {}

  // How long until fewer than the maximum lie within the last minute; nullopt: now.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const std::string& key, Uptime uptime);
  void note(const std::string& key, Uptime uptime);
  // The latest did not happen after all.
  void take_back(const std::string& key);

 private:
  std::size_t count_max_;
  std::map<std::string, std::deque<Uptime>> moments_;  // the oldest first; no list is empty
};

}  // namespace linkmeter
