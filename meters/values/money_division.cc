#include "meters/values/money_division.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "meters/values/int128.h"
#include "meters/values/invariant.h"

namespace linkmeter {

std::vector<Amount> shares(Amount total, const std::vector<std::int64_t>& weights) {
  const Int128 sum = std::accumulate(weights.begin(), weights.end(), Int128{0});
  INVARIANT(sum > 0);
  std::vector<Amount> parts;
  std::vector<std::pair<Int128, std::size_t>> remainders;
  Amount given;
  for (std::size_t index = 0; index < weights.size(); ++index) {
    INVARIANT(weights[index] >= 0);
    const Int128 product = Int128{total.in_cents()} * weights[index];
    parts.push_back(Amount::cents(static_cast<std::int64_t>(product / sum)));
    remainders.emplace_back(product % sum, index);
    given += parts.back();
  }
  // Largest remainder first; a stable sort leaves ties in settlement order.
  std::stable_sort(remainders.begin(), remainders.end(),
                   [](const auto& left, const auto& right) { return left.first > right.first; });
  std::int64_t odd_cents = (total - given).in_cents();
  for (const auto& [remainder, index] : remainders) {
    if (odd_cents == 0) break;
    parts[index] += Amount::cents(1);
    --odd_cents;
  }
  INVARIANT(odd_cents == 0);
  return parts;
}

}  // namespace linkmeter
