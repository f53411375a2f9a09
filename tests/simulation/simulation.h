// Simulation: a whole house in one process, one thread and one seed: the real controller's turn,
// the real agents, the real bytes between them; the network, the clock and the disks are made of
// the seed. Everything dies now and then and goes on from what was stored. The same seed gives the
// same run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tests/simulation/faults.h"

namespace linkmeter {

struct SimulationReport {
  std::optional<std::string> divergence;  // the first one
  std::uint64_t entries = 0;
  std::uint64_t turns = 0;
  std::uint64_t controller_starts = 0;
  std::uint64_t frames = 0;
  std::uint64_t days = 0;      // that have ended
  std::uint64_t tellings = 0;  // of what tables have counted for themselves
};

SimulationReport simulate(std::uint64_t seed, Plant plant);

}  // namespace linkmeter
