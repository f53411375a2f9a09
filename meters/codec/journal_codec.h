// Journal codec: entry <-> the bytes that are stored and hashed. Old bytes must decode for ever.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "meters/entry.h"

namespace linkmeter {

std::string encode(const Entry& entry);
// nullopt: the bytes are not an entry (damaged, or from a newer release with an unknown fact).
std::optional<Entry> decode_entry(std::string_view bytes);

}  // namespace linkmeter
