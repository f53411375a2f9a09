// The other half of the houses; it runs beside simulation_test on another processor.

#include <doctest/doctest.h>
#include <spdlog/spdlog.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/simulation/simulation.h"

namespace linkmeter::simulation_second_half_test {
namespace {

TEST_CASE("all judges agree on the other half of the seeds") {
  const char* const wanted = std::getenv("LINKMETER_SEEDS");
  const std::uint64_t seeds = wanted == nullptr ? 800 : std::strtoull(wanted, nullptr, 10);
  spdlog::set_level(spdlog::level::off);
  SimulationReport all;
  for (std::uint64_t seed = seeds / 2 + 1; seed <= seeds; ++seed) {
    const SimulationReport one = simulate(seed, Plant::none);
    REQUIRE_MESSAGE(!one.divergence, "seed ", seed, ", step ", one.steps, ": ",
                    one.divergence.value_or(""));
    all.add(one);
  }
  CHECK(all.entries > 0);
}

}  // namespace
}  // namespace linkmeter::simulation_second_half_test
