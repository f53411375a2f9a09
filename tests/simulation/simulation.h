// Simulation: a whole house in one process, one thread and one seed: the real controller's turn and
// start, the real agents and signs, the real bytes between them, and people who act and judge;
// network, clocks and disks are simulated from the seed. Every part dies now and then and continues
// from what was stored. The same seed gives the same run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tests/simulation/plant.h"

namespace linkmeter {

struct SimulationReport {
  std::optional<std::string> divergence;  // the first one: finding.h
  std::uint64_t steps = 0;                // with faults, until then
  std::uint64_t entries = 0;
  std::uint64_t turns = 0;
  std::uint64_t controller_starts = 0;
  std::uint64_t frames = 0;
  std::uint64_t days = 0;             // that have ended
  std::uint64_t closed = 0;           // of these, with a real report
  std::uint64_t reconciliations = 0;  // of tables' own counts
  std::uint64_t rebuilds = 0;         // of damaged state tables
  std::uint64_t copies = 0;           // of the disk, restored
  std::uint64_t amounts_shown = 0;    // on signs, in all checks
  // What was not possible because nobody with the right was left.
  std::uint64_t unresumed = 0, unenrolled = 0, unclosed = 0;
  std::map<std::string, std::uint64_t> acts;  // by people, by their facts

  void add(const SimulationReport& other);
};

SimulationReport simulate(std::uint64_t seed, Plant plant);

}  // namespace linkmeter
