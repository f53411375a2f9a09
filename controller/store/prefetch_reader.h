// Prefetch reader: reads a journal in order, with a second thread that reads and decodes ahead of
// the visitor. Entries and their order are those of Journal::read() and decode_entry().
#pragma once

#include <functional>
#include <optional>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"

namespace linkmeter {

// Visits entries from `from` on, until the visitor returns false or the last one is reached. The
// entry is nullopt if its bytes do not decode. The visitor runs in the calling thread. If the
// journal was opened as a reader, nothing else may read it meanwhile. Throws Fault if the store
// cannot be read, after visiting the entries before.
void read_with_prefetch(
    const Journal& journal, EntryNumber from,
    const std::function<bool(const StoredEntry&, const std::optional<Entry>&)>& visit);

}  // namespace linkmeter
