// Journal codec: entry <-> the bytes that are stored and hashed. Old bytes must decode for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meters/facts/entry.h"

namespace linkmeter {

// Readers of the journal, one after the other: a release that adds a fact, an act, a field or a
// value is a new one, and raises the state version (proto/host/release.h) as well, so that no other
// release serves before it has read every entry. An entry that older readers do not know names the
// oldest release that does.
inline constexpr std::uint32_t journal_reader = 2;
inline constexpr std::string_view journal_reader_release = "0.2.0";  // the first with this reader

std::string encode(const Entry& entry);
// nullopt: the bytes are not an entry, or they hold anything that this release does not know. No
// entry is read in part.
std::optional<Entry> decode_entry(std::string_view bytes);
// Why these bytes were not decoded. `written_by`: the name of the release that wrote them, if it is
// known.
std::string why_unreadable(std::string_view bytes, std::string_view written_by = {});

}  // namespace linkmeter
