#include "tests/simulation/canary.h"

#include "tests/simulation/finding.h"
#include "tests/simulation/simulation.h"

namespace linkmeter {

CanaryCaught catch_canary(Plant plant, std::uint64_t seeds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const SimulationReport report = simulate(seed, plant);
    if (report.divergence) return {judge_of(*report.divergence), seed, *report.divergence};
  }
  return {};
}

}  // namespace linkmeter
