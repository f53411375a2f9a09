// SHA-256 of bytes that are at hand. (The journal's chain has its own, which hashes piece by piece:
// controller/seal.h.)
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace linkmeter {

std::array<std::uint8_t, 32> sha256_digest(std::string_view bytes);

}  // namespace linkmeter
