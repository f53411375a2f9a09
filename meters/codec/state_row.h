// State row: what every row of the state tables begins with, and their version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace linkmeter {

// Of the rows' format and of the journal's (journal_codec.h). A program that finds rows of another
// version makes all of them anew from the journal.
inline constexpr std::uint32_t state_version = 8;
inline constexpr std::size_t row_checksum_size = 8;

// Finds a damaged or misplaced row. Against an attacker stands the journal's chain.
std::string row_checksum(std::string_view key, std::string_view content);

}  // namespace linkmeter
