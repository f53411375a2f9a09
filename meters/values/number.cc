#include "meters/values/number.h"

namespace linkmeter {

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t most) {
  if (text.empty()) return std::nullopt;
  std::uint64_t number = 0;
  for (const char character : text) {
    if (character < '0' || character > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(character - '0');
    if (digit > most || number > (most - digit) / 10) return std::nullopt;
    number = number * 10 + digit;
  }
  return number;
}

}  // namespace linkmeter
