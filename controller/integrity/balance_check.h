// BalanceCheck: while a controller runs, link after link: is what memory says what the state tables
// on the disk say, and do its totals keep the laws of money? (L3: a memory or state mismatch
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

// What does not agree about the link, as a sentence; nullopt: all does. REQUIRES: between two
// turns. Throws Fault if the disk cannot be read.
std::optional<std::string> mismatch(const State& state, const Journal& journal, LinkIndex link);

class BalanceCheck {
 public:
  // Every link once in `round`, spread over it.
  explicit BalanceCheck(std::chrono::microseconds round) : round_(round) {}

  // The link whose turn it is, if one is due by now.
  [[nodiscard]] std::optional<LinkIndex> due(std::chrono::microseconds uptime,
                                             std::size_t link_count);

 private:
  std::chrono::microseconds round_;
  std::chrono::microseconds last_{};
  std::uint64_t next_ = 0;
};

}  // namespace linkmeter
