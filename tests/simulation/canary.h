// Canary: which judge detects a planted mistake, and at which seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/simulation/plant.h"

namespace linkmeter {

struct CanaryCaught {
  std::string judge;  // "": no judge detected it
  std::uint64_t seed = 0;
  std::string words;
};

// Whether it is the named judge, or one of several.
bool is_named(std::string_view named, std::string_view judge);

// The first of the seeds 1, 2, ..., `seeds` at which it is detected.
CanaryCaught catch_canary(Plant plant, std::uint64_t seeds);

}  // namespace linkmeter
