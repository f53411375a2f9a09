// Clusters of three nodes, one for each seed, with the faults of that seed; and the mistakes that
// the judge must detect.

#include <doctest/doctest.h>
#include <spdlog/spdlog.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/simulation/cluster_house.h"

namespace linkmeter::cluster_test {
namespace {

// LINKMETER_SEEDS in the environment sets the number of seeds.
std::uint64_t seeds_wanted() {
  const char* const wanted = std::getenv("LINKMETER_SEEDS");
  return wanted == nullptr ? 100 : std::strtoull(wanted, nullptr, 10);
}

}  // namespace

TEST_CASE("nothing acknowledged is lost or counted twice, whatever happens to nodes and etcd") {
  spdlog::set_level(spdlog::level::off);
  ClusterReport all;
  for (std::uint64_t seed = 1; seed <= seeds_wanted(); ++seed) {
    const ClusterReport one = ClusterHouse(seed, ClusterPlant::none).run();
    REQUIRE_MESSAGE(!one.finding, "seed ", seed, ": ", one.finding.value_or(""));
    all.add(one);
  }
  std::string faults;
  for (const auto& [fault, number] : all.faults) {
    faults += "\n  " + std::to_string(number) + " " + fault;
  }
  MESSAGE(all.entries, " entries, ", all.writers, " changes of the writer", faults);
  CHECK(all.writers >= seeds_wanted());
  if (seeds_wanted() < 100) return;
  CHECK(all.writers > 500);
  CHECK(all.faults.at("entries from another node") > 0);
}

TEST_CASE("the same seed gives the same run of a cluster") {
  const ClusterReport once = ClusterHouse(1, ClusterPlant::none).run();
  const ClusterReport again = ClusterHouse(1, ClusterPlant::none).run();
  CHECK(once.entries == again.entries);
  CHECK(once.writers == again.writers);
  CHECK(once.faults == again.faults);
}

TEST_CASE("each mistake in the commit protocol is detected by its judge") {
  constexpr std::uint64_t seeds_most = 150;
  spdlog::set_level(spdlog::level::off);
  for (const ClusterCanary& canary : cluster_canaries) {
    CAPTURE(canary.name);
    Finding finding;
    std::uint64_t seed = 0;
    while (!finding && seed < seeds_most)
      finding = ClusterHouse(++seed, canary.plant).run().finding;
    CAPTURE(seed);
    CAPTURE(finding.value_or("not detected"));
    CHECK(judge_of(finding.value_or("")) == canary.judge);
  }
}

}  // namespace linkmeter::cluster_test
