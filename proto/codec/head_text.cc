#include "proto/codec/head_text.h"

#include <algorithm>

#include "meters/values/hex.h"
#include "meters/values/number.h"

namespace linkmeter {

std::string text(const Head& head) {
  return std::to_string(head.entry.value()) + ":" + hex(head.hash);
}

std::optional<Head> parse_head(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::optional<std::uint64_t> number = parse_number(text.substr(0, colon));
  const std::optional<Digest> hash = parse_digest(text.substr(colon + 1));
  if (!number || !hash) return std::nullopt;
  return Head{EntryNumber(*number), *hash};
}

}  // namespace linkmeter
