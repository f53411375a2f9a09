// Entries ahead: reads a journal in order, with a second thread that reads and decodes ahead of the
// one that looks at what they say. What is seen, and in which order, is what Journal::read() and
// decode_entry() give.
#pragma once

#include <functional>
#include <optional>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"

namespace linkmeter {

// Visits entries from `from` on, until the visitor says false or there are none. The entry is
// nullopt where its bytes are none. The visitor runs in the calling thread; of a journal that is
// open to read alone, nothing else may read meanwhile. Throws Fault if the store cannot be read,
// after what could be was visited.
void read_ahead(const Journal& journal, EntryNumber from,
                const std::function<bool(const StoredEntry&, const std::optional<Entry>&)>& visit);

}  // namespace linkmeter
