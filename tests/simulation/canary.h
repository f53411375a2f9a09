// Canary: which judge notices a planted mistake, and at which seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/simulation/plant.h"

namespace linkmeter {

struct CanaryCaught {
  std::string judge;  // "": nobody noticed it
  std::uint64_t seed = 0;
  std::string words;
};

// Is it the judge that was named, or one of them?
bool is_named(std::string_view named, std::string_view judge);

// The first of seeds 1, 2, ..., `seeds` at which it is noticed.
CanaryCaught catch_canary(Plant plant, std::uint64_t seeds);

}  // namespace linkmeter
