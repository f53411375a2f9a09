// Start: the self-check before a controller serves anybody, told, journaled, and held to.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "controller/clock.h"
#include "controller/journal.h"
#include "meters/codec/floor_file.h"
#include "meters/state.h"

namespace linkmeter {

struct StartTerms {
  std::filesystem::path floor;
  std::filesystem::path data;
  std::filesystem::path catalogue;
  bool quick = false;   // self_check.h
  std::string version;  // of the program
};

// The state of a journal that passed, the entry that says so included. Tells the result on standard
// error, a line for each check. Throws Fault with the reason if one failed: then the journal says
// that too, if it can be trusted, and nothing may operate.
State checked_start(Journal& journal, const StartTerms& terms,
                    const std::variant<FloorFile, Violations>& floor, Clock& clock);

// The time of the journal's last entry; the beginning of time if there is none that can be read.
Timestamp last_recorded(const Journal& journal);

}  // namespace linkmeter
