// Houses that lose etcd for good, one for each seed: one node or two go on alone, and come back.

#include <doctest/doctest.h>
#include <spdlog/spdlog.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

#include "tests/simulation/leaving_house.h"

namespace linkmeter::leaving_test {
namespace {

// LINKMETER_SEEDS in the environment sets the number of seeds.
std::uint64_t seeds_wanted() {
  const char* const wanted = std::getenv("LINKMETER_SEEDS");
  return wanted == nullptr ? 100 : std::strtoull(wanted, nullptr, 10);
}

}  // namespace

TEST_CASE("who leaves keeps what was told, and no other history comes into its new cluster") {
  spdlog::set_level(spdlog::level::off);
  std::map<std::string, std::uint64_t> counts;
  for (std::uint64_t seed = 1; seed <= seeds_wanted(); ++seed) {
    const LeavingReport one = LeavingHouse(seed, false).run();
    REQUIRE_MESSAGE(!one.finding, "seed ", seed, ": ", one.finding.value_or(""));
    for (const auto& [what, number] : one.counts) counts[what] += number;
  }
  std::string all;
  for (const auto& [what, number] : counts) all += "\n  " + std::to_string(number) + " " + what;
  MESSAGE(seeds_wanted(), " houses", all);
  if (seeds_wanted() < 100) return;
  for (const char* what :
       {"two nodes leave", "a node leaves that never caught up", "a table is refused",
        "killed between the leave and its mark", "another history is refused",
        "a node with another history is refused", "a node comes back", "a new cluster",
        "a new head over the old etcd", "the old etcd has more than the node that left"}) {
    CAPTURE(what);
    CHECK(counts[what] > 0);
  }
}

TEST_CASE("a node that replaces any head is detected") {
  constexpr std::uint64_t seeds_most = 50;
  spdlog::set_level(spdlog::level::off);
  Finding finding;
  for (std::uint64_t seed = 1; seed <= seeds_most && !finding; ++seed) {
    finding = LeavingHouse(seed, true).run().finding;
  }
  CHECK(judge_of(finding.value_or("not detected")) == "history");
}

}  // namespace linkmeter::leaving_test
