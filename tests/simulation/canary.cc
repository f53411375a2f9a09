#include "tests/simulation/canary.h"

#include "tests/simulation/finding.h"
#include "tests/simulation/simulation.h"

namespace linkmeter {

bool is_named(std::string_view named, std::string_view judge) {
  const std::string one = " " + std::string(judge) + " ";
  return !judge.empty() && (" " + std::string(named) + " ").find(one) != std::string::npos;
}

CanaryCaught catch_canary(Plant plant, std::uint64_t seeds) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const SimulationReport report = simulate(seed, plant);
    if (report.divergence) return {judge_of(*report.divergence), seed, *report.divergence};
  }
  return {};
}

}  // namespace linkmeter
