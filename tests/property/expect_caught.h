// What every canary demands: the planted mistake came about once, and the judge reported it there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tests/property/planted.h"

// After our headers: its CHECK takes the place of ours.
#include <doctest/doctest.h>

namespace linkmeter {

// `floor` is that of plant().
template <class Mistake>
void expect_caught(const std::string& name, const Mistake& mistake,
                   std::optional<std::size_t> floor = {}) {
  CAPTURE(name);
  const Planted planted = plant(mistake, floor);
  CHECK(planted.altered == 1);
  CHECK(planted.divergence.has_value());
}

}  // namespace linkmeter
