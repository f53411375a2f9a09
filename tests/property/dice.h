// Dice: the random numbers of the tests: splitmix64, so that a seed gives the same run on every
// machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace linkmeter {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
  }
  // 0 to count - 1. REQUIRES: count > 0.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  // least to most, both included.
  int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::size_t>(most - least + 1)));
  }
  bool percent(unsigned share) { return below(100) < share; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <class Value>
  const Value& pick(const std::vector<Value>& values) {
    return values[below(values.size())];
  }
  // A separate stream, for a part that must not disturb the others.
  Dice fork() { return Dice(next()); }

 private:
  std::uint64_t state_;
};

}  // namespace linkmeter
