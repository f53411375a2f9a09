// MinuteCounts: events within the last minute, by key, and how long until the next one is allowed.
//
// Laws: memory is bounded. No clock of its own.
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

  // How long until the key has fewer than the maximum within a minute; nullopt: it has now.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const std::string& key, Uptime uptime);
  void note(const std::string& key, Uptime uptime);
  // Removes the key's latest event.
  void take_back(const std::string& key);

 private:
  std::size_t count_max_;
  std::map<std::string, std::deque<Uptime>> moments_;  // oldest first; no list is empty
};

}  // namespace linkmeter
