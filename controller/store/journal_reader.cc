#include "controller/store/journal_reader.h"

#include <string>
#include <utility>

#include "proto/codec/journal_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {

void read_between(const Journal& journal, EntryNumber first, EntryNumber last,
                  const std::function<void(const Entry& entry, const Digest& hash)>& visit) {
  if (last < first) return;
  EntryNumber next = first;
  std::string why;
  journal.read(first, [&](const StoredEntry& stored) {
    const auto entry = decode_entry(stored.bytes);
    if (!entry) why = why_unreadable(stored.bytes);
    if (!entry || stored.number != next || entry->number != next) return false;
    visit(*entry, stored.hash);
    next = next.next();
    return next <= last;
  });
  if (next <= last) {
    throw Fault("entry " + std::to_string(next.value()) + " of the journal cannot be read" +
                (why.empty() ? "" : ": " + why) + "; run: linkmeter audit --data DIR");
  }
}

Entry entry_at(const Journal& journal, EntryNumber number) {
  Entry found;
  read_between(journal, number, number, [&](const Entry& entry, const Digest&) { found = entry; });
  return found;
}

std::optional<Head> find_head(const Journal& journal, EntryNumber number) {
  std::optional<Head> head;
  journal.read(number, [&](const StoredEntry& stored) {
    if (stored.number == number) head = Head{stored.number, stored.hash};
    return false;
  });
  return head;
}

}  // namespace linkmeter
