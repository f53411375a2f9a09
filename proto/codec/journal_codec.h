// Journal codec: entry <-> the bytes that are stored and hashed. Old bytes must stay decodable for
// ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meters/facts/entry.h"

namespace linkmeter {

// The number of this journal reader. A release that adds a fact, an act, a field or a value is a
// new reader. It also raises the state version (proto/host/release.h), so that every other release
// reads all entries before it serves. An entry that older readers cannot read names the oldest
// release that can.
inline constexpr std::uint32_t journal_reader = 4;
// The first release with this reader.
inline constexpr std::string_view journal_reader_release = "0.4.0";

std::string encode(const Entry& entry);
// nullopt: the bytes are not an entry, or they hold something that this release does not know. An
// entry is never decoded in part.
std::optional<Entry> decode_entry(std::string_view bytes);
// Why these bytes were not decoded. `written_by`: the release that wrote them, if known.
std::string why_unreadable(std::string_view bytes, std::string_view written_by = {});

}  // namespace linkmeter
