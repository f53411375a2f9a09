#include "controller/store/state_snapshot.h"

#include <optional>
#include <utility>

#include "proto/codec/disclosure.h"
#include "proto/codec/journal_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// Entries never change, so they may be read after the rows.
std::string entry_without_secrets(const Journal& journal, EntryNumber number) {
  std::string encoded;
  journal.read(number, [&encoded, number](const StoredEntry& stored) {
    auto entry = stored.number == number ? decode_entry(stored.bytes) : std::nullopt;
    if (entry) encoded = encode(without_secrets(std::move(*entry)));
    return false;
  });
  if (encoded.empty()) {
    throw Fault("entry " + std::to_string(number.value()) + " of the journal cannot be read");
  }
  return encoded;
}

}  // namespace

Snapshot snapshot_of(const Journal& journal, const std::string& controller_key) {
  Journal::Stored stored = journal.stored();
  Snapshot snapshot;
  snapshot.head = stored.head;
  snapshot.controller_key = controller_key;
  std::optional<EntryNumber> configuration;
  for (Row& row : stored.rows) {
    if (row.key == "floor") configuration = read_configuration_row(row);
    auto shown = without_secrets(std::move(row));
    if (!shown) throw Fault("a row of the state is damaged");
    snapshot.rows.push_back(std::move(*shown));
  }
  if (!configuration) throw Fault("the state does not name the configuration in force");
  for (const EntryNumber number : {*configuration, stored.head.entry}) {
    snapshot.entries[number] = entry_without_secrets(journal, number);
  }
  return snapshot;
}

}  // namespace linkmeter
