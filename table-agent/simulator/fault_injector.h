// Line noise: what a bad line does to lines, chosen by a seed: it loses, doubles, damages and holds
// them back. For the simulated device.
#pragma once

#include <cstdint>
#include <string>

#include "table-agent/simulator/device_account.h"
#include "table-agent/simulator/prng.h"

namespace linkmeter {

class FaultInjector {
 public:
  explicit FaultInjector(std::uint64_t seed) : chance_(seed) {}

  // What comes out of the line now for this line going in; what was done is counted.
  [[nodiscard]] std::string through(const std::string& line, DeviceAccount& account);
  // What it holds back comes out.
  [[nodiscard]] std::string held_back();

 private:
  bool happens(std::uint64_t permille) { return chance_.below(1'000) < permille; }

  Prng chance_;
  std::string held_back_;
};

}  // namespace linkmeter
