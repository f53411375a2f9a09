// BalanceCheck: compares, link after link, the memory of a running controller with the state tables
// on disk, and checks the laws of money on the link's totals. (L3: a memory or state mismatch
// suspends the link.) One link at a time, so that no turn waits for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"

namespace linkmeter {

// The first mismatch of the link, as a sentence; nullopt: none. REQUIRES: between two turns. Throws
// Fault if the disk cannot be read.
std::optional<std::string> mismatch(const State& state, const Journal& journal, LinkIndex link);

class BalanceCheck {
 public:
  // Checks every link once in `round`, spread evenly.
  explicit BalanceCheck(std::chrono::microseconds round) : round_(round) {}

  // The next link, if it is due.
  [[nodiscard]] std::optional<LinkIndex> due(std::chrono::microseconds uptime,
                                             std::size_t link_count);

 private:
  std::chrono::microseconds round_;
  std::chrono::microseconds last_{};
  std::uint64_t next_ = 0;
};

}  // namespace linkmeter
