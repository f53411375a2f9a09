// Configuration check: compares the floor file that the controller was started with to the floor in
// force. Parameters change only by a journaled change (§ 605a.8, L8). A file that differs in any
// figure or rule, or in a rule of its catalogue, is rejected, and the first difference is named.
// The catalogue's titles, sections and sources are not rules: they may be corrected.
#pragma once

#include <optional>
#include <string>

#include "config/reader/floor_file.h"
#include "controller/store/config_history.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// The first difference as a sentence; nullopt if there is none.
std::optional<std::string> floor_difference(const Floor& journaled, const Floor& file);
// The same for the catalogue's rules, index by index. REQUIRES: the floors do not differ.
std::optional<std::string> rules_difference(const Floor& floor, const FloorRules& journaled,
                                            const FloorRules& file);
// Both differences, with the journaled rules resolved again.
std::optional<std::string> floor_difference(const Configuration& journaled, const FloorFile& file);

}  // namespace linkmeter
