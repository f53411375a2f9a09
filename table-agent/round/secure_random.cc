#include "table-agent/round/secure_random.h"

#include <sys/random.h>

#include <array>
#include <bit>
#include <cerrno>
#include <system_error>
#include <utility>

#include "meters/values/invariant.h"
#include "proto/host/fault.h"

namespace linkmeter {

SecureRandom::SecureRandom(Source source) : source_(std::move(source)) {}

std::size_t SecureRandom::system_bytes(std::span<std::byte> bytes) {
  while (true) {
    const ssize_t count = ::getrandom(bytes.data(), bytes.size(), 0);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR) continue;
    throw Fault("the system's random generator failed: " + std::generic_category().message(errno));
  }
}

std::uint64_t SecureRandom::next() {
  std::array<std::byte, sizeof(std::uint64_t)> bytes{};
  std::span<std::byte> missing(bytes);
  while (!missing.empty()) {
    const std::size_t count = source_(missing);
    if (count == 0) throw Fault("the system's random generator gave nothing");
    INVARIANT(count <= missing.size());
    missing = missing.subspan(count);
  }
  return std::bit_cast<std::uint64_t>(bytes);
}

std::uint64_t SecureRandom::below(std::uint64_t bound) {
  INVARIANT(bound > 0);
  // The lowest 2^64 mod bound numbers would be too likely: draw again.
  const std::uint64_t surplus = (0 - bound) % bound;
  std::uint64_t drawn = next();
  while (drawn < surplus) drawn = next();
  return drawn % bound;
}

}  // namespace linkmeter
