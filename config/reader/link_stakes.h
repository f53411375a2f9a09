// Link stakes: what one wager of a [[link]] may amount to: a unit, or a minimum and a maximum.
//
// A unit is needed where seeds, or envies for exact wagers, follow the wager; it is then one that
// every envy of the chapter knows. Envies for a wager "or more" need none.
#pragma once

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// Reads unit, minimum and maximum into `terms`.
void read_stakes(TomlTable& table, const WagerRules& wager, const Paytable& paytable,
                 LinkConfig& terms);

}  // namespace linkmeter
