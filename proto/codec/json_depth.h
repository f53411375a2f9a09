// Nesting: how deep the brackets of a JSON text stand in each other, asked before it is read. The
// JSON library reads any depth, but it copies, compares and writes by calling itself: 64 KiB of "["
// would take more stack than there is.
#pragma once

#include <cstddef>
#include <string_view>

namespace linkmeter {

// What we write and read is far below.
inline constexpr std::size_t nesting_max = 64;

// Of any bytes: brackets within texts do not count.
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
