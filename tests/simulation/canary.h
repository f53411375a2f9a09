// Canary: which judge notices a planted mistake, and at which seed.
#pragma once

#include <cstdint>
#include <string>

#include "tests/simulation/plant.h"

namespace linkmeter {

struct CanaryCaught {
  std::string judge;  // "": nobody noticed it
  std::uint64_t seed = 0;
  std::string words;
};

// The first of seeds 1, 2, ..., `seeds` at which it is noticed.
CanaryCaught catch_canary(Plant plant, std::uint64_t seeds);

}  // namespace linkmeter
