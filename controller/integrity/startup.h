// Startup: runs the self-check before a controller serves, reports and journals the result, and
// enforces it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <variant>

#include "config/reader/floor_file.h"
#include "controller/store/journal.h"
#include "controller/store/own_node.h"
#include "controller/time/clock.h"
#include "meters/state/state.h"

namespace linkmeter {

// The number of entries that are proved in about half a second.
inline constexpr std::uint64_t check_first_default = 200'000;

struct StartSettings {
  std::filesystem::path floor;
  std::filesystem::path data;
  std::filesystem::path catalogue;
  bool quick = false;  // self_check.h
  // A journal with more entries is checked quickly, and the rest in the background.
  std::uint64_t check_first = check_first_default;
  std::string version;  // of the program
  // The node is a standby: nothing is journaled. A failure is only reported.
  bool is_standby = false;
  bool creates_cluster = false;
  // Called with the journal's state before anything is verified with a key: finishes a key
  // replacement that a crash interrupted (key_rotation.h).
  std::function<void(const State&)> settle_keys = {};
};

struct Started {
  State state;            // the state after the entry of the passed check
  Digest manifest{};      // SHA-256 of the one that it passed with
  bool is_quick = false;  // only entries after the last passed check were verified
  // false: older entries were trusted, and must be verified in the background
  bool is_proved = true;
};

// Prints the result to standard error, one line for each check. Throws Fault with the reason if a
// check failed: then nothing may operate. The failure is journaled, if the journal can be trusted.
// Throws Fault, and journals nothing, if the folder is that of a node that must follow first
// (own_node.h), or of a node of a cluster that may not write alone, if the state of such a node is
// unknown, and if a node that has left its cluster is started as a standby.
Started checked_start(Journal& journal, const StartSettings& terms,
                      const std::variant<FloorFile, Violations>& floor, Clock& clock);

// What a start knows about the time. `last_check`: the last self-check that passed, from the state;
// `step_max`: from the floor file.
RecordedTime::Terms clock_terms(const Journal& journal, const ClockStanding& standing,
                                EntryNumber last_check,
                                std::chrono::microseconds step_max = RecordedTime::step_default);

// What a person proposes if the node shall leave its cluster now.
LeaveCluster leave_of(const OwnNode& node, const Journal& journal);

// The time of the journal's last entry; Timestamp() if no entry can be read.
Timestamp last_recorded(const Journal& journal);

}  // namespace linkmeter
