// Link levels: the seeds and rates of a [[link]], level by level, against what the chapter fixes,
// bounds or leaves to the house.
#pragma once

#include "meters/codec/toml_table.h"
#include "meters/floor.h"

namespace linkmeter {

// Both REQUIRE: terms.levels are the paytable's, in its order; terms.unit is read.
void read_openings(TomlTable& table, const Paytable& paytable, LinkTerms& terms);
void read_rates(TomlTable& table, const Paytable& paytable, LinkTerms& terms);

}  // namespace linkmeter
