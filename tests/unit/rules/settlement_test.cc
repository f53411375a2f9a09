#include "meters/rules/settlement.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <random>
#include <vector>

#include "meters/values/limits.h"

namespace linkmeter::settlement_test {
namespace {

__extension__ using Int128 = __int128;

std::vector<std::int64_t> in_cents(const std::vector<Amount>& parts) {
  std::vector<std::int64_t> cents;
  for (const Amount part : parts) cents.push_back(part.in_cents());
  return cents;
}

std::vector<std::int64_t> shares_in_cents(std::int64_t total,
                                          const std::vector<std::int64_t>& weights) {
  return in_cents(shares(Amount::cents(total), weights));
}

}  // namespace

TEST_CASE("equal shares: odd cents go to the first seats in settlement order") {
  CHECK_EQ(shares_in_cents(100, {1, 1, 1}), std::vector<std::int64_t>{34, 33, 33});
  CHECK_EQ(shares_in_cents(101, {1, 1, 1}), std::vector<std::int64_t>{34, 34, 33});
  CHECK_EQ(shares_in_cents(102, {1, 1, 1}), std::vector<std::int64_t>{34, 34, 34});
  CHECK_EQ(shares_in_cents(2, {1, 1, 1, 1}), std::vector<std::int64_t>{1, 1, 0, 0});
}

TEST_CASE("proportional shares: the odd cents go to the largest remainders") {
  // 100 x 1/6 = 16.67, 2/6 = 33.33, 3/6 = 50.
  CHECK_EQ(shares_in_cents(100, {1, 2, 3}), std::vector<std::int64_t>{17, 33, 50});
  // 10 x 5/12 = 4.17, 5/12 = 4.17, 2/12 = 1.67: one odd cent, to the last.
  CHECK_EQ(shares_in_cents(10, {5, 5, 2}), std::vector<std::int64_t>{4, 4, 2});
}

TEST_CASE("zero is shared as zeros, and a weight of zero gets nothing") {
  CHECK_EQ(shares_in_cents(0, {1, 2}), std::vector<std::int64_t>{0, 0});
  CHECK_EQ(shares_in_cents(7, {0, 3, 0, 2}), std::vector<std::int64_t>{0, 4, 0, 3});
  CHECK_EQ(shares_in_cents(7, {5}), std::vector<std::int64_t>{7});
}

TEST_CASE("shares sum to the total, and odd cents go to the largest remainders") {
  std::mt19937_64 chance(633);
  const auto below = [&chance](std::uint64_t bound) {
    return static_cast<std::int64_t>(chance() % bound);
  };
  const std::int64_t most = limits::meter_max.in_cents();
  for (int round = 0; round < 20'000; ++round) {
    const std::int64_t total = round % 3 == 0 ? most - below(1'000) : below(1'000'000);
    std::vector<std::int64_t> weights(1 + static_cast<std::size_t>(below(10)));
    const std::uint64_t heaviest = round % 2 == 0 ? 5 : 2'000'000'000;
    for (std::int64_t& weight : weights) weight = below(heaviest);
    weights.back() += 1;
    Int128 sum = 0;
    for (const std::int64_t weight : weights) sum += weight;
    const std::vector<std::int64_t> parts = shares_in_cents(total, weights);
    REQUIRE_EQ(parts.size(), weights.size());

    std::int64_t given = 0;
    for (std::size_t index = 0; index < parts.size(); ++index) {
      const Int128 exact = Int128{total} * weights[index];
      const std::int64_t odd = parts[index] - static_cast<std::int64_t>(exact / sum);
      REQUIRE((odd == 0 || odd == 1));
      given += parts[index];
      for (std::size_t other = 0; other < parts.size(); ++other) {
        const Int128 others = Int128{total} * weights[other];
        const bool other_odd = parts[other] != static_cast<std::int64_t>(others / sum);
        if (odd == 0 || other_odd) continue;
        const Int128 mine = exact % sum, theirs = others % sum;
        REQUIRE((mine > theirs || (mine == theirs && index < other)));
      }
    }
    REQUIRE_EQ(given, total);
  }
}

}  // namespace linkmeter::settlement_test
