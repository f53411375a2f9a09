#include <iostream>

#include "controller/cli/commands.h"
#include "controller/cli/progress.h"
#include "controller/entry_json.h"
#include "meters/codec/journal_codec.h"

namespace linkmeter::cli {

int export_entries(const std::filesystem::path& data) {
  const auto journal = open_data(data);
  Progress progress("export", journal->head().entry.value(), "entries");
  Floor floor;
  journal->read(EntryNumber(1), [&](const StoredEntry& stored) {
    const std::optional<Entry> entry = decode_entry(stored.bytes);
    if (!entry) {
      throw Fault("entry " + std::to_string(stored.number.value()) +
                  " cannot be read; run: linkmeter audit --data DIR");
    }
    if (const auto* opened = std::get_if<FloorOpened>(&entry->fact)) floor = opened->floor;
    std::cout << entry_json(*entry, floor, stored.hash) << '\n';
    if (!std::cout) throw Fault("standard output cannot be written");
    progress.show(stored.number.value());
    return true;
  });
  std::cout.flush();
  if (!std::cout) throw Fault("standard output cannot be written");
  return 0;
}

}  // namespace linkmeter::cli
