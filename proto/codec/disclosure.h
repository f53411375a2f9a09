// Disclosure: the parts of the state and the journal for people who may not read the data folder.
// PIN hashes and the digests of recovery codes in force are emptied; everything else is unchanged.
// A proposal of new recovery codes keeps its digests, because its summary is confirmed word for
// word; the digest of a 128-bit code reveals nothing.
#pragma once

#include <optional>
#include <string_view>

#include "meters/facts/entry.h"
#include "proto/codec/state_codec.h"

namespace linkmeter {

// REQUIRES: the row has a value. nullopt: the row is damaged.
std::optional<Row> without_secrets(Row row);
Entry without_secrets(Entry entry);

}  // namespace linkmeter
