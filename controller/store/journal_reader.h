// Reads journal entries back in order, for computations over a range of entries.
#pragma once

#include <functional>
#include <optional>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"

namespace linkmeter {

// The stored entry. Throws Fault if it cannot be decoded or holds another number.
Entry decoded(const StoredEntry& stored);

// Visits `first` to `last`, both included; none if `last` is before `first`. Throws Fault if an
// entry is missing or cannot be read.
void read_between(const Journal& journal, EntryNumber first, EntryNumber last,
                  const std::function<void(const Entry& entry, const Digest& hash)>& visit);
// One entry. Throws Fault.
Entry entry_at(const Journal& journal, EntryNumber number);
// nullopt: it is not committed, or cannot be decoded.
std::optional<Entry> find_entry(const Journal& journal, EntryNumber number);

// The entry of that number, with its hash. nullopt: it is not committed.
std::optional<Head> find_head(const Journal& journal, EntryNumber number);

}  // namespace linkmeter
