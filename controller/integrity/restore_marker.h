// Restore marker: the file DIR/restored.json, which `linkmeter restore` leaves in the folder that
// it makes. It contains the journal's last entry, the time of the restore and the time of the
// backup. The controller journals it at its next start (HistoryRestored of
// meters/facts/restoration.h) and removes it.
//
//   {"mark": "linkmeter-restored 1", "head": {"entry": 812, "hash": "..."},
//    "restored_at": "2026-11-21T09:00:05.000000Z", "backup_made_at": "..."}
//
// Law: it is journaled exactly once, even if the controller is killed between the entry and the
// removal, and only in a journal that has that entry with that hash.
#pragma once

#include <filesystem>
#include <optional>

#include "controller/store/journal.h"
#include "meters/facts/restoration.h"

namespace linkmeter {

class Controller;

inline constexpr const char* restore_marker_name = "restored.json";

// Durable on return. Throws Fault.
void write_restore_marker(const std::filesystem::path& data, const HistoryRestored& restored);
// nullopt: there is none. Throws Fault if it cannot be read, or is invalid.
std::optional<HistoryRestored> read_restore_marker(const std::filesystem::path& data);

// Call before this controller writes anything else. False: there is no marker. Throws Fault if the
// marker belongs to another journal, and if the folder was restored as a node that has not caught
// up with the others (own_node.h): its journal lacks entries that they have.
bool append_restored(Controller& controller, const Journal& journal,
                     const std::filesystem::path& data, Timestamp now);

}  // namespace linkmeter
