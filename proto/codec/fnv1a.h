// Fnv1a: 64-bit FNV-1a of bytes. It detects mistakes (another file, a damaged byte), not attacks.
// Against attacks, the controller uses SHA-256 over the received frames.
#pragma once

#include <cstdint>
#include <string_view>

namespace linkmeter {

class Fnv1a {
 public:
  constexpr Fnv1a& add(std::string_view bytes) {
    for (const char byte : bytes) {
      value_ = (value_ ^ static_cast<unsigned char>(byte)) * 1'099'511'628'211ULL;
    }
    return *this;
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14'695'981'039'346'656'037ULL;
};

constexpr std::uint64_t fingerprint(std::string_view bytes) { return Fnv1a().add(bytes).value(); }

}  // namespace linkmeter
