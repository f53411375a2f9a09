#include "meters/values/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace linkmeter {

namespace {

struct Range {
  char32_t first, last;
};

// C0, DEL and C1 control terminals; the others break lines or change the direction of reading.
constexpr std::array<Range, 8> steering{{{0x00, 0x1f},
                                         {0x7f, 0x9f},
                                         {0x61c, 0x61c},
                                         {0x200e, 0x200f},
                                         {0x2028, 0x202e},
                                         {0x2066, 0x2069},
                                         {0xfff9, 0xfffb},
                                         {0xfeff, 0xfeff}}};

bool is_steering(char32_t character) {
  return std::any_of(steering.begin(), steering.end(), [character](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

// The length in bytes of the first character; 0: it is not a character, or it is not allowed.
std::size_t character_length(std::string_view text) {
  const auto byte = [text](std::size_t at) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at]));
  };
  const char32_t first = byte(0);
  const std::size_t length = first < 0x80             ? 1
                             : (first & 0xe0) == 0xc0 ? 2
                             : (first & 0xf0) == 0xe0 ? 3
                             : (first & 0xf8) == 0xf0 ? 4
                                                      : 0;
  if (length == 0 || length > text.size()) return 0;
  constexpr std::array<char32_t, 5> first_bits{0, 0x7f, 0x1f, 0x0f, 0x07};
  // The smallest code point that needs this many bytes: longer encodings of it are invalid.
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  char32_t character = first & first_bits.at(length);
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xc0) != 0x80) return 0;
    character = (character << 6U) | (byte(at) & 0x3f);
  }
  const bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
  if (character < least.at(length) || character > 0x10ffff || is_surrogate) return 0;
  return is_steering(character) ? 0 : length;
}

}  // namespace

bool is_well_formed_text(std::string_view text, std::size_t length_max) {
  if (text.empty() || text.size() > length_max) return false;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string sanitize_text(std::string_view text, std::size_t length_max) {
  std::string made;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view next = length == 0 ? "?" : text.substr(0, length);
    if (made.size() + next.size() > length_max) break;
    made += next;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return made;
}

std::string padded(std::int64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

}  // namespace linkmeter
