#include "table-agent/simulator/prng.h"

#include <bit>

#include "meters/values/invariant.h"
#include "proto/codec/fnv1a.h"

namespace linkmeter {

namespace {

// splitmix64 (Steele, Lea, Flood 2014): neighbouring seeds give unrelated numbers.
std::uint64_t splitmix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
  return mixed ^ (mixed >> 31);
}

}  // namespace

Prng::Prng(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix(seed);
}

Prng Prng::for_round(std::uint64_t seed, std::string_view table, std::uint64_t round) {
  // Mix each part before adding the next, so that (seed 1, round 2) differs from (seed 2, round 1).
  std::uint64_t state = seed;
  state = splitmix(state) ^ fingerprint(table);
  state = splitmix(state) ^ round;
  return Prng(splitmix(state));
}

// xoshiro256** 1.0 (Blackman, Vigna 2018).
std::uint64_t Prng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Prng::below(std::uint64_t bound) {
  INVARIANT(bound > 0);
  // The lowest 2^64 mod bound numbers would be too likely: draw again.
  const std::uint64_t surplus = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < surplus) drawn = next();
  return drawn % bound;
}

std::int64_t Prng::between(std::int64_t low, std::int64_t high) {
  INVARIANT(low <= high);
  const auto range = static_cast<std::uint64_t>(high - low) + 1;
  return low + static_cast<std::int64_t>(below(range));
}

}  // namespace linkmeter
