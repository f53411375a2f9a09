// Restored mark: what `linkmeter restore` leaves in the folder that it makes, DIR/restored.json:
// which entry the journal ended with, when it was restored, and when the backup was made. The
// controller enters it at its next start (HistoryRestored of meters/facts/restoration.h) and
// removes it.
//
//   {"mark": "linkmeter-restored 1", "head": {"entry": 812, "hash": "..."},
//    "restored_at": "2026-11-21T09:00:05.000000Z", "backup_made_at": "..."}
//
// Law: entered exactly once, also by a controller that is killed between the entry and the removal;
// and only in a journal that has that entry with that hash.
#pragma once

#include <filesystem>
#include <optional>

#include "controller/store/journal.h"
#include "meters/facts/restoration.h"

namespace linkmeter {

class Controller;

inline constexpr const char* restored_mark_name = "restored.json";

// Durable on return. Throws Fault.
void write_restored_mark(const std::filesystem::path& data, const HistoryRestored& restored);
// nullopt: there is none. Throws Fault if it cannot be read, or is not one.
std::optional<HistoryRestored> read_restored_mark(const std::filesystem::path& data);

// At a start, before anybody is served. False: there is no mark. Throws Fault if the mark is of
// another journal.
bool enter_restored(Controller& controller, const Journal& journal,
                    const std::filesystem::path& data, Timestamp now);

}  // namespace linkmeter
