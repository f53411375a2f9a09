#include "proto/http/minute_counts.h"

namespace linkmeter {

std::optional<std::chrono::seconds> MinuteCounts::wait_of(const std::string& key, Uptime uptime) {
  const auto found = moments_.find(key);
  if (found == moments_.end()) return std::nullopt;
  std::deque<Uptime>& moments = found->second;
  while (!moments.empty() && moments.front() + within <= uptime) moments.pop_front();
  if (moments.empty()) {
    moments_.erase(found);
    return std::nullopt;
  }
  if (moments.size() < count_max_) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(moments.front() + within - uptime);
}

void MinuteCounts::note(const std::string& key, Uptime uptime) {
  // When the table is full, the first key gives way. An attacker with so many addresses is still
  // limited: each badge has a count of its own.
  if (moments_.size() >= keys_max && !moments_.contains(key)) {
    std::erase_if(moments_,
                  [uptime](const auto& one) { return one.second.back() + within <= uptime; });
    if (moments_.size() >= keys_max) moments_.erase(moments_.begin());
  }
  std::deque<Uptime>& moments = moments_[key];
  moments.push_back(uptime);
  if (moments.size() > count_max_) moments.pop_front();
}

void MinuteCounts::take_back(const std::string& key) {
  const auto found = moments_.find(key);
  if (found == moments_.end()) return;
  found->second.pop_back();
  if (found->second.empty()) moments_.erase(found);
}

}  // namespace linkmeter
