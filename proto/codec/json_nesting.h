// Nesting: the depth of brackets in a JSON text, checked before the text is parsed. The JSON
// library parses any depth, but copies, compares and writes recursively: 64 KiB of "[" would
// overflow the stack.
#pragma once

#include <cstddef>
#include <string_view>

namespace linkmeter {

// Far above what is written and read here.
inline constexpr std::size_t nesting_max = 64;

// For any bytes. Brackets within strings do not count.
constexpr bool is_nested_too_deep(std::string_view json) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char byte = json[at];
    if (in_text && byte == '\\') ++at;
    if (byte == '"') in_text = !in_text;
    if (in_text) continue;
    if ((byte == '[' || byte == '{') && ++depth > nesting_max) return true;
    if ((byte == ']' || byte == '}') && depth > 0) --depth;
  }
  return false;
}

}  // namespace linkmeter
