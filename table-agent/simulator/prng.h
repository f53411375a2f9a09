// Prng: a seeded stream of numbers (xoshiro256**, its state filled by splitmix64). It is our own
// code because a seed must always deal the same cards, on every machine and with every library.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace linkmeter {

class Prng {
 public:
  explicit Prng(std::uint64_t seed);
  // The stream of one round. It depends only on these three values.
  static Prng for_round(std::uint64_t seed, std::string_view table, std::uint64_t round);

  std::uint64_t next();
  // Uniform in 0 .. bound - 1, without modulo bias. REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in low .. high. REQUIRES: low <= high, and a range below 2^63.
  std::int64_t between(std::int64_t low, std::int64_t high);
  // True `percent` times in a hundred.
  bool happens(std::uint64_t percent) { return below(100) < percent; }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace linkmeter
