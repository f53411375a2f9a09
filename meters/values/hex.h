// Hexadecimal: bytes as people compare them, two lower-case digits for each.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "meters/values/identity.h"

namespace linkmeter {

std::string hexadecimal(std::string_view bytes);
// One text for one value: nullopt unless it is pairs of lower-case digits and nothing else.
std::optional<std::string> bytes_of_hexadecimal(std::string_view text);

// 64 digits, and back.
std::string hex(const Digest& digest);
std::optional<Digest> parse_digest(std::string_view text);

}  // namespace linkmeter
