// Floor difference: is the floor file that a controller was started with the one that is in force?
// No parameter changes but by a journaled change (§ 605a.8, L8); a file that differs in any figure
// or rule, or in a rule of the catalogue it rests on, is refused by naming what differs first. The
// catalogue's titles, sections and sources are no rules: they may be corrected.
#pragma once

#include <optional>
#include <string>

#include "config/reader/floor_file.h"
#include "controller/store/config_history.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// The first difference as a sentence; nullopt if there is none.
std::optional<std::string> floor_difference(const Floor& journaled, const Floor& file);
// The same for the chapters' rules, place by place. REQUIRES: the floors do not differ.
std::optional<std::string> rules_difference(const Floor& floor, const FloorRules& journaled,
                                            const FloorRules& file);
// Both differences, with the journaled rules resolved again.
std::optional<std::string> floor_difference(const Configuration& journaled, const FloorFile& file);

}  // namespace linkmeter
