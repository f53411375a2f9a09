// RandomParts: random numbers, texts and amounts within the limits of their types on the wire and
// on disk. The same seed gives the same values.
#pragma once

#include <google/protobuf/stubs/logging.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "meters/values/rate.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class RandomParts {
 public:
  explicit RandomParts(std::uint64_t seed) : chance_(seed) {
    // Protobuf would print its complaints about random bytes on standard error.
    google::protobuf::SetLogHandler(nullptr);
  }

  std::uint64_t below(std::uint64_t bound) { return chance_() % bound; }
  bool coin() { return below(2) == 0; }
  // Any number; small ones and the largest occur often.
  std::uint64_t number() { return coin() ? below(3) : below(8) == 0 ? UINT64_MAX : chance_(); }
  std::uint32_t place() { return static_cast<std::uint32_t>(number()); }
  std::int64_t units() {
    const auto most = static_cast<std::uint64_t>(limits::lifetime_max.units());
    const auto value = static_cast<std::int64_t>(coin() ? below(100) : below(most + 1));
    return coin() ? value : -value;
  }
  Amount cents() { return Amount::cents(units() / Amount::units_per_cent); }
  Rate rate() {
    return Rate::from_ppm(
        static_cast<std::int64_t>(below(static_cast<std::uint64_t>(Rate::ppm_whole) + 1)));
  }
  Timestamp time() { return Timestamp::from_microseconds(static_cast<std::int64_t>(chance_())); }
  // Any valid UTF-8 text, well-formed as a name or not.
  std::string text() {
    static constexpr const char* pieces[] = {"", "a", "C4-01", " ", "\"", "ü", "€", "r/1", "\n"};
    std::string all;
    for (std::uint64_t count = below(4); count > 0; --count) all += pieces[below(9)];
    return all;
  }
  std::string bytes(std::size_t size) {
    std::string all(size, '\0');
    for (char& byte : all) byte = static_cast<char>(below(256));
    return all;
  }
  Seat seat() { return Seat(static_cast<std::uint8_t>(below(256))); }
  Digest digest() {
    Digest all{};
    for (std::uint8_t& byte : all) byte = static_cast<std::uint8_t>(below(256));
    return all;
  }
  template <class Make>
  auto several(Make make) {
    std::vector<decltype(make())> all;
    for (std::uint64_t count = below(4); count > 0; --count) all.push_back(make());
    return all;
  }
  template <class Make>
  auto perhaps(Make make) {
    return coin() ? std::optional(make()) : std::nullopt;
  }

 private:
  std::mt19937_64 chance_;
};

}  // namespace linkmeter
