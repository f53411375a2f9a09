// State row: what every row of the state tables begins with. Their version: proto/host/release.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace linkmeter {

inline constexpr std::size_t row_checksum_size = 8;

// Finds a damaged or misplaced row. Against an attacker stands the journal's chain.
std::string row_checksum(std::string_view key, std::string_view content);

}  // namespace linkmeter
