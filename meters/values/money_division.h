// Shares: divides one amount in whole cents; the parts sum exactly to the amount.
#pragma once

#include <cstdint>
#include <vector>

#include "meters/values/amount.h"

namespace linkmeter {

// M7: divides `total` (whole cents) by weight into parts of whole cents that sum exactly to it. Odd
// cents go by largest remainder; in a tie, the earlier part (settlement order) gets the cent.
// REQUIRES: no weight is negative, and their sum is positive.
std::vector<Amount> shares(Amount total, const std::vector<std::int64_t>& weights);

}  // namespace linkmeter
