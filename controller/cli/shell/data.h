// Data: the journal and the state that a command reads from its source.
#pragma once

#include <filesystem>
#include <iostream>
#include <memory>
#include <variant>

#include "config/reader/violation.h"
#include "controller/cli/shell/source.h"
#include "controller/store/journal.h"
#include "meters/state/state.h"

namespace linkmeter::cli {

// The journal of a data folder, as it is now. A controller may be running. Throws Fault.
std::unique_ptr<Journal> open_data(const std::filesystem::path& data);
// The same, or the snapshot that the controller sends over its staff socket. The snapshot has all
// rows of the state, but only two entries: the last one, and the one of the configuration in force.
std::unique_ptr<Journal> open_data(const Source& from);
// The stored state, without replaying the journal. Throws Fault.
State current_state(const Journal& journal);
// Prints what an interrupted run left beside a folder that is to be made, and removes it.
void report_leftovers(const std::filesystem::path& directory);

// What was read; null, after its violations are printed on standard error.
template <class Read>
Read* read_or_print(std::variant<Read, Violations>& read) {
  const auto* violations = std::get_if<Violations>(&read);
  if (violations == nullptr) return &std::get<Read>(read);
  for (const Violation& violation : *violations) std::cerr << violation.text() << '\n';
  return nullptr;
}

}  // namespace linkmeter::cli
