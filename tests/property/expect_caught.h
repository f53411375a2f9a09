// What every canary requires: the planted mistake occurred once, and the judge reported it there.
#pragma once

#include <doctest/doctest.h>
#include <cstddef>
#include <optional>
#include <string>

#include "tests/property/planted.h"

namespace linkmeter {

// `floor` as in plant().
template <class Mistake>
void expect_caught(const std::string& name, const Mistake& mistake,
                   std::optional<std::size_t> floor = {}) {
  CAPTURE(name);
  const Planted planted = plant(mistake, floor);
  CHECK(planted.altered == 1);
  CHECK(planted.divergence.has_value());
}

}  // namespace linkmeter
