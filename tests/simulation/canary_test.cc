// Tests the judges: every planted mistake is detected, and by the judge that is named for it.

#include <doctest/doctest.h>
#include <spdlog/spdlog.h>

#include <set>
#include <string>

#include "tests/simulation/canary.h"

namespace linkmeter::canary_test {
namespace {

constexpr std::uint64_t seeds_most = 150;

TEST_CASE("each planted mistake is reported by its judge") {
  spdlog::set_level(spdlog::level::off);
  for (const Canary& canary : canaries()) {
    CAPTURE(canary.name);
    const CanaryCaught caught = catch_canary(canary.plant, seeds_most);
    CAPTURE(caught.words);
    CAPTURE(caught.judge);
    CHECK(is_named(canary.judge, caught.judge));
  }
}

TEST_CASE("there is a canary for every promise and law, and each judge reports one") {
  std::set<std::string> of, judges;
  for (const Canary& canary : canaries()) {
    of.emplace(canary.of);
    judges.emplace(canary.judge.substr(0, canary.judge.find(' ')));
  }
  for (int promise = 1; promise <= 6; ++promise) {
    CHECK(of.contains("promise " + std::to_string(promise)));
  }
  for (int law = 1; law <= 14; ++law) CHECK(of.contains("M" + std::to_string(law)));
  for (int law = 1; law <= 11; ++law) CHECK(of.contains("L" + std::to_string(law)));
  for (const char* judge : {"chain", "law", "model", "once", "reply", "start", "day", "clock",
                            "link", "table", "sign", "witness", "end"}) {
    CAPTURE(judge);
    CHECK(judges.contains(judge));
  }
}

}  // namespace
}  // namespace linkmeter::canary_test
