// Some hundred houses, each from one seed, with the trouble that the seed brings; and houses with a
// planted mistake, which must be noticed.

#include <spdlog/spdlog.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/simulation/simulation.h"

#include <doctest/doctest.h>

namespace linkmeter::simulation_test {
namespace {

// LINKMETER_SEEDS in the environment: fewer of them, or more.
std::uint64_t seeds_wanted() {
  const char* const wanted = std::getenv("LINKMETER_SEEDS");
  return wanted == nullptr ? 300 : std::strtoull(wanted, nullptr, 10);
}

TEST_CASE("whatever dies and whatever is lost: every message counts once and all figures agree") {
  spdlog::set_level(spdlog::level::err);  // every day that ends is worth a line elsewhere
  SimulationReport all;
  const std::uint64_t seeds = seeds_wanted();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const SimulationReport one = simulate(seed, Plant::none);
    REQUIRE_MESSAGE(!one.divergence, "seed ", seed, ": ", one.divergence.value_or(""));
    all.entries += one.entries;
    all.controller_starts += one.controller_starts;
    all.frames += one.frames;
    all.days += one.days;
    all.tellings += one.tellings;
  }
  CHECK(all.entries > 0);
  if (seeds < 300) return;
  // There was trouble, and work in spite of it.
  CHECK(all.entries > 10'000);
  CHECK(all.controller_starts > 600);
  CHECK(all.frames > 2 * all.entries);
  CHECK(all.days > 1'000);
  CHECK(all.tellings > 500);
}

TEST_CASE("the same seed gives the same run") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const SimulationReport once = simulate(seed, Plant::none);
    const SimulationReport again = simulate(seed, Plant::none);
    CHECK(once.entries == again.entries);
    CHECK(once.turns == again.turns);
    CHECK(once.frames == again.frames);
  }
}

TEST_CASE("a planted mistake is noticed") {
  const std::pair<Plant, std::string> plants[] = {
      {Plant::disk_does_not_sync, "acknowledged before it is on the disk"},
      {Plant::rows_forgotten, "state rows forgotten"},
      {Plant::controller_forgets_answers, "answers forgotten at the restart"},
      {Plant::repeats_taken_for_new, "repeats taken for new"},
      {Plant::outbox_does_not_sync, "an outbox that does not sync"},
      {Plant::agent_never_resends, "an agent that never resends"},
  };
  for (const auto& [plant, name] : plants) {
    CAPTURE(name);
    std::uint64_t noticed_at = 0;
    for (std::uint64_t seed = 1; seed <= 60 && noticed_at == 0; ++seed) {
      if (simulate(seed, plant).divergence) noticed_at = seed;
    }
    CHECK(noticed_at != 0);
  }
}

}  // namespace
}  // namespace linkmeter::simulation_test
