// Journal codec: entry <-> the bytes that are stored and hashed. Old bytes must decode for ever.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meters/entry.h"

namespace linkmeter {

// Readers of the journal, one after the other: a release that adds a fact, an act or a field is a
// new one, and raises state_version (state_row.h) as well, so that no other release serves before
// it has read every entry. An entry that older readers do not know says which one it needs.
inline constexpr std::uint32_t journal_reader = 2;
inline constexpr std::string_view journal_reader_release = "0.2.0";  // the first with this reader

std::string encode(const Entry& entry);
// nullopt: the bytes are not an entry, or one that needs a newer reader.
std::optional<Entry> decode_entry(std::string_view bytes);
// Does the entry say all that its bytes say? An older release's bytes do; those of a newer one may
// have fields that are not known here, and half an entry is none.
bool is_understood(std::string_view bytes, const Entry& entry);
// Of bytes that are no entry, or not understood: why, in words.
std::string why_unreadable(std::string_view bytes);

}  // namespace linkmeter
