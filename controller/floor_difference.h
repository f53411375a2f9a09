// Floor difference: is the floor file that a controller was started with the one that its journal
// was opened with? No parameter changes while a link operates (§ 605a.8, L8); a file that differs
// in any figure or rule, or in a rule of the catalogue it rests on, is refused by naming what
// differs first. The catalogue's titles, sections and sources are no rules: they may be corrected.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "meters/codec/floor_file.h"
#include "meters/entry.h"
#include "meters/floor.h"

namespace linkmeter {

// The first difference as a sentence; nullopt if there is none.
std::optional<std::string> floor_difference(const Floor& journaled, const Floor& file);
// The same for the chapters' rules, place by place. REQUIRES: the floors do not differ.
std::optional<std::string> rules_difference(const Floor& floor, const FloorRules& journaled,
                                            const FloorRules& file);
// The floor and its rules, resolved again from the texts that entry 1 keeps whole.
std::variant<FloorFile, Violations> resolve_again(const FloorOpened& journaled);
// Both differences, with the journaled rules resolved again.
std::optional<std::string> floor_difference(const FloorOpened& journaled, const FloorFile& file);

}  // namespace linkmeter
