// Hexadecimal: bytes as text, two lower-case digits for each byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "meters/values/identity.h"

namespace linkmeter {

std::string hexadecimal(std::string_view bytes);
// Each value has exactly one text. nullopt: the text is not pairs of lower-case digits.
std::optional<std::string> parse_hex(std::string_view text);

// A digest as 64 digits, and the reverse.
std::string hex(const Digest& digest);
std::optional<Digest> parse_digest(std::string_view text);

}  // namespace linkmeter
