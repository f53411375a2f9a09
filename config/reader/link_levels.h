// Link levels: the seeds, rates and limits of a [[link]], level by level, against what the chapter
// fixes, bounds or leaves to the house. A wager with fixed awards only has no level and none of
// them.
#pragma once

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// Reads seed, reseed, rates and limit into terms.levels, which become the paytable's, in its order.
// REQUIRES: terms.unit is read.
void read_levels_of_link(TomlTable& table, const Paytable& paytable, LinkConfig& terms);

}  // namespace linkmeter
