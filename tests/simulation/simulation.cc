#include "tests/simulation/simulation.h"

#include "tests/simulation/house.h"

namespace linkmeter {

void SimulationReport::add(const SimulationReport& other) {
  if (!divergence) divergence = other.divergence;
  steps += other.steps;
  entries += other.entries;
  turns += other.turns;
  controller_starts += other.controller_starts;
  frames += other.frames;
  days += other.days;
  closed += other.closed;
  reconciliations += other.reconciliations;
  rebuilds += other.rebuilds;
  copies += other.copies;
  amounts_shown += other.amounts_shown;
  unresumed += other.unresumed;
  unenrolled += other.unenrolled;
  unclosed += other.unclosed;
  for (const auto& [fact, count] : other.acts) acts[fact] += count;
}

SimulationReport simulate(std::uint64_t seed, Plant plant) {
  SimulationReport report;
  House house(seed, plant, report);
  report.divergence = house.run();
  house.finish_report();
  return report;
}

}  // namespace linkmeter
