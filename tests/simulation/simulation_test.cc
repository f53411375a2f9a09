// Houses, one for each seed, with the faults of that seed; and a check that there were faults.

#include <doctest/doctest.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/simulation/simulation.h"

namespace linkmeter::simulation_test {
namespace {

// LINKMETER_SEEDS in the environment sets the number of seeds; half of them run in each of two
// cases, which run in parallel.
std::uint64_t seeds_wanted() {
  const char* const wanted = std::getenv("LINKMETER_SEEDS");
  return wanted == nullptr ? 800 : std::strtoull(wanted, nullptr, 10);
}

SimulationReport all_of(std::uint64_t first, std::uint64_t count) {
  spdlog::set_level(spdlog::level::off);  // every day that ends would be logged
  SimulationReport all;
  for (std::uint64_t seed = first; seed - first < count; ++seed) {
    const SimulationReport one = simulate(seed, Plant::none);
    REQUIRE_MESSAGE(!one.divergence, "seed ", seed, ", step ", one.steps, ": ",
                    one.divergence.value_or(""));
    all.add(one);
  }
  return all;
}

TEST_CASE("all judges agree under every kind of fault and request") {
  const std::uint64_t seeds = seeds_wanted() / 2;
  const SimulationReport all = all_of(1, seeds);
  CHECK(all.entries > 0);
  if (seeds < 400) return;
  // There were faults, and work in spite of them.
  CHECK(all.entries > 80'000);
  CHECK(all.controller_starts > 1'600);
  CHECK(all.frames > all.entries);
  CHECK(all.rebuilds > 80);
  CHECK(all.copies > 80);
  CHECK(all.days > 400);
  CHECK(all.closed * 10 > all.days * 8);
  CHECK(all.reconciliations > 800);
  CHECK(all.amounts_shown > 80'000);
  for (const std::string fact :
       {"act_proposed", "act_confirmed", "act_refused", "claim_validated", "claim_rejected",
        "claim_countersigned", "claim_paid", "slip_issued", "slip_voided", "link_suspended",
        "sign_in_failed", "hand_corrected", "pin_changed", "count_recorded", "reading_taken",
        "notice_posted", "variance_explained", "day_signed", "day_closed"}) {
    CAPTURE(fact);
    CHECK(all.acts.contains(fact));
  }
  // Hardly ever is nobody left who may act.
  CHECK(all.unenrolled + all.unresumed + all.unclosed < seeds / 20);
}

TEST_CASE("the same seed gives the same run") {
  for (std::uint64_t seed = 1; seed <= std::clamp<std::uint64_t>(seeds_wanted() / 4, 1, 5);
       ++seed) {
    const SimulationReport once = simulate(seed, Plant::none);
    const SimulationReport again = simulate(seed, Plant::none);
    CHECK(once.entries == again.entries);
    CHECK(once.turns == again.turns);
    CHECK(once.frames == again.frames);
    CHECK(once.amounts_shown == again.amounts_shown);
    CHECK(once.acts == again.acts);
  }
}

}  // namespace
}  // namespace linkmeter::simulation_test
