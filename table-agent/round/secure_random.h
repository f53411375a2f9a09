// System chance: uniform numbers from the system's cryptographic generator (getrandom), for what
// decides about money: a draw of the table game system. Nobody can foresee or repeat them; that is
// the difference from Chance, which deals the same cards for the same seed for ever.
//
// Laws: every number below a bound is equally likely, for what would come once too often is thrown
// away (no modulo bias). A generator that fails is a Fault: there is no second-best number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace linkmeter {

class SecureRandom {
 public:
  // Fills the front of what it is given; how many bytes. Throws Fault; 0 is a failure too.
  using Source = std::function<std::size_t(std::span<std::byte>)>;
  static std::size_t system_bytes(std::span<std::byte> bytes);

  explicit SecureRandom(Source source = system_bytes);

  // Uniform in 0 .. bound - 1. Throws Fault. REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::uint64_t next();

  Source source_;
};

}  // namespace linkmeter
