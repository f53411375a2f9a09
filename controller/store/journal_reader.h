// Entries between: entries of a journal read back one after the other, for what is reckoned from
// them.
#pragma once

#include <functional>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"

namespace linkmeter {

// From `first` to `last`, both with them; none if `last` is before `first`. Throws Fault where one
// is missing or cannot be read.
void read_between(const Journal& journal, EntryNumber first, EntryNumber last,
                  const std::function<void(const Entry& entry, const Digest& hash)>& visit);
// One alone. Throws Fault.
Entry entry_at(const Journal& journal, EntryNumber number);

// The entry of that number, with its hash; nullopt: it is not committed.
std::optional<Head> find_head(const Journal& journal, EntryNumber number);

}  // namespace linkmeter
