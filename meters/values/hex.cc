#include "meters/values/hex.h"

#include <algorithm>
#include <cstddef>

namespace linkmeter {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

}  // namespace

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    text += hex_digits[byte >> 4U];
    text += hex_digits[byte & 15U];
  }
  return text;
}

std::optional<std::string> parse_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t at = 0; at < text.size(); at += 2) {
    const std::size_t high = hex_digits.find(text[at]);
    const std::size_t low = hex_digits.find(text[at + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::string hex(const Digest& digest) {
  return hexadecimal(std::string(digest.begin(), digest.end()));
}

std::optional<Digest> parse_digest(std::string_view text) {
  const std::optional<std::string> bytes = parse_hex(text);
  Digest digest{};
  if (!bytes || bytes->size() != digest.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), digest.begin());
  return digest;
}

}  // namespace linkmeter
