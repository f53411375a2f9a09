// Start: the self-check before a controller serves anybody, told, journaled, and held to.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <variant>

#include "config/reader/floor_file.h"
#include "controller/store/journal.h"
#include "controller/time/clock.h"
#include "meters/state/state.h"

namespace linkmeter {

// What is proved in about half a second.
inline constexpr std::uint64_t check_first_default = 200'000;

struct StartTerms {
  std::filesystem::path floor;
  std::filesystem::path data;
  std::filesystem::path catalogue;
  bool quick = false;  // self_check.h
  // A journal of more entries than so many is proved quickly, and the rest of it behind the start.
  std::uint64_t check_first = check_first_default;
  std::string version;  // of the program
  // Called with the state that the journal gives, before anything is held against a key: finishes
  // what a crash left of a key's replacement (key_rotation.h).
  std::function<void(const State&)> settle_keys = {};
};

struct Started {
  State state;            // of a journal that passed, the entry that says so included
  Digest manifest{};      // SHA-256 of the one that it passed with
  bool is_proved = true;  // false: older entries were believed, and are to be verified meanwhile
};

// Tells the result on standard
// error, a line for each check. Throws Fault with the reason if one failed: then the journal says
// that too, if it can be trusted, and nothing may operate.
Started checked_start(Journal& journal, const StartTerms& terms,
                      const std::variant<FloorFile, Violations>& floor, Clock& clock);

// What a start knows of time. `last_check`: the last self-check that passed, by the state;
// `step_max`: of the floor file.
RecordedTime::Terms clock_terms(const Journal& journal, const ClockStanding& standing,
                                EntryNumber last_check,
                                std::chrono::microseconds step_max = RecordedTime::step_default);

// The time of the journal's last entry; the beginning of time if there is none that can be read.
Timestamp last_recorded(const Journal& journal);

}  // namespace linkmeter
