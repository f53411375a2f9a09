// Disclosure: what of the state and of the journal people may read who may not read the data
// folder: everything but seals of PINs and the digests of recovery codes in force. Those are
// emptied, and the rest stays word for word: so does a proposal of new codes, which is confirmed by
// its words. The digest of a code of 128 bits gives nothing away.
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
