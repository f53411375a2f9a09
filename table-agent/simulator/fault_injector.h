// FaultInjector: simulates a bad line, from a seed: it drops, repeats, damages and delays lines.
// The simulated device uses it.
#pragma once

#include <cstdint>
#include <string>

#include "table-agent/simulator/device_account.h"
#include "table-agent/simulator/prng.h"

namespace linkmeter {

class FaultInjector {
 public:
  explicit FaultInjector(std::uint64_t seed) : chance_(seed) {}

  // Returns what leaves the line for this incoming line, and counts the faults.
  [[nodiscard]] std::string through(const std::string& line, DeviceAccount& account);
  // Returns the delayed lines.
  [[nodiscard]] std::string held_back();

 private:
  bool happens(std::uint64_t permille) { return chance_.below(1'000) < permille; }

  Prng chance_;
  std::string held_back_;
};

}  // namespace linkmeter
