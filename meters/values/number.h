// Number: a whole number in decimal digits. The one parser for all numbers that come from outside
// as text: command lines, paths and queries of requests, files.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace linkmeter {

// "12" and "0012" are 12. nullopt: the text is empty, more than `most`, or contains a character
// that is not a digit (a sign, space, point, exponent or prefix of another base).
std::optional<std::uint64_t> parse_number(
    std::string_view text, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

}  // namespace linkmeter
