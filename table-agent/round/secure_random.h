// SecureRandom: uniform numbers from the system's cryptographic generator (getrandom), for draws
// that decide about money. Nobody can predict or repeat them. Prng, in contrast, always deals the
// same cards for the same seed.
//
// Laws: every number below the bound is equally likely, because numbers that would be too likely
// are discarded (no modulo bias). If the generator fails, it throws Fault: there is no weaker
// substitute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace linkmeter {

class SecureRandom {
 public:
  // Fills the front of the buffer and returns the number of bytes. Throws Fault; 0 is a failure
  // too.
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
