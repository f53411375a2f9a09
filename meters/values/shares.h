// Shares: one amount among several, in whole cents, nothing created and nothing lost.
#pragma once

#include <cstdint>
#include <vector>

#include "meters/values/amount.h"

namespace linkmeter {

// M7: `total` whole cents in parts by weight; whole cents, summing exactly to the total; odd cents
// by largest remainder, ties to the earlier part (settlement order). REQUIRES: a positive sum of
// weights, none negative.
std::vector<Amount> shares(Amount total, const std::vector<std::int64_t>& weights);

}  // namespace linkmeter
