#include "controller/store/journal_reader.h"

#include <string>
#include <utility>

#include "proto/codec/journal_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

[[noreturn]] void throw_unreadable(EntryNumber number, const std::string& why) {
  throw Fault("entry " + std::to_string(number.value()) + " of the journal cannot be read" +
              (why.empty() ? "" : ": " + why) + "; run: linkmeter audit --data DIR");
}

}  // namespace

Entry decoded(const StoredEntry& stored) {
  auto entry = decode_entry(stored.bytes);
  if (!entry) throw_unreadable(stored.number, why_unreadable(stored.bytes));
  if (entry->number != stored.number) throw_unreadable(stored.number, "");
  return std::move(*entry);
}

void read_between(const Journal& journal, EntryNumber first, EntryNumber last,
                  const std::function<void(const Entry& entry, const Digest& hash)>& visit) {
  if (last < first) return;
  EntryNumber next = first;
  journal.read(first, [&](const StoredEntry& stored) {
    if (stored.number != next) return false;
    visit(decoded(stored), stored.hash);
    next = next.next();
    return next <= last;
  });
  if (next <= last) throw_unreadable(next, "");
}

std::optional<Entry> find_entry(const Journal& journal, EntryNumber number) {
  std::optional<Entry> entry;
  journal.read(number, [&](const StoredEntry& stored) {
    if (stored.number == number) entry = decode_entry(stored.bytes);
    return false;
  });
  if (entry && entry->number != number) entry.reset();
  return entry;
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
