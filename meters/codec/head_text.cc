#include "meters/codec/head_text.h"

#include <algorithm>
#include <charconv>

#include "meters/hexadecimal.h"

namespace linkmeter {

std::string text(const Head& head) {
  return std::to_string(head.entry.value()) + ":" + hex(head.hash);
}

std::optional<Head> parse_head(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = text.data() + colon;
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  const std::optional<Digest> hash = parse_digest(text.substr(colon + 1));
  if (!hash) return std::nullopt;
  return Head{EntryNumber(number), *hash};
}

}  // namespace linkmeter
