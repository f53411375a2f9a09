// Numbers as big-endian bytes: as keys they sort like numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace linkmeter {

inline std::string big_endian(std::uint64_t value, int bytes = 8) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    text.push_back(static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xffU));
  }
  return text;
}

// The number of the bytes. REQUIRES: at most 8 bytes.
inline std::uint64_t from_big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8U | static_cast<std::uint8_t>(byte);
  return value;
}

}  // namespace linkmeter
